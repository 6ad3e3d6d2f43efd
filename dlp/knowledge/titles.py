"""Titles of published works as fingerprints: facts small enough to ship, of no use to read back.

In: titles, one by one.  Out: their 64-bit fingerprints and a sorted table to look them up in.

A title that is one ordinary word, or too short to be a title, never enters a table: a file called
"Letter" is a letter far more often than the film of that name.
"""

from __future__ import annotations

import functools
import hashlib
import re
import unicodedata
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from dlp.knowledge.arrays import distinct
from dlp.knowledge.artefact import load

Table = npt.NDArray[np.uint64]
ARTICLES = frozenset({"a", "an", "the"})
MIN_LETTERS = 5  # "$", "M", "Up": shorter titles are abbreviations in a file name
MIN_SINGLE_LETTERS = 7
BRACKETED = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
TRAILING_ARTICLE = re.compile(r"^(.*),\s*(?:the|an|a)$")
APOSTROPHE = re.compile(r"(?<=\w)['\u2019`](?=\w)")
NOT_WORD = re.compile(r"[\W_]+")
PLAIN_WORDS = "".join(chr(point) if chr(point).isalnum() else " " for point in range(128))


def normalise(title: str) -> str:
    """Reduce a title to what survives file names, catalogues and keyboards.

    Case, accents, punctuation, bracketed notes and the leading article go; words and numbers stay.
    """
    folded = title.casefold()
    if not title.isascii():
        folded = unicodedata.normalize("NFKD", title).casefold()
        folded = "".join(c for c in folded if not unicodedata.combining(c))
    bare = folded.strip() or folded
    if "(" in bare or "[" in bare:
        bare = BRACKETED.sub(" ", folded).strip() or folded
    if "," in bare and (moved := TRAILING_ARTICLE.match(bare)):
        bare = moved[1]
    if bare.isascii():  # most are, and most have neither; the patterns say the same, dearer
        if "'" in bare or "`" in bare:
            bare = APOSTROPHE.sub("", bare)
        words = bare.replace("&", " and ").translate(PLAIN_WORDS).split()
    else:
        bare = APOSTROPHE.sub("", bare).replace("&", " and ")
        words = NOT_WORD.sub(" ", bare).split()
    while len(words) > 1 and words[0] in ARTICLES:
        words = words[1:]
    return " ".join(words)


def says_enough(
    title: str, ordinary: frozenset[str], vocabulary: frozenset[str] = frozenset()
) -> bool:
    """Whether a normalised title is specific enough to name one work.

    `ordinary` words make no title, however many; a word of `vocabulary` makes none by itself.
    """
    if len(title) < MIN_LETTERS or (letters := sum(map(str.isalpha, title))) < MIN_LETTERS:
        return False
    words = [word for word in title.split() if not word.isdigit()]
    if len(words) == 1:
        alone = words[0]
        return letters >= MIN_SINGLE_LETTERS and alone not in ordinary and alone not in vocabulary
    return not ordinary.issuperset(words)


def fingerprint(title: str) -> int:
    """64 bits of a normalised title; among 200,000 titles a chance match is 1 in 10^14."""
    return int.from_bytes(hashlib.blake2b(title.encode(), digest_size=8).digest(), "little")


def table_of(titles: Iterable[str]) -> Table:
    """Turn normalised titles into a sorted table without repeats."""
    return distinct(np.fromiter((fingerprint(t) for t in titles), dtype=np.uint64))


def holds(table: Table, title: str) -> bool:
    mark = np.uint64(fingerprint(title))
    place = int(table.searchsorted(mark))
    return place < len(table) and bool(table[place] == mark)


@functools.lru_cache(maxsize=1)
def catalogue() -> Table:
    """The table that comes with the product."""
    return load("titles")["fingerprints"]
