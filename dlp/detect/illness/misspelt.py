"""Long names of illnesses and drugs that are spelt wrongly.

In: a text and the spans already found.  Out: hits with the sense of the word that was meant.

Only words in small letters that no list of English words has are compared: with the health words
that begin alike and are about as long, by edit distance. One mistake is allowed in a word of seven
letters, two from eleven on; a longer text is left alone, as it is no hasty note.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache

from rapidfuzz.distance import OSA
from rapidfuzz.process import extractOne

from dlp.knowledge.artefact import load
from dlp.knowledge.hits import Flag, Sense, TermHit
from dlp.knowledge.words import load_words
from dlp.model import Kind

LONGEST_TEXT = 20_000  # characters
SHORTEST, LONG = 7, 11  # letters of a word with one mistake, with two
MOST_BEFORE = 24  # characters of the word before
MOST = 400  # different unknown words of a text that are looked up
LETTERS = re.compile(r"(?<![\w@./-])[a-z]{7,24}+(?![\w@/-])")  # free runs of small letters
Sensing = Callable[[str], Sense | None]
KINDS = frozenset({Kind.DISEASE, Kind.SYMPTOM, Kind.DRUG})
NEXT = re.compile(r" [a-z]+(?: [a-z]+)?")  # one or two words behind
LAST = re.compile(r"[a-z]+ $")  # the word before


def misspelt(text: str, taken: Sequence[TermHit], sense: Sensing) -> Iterator[TermHit]:
    if len(text) > LONGEST_TEXT:
        return
    covered = {place for hit in taken for place in (hit.start, hit.end)}
    written = [match for match in LETTERS.finditer(text) if match.start() not in covered]
    words = sorted({match[0] for match in written})[:MOST]
    unknown = {
        word
        for word, frequency in zip(words, load_words().zipfs(words), strict=True)
        if not frequency > 0
    }
    for match in written:
        if match[0] not in unknown or not (meant := nearest(match[0])):
            continue
        for start, end, term in readings(text, match, meant):
            known = sense(term)
            if known is not None and known.kind in KINDS and not known.flags & Flag.AMBIGUOUS:
                yield TermHit(start, end, known.kind, known.concepts, -1, int(Flag.BROAD))
                break


def readings(text: str, written: re.Match[str], meant: str) -> Iterator[tuple[int, int, str]]:
    """The terms that a corrected word may be, or be part of, the longest first."""
    start, end = written.span()
    behind = NEXT.match(text, end)
    before = LAST.search(text, max(0, start - MOST_BEFORE), start)
    if behind:
        yield start, behind.end(), meant + behind[0]
        one = behind[0].split()[0]
        if before:
            yield before.start(), end + 1 + len(one), f"{before[0]}{meant} {one}"
        yield start, end + 1 + len(one), f"{meant} {one}"
    if before:
        yield before.start(), end, before[0] + meant
    yield start, end, meant


@lru_cache(maxsize=4096)
def nearest(word: str) -> str:
    """The health word that a word was meant to be, or nothing."""
    allowed = 1 if len(word) < LONG else 2
    for size in range(len(word) - allowed, len(word) + allowed + 1):
        choices = health_words().get((word[0], size), ())
        found = extractOne(word, choices, scorer=OSA.distance, score_cutoff=allowed)
        if found is not None:
            return str(found[0])
    return ""


@cache
def health_words() -> dict[tuple[str, int], list[str]]:
    """The words to compare with, by first letter and length."""
    listed: defaultdict[tuple[str, int], list[str]] = defaultdict(list)
    for word in load("cheap_words").strings("spelling").all():
        listed[word[0], len(word)].append(word)
    return dict(listed)
