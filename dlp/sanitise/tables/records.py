"""Distinct records with their numbers of repetitions, and the operators over whole records.

In: the codes of each row and a scale per column.  Out: distances, centroids and an order.

wsd(b, (v, ω)) = ω · mean over columns of the distance; identical records are one record here, so
whatever groups records keeps identical ones together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dlp.sanitise.tables.distance import Codes, Distances
from dlp.sanitise.tables.scale import Points, Scale, Tally, Weights

Rows = npt.NDArray[np.int64]
_LIMIT = 1 << 62


@dataclass(frozen=True, slots=True)
class Records:
    codes: tuple[Codes, ...]  # one array per column, over the distinct records
    weights: Weights
    scales: tuple[Scale, ...]

    def __len__(self) -> int:
        return len(self.weights)

    @property
    def rows(self) -> int:
        return int(self.weights.sum())

    def take(self, chosen: Rows) -> Records:
        codes = tuple(column[chosen] for column in self.codes)
        return Records(codes, self.weights[chosen], self.scales)

    def between(self, point: Sequence[float], count: int | None = None) -> Distances:
        """The mean distance of one point to the first `count` records, or all."""
        total = np.zeros(len(self) if count is None else count, dtype=np.float32)
        for scale, column, value in zip(self.scales, self.codes, point, strict=True):
            total += scale.between(value, column[: len(total)])
        return total / np.float32(len(self.scales))

    def point(self, record: int) -> tuple[float, ...]:
        at = slice(record, record + 1)
        columns = zip(self.scales, self.codes, strict=True)
        return tuple(float(scale.point_of(column[at])[0]) for scale, column in columns)

    def points(self) -> Points:
        """Every record as a point, one row each."""
        columns = zip(self.scales, self.codes, strict=True)
        return np.column_stack([scale.point_of(column) for scale, column in columns])

    def centroids(self, group: Rows, count: int, power: int = 1) -> Points:
        """One point per group; column by column, weighted by repetitions."""
        columns = zip(self.scales, self.codes, strict=True)
        found = [
            scale.centres(group, column, self.weights, count, power) for scale, column in columns
        ]
        return np.column_stack(found)

    def tallies(self) -> list[Tally]:
        columns = zip(self.scales, self.codes, strict=True)
        return [scale.tally(column, self.weights) for scale, column in columns]

    def centroid(self) -> tuple[float, ...]:
        return tuple(tally.centre() for tally in self.tallies())

    def sort(self) -> Rows:
        """Order: the record farthest from the centroid, then the nearest to that one first."""
        extreme = int((self.weights * self.between(self.centroid())).argmax())
        order = np.argsort(self.weights * self.between(self.point(extreme)), kind="stable")
        return np.concatenate(([extreme], order[order != extreme]))


def group_rows(codes: Sequence[Codes], rows: int) -> tuple[Rows, Rows, Weights]:
    """Distinct rows: where each first stands, which of them each row is, how often each is."""
    key = np.zeros(rows, dtype=np.int64)
    size = 1
    for column in codes:
        distinct = int(column.max(initial=0)) + 1
        if size >= _LIMIT // distinct:
            key = np.unique(key, return_inverse=True)[1].astype(np.int64)
            size = int(key.max(initial=0)) + 1
        key = key * distinct + column
        size *= distinct
    _, first, inverse, counts = np.unique(
        key, return_index=True, return_inverse=True, return_counts=True
    )
    return first, inverse, counts
