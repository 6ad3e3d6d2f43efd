"""What anonymising cost: SSE, mean distance, loss per column, KL divergence.

In: records before and the points they become.  Out: Loss.

SSE is the sum over rows of (mean over columns of the distance)², always by the semantic scales.
KL compares the shares of the original records before and after; a record that is gone counts as
half a row, because the logarithm of nothing is no figure.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dlp.sanitise.tables.distance import Codes
from dlp.sanitise.tables.records import Records, Rows
from dlp.sanitise.tables.scale import Points, Scale

_GONE = 0.5


@dataclass(frozen=True, slots=True)
class Loss:
    sse: float
    mean: float  # distance of a row to what became of it, 0 to 1
    changed: int  # rows with any quasi-identifier changed
    columns: tuple[float, ...]  # mean distance, per column
    kl: float


def measure_loss(records: Records, group: Rows, points: Points) -> Loss:
    """`records` carry the scales to measure by, whichever scales did the grouping."""
    columns = zip(records.scales, records.codes, strict=True)
    apart = np.array(
        [_apart(scale, points[:, at], group, codes) for at, (scale, codes) in enumerate(columns)],
        dtype=np.float64,
    )
    weights = records.weights
    each = apart.mean(axis=0)
    rows = records.rows
    return Loss(
        sse=float((each**2 * weights).sum()),
        mean=float((each * weights).sum() / rows),
        changed=int(weights[each > 0].sum()),
        columns=tuple(float(value) for value in (apart * weights).sum(axis=1) / rows),
        kl=_divergence(records, group, points),
    )


def _apart(scale: Scale, points: Points, group: Rows, codes: Codes) -> Points:
    return scale.apart(points[group], codes).astype(np.float64)


def _divergence(records: Records, group: Rows, points: Points) -> float:
    """Rows are equal when all points are; a group's point can be an original record."""
    own = records.points()
    both = np.concatenate([own, points])
    # A missing number is NaN, which equals nothing; a value below all others stands for it.
    keys = _number_rows(np.nan_to_num(both, nan=-2.0))
    before, after = keys[: len(own)], keys[len(own) :]
    masked = np.bincount(after[group], records.weights, minlength=int(keys.max()) + 1)
    there = np.maximum(masked[before], _GONE)
    share = records.weights / records.rows
    return float((share * np.log(records.weights / there)).sum())


def _number_rows(table: Points) -> Rows:
    keys = np.zeros(len(table), dtype=np.int64)
    for column in table.T:
        _, part = np.unique(column, return_inverse=True)
        _, keys = np.unique(keys * (int(part.max()) + 1) + part, return_inverse=True)
    return keys
