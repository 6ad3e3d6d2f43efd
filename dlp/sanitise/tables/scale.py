"""Comparing and aggregating the values of one column: semantically, by equality, by number.

In: codes of distinct values, with weights.  Out: distances in [0, 1] and centroids ("points").

A point is a number: the row of a value or a generalisation, or a quantity on its scale.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np
import numpy.typing as npt

from dlp.knowledge.arrays import distinct
from dlp.sanitise.tables.distance import (
    MISSING,
    Codes,
    Distances,
    MatrixPairs,
    Nodes,
    Pairs,
    pairs_of,
)

Points = npt.NDArray[np.float64]
Weights = npt.NDArray[np.int64]

SUPPRESSED = -1.0  # the point of a cell that says nothing; as far as can be from every value
_SMALL = 32  # groups of up to so many distinct values are aggregated together
_CHUNK = 1 << 16  # distances gathered at once
_SAMPLE = 2000  # values that stand for all where distances are not kept
MATRIX_BYTES = 256 << 20


class Tally(Protocol):
    """The values still to be grouped; knows their centroid without looking at all of them."""

    def remove(self, codes: Codes, weights: Weights) -> None: ...

    def centre(self) -> float: ...


class Scale(Protocol):
    def between(self, point: float, codes: Codes) -> Distances:
        """The distance of one point to many values."""
        ...

    def apart(self, points: Points, codes: Codes) -> Distances:
        """The distance of each point to the value at the same place."""
        ...

    def point_of(self, codes: Codes) -> Points:
        """Values as points."""
        ...

    def centres(
        self, group: Weights, codes: Codes, weights: Weights, count: int, power: int = 1
    ) -> Points:
        """The centroid of each of `count` groups: least Σ ω·distance^power. No group is empty."""
        ...

    def tally(self, codes: Codes, weights: Weights) -> Tally: ...

    def write(self, point: float) -> object:
        """What the cell says."""
        ...


class SemanticScale:
    """sd over a taxonomy; the centroid is the value or generalisation with the least Σ ω·sd."""

    def __init__(self, nodes: Nodes, limit_bytes: int = MATRIX_BYTES) -> None:
        self.nodes = nodes
        self.pairs: Pairs = pairs_of(nodes, limit_bytes)

    def between(self, point: float, codes: Codes) -> Distances:
        return self.pairs.row(int(point), codes)

    def apart(self, points: Points, codes: Codes) -> Distances:
        rows = points.astype(np.int64)
        found = np.empty(len(codes), dtype=np.float32)
        for at in range(0, len(codes), _CHUNK):
            part = slice(at, at + _CHUNK)
            found[part] = self.pairs.many(np.maximum(rows[part], 0), codes[part])
        return np.where(rows < 0, np.float32(1), found)

    def point_of(self, codes: Codes) -> Points:
        return codes.astype(np.float64)

    def centres(
        self, group: Weights, codes: Codes, weights: Weights, count: int, power: int = 1
    ) -> Points:
        group, codes, weights = _distinct(group, codes, weights, self.nodes.values)
        size = np.bincount(group, minlength=count)
        start = np.concatenate(([0], np.cumsum(size)[:-1]))
        points = np.empty(count)
        for members in distinct(size).tolist():
            chosen = np.flatnonzero(size == members)
            if members > _SMALL:
                for one in chosen.tolist():
                    mine = slice(start[one], start[one] + members)
                    points[one] = self._centre_of_many(codes[mine], weights[mine], power)
                continue
            wide = members * self.nodes.above.shape[1]
            step = max(1, _CHUNK // wide)
            for at in range(0, len(chosen), step):
                some = chosen[at : at + step]
                places = start[some][:, None] + np.arange(members)
                points[some] = self._centre_of_few(codes[places], weights[places], power)
        return points

    def _centre_of_few(self, codes: Codes, weights: Weights, power: int) -> Points:
        """Rows of `members` values each; candidates are all their subsumers."""
        candidates = self.nodes.above[codes].reshape(len(codes), -1)
        total = np.zeros(candidates.shape, dtype=np.float32)
        for member in range(codes.shape[1]):
            one = self.pairs.many(codes[:, member, None], candidates)
            total += one**power * weights[:, member, None].astype(np.float32)
        best = total.argmin(axis=1)
        return np.take_along_axis(candidates, best[:, None], axis=1)[:, 0].astype(np.float64)

    def _centre_of_many(self, codes: Codes, weights: Weights, power: int) -> float:
        candidates = distinct(self.nodes.above[codes])
        total = np.zeros(len(candidates), dtype=np.float64)
        step = max(1, _CHUNK // len(candidates))
        for at in range(0, len(codes), step):
            block = self.pairs.many(codes[at : at + step, None], candidates[None, :])
            total += weights[at : at + step].astype(np.float64) @ block**power
        return float(candidates[total.argmin()])

    def tally(self, codes: Codes, weights: Weights) -> Tally:
        if isinstance(self.pairs, MatrixPairs):
            return _SemanticTally(self.pairs.matrix, codes, weights)
        return _FixedTally(self._centre_of_sample(codes, weights))

    def _centre_of_sample(self, codes: Codes, weights: Weights) -> float:
        """The centroid of the most frequent values; it only says where to start grouping."""
        group = np.zeros(len(codes), dtype=np.int64)
        _, codes, weights = _distinct(group, codes, weights, self.nodes.values)
        most = np.argsort(-weights, kind="stable")[:_SAMPLE]
        above = distinct(self.nodes.above[codes[most]])
        total = np.zeros(len(above))
        for code, weight in zip(codes[most].tolist(), weights[most].tolist(), strict=True):
            total += weight * self.pairs.row(code, above)
        return float(above[total.argmin()])

    def write(self, point: float) -> object:
        label = self.nodes.labels[int(point)]
        return None if label == MISSING else label


class _SemanticTally:
    def __init__(self, matrix: Distances, codes: Codes, weights: Weights) -> None:
        self._matrix = matrix
        there = np.bincount(codes, weights, minlength=len(matrix)).astype(np.float32)
        self._sums = (there @ matrix).astype(np.float64)

    def remove(self, codes: Codes, weights: Weights) -> None:
        self._sums -= weights.astype(np.float32) @ self._matrix[codes]

    def centre(self) -> float:
        return float(self._sums.argmin())


class _FixedTally:
    """A centroid that is not followed while records leave."""

    def __init__(self, centre: float) -> None:
        self._centre = centre

    def remove(self, codes: Codes, weights: Weights) -> None: ...

    def centre(self) -> float:
        return self._centre


class EqualityScale:
    """The classic form: equal or not; the centroid is the mode."""

    def __init__(self, values: int) -> None:
        self._values = values

    def between(self, point: float, codes: Codes) -> Distances:
        return np.asarray(codes != int(point), dtype=np.float32)

    def apart(self, points: Points, codes: Codes) -> Distances:
        return np.asarray(codes != points.astype(np.int64), dtype=np.float32)

    def point_of(self, codes: Codes) -> Points:
        return codes.astype(np.float64)

    def centres(
        self,
        group: Weights,
        codes: Codes,
        weights: Weights,
        count: int,
        power: int = 1,  # noqa: ARG002 - 0 and 1 are their own squares
    ) -> Points:
        group, codes, weights = _distinct(group, codes, weights, self._values)
        order = np.lexsort((codes, -weights, group))
        first = np.unique(group[order], return_index=True)[1]
        assert len(first) == count
        return codes[order][first].astype(np.float64)

    def tally(self, codes: Codes, weights: Weights) -> Tally:
        return _CountTally(codes, weights, self._values)

    def write(self, point: float) -> object:
        raise NotImplementedError  # the table is written by the semantic scale


class _CountTally:
    def __init__(self, codes: Codes, weights: Weights, values: int) -> None:
        self._counts = np.bincount(codes, weights, minlength=values).astype(np.float64)

    def remove(self, codes: Codes, weights: Weights) -> None:
        np.subtract.at(self._counts, codes, weights)

    def centre(self) -> float:
        return float(self._counts.argmax())


def _distinct(
    group: Weights, codes: Codes, weights: Weights, values: int
) -> tuple[Weights, Codes, Weights]:
    """Add up equal values of a group; sorted by group, then value."""
    keys, place = np.unique(group.astype(np.int64) * values + codes, return_inverse=True)
    total = np.bincount(place, weights).astype(np.int64)
    return keys // values, (keys % values).astype(np.int32), total


class QuantityScale:
    """Points are shares of the range, 0 to 1; missing is NaN."""

    def __init__(self, quantities: Points, write: Callable[[float], object]) -> None:
        known = quantities[~np.isnan(quantities)]
        self._least = float(known.min()) if len(known) else 0.0
        spread = float(known.max()) - self._least if len(known) else 0.0
        self._spread = spread or 1.0
        self._shares = (quantities - self._least) / self._spread
        self._write = write

    def between(self, point: float, codes: Codes) -> Distances:
        return _apart(np.float64(point), self._shares[codes])

    def apart(self, points: Points, codes: Codes) -> Distances:
        return _apart(points, self._shares[codes])

    def point_of(self, codes: Codes) -> Points:
        return self._shares[codes]

    def centres(
        self,
        group: Weights,
        codes: Codes,
        weights: Weights,
        count: int,
        power: int = 1,  # noqa: ARG002 - the mean serves both; the median would not scale
    ) -> Points:
        shares = self._shares[codes]
        known = ~np.isnan(shares)
        there = np.bincount(group[known], weights[known], minlength=count)
        gone = np.bincount(group[~known], weights[~known], minlength=count)
        total = np.bincount(group[known], weights[known] * shares[known], minlength=count)
        means = np.divide(total, there, out=np.full(count, np.nan), where=there > 0)
        means[gone > there] = np.nan
        return np.asarray(means, dtype=np.float64)

    def tally(self, codes: Codes, weights: Weights) -> Tally:
        return _MeanTally(self._shares, codes, weights)

    def write(self, point: float) -> object:
        return None if np.isnan(point) else self._write(self._least + point * self._spread)


class _MeanTally:
    def __init__(self, shares: Points, codes: Codes, weights: Weights) -> None:
        self._shares = shares
        self._total, self._known, self._gone = 0.0, 0.0, 0.0
        self._add(codes, weights, 1)

    def _add(self, codes: Codes, weights: Weights, sign: int) -> None:
        shares = self._shares[codes]
        known = ~np.isnan(shares)
        self._total += sign * float(shares[known] @ weights[known])
        self._known += sign * float(weights[known].sum())
        self._gone += sign * float(weights[~known].sum())

    def remove(self, codes: Codes, weights: Weights) -> None:
        self._add(codes, weights, -1)

    def centre(self) -> float:
        if self._gone > self._known or not self._known:
            return float("nan")
        return self._total / self._known


def _apart(points: Points | np.float64, shares: Points | np.float64) -> Distances:
    gap = np.abs(points - shares)
    unequal = np.isnan(points) != np.isnan(shares)
    gap = np.where(np.isnan(points) & np.isnan(shares), 0.0, gap)
    gap = np.where(unequal | (points == SUPPRESSED), 1.0, gap)
    return np.asarray(gap, dtype=np.float32)
