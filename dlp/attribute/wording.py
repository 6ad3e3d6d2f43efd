"""How the words around a fact sound: like what is told of somebody, or like what is told to many.

In: a stretch of text with the places of names and health terms.  Out: a score between -1 and 1,
0 where the words say nothing.

Names and health terms are masked by their kind, numbers by a sign, so that only the wording counts.
Three readings: the words of a paragraph and its neighbours that several sources share
(rules/wording.toml), all words and pairs there by a hash of 16 bits (rules/reader.toml), and the
few words directly before and behind a fact and a person, with their side (rules/clauses.toml).
bench/generalise.py learns them.
"""

from __future__ import annotations

import base64
import math
import re
import zlib
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from dlp.errors import RuleError
from dlp.knowledge.stages import AT_END, LONGEST
from dlp.resources import rules_folder
from dlp.rulebook import read_toml

FILE = "wording.toml"
CLAUSES = "clauses.toml"
READER = "reader.toml"
BUCKETS = 1 << 16  # of a hashed word or pair
LEAST = -6.0  # log-odds below which the reader is sure
LITTLE = 0.45  # log-odds that say nothing
TOKEN = re.compile(r"\x01|\x02|[^\W\d_]+(?:['’][a-z]+)?|\d+|[?!]")
CLOSE = re.compile(r"\x01|\x02|[^\W\d_]+(?:['’][a-z]+)?|\d+|[?!:;,()|/\[\]–—-]")
READ = re.compile(r"\x01|\x02|[^\W\d_]+(?:['’][a-z]+)?|\d+|[?!:;,()|/\[\]]")
BEFORE, BEHIND, START, END = "<", ">", "^", "$"
MOST_WORDS = 6  # on either side of a fact or a person
PERSON, HEALTH = "\x01", "\x02"  # what a name and a health term become
SCALE = 2.0  # sum of weights at which the score is nearly 1
Mask = tuple[int, int, str]
JOINED = re.compile(
    r"\s*(?:[,;/+&]|(?:,\s*)?\b(?:and|or|plus|as well as)\b)\s*(?:(?:an?|the)\s+)?", re.IGNORECASE
)


def phrases(text: str, masks: Iterable[Mask]) -> list[Mask]:
    """Masks in order; health terms that are listed together are one, with the stage of each.

    "Gout", "stage II gout" and "gout and asthma" stand in one place of a sentence: a further fact
    changes nothing about how the words around it sound.
    """
    found: list[Mask] = []
    for start, end, sign in masks:
        if sign == HEALTH:
            floor = max(0, start - LONGEST, found[-1][1] if found else 0)
            stage = AT_END.search(text, floor, start)
            start = stage.start() if stage else start  # noqa: PLW2901
            if found and found[-1][2] == HEALTH and JOINED.fullmatch(text, found[-1][1], start):
                start = found.pop()[0]  # noqa: PLW2901
        found.append((start, end, sign))
    return found


def masked(text: str, start: int, end: int, masks: Iterable[Mask]) -> str:
    """The stretch with names and health terms replaced by their signs."""
    pieces, at = [], start
    for low, high, sign in masks:
        if low >= at and high <= end:
            pieces += [text[at:low], sign]
            at = high
    return "".join([*pieces, text[at:end]])


def grams(stretch: str) -> set[str]:
    """Distinct words and pairs of neighbouring words; that there is a name at all is no wording."""
    words = ["#" if word[0].isdigit() else word.lower() for word in TOKEN.findall(stretch)]
    return {*words, *map(" ".join, pairwise(words))} - {PERSON}


def sides(sign: str, before: str, after: str) -> set[str]:
    """The words next to a fact or a person (`sign` says which), each with its side.

    `before` and `after` are masked and end where the sentence or line does.
    """
    lead = [START, *words_of(before)][-MOST_WORDS:]
    rest = [*words_of(after)[:MOST_WORDS], END][:MOST_WORDS]
    found = {f"{sign}{BEFORE}{word}" for word in lead} | {f"{sign}{BEHIND}{word}" for word in rest}
    found.add(f"{sign} {lead[-1]} * {rest[0]}")
    if len(lead) > 1:
        found.add(f"{sign}{BEFORE}{lead[-2]} {lead[-1]}")
    if len(rest) > 1:
        found.add(f"{sign}{BEHIND}{rest[0]} {rest[1]}")
    return found


def words_of(stretch: str) -> list[str]:
    return ["#" if word[0].isdigit() else word.lower() for word in CLOSE.findall(stretch)]


class Wording:
    def __init__(self, weights: Mapping[str, float]) -> None:
        self._weights = weights
        self._telling = frozenset(weights)

    def total(self, found: set[str]) -> float:
        # an exact sum is the same in whatever order a set gives its members
        return math.fsum(map(self._weights.__getitem__, self._telling & found))

    def score(self, found: set[str]) -> float:
        return squashed(self.total(found))


def buckets(stretch: str) -> list[int]:
    """Distinct words and pairs of neighbouring words of a masked stretch, hashed, in order."""
    words = ["#" if word[0].isdigit() else word.lower() for word in READ.findall(stretch)]
    every = {*words, *map(" ".join, pairwise(words))} - {PERSON}
    return sorted({zlib.crc32(gram.encode()) % BUCKETS for gram in every})


class Reader:
    """A sum of weights over hashed words: how far a stretch reads unlike a leak, as log-odds.

    It speaks against a link alone: a course, a review or a price list reads like nobody's case, but
    words that sound like a case name nobody and tell no fact.
    """

    def __init__(self, bias: float, step: float, weights: npt.NDArray[np.int8]) -> None:
        self.bias, self.step, self.weights = bias, step, weights

    def score(self, stretch: str) -> float:
        total = int(self.weights[buckets(stretch)].sum(dtype=np.int64))
        return max(LEAST, min(0.0, self.bias + self.step * total + LITTLE))


@cache
def load_reader() -> Reader:
    book = read_toml(rules_folder() / READER)
    packed = zlib.decompress(base64.b64decode(book["weights"]))
    weights = np.frombuffer(packed, np.int8)
    if len(weights) != BUCKETS:
        raise RuleError(f"holds {len(weights)} weights, not {BUCKETS}", where=READER,
                        fix="restore the file, or run bench/generalise.py --write")  # fmt: skip
    return Reader(float(book["bias"]), float(book["step"]), weights)


def squashed(total: float) -> float:
    return math.tanh(total / SCALE)


@cache
def load_wording() -> Wording:
    return read_wording(FILE)


@cache
def load_clauses() -> Wording:
    return read_wording(CLAUSES)


def read_wording(name: str) -> Wording:
    book = read_toml(rules_folder() / name)
    return Wording({
        name.replace("@p", PERSON).replace("@h", HEALTH): float(value)
        for name, value in book["weights"].items()
    })  # fmt: skip
