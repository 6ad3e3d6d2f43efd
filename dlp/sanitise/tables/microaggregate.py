"""Microaggregation (MDAV): groups of at least k records around the most distant ones.

In: distinct records with repetitions.  Out: the group of each record; no group is below k.

Records repeated k times or more are groups already and lose nothing. The exact method looks at
every remaining record for every group, O(p²/k); blocks.py keeps p in bounds.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from dlp.sanitise.tables.distance import Distances
from dlp.sanitise.tables.records import Records, Rows
from dlp.sanitise.tables.resample import join_nearest


def microaggregate(records: Records, k: int) -> Rows:
    """Which group each record belongs to, numbered from 0."""
    group = np.full(len(records), -1, dtype=np.int64)
    frequent = np.flatnonzero(records.weights >= k)
    group[frequent] = np.arange(len(frequent))
    rare = np.flatnonzero(group < 0)
    left = _Remaining(records.take(rare), rare)
    number = len(frequent)
    while left.rows >= k:
        distances = left.between_centroid()
        for _ in range(2):
            if left.rows < k:
                break
            base = int(distances.argmax())
            distances = left.weigh(base)
            chosen = _nearest(distances, left.weights, base, k)
            # The second group starts at the record most distant from the first one's base.
            distances = left.take(chosen, distances)
            group[left.taken] = number
            number += 1
    if left.count and number:
        join_nearest(records, group, left.numbers[: left.count], number)
    return np.maximum(group, 0)  # fewer than k rows in all are one group; the caller refuses it


def _nearest(distances: Distances, weights: Rows, base: int, k: int) -> Rows:
    """The base and its nearest records, as few as hold k rows."""
    size = min(k, len(distances))
    near = np.argpartition(distances, size - 1)[:size]
    near = near[near != base]
    near = np.concatenate(([base], near[np.argsort(distances[near], kind="stable")]))
    enough = int(np.searchsorted(np.cumsum(weights[near]), k)) + 1
    return near[:enough]


class _Remaining:
    """Records not yet grouped, kept dense: the tail fills the holes."""

    def __init__(self, records: Records, numbers: Rows) -> None:
        self._records = records
        self._tallies = records.tallies()
        self.numbers = numbers.copy()
        self.count = len(records)
        self.rows = records.rows
        self.taken = numbers[:0]

    @property
    def weights(self) -> Rows:
        return self._records.weights[: self.count]

    def between_centroid(self) -> Distances:
        centre = tuple(tally.centre() for tally in self._tallies)
        return self.weights * self._records.between(centre, self.count)

    def weigh(self, base: int) -> Distances:
        point = self._records.point(base)
        return self.weights * self._records.between(point, self.count)

    def take(self, chosen: Rows, distances: Distances) -> Distances:
        """Remove records; returns the distances of those that stay, in their new places."""
        self.taken = self.numbers[chosen].copy()
        weights = self._records.weights[chosen]
        for tally, column in zip(self._tallies, self._records.codes, strict=True):
            tally.remove(column[chosen], weights)
        self.rows -= int(weights.sum())
        kept = self.count - len(chosen)
        holes = chosen[chosen < kept]
        tail = np.arange(kept, self.count)
        movers = tail[~np.isin(tail, chosen)]
        arrays: list[npt.NDArray[Any]] = [*self._records.codes, self._records.weights]
        for array in (*arrays, self.numbers, distances):
            array[holes] = array[movers]
        self.count = kept
        return distances[:kept]
