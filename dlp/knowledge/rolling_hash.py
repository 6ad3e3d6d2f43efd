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
    weights_of,
)

NO_BORDERS: Positions = np.zeros(0, dtype=np.int64)


class SpanHashes:
    """Hash any words of one text as `hash_words` would, by sums over its beginning."""

    __slots__ = ("_before", "_points", "_skipped")

    def __init__(self, points: Points) -> None:
        weights = weights_of(points)
        self._points = points
        self._skipped = nonzero(weights == 0)
        weights *= _long_powers(len(points))[0]
        self._before = np.empty(len(points) + 1, dtype=np.uint64)
        self._before[0] = 0
        weights.cumsum(out=self._before[1:])

    def __call__(self, starts: Positions, ends: Positions) -> Hashes:
        backward = _long_powers(len(self._points))[1]
        hashes = self._before.take(ends)
        hashes -= self._before.take(starts)
        hashes *= backward.take(starts)
        if len(self._skipped) and len(starts):
            words = starts.searchsorted(self._skipped, side="right") - 1
            inside = nonzero((words >= 0) & (self._skipped < ends[words]))
            if len(inside):
                self._close_up(hashes, starts, ends, words[inside], self._skipped[inside])
        return hashes

    def _close_up(
        self, hashes: Hashes, starts: Positions, ends: Positions, words: Positions, marks: Positions
    ) -> None:
        """Let what stands behind an apostrophe of a word count as if there were none."""
        backward = _long_powers(len(self._points))[1]
        opens = np.ones(len(words), dtype=np.bool_)  # the first mark of its word
        np.not_equal(words[1:], words[:-1], out=opens[1:])
        place = np.arange(len(words))
        earlier = place - np.maximum.accumulate(np.where(opens, place, 0))
        until = ends[words]
        until[:-1] = np.where(opens[1:], until[:-1], marks[1:])
        behind = self._before.take(until) - self._before.take(marks)
        start = starts[words]
        np.add.at(hashes, words, behind * (backward[start + earlier + 1] - backward[start]))


class Phrases:
    """Hash any run of words of one text as `hash_phrase` would, by sums over its beginning."""

    __slots__ = ("_before", "borders", "words")

    def __init__(self, words: Hashes, borders: Positions | None = None) -> None:
        """`borders` are words that no phrase runs over: each begins another text."""
        self.words = words
        self.borders = NO_BORDERS if borders is None else borders
        self._before: Hashes | None = None  # made when somebody asks

    def room(self, first: Positions) -> Positions:
        """How many words a phrase that begins here may have."""
        if not len(self.borders):
            return len(self.words) - first
        ends = np.append(self.borders, len(self.words))
        return np.asarray(ends[ends.searchsorted(first, side="right")] - first)

    def __call__(self, first: Positions, last: Positions) -> Hashes:
        """The hashes of words first to last, the last included."""
        if self._before is None:
            self._before = np.zeros(len(self.words) + 1, dtype=np.uint64)
            inverse = _powers_from(_Q_INVERSE, len(self.words))
            (self.words * inverse).cumsum(out=self._before[1:])
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
