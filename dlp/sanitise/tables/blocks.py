"""Cutting many records into blocks of like ones, so that grouping stays within bounds.

In: records and the most a block may hold.  Out: blocks of record numbers, each with k rows or more.

A block is cut in two along the column whose values differ most, at the median of the order of
the column: by number, or by depth-first position in its taxonomy.
"""

from __future__ import annotations

import numpy as np

from dlp.sanitise.tables.distance import Nodes
from dlp.sanitise.tables.records import Records, Rows
from dlp.sanitise.tables.scale import Points, SemanticScale

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
