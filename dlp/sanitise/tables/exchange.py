"""Exchanging records: one leaves a full group for a nearer one, another fills its place.

In: groups of records with their points, and all costs.  Out: the group of each record.

A group of just k rows can spare nobody, however badly a record fits. Small tables are worth the
search for a record elsewhere that may take its place at a lower cost in all.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from dlp.sanitise.tables.records import Rows

Costs = npt.NDArray[np.float32]

CELLS = 1 << 24  # costs of every record in every group that are worth keeping
_NEAREST = 6  # groups a record asks
_LEAST = 1e-6  # gains below are rounding


def exchange(costs: Costs, weights: Rows, group: Rows, k: int) -> Rows:
    """Records that would gain most ask first."""
    search = _Search(costs, weights, group.copy(), k)
    here = costs[np.arange(len(group)), group]
    gain = here - costs.min(axis=1)
    for record in np.argsort(-gain, kind="stable").tolist():
        if gain[record] <= _LEAST:
            break
        search.place(record)
    return search.group


class _Search:
    def __init__(self, costs: Costs, weights: Rows, group: Rows, k: int) -> None:
        self._costs, self._weights, self._k = costs, weights, k
        self.group = group
        self._size = np.bincount(group, weights, minlength=costs.shape[1]).astype(np.int64)

    def place(self, record: int) -> None:
        home = int(self.group[record])
        near = np.argsort(self._costs[record], kind="stable")[:_NEAREST]
        for target in near.tolist():
            gain = float(self._costs[record, home] - self._costs[record, target])
            if target == home or gain <= _LEAST:
                return
            if self._size[home] - self._weights[record] >= self._k:
                self._move(record, target)
                return
            other = self._replacement(record, target, gain)
            if other is not None:
                self._move(record, target)
                self._move(other, home)
                return

    def _replacement(self, record: int, target: int, gain: float) -> int | None:
        """The record whose coming costs least, if both groups it touches keep k rows."""
        home, weight = self.group[record], self._weights[record]
        arriving = np.where(self.group == target, weight, 0)
        fits = (self.group != home) & (self._size[home] - weight + self._weights >= self._k)
        fits &= self._size[self.group] - self._weights + arriving >= self._k
        able = np.flatnonzero(fits)
        if not len(able):
            return None
        price = self._costs[able, home] - self._costs[able, self.group[able]]
        best = int(price.argmin())
        return int(able[best]) if price[best] < gain - _LEAST else None

    def _move(self, record: int, target: int) -> None:
        self._size[self.group[record]] -= self._weights[record]
        self._size[target] += self._weights[record]
        self.group[record] = target
