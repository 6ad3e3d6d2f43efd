"""How the words around a fact sound: like what is told of somebody, or like what is told to many.

In: a stretch of text with the places of names and health terms.  Out: a score between -1 and 1.

Names and health terms are masked by their kind, numbers by a sign, so that only the wording counts.
The weights of words and pairs stand in rules/wording.toml; bench/generalise.py learns them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import pairwise

from dlp.resources import rules_folder
from dlp.rulebook import read_toml

FILE = "wording.toml"
TOKEN = re.compile(r"\x01|\x02|[^\W\d_]+(?:['’][a-z]+)?|\d+|[?!]")
PERSON, HEALTH = "\x01", "\x02"  # what a name and a health term become
SCALE = 2.0  # sum of weights at which the score is nearly 1
Mask = tuple[int, int, str]


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
    return {*words, *(f"{one} {two}" for one, two in pairwise(words))} - {PERSON}


class Wording:
    def __init__(self, bias: float, weights: Mapping[str, float]) -> None:
        self._bias = bias
        self._weights = weights

    def score(self, found: set[str]) -> float:
        weights = self._weights
        # an exact sum is the same in whatever order a set gives its members
        total = math.fsum([weights.get(one, 0.0) for one in found])
        return math.tanh((self._bias + total) / SCALE)


@cache
def load_wording() -> Wording:
    book = read_toml(rules_folder() / FILE)
    weights = {
        name.replace("@p", PERSON).replace("@h", HEALTH): float(value)
        for name, value in book["weights"].items()
    }
    return Wording(float(book["bias"]), weights)
