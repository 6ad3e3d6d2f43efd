"""One door to the methods: records in, groups and what each group becomes out.

In: distinct records, k, a method, perhaps conditions on a sensitive column.  Out: Grouping.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dlp.errors import SanitiseError
from dlp.sanitise.tables.blocks import cut
from dlp.sanitise.tables.diversity import Conditions, merge_until_met
from dlp.sanitise.tables.microaggregate import microaggregate
from dlp.sanitise.tables.recode import recode
from dlp.sanitise.tables.records import Records, Rows
from dlp.sanitise.tables.refine import refine
from dlp.sanitise.tables.resample import resample
from dlp.sanitise.tables.scale import SUPPRESSED, Points

METHODS = ("microaggregation", "recoding", "resampling", "suppression")
# Beyond so many rare records the exact method is left for blocks (bench/results/tables.md).
BLOCK = {"microaggregation": 20_000, "recoding": 20_000, "resampling": 1 << 62}

# Grouping takes the square of a block, so tables of many distinct records get small blocks.
LARGE = 10_000  # distinct records
LARGE_BLOCK = 200


@dataclass(frozen=True, slots=True)
class Grouping:
    group: Rows  # of each distinct record
    points: Points  # of each group, a column per quasi-identifier
    blocks: int = 1

    def sizes(self, records: Records) -> Rows:
        return np.bincount(self.group, records.weights, minlength=len(self.points)).astype(np.int64)


def group_records(
    records: Records,
    k: int,
    method: str,
    *,
    conditions: Conditions | None = None,
    chance: np.random.Generator | None = None,
    block: int | None = None,
    refined: bool = True,
) -> Grouping:
    """Groups of at least k rows; records repeated k times or more stay as they are."""
    if method == "suppression":
        return _suppress(records, k, conditions)
    chance = chance or np.random.default_rng()
    usual = BLOCK[method] if len(records) <= LARGE else min(BLOCK[method], LARGE_BLOCK)
    blocks = cut(records, k, block or usual)
    group = np.full(len(records), -1, dtype=np.int64)
    points: list[Points] = []
    count = 0
    for members in blocks:
        found, becomes = _one_block(records.take(members), k, method, chance, refined=refined)
        group[members] = count + found
        points.append(becomes)
        count += len(becomes)
    grouping = Grouping(group, np.concatenate(points), len(blocks))
    if conditions is None:
        return grouping
    group, points_met = merge_until_met(
        records, grouping.group, grouping.points, conditions, recenter=method != "recoding"
    )
    return Grouping(group, points_met, len(blocks))


def _one_block(
    records: Records, k: int, method: str, chance: np.random.Generator, *, refined: bool
) -> tuple[Rows, Points]:
    if method == "recoding":
        group, becomes = recode(records, k)
        return group, records.points()[becomes]
    resampled = method == "resampling"
    group = resample(records, k, chance) if resampled else microaggregate(records, k)
    points = records.centroids(group, int(group.max()) + 1)
    if refined and not resampled:
        return refine(records, group, points, k)
    return group, points


def _suppress(records: Records, k: int, conditions: Conditions | None) -> Grouping:
    """Silence rare records; the silent ones must be k together, so the rarest others may join."""
    silent = records.weights < k
    if conditions is not None:
        silent |= ~conditions.met(np.arange(len(records)), len(records))
    order = np.argsort(records.weights, kind="stable")
    for record in order.tolist():
        if not silent.any() or records.weights[silent].sum() >= k:
            break
        silent[record] = True
    group = np.full(len(records), -1, dtype=np.int64)
    kept = np.flatnonzero(~silent)
    group[kept] = np.arange(len(kept))
    group[silent] = len(kept)
    points = records.take(kept).points()
    if silent.any():
        points = np.vstack([points, np.full((1, len(records.scales)), SUPPRESSED)])
    if conditions is not None and not conditions.met(group, len(points)).all():
        raise SanitiseError(
            "the silenced rows alone do not meet l or t", fix="use --method microaggregation"
        )
    return Grouping(group, points)
