"""How a term must be written: in capitals, with its sign, with its comma.

In: a text, the place of a term, the flags of the term.  Out: its flags, or that it is none there.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import numpy.typing as npt

from dlp.knowledge.arrays import nonzero
from dlp.knowledge.hits import Flag
from dlp.knowledge.phrases import Positions

_AROUND = 24  # characters either side that tell a line in capitals from a word in capitals
_SIGNS = frozenset("/.&+-")
LETTERS = 26
_NO_CAPITALS = bytes(code for code in range(128) if not chr(code).isupper())
_NOT_SMALL = bytes(code for code in range(128) if not chr(code).islower())
# Plain integers: an operation on an enumeration costs as much as a hit.
_CASED, _AMBIGUOUS, _INVERTED = int(Flag.CASED), int(Flag.AMBIGUOUS), int(Flag.INVERTED)
_PUNCTUATED = int(Flag.PUNCTUATED)


def capitals(text: str, points: npt.NDArray[Any], starts: Positions, ends: Positions) -> Positions:
    """How many capitals stand in each stretch; signs beyond the first plane may all be some."""
    if points.dtype == np.uint8:
        high = nonzero(points - np.uint8(ord("A")) < LETTERS)  # what is below wraps round
    else:
        wide = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
        high = nonzero(_upper_case().take(wide, mode="clip"))
    return np.asarray(high.searchsorted(ends) - high.searchsorted(starts))


@functools.cache
def _upper_case() -> npt.NDArray[np.bool_]:
    """Of each character of the first plane whether it is a capital; the last row is the rest."""
    return np.array([*map(str.isupper, map(chr, range(0x10000))), True])


def check(text: str, start: int, end: int, flag: int, crossed: int) -> int | None:
    """The flags of a hit that passes its own conditions, else None."""
    written = text[start:end]
    if flag & _CASED and written.islower():
        return None
    if flag & _INVERTED:
        following = text[end : end + 1]
        if not crossed or not (following in ",;.\n\r)" or end == len(text)):
            return None
    if flag & _PUNCTUATED and not _SIGNS.intersection(written):
        return None
    if flag & _CASED:
        high, small = _cases(written)
        if high < 2 or high < small:
            return None
        high, small = _cases(text[max(0, start - _AROUND) : start] + text[end : end + _AROUND])
        if small * 4 < high:
            return flag | _AMBIGUOUS  # a whole line in capitals proves nothing
    return flag


def _cases(text: str) -> tuple[int, int]:
    """How many letters are capitals, and how many are small."""
    if not text.isascii():
        return sum(map(str.isupper, text)), sum(map(str.islower, text))
    raw = text.encode()
    return len(raw.translate(None, _NO_CAPITALS)), len(raw.translate(None, _NOT_SMALL))
