"""Numbers and dates: distance by their share of the column's range, the mean as centroid.

In: codes of distinct quantities.  Out: distances in [0, 1] and means (scale.Scale).

A missing quantity is as far as can be from any other; it is a group's centroid only when most of
the group is missing.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from dlp.sanitise.tables.distance import Codes, Distances
from dlp.sanitise.tables.scale import SUPPRESSED, Points, Tally, Weights


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
