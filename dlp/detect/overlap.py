"""Let one finding stand where several claim the same characters.

In: spans with a confidence.  Out: those that win, in order of place.

The most confident wins, then the longer, then the first; whatever overlaps a winner goes.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable
from operator import attrgetter
from typing import Protocol, TypeVar


class Span(Protocol):
    @property
    def start(self) -> int: ...

    @property
    def end(self) -> int: ...

    @property
    def confidence(self) -> float: ...


S = TypeVar("S", bound=Span)


def resolve(spans: Iterable[S]) -> list[S]:
    winners: list[S] = []
    cluster: list[S] = []
    reach = -1
    for span in sorted(spans, key=attrgetter("start")):
        if span.start < reach:
            cluster.append(span)
            reach = max(reach, span.end)
            continue
        winners += settle(cluster) if len(cluster) > 1 else cluster
        cluster = [span]
        reach = span.end
    return winners + settle(cluster)


def settle(cluster: list[S]) -> list[S]:
    """Choose within spans that hang together."""
    ranked = sorted(cluster, key=lambda one: (-one.confidence, one.start - one.end, one.start))
    taken: list[tuple[int, int]] = []  # disjoint, sorted
    chosen: list[S] = []
    for span in ranked:
        place = bisect_left(taken, (span.start, span.end))
        clear_before = place == 0 or taken[place - 1][1] <= span.start
        clear_after = place == len(taken) or taken[place][0] >= span.end
        if clear_before and clear_after:
            insort(taken, (span.start, span.end))
            chosen.append(span)
    return sorted(chosen, key=lambda one: one.start)


def is_free(start: int, end: int, taken: list[tuple[int, int]]) -> bool:
    """Whether a span touches none of these sorted, separate ones."""
    place = bisect_right(taken, (start, 1 << 62)) - 1
    if place >= 0 and taken[place][1] > start:
        return False
    return place + 1 >= len(taken) or taken[place + 1][0] >= end
