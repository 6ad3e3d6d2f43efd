"""What somebody does for a living: "Ada Hale, a welder,", "our florist Ada Hale", "runs a shop".

In: mentions and their text.  Out: quasi-identifiers: findings of the rule "occupation".
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator

from dlp.detect.naming.mention import Mention
from dlp.knowledge.wordnet import load_wordnet
from dlp.model import Finding, Kind

WORDS = r"((?:[a-z][a-z-]*\s){0,3}[a-z][a-z-]*)"
IS = r"(?:(?:is|was|am|became|remains)\s(?:also\s)?)"
BEHIND = re.compile(rf",?\s{IS}?(?:an?|the|our)\s{WORDS}(?=[\s,.;]|$)")
BEFORE = re.compile(
    rf"(?:^|[\s(])(?:[Tt]he|[Oo]ur|[Rr]etired|[Ff]ormer|[Ll]ocal|[Aa]n?)\s{WORDS},?\s$"
)
SOMEBODY = re.compile(r"\b(?:[Ss]?[Hh]e|I|[Tt]hey)\b(?=\s)")
DOES = re.compile(
    r",?\s(?:who\s|and\s|also\s)?(?:has\s|had\s|used\sto\s)?(?:"
    r"(?:teach(?:es)?|taught|lectures?|coach(?:es|ed)|preach(?:es|ed)|farm(?:s|ed))\s(\w+)"
    rf"|(?:a\sjob|serves?|served|volunteers?)\sas\san?\s{WORDS}"
    r"|(?:works?|worked|runs?|ran|owns?|owned|manages?|managed|retired|a\sjob|serves?|served"
    r"|plays?|played|sings?|sang)\s(?:(?:the\s)?\w+\s)?(?:(?:in|at|for|from|with)\s)?"
    rf"(?:an?|the|his|her|my|our)\s{WORDS})"
)
# Senses of WordNet of people who are so by what happens to them or by birth, not by what they do.
NO_WORK = (
    "relative", "unfortunate", "user", "inhabitant", "juvenile", "bad person", "male", "female",
    "member", "friend", "neighbor", "simpleton", "lover", "owner", "native",
)  # fmt: skip
PERSON, PATIENT = "person", "sufferer"
ANYBODY = frozenset([
    "woman", "man", "boy", "girl", "lady", "gentleman", "person", "adult", "individual", "widow",
    "widower", "carrier", "survivor", "donor", "candidate", "citizen", "subject", "child",
])  # fmt: skip
WORKPLACES = (
    "workplace", "establishment", "organization", "enterprise", "force", "building", "depository",
    "industrial plant",
)  # fmt: skip
DOERS = ("er", "or", "ist")
QUASI = 0.2  # a confidence below that of findings


def occupations_of(mentions: Iterable[Mention], text: str) -> Iterator[Finding]:
    people = [one for one in mentions if one.kind is Kind.PERSON]
    for mention in people:
        if found := _work_in(BEFORE.search(text, max(0, mention.start - 60), mention.start)):
            yield _finding(mention.part, *found)
    part = people[0].part if people else 0
    ends = [one.end for one in people] + [one.end() for one in SOMEBODY.finditer(text)]
    for end in ends if people else ():
        found = _work_in(BEHIND.match(text, end)) or _place_in(DOES.match(text, end))
        if found:
            yield _finding(part, *found)


def _finding(part: int, start: int, end: int) -> Finding:
    return Finding(Kind.ORGANISATION, "occupation", part, start, end, QUASI)


def _work_in(found: re.Match[str] | None) -> tuple[int, int] | None:
    """The noun for somebody who works; the last one of "deputy sheriff" or "software engineer"."""
    words = [*re.finditer(r"[a-z-]+", found[1])] if found else []
    start = found.start(1) if found else 0
    for word in words:
        if is_work(word[0]):
            return start + word.start(), start + word.end()
    return None


def _place_in(found: re.Match[str] | None) -> tuple[int, int] | None:
    """What somebody teaches, or where they work: "a bakery", "the post office"."""
    if found is None:
        return None
    taught, doer, place = found[1], found[2], found[3]
    if taught:
        return found.span(1)
    if doer and any(map(is_work, doer.split())):
        return found.span(2)
    return found.span(3) if any(map(is_workplace, phrases_of(place or ""))) else None


def phrases_of(words: str) -> Iterator[str]:
    """ "post office and has": the two words, then the first."""
    first = words.split()[:2]
    yield " ".join(first)
    yield from first


@functools.cache
def senses_of(names: tuple[str, ...]) -> frozenset[int]:
    known = load_wordnet()
    return frozenset(known.synsets(name)[0] for name in names if known.synsets(name))


@functools.lru_cache(maxsize=4096)
def is_work(noun: str) -> bool:
    """By its first sense, or by the second of a word that ends as words for doers end."""
    known = load_wordnet()
    for sense in () if noun in ANYBODY else known.synsets(noun)[: 2 if noun.endswith(DOERS) else 1]:
        above = known.subsumers(sense)
        if senses_of((PERSON,)) <= above and above.isdisjoint(senses_of((*NO_WORK, PATIENT))):
            return True
    return False


@functools.lru_cache(maxsize=4096)
def is_workplace(noun: str) -> bool:
    known = load_wordnet()
    senses = known.synsets(noun)[:2]
    return any(not senses_of(WORKPLACES).isdisjoint(known.subsumers(one)) for one in senses)
