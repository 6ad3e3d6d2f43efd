"""Recoding: the rarest record takes the values of the least distant one until none is rare.

In: distinct records with repetitions.  Out: the group of each record and whose values it takes.
"""

from __future__ import annotations

import heapq

import numpy as np

from dlp.sanitise.tables.records import Records, Rows


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
