"""Resampling: k random samples, each sorted alike; records at one position form a group.

In: distinct records with repetitions and a random generator.  Out: the group of each record.

All samples are sorted by the distance to one record, the extreme of the whole table: with an
extreme of their own the same position would mean different things in different samples.
"""

from __future__ import annotations

import numpy as np

from dlp.sanitise.tables.records import Records, Rows


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
