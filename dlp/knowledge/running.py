"""Hash all the words and runs of words of one text, by sums over its beginning.

In: the characters or the words of a text.  Out: the hashes that hashing.py gives them one by one.
"""

from __future__ import annotations

import numpy as np

from dlp.knowledge.arrays import nonzero
from dlp.knowledge.hashing import (
    LONGEST,
    Hashes,
    P,
    Points,
    Positions,
    Q,
    as_text,
    hash_word,
    hash_words,
    weights_of,
)

FEW = 16  # words hashed one by one; more are quicker as an array


class SpanHashes:
    """Hash any words of one text as `hash_words` would, by sums over its beginning."""

    __slots__ = ("_before", "_points", "_skipped")

    def __init__(self, points: Points) -> None:
        weights = weights_of(points)
        self._points = points
        self._skipped = nonzero(weights == 0)
        weights *= _long_powers(len(points))[0]
        self._before = np.zeros(len(points) + 1, dtype=np.uint64)
        np.cumsum(weights, out=self._before[1:])

    def __call__(self, starts: Positions, ends: Positions) -> Hashes:
        backward = _long_powers(len(self._points))[1]
        hashes = (self._before[ends] - self._before[starts]) * backward[starts]
        if len(self._skipped) and len(starts):
            # an apostrophe inside shifts the rest of its word: hash those anew
            at = starts.searchsorted(self._skipped, side="right") - 1
            odd = np.unique(at[(at >= 0) & (self._skipped < ends[at])])
            hashes[odd] = self._anew(starts[odd].tolist(), ends[odd].tolist())
        return np.asarray(hashes)

    def _anew(self, starts: list[int], ends: list[int]) -> Hashes:
        words = [as_text(self._points[a:b]) for a, b in zip(starts, ends, strict=True)]
        if len(words) > FEW:
            return hash_words(words)
        return np.array([hash_word(word) for word in words], dtype=np.uint64)


class Phrases:
    """Hash any run of words of one text as `hash_phrase` would, by sums over its beginning."""

    __slots__ = ("_before", "_borders", "words")

    def __init__(self, words: Hashes, borders: Positions | None = None) -> None:
        """`borders` are words that no phrase runs over: each begins another text."""
        self.words = words
        self._borders = borders
        self._before = np.zeros(len(words) + 1, dtype=np.uint64)
        np.cumsum(words * _powers_from(_Q_INVERSE, len(words)), out=self._before[1:])

    def room(self, first: Positions) -> Positions:
        """How many words a phrase that begins here may have."""
        if self._borders is None or not len(self._borders):
            return len(self.words) - first
        ends = np.append(self._borders, len(self.words))
        return np.asarray(ends[ends.searchsorted(first, side="right")] - first)

    def __call__(self, first: Positions, last: Positions) -> Hashes:
        """The hashes of words first to last, the last included."""
        sums = self._before[last + 1] - self._before[first]
        return np.asarray(sums * _powers_from(int(Q), len(self.words))[last])


_Q_INVERSE = pow(int(Q), -1, 1 << 64)
_powers_of_base: dict[int, Hashes] = {}


def _powers_from(base: int, length: int) -> Hashes:
    """Powers of a number from the one that is 1; more are made when a longer text asks."""
    known = _powers_of_base.get(base)
    if known is None or len(known) < length:
        known = np.full(max(length, LONGEST), base, dtype=np.uint64)
        known[0] = 1
        np.multiply.accumulate(known, out=known)
        _powers_of_base[base] = known
    return known[:length]


_grown: list[tuple[Hashes, Hashes]] = []


def _long_powers(length: int) -> tuple[Hashes, Hashes]:
    """Powers of P from the first, and what brings a sum back to its word's first power."""
    if not _grown or len(_grown[0][0]) <= length:
        size = max(length + 1, LONGEST)
        forward = np.multiply.accumulate(np.full(size, P, dtype=np.uint64))
        inverse = np.full(size, pow(int(P), -1, 1 << 64), dtype=np.uint64)
        inverse[0] = 1
        _grown[:] = [(forward, np.multiply.accumulate(inverse))]
    forward, backward = _grown[0]
    return forward[:length], backward
