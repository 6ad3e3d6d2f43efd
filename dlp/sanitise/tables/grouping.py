"""Group records by one of four methods: microaggregation, recoding, resampling, suppression.

In: distinct records, k, a method, perhaps conditions on a sensitive column.  Out: Grouping.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from dlp.errors import SanitiseError
from dlp.sanitise.tables.distance import Distances, Nodes
from dlp.sanitise.tables.diversity import Conditions, merge_until_met
from dlp.sanitise.tables.group_refinement import refine
from dlp.sanitise.tables.records import Records, Rows
from dlp.sanitise.tables.scale import SUPPRESSED, Points, SemanticScale


def resample(records: Records, k: int, chance: np.random.Generator) -> Rows:
    """Groups of k distinct records, so of at least k rows; what is left joins a group.

    Records repeated k times or more are groups already.
    """
    group = np.full(len(records), -1, dtype=np.int64)
    frequent = np.flatnonzero(records.weights >= k)
    rare = np.flatnonzero(records.weights < k)
    group[frequent] = np.arange(len(frequent))
    count = len(rare) // k
    left = chance.permutation(rare)
    if count:
        rank = np.empty(len(records), dtype=np.int64)
        rank[rare[records.take(rare).sort()]] = np.arange(len(rare))
        samples = left[: count * k].reshape(k, count)
        samples = np.take_along_axis(samples, np.argsort(rank[samples], axis=1), axis=1)
        group[samples] = len(frequent) + np.arange(count)[None, :]
        left = left[count * k :]
    if count or len(frequent):
        join_nearest(records, group, left, len(frequent) + count)
    return np.maximum(group, 0)


def join_nearest(records: Records, group: Rows, left: Rows, count: int) -> None:
    """Put what cannot fill a group into the group whose centroid is nearest."""
    if not len(left):
        return
    there = np.flatnonzero(group >= 0)
    centroids = records.take(there).centroids(group[there], count)
    for record in left.tolist():
        total = np.zeros(count)
        for at, scale in enumerate(records.scales):
            code = np.full(count, records.codes[at][record], dtype=np.int32)
            total += scale.apart(centroids[:, at], code)
        group[record] = int(total.argmin())


# Cutting many records into blocks of like ones, so that grouping stays within bounds.
#
# A block is cut in two along the column whose values differ most, at the median of the order of
# the column: by number, or by depth-first position in its taxonomy.

_PAIRS = 256  # compared to see how much a column differs within a block


def cut(records: Records, k: int, limit: int) -> list[Rows]:
    everything = np.arange(len(records))
    if len(records) <= limit:
        return [everything]
    orders = [_order(records, column) for column in range(len(records.scales))]
    chance = np.random.default_rng(0)  # only picks pairs to compare; the same cuts every time
    waiting, blocks = [everything], []
    while waiting:
        block = waiting.pop()
        if len(block) <= limit:
            blocks.append(block)
            continue
        half = _halves(records, block, orders, chance)
        if min(int(records.weights[side].sum()) for side in half) < k:
            blocks.append(block)
        else:
            waiting += half
    return blocks


def _halves(
    records: Records, block: Rows, orders: list[Points], chance: np.random.Generator
) -> list[Rows]:
    left, right = chance.choice(block, (2, _PAIRS))
    spread = [
        float(scale.apart(scale.point_of(codes[left]), codes[right]).mean())
        for scale, codes in zip(records.scales, records.codes, strict=True)
    ]
    # A column of one value cannot be cut, however its spread was estimated.
    widest = max(range(len(spread)), key=lambda at: (np.ptp(orders[at][block]) > 0, spread[at]))
    ranked = block[np.argsort(orders[widest][block], kind="stable")]
    place = orders[widest][ranked]
    middle = len(ranked) // 2
    start = int(np.searchsorted(place, place[middle]))
    # Like values stay on one side unless they are most of the block.
    at = start if start > len(ranked) // 4 else middle
    return [ranked[:at], ranked[at:]]


def _order(records: Records, column: int) -> Points:
    scale, codes = records.scales[column], records.codes[column]
    if isinstance(scale, SemanticScale):
        return depth_first(scale.nodes)[codes]
    return np.nan_to_num(scale.point_of(codes), nan=-1.0)


def depth_first(nodes: Nodes) -> Points:
    """A rank for each value, such that what lies under one node lies together."""
    wide = nodes.sizes[nodes.above]  # the fewer subsumers, the nearer to the root
    paths = np.take_along_axis(nodes.above, np.argsort(wide, axis=1, kind="stable"), axis=1)
    keys = paths[: nodes.values, : int(nodes.sizes[: nodes.values].max(initial=1))]
    order = np.lexsort(keys.T[::-1])
    rank = np.empty(len(keys))
    rank[order] = np.arange(len(keys))
    return rank


# Recoding: the rarest record takes the values of the least distant one until none is rare.


def recode(records: Records, k: int) -> tuple[Rows, Rows]:
    """The group of each record, and for each group the record that all of it becomes."""
    weights = records.weights.copy()
    target = np.arange(len(records))
    alive = np.ones(len(records), dtype=bool)
    rarest = [(int(weight), at) for at, weight in enumerate(weights) if weight < k]
    heapq.heapify(rarest)
    while rarest:
        weight, record = heapq.heappop(rarest)
        if not alive[record] or weight != weights[record]:
            continue  # it grew since; its newer entry, if any, is in the heap
        distances = records.between(records.point(record)) * weights
        distances[~alive] = np.inf
        distances[record] = np.inf
        nearest = int(distances.argmin())
        if distances[nearest] == np.inf:
            break  # the only group left; the caller sees whether it is big enough
        target[record] = nearest
        alive[record] = False
        weights[nearest] += weight
        if weights[nearest] < k:
            heapq.heappush(rarest, (int(weights[nearest]), nearest))
    return _follow(target)


def _follow(target: Rows) -> tuple[Rows, Rows]:
    """Records that took over values may have been taken over later themselves."""
    while True:
        further = target[target]
        if np.array_equal(further, target):
            break
        target = further
    kept, group = np.unique(target, return_inverse=True)
    return group, kept


# Microaggregation (MDAV): groups of at least k records around the most distant ones.
#
# Records repeated k times or more are groups already and lose nothing. The exact method looks at
# every remaining record for every group, O(p²/k); blocks.py keeps p in bounds.


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
