"""Distinct l-diversity and t-closeness of groups, and merging groups until they hold.

In: groups of records and a sensitive column.  Out: figures per group; fewer, wider groups.

t is the earth mover's distance of a group's sensitive values to those of the table: half the sum
of differences where values have no order, the ordered distance for numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dlp.errors import SanitiseError
from dlp.knowledge.arrays import distinct
from dlp.sanitise.tables.records import Records, Rows
from dlp.sanitise.tables.scale import Points

Shares = npt.NDArray[np.float64]
_TOLERANCE = 1e-9
_CELLS = 1 << 24  # counts held at once


@dataclass(frozen=True, slots=True)
class Sensitive:
    """One sensitive column: a code for each row, ordered when the values are numbers."""

    name: str
    codes: Rows  # of each row; in the order of the numbers when there is one
    ordered: bool
    enforced: bool = True  # by l and t; else only measured

    @property
    def values(self) -> int:
        return int(self.codes.max(initial=0)) + 1


def distinct_values(sensitive: Sensitive, group: Rows, count: int) -> Rows:
    """How many different sensitive values the rows of each group have."""
    pairs = distinct(group * sensitive.values + sensitive.codes)
    return np.bincount(pairs // sensitive.values, minlength=count)


def distances_to_all(sensitive: Sensitive, group: Rows, count: int) -> Shares:
    """The earth mover's distance of each group to the whole table."""
    whole = np.bincount(sensitive.codes, minlength=sensitive.values) / len(sensitive.codes)
    found = np.empty(count)
    order = np.argsort(group, kind="stable")
    sorted_groups, codes = group[order], sensitive.codes[order]
    step = max(1, _CELLS // sensitive.values)
    for start in range(0, count, step):
        end = min(count, start + step)
        a, b = np.searchsorted(sorted_groups, [start, end])
        cells = (sorted_groups[a:b] - start) * sensitive.values + codes[a:b]
        counts = np.bincount(cells, minlength=(end - start) * sensitive.values)
        table = counts.reshape(end - start, sensitive.values)
        found[start:end] = _earth_mover(table / table.sum(axis=1, keepdims=True), whole, sensitive)
    return found


def _earth_mover(shares: Shares, whole: Shares, sensitive: Sensitive) -> Shares:
    gap = shares - whole
    if sensitive.ordered and sensitive.values > 1:
        moved: Shares = np.abs(np.cumsum(gap, axis=1)).sum(axis=1) / (sensitive.values - 1)
        return moved
    half: Shares = np.abs(gap).sum(axis=1) / 2
    return half


@dataclass(frozen=True, slots=True)
class Conditions:
    """What every group must hold of every sensitive column."""

    sensitive: Sequence[Sensitive]
    record_of: Rows  # the distinct record of each row
    diversity: int | None = None
    closeness: float | None = None
    people: Sensitive | None = None  # the person of each row
    fewest: int = 1  # people in every group

    def met(self, group: Rows, count: int) -> npt.NDArray[np.bool_]:
        rows = group[self.record_of]
        fine = np.ones(count, dtype=bool)
        for column in self.sensitive:
            if self.diversity is not None:
                fine &= distinct_values(column, rows, count) >= self.diversity
            if self.closeness is not None:
                far = distances_to_all(column, rows, count)
                fine &= far <= self.closeness + _TOLERANCE
        if self.people is not None:
            fine &= distinct_values(self.people, rows, count) >= self.fewest
        return fine


def merge_until_met(
    records: Records, group: Rows, points: Points, conditions: Conditions, *, recenter: bool
) -> tuple[Rows, Points]:
    """Merge each failing group with the one whose point is nearest, round by round."""
    while True:
        failing = np.flatnonzero(~conditions.met(group, len(points)))
        if not len(failing):
            return group, points
        if len(points) == 1:
            raise SanitiseError(
                "no grouping of this table meets l or t, or holds k people",
                fix="ask for a smaller --k or --l, a larger --t, or another sensitive column",
            )
        group, points = _merge(records, group, points, failing, recenter=recenter)


def _merge(
    records: Records, group: Rows, points: Points, failing: Rows, *, recenter: bool
) -> tuple[Rows, Points]:
    target = np.arange(len(points))
    # A record near the middle of a group stands for it: points need not be values.
    medoid = _medoids(records, group, points)
    asked: set[int] = set()
    for one in failing.tolist():
        if one in asked:
            continue  # a group that something joined waits for the next round
        total = np.zeros(len(points))
        for at, scale in enumerate(records.scales):
            code = np.full(len(points), records.codes[at][medoid[one]], dtype=np.int32)
            total += scale.apart(points[:, at], code)
        total[one] = np.inf
        nearest = int(total.argmin())
        if target[nearest] == nearest:
            target[one] = nearest
            asked.add(nearest)
        else:
            target[one] = target[nearest]
            asked.add(int(target[nearest]))
    kept, place = np.unique(target, return_inverse=True)
    group = place[group]
    return group, (records.centroids(group, len(kept)) if recenter else points[kept])


def _medoids(records: Records, group: Rows, points: Points) -> Rows:
    away = np.zeros(len(records), dtype=np.float32)
    for at, scale in enumerate(records.scales):
        away += scale.apart(points[group, at], records.codes[at])
    order = np.lexsort((away, group))
    return order[np.unique(group[order], return_index=True)[1]]
