"""What somebody does for a living, said behind the name: "Ada Hale, a welder," and "is a cook".

In: mentions and their text.  Out: quasi-identifiers: findings of the rule "occupation".
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator

from dlp.detect.naming.mention import Mention
from dlp.knowledge.wordnet import load_wordnet
from dlp.model import Finding, Kind

BEHIND = re.compile(
    r",?\s(?:(?:is|was)\s)?(?:an?|the|our)\s((?:[a-z][a-z-]*\s){0,3}[a-z][a-z-]*)(?=[\s,.;]|$)"
)
# Senses of WordNet below which people are by their work.
WORK = ("worker", "professional", "employee", "entertainer", "serviceman", "clergyman", "farmer")
DOERS = ("er", "or", "ist")
QUASI = 0.2  # a confidence below that of findings


def occupations_of(mentions: Iterable[Mention], text: str) -> Iterator[Finding]:
    for mention in mentions:
        if mention.kind is not Kind.PERSON:
            continue
        found = BEHIND.match(text, mention.end)
        for word in re.finditer(r"[a-z-]+", found[1]) if found else ():
            if is_work(word[0]):
                start = found.start(1) if found else 0
                yield Finding(Kind.ORGANISATION, "occupation", mention.part,
                              start + word.start(), start + word.end(), QUASI)  # fmt: skip
                break


@functools.cache
def work_senses() -> frozenset[int]:
    known = load_wordnet()
    return frozenset(known.synsets(word)[0] for word in WORK)


@functools.lru_cache(maxsize=4096)
def is_work(noun: str) -> bool:
    """By its first sense, or by the second of a word that ends as words for doers end."""
    known = load_wordnet()
    senses = known.synsets(noun)[: 2 if noun.endswith(DOERS) else 1]
    return any(not work_senses().isdisjoint(known.subsumers(sense)) for sense in senses)
