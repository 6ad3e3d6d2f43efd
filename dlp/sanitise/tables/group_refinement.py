"""Improving groups: records move to a nearer group, and groups that cost more than they hold go.

In: groups of records with their points.  Out: groups with a lower SSE, none below k.

MDAV never looks back: a record that was taken early may lie nearer to a group made later. A round
moves such records where the old group can spare them, dissolves groups whose records all fit
better elsewhere, and finds the centroids anew. Rounds end when the SSE stops falling.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from dlp.sanitise.tables.distance import Distances
from dlp.sanitise.tables.records import Records, Rows
from dlp.sanitise.tables.scale import Points

# Exchanging records: one leaves a full group for a nearer one, another fills its place.
#
# A group of just k rows can spare nobody, however badly a record fits. Small tables are worth the
# search for a record elsewhere that may take its place at a lower cost in all.

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


ROUNDS = 12
AT_ONCE = 1 << 15  # distances
PAIRS = 1 << 28  # record-to-group distances worth working out; beyond, MDAV's groups stand
_GAIN = 0.995  # a round that saves less than half a percent is the last


def refine(records: Records, group: Rows, points: Points, k: int) -> tuple[Rows, Points]:
    best = _costs(records, group, points).sum()
    for _ in range(ROUNDS):
        if len(records) * len(points) > PAIRS:
            break
        moved = _dissolve(records, _move(records, group, points, k), points)
        fresh, moved, cost = _settle(records, moved, points)
        if cost > best * _GAIN:  # little is left to move; look for exchanges
            moved = _exchanged(records, moved, fresh, k)
            fresh, moved, cost = _settle(records, moved, fresh)
        if cost >= best:
            break
        group, points = moved, fresh
        if cost > best * _GAIN:
            break
        best = cost
    return group, points


def _settle(records: Records, group: Rows, points: Points) -> tuple[Points, Rows, float]:
    """Number the groups that are left, find their points, and say what it costs."""
    kept, group = np.unique(group, return_inverse=True)
    fresh = _better_points(records, group, points[kept])
    return fresh, group, float(_costs(records, group, fresh).sum())


def _exchanged(records: Records, group: Rows, points: Points, k: int) -> Rows:
    if len(records) * len(points) > CELLS:
        return group
    every = np.arange(len(records))
    away = np.concatenate([_to_points(records, some, points) for some in _parts(every, points)])
    costs = records.weights[:, None].astype(np.float32) * away**2
    return exchange(costs, records.weights, group, k)


def _costs(records: Records, group: Rows, points: Points) -> Points:
    """ω · distance² of each record to its group's point."""
    total = np.zeros(len(records))
    for at, scale in enumerate(records.scales):
        total += scale.apart(points[group, at], records.codes[at])
    return records.weights * (total / len(records.scales)) ** 2


def _better_points(records: Records, group: Rows, points: Points) -> Points:
    """The points of least SSE per column, except where the old point costs less in all."""
    count = len(points)
    fresh = records.centroids(group, count, power=2)
    old = np.bincount(group, _costs(records, group, points), minlength=count)
    new = np.bincount(group, _costs(records, group, fresh), minlength=count)
    return np.where((old < new)[:, None], points, fresh)


def _nearest_other(
    records: Records, group: Rows, points: Points, asked: Rows
) -> tuple[Rows, Points]:
    """For each record asked, the nearest point of another group and the cost of going there."""
    who = group.copy()
    cost = np.zeros(len(records))
    if len(points) == 1:
        return who, cost + np.inf
    for some in _parts(asked, points):
        away, row = _to_points(records, some, points), np.arange(len(some))
        away[row, group[some]] = np.inf
        who[some] = away.argmin(axis=1)
        cost[some] = away[row, who[some]]
    return who, records.weights * cost**2


def _parts(rows: Rows, points: Points) -> list[Rows]:
    """So many records at once that their distances to all points stay in the cache."""
    return np.array_split(rows, -(-len(rows) * len(points) // AT_ONCE) or 1)


def _to_points(records: Records, some: Rows, points: Points) -> Distances:
    """Distances of some records to all points, a row for each record."""
    total = np.zeros((len(some), len(points)), dtype=np.float32)
    for at, (scale, codes) in enumerate(zip(records.scales, records.codes, strict=True)):
        there, here = np.tile(points[:, at], len(some)), np.repeat(codes[some], len(points))
        total += scale.apart(there, here).reshape(total.shape)
    return total / np.float32(points.shape[1])


def _move(records: Records, group: Rows, points: Points, k: int) -> Rows:
    """Move records that save most first, while their group keeps k rows."""
    here = _costs(records, group, points)
    target, there = _nearest_other(records, group, points, np.flatnonzero(here > 0))
    saved = here - there
    size = np.bincount(group, records.weights, minlength=len(points))
    moved = group.copy()
    for record in np.argsort(-saved, kind="stable").tolist():
        if saved[record] <= 0:
            break
        home, weight = moved[record], records.weights[record]
        if size[home] - weight >= k:
            size[home] -= weight
            size[target[record]] += weight
            moved[record] = target[record]
    return moved


def _dissolve(records: Records, group: Rows, points: Points) -> Rows:
    """Give up groups whose records together cost less in the groups nearest to each."""
    here = _costs(records, group, points)
    count = len(points)
    stay = np.bincount(group, here, minlength=count)
    # A group that loses nothing has no reason to go.
    target, there = _nearest_other(records, group, points, np.flatnonzero(stay[group] > 0))
    leave = np.bincount(group, there, minlength=count)
    order = np.argsort(leave - stay, kind="stable")
    members = np.argsort(group, kind="stable")
    start = np.searchsorted(group[members], np.arange(count + 1))
    fixed = np.zeros(count, dtype=bool)
    moved = group.copy()
    for one in order.tolist():
        if leave[one] >= stay[one]:
            break
        mine = members[start[one] : start[one + 1]]
        homes = target[mine]
        # A group that took somebody in stays, and nobody moves to a group that went.
        if fixed[one] or (moved[members[start[homes]]] != homes).any():
            continue
        moved[mine] = homes
        fixed[homes] = True
    return moved
