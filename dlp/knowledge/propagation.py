"""Spread a few expert sensitivity values over a whole hierarchy.

In: a directed acyclic graph and values for some of its nodes.  Out: a value for every node.

The rule is that of Geng et al. (TrustBus 2011) and gives the same values on a tree. What follows
lets it run on a graph where a concept has several parents:

* Nodes without parents that carry no value hold 0.
* *Upwards*: among all paths from a labelled node to a labelled descendant that run through
  unlabelled nodes only, take the one with the smallest increment per step, fill it evenly, and
  start again with the new labels. Taking the smallest increment *of the whole graph* is what keeps
  every pair of labels in order: a path that reaches a new label from another ancestor, or leaves
  it for another descendant, is part of a path that was considered and rises at least as fast.
* *Downwards*: what is left has no labelled descendant and takes the largest value of its parents.

For each labelled node only its steepest-rising rival matters, so one candidate per node waits in a
heap and is renewed when a label lands on a node it ran through; each renewal sees a smaller region.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from dlp.errors import KnowledgeError

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


class Hierarchy(Protocol):
    """What propagation asks of a graph: `Graph` is one, the MeSH graph another."""

    def __len__(self) -> int: ...
    def parents(self, node: int, /) -> Sequence[int]: ...


class Graph:
    """A directed acyclic graph as arrays: each node's parents, and the edges sorted by level."""

    def __init__(self, offsets: Ints, targets: Ints) -> None:
        self._offsets = offsets
        self._targets = targets

    @classmethod
    def of(cls, parents: Iterable[Sequence[int]]) -> Graph:
        rows = [list(row) for row in parents]
        offsets = np.zeros(len(rows) + 1, dtype=np.int64)
        offsets[1:] = np.cumsum([len(row) for row in rows])
        targets = np.fromiter(itertools.chain.from_iterable(rows), np.int64, int(offsets[-1]))
        return cls(offsets, targets)

    def __len__(self) -> int:
        return len(self._offsets) - 1

    def parents(self, node: int, /) -> list[int]:
        found: list[int] = self._targets[self._offsets[node] : self._offsets[node + 1]].tolist()
        return found

    @cached_property
    def levels(self) -> Ints:
        """Longest distance of each node from a node without parents."""
        child, parent = self.edges
        level = np.zeros(len(self), dtype=np.int64)
        for _ in range(len(self) + 1):
            raised = level.copy()
            np.maximum.at(raised, child, level[parent] + 1)
            if np.array_equal(raised, level):
                return level
            level = raised
        raise KnowledgeError("a concept is its own ancestor", where="concept hierarchy")

    @cached_property
    def edges(self) -> tuple[Ints, Ints]:
        """Child and parent of every edge."""
        return np.repeat(np.arange(len(self)), np.diff(self._offsets)), self._targets

    @cached_property
    def layers(self) -> tuple[tuple[Ints, Ints, Ints], ...]:
        """For each level from 1 on: its nodes, where their edges start, and the parents."""
        child, parent = self.edges
        order = np.argsort(self.levels[child], kind="stable")
        child, parent = child[order], parent[order]
        bounds = np.searchsorted(
            self.levels[child], np.arange(1, int(self.levels.max(initial=0)) + 2)
        )
        found = []
        for start, end in itertools.pairwise(bounds.tolist()):
            nodes, starts = np.unique(child[start:end], return_index=True)
            found.append((nodes, starts.astype(np.int64), parent[start:end]))
        return tuple(found)


class Source(NamedTuple):
    """Where a value comes from: an expert, the stretch between two labels, or a parent."""

    kind: str  # "expert", "between", "inherited", "root"
    nodes: tuple[int, ...] = ()


@dataclass(frozen=True)
class Propagation:
    """A value for every node, and how each came about."""

    values: Floats
    expert: Mapping[int, float]
    graph: Graph
    stretches: Mapping[int, tuple[int, int]]  # filled node -> (upper label, lower label)

    def source(self, node: int) -> Source:
        if node in self.expert:
            return Source("expert")
        if node in self.stretches:
            return Source("between", self.stretches[node])
        above = self.graph.parents(node)
        if not above:
            return Source("root")
        # The giver is the nearest ancestor whose value was set and not itself handed down.
        giver = max(above, key=lambda parent: (self.values[parent], -parent))
        if giver in self.expert or giver in self.stretches or not self.graph.parents(giver):
            return Source("inherited", (giver,))
        return self.source(giver)


def propagate(
    graph: Hierarchy,
    expert: Mapping[int, float],
    name: Callable[[int], str] = "concept {}".format,
) -> Propagation:
    """Give every node a value; refuse expert values that contradict each other."""
    compiled = graph if isinstance(graph, Graph) else Graph.of(_rows(graph))
    labels = {node: float(value) for node, value in sorted(expert.items())}
    check_consistency(compiled, labels, name)
    values, stretches = _Upward(compiled, labels).run()
    caps = _smallest_label_below(compiled, labels)
    # Filled values carry rounding of the last bit. Raising each to its parents and capping it at
    # its smallest label below makes the order exact and cannot touch an expert's value.
    np.minimum(values, caps, out=values)
    for nodes, starts, parents in compiled.layers:
        above = np.maximum.reduceat(values[parents], starts)
        values[nodes] = np.minimum(np.maximum(values[nodes], above), caps[nodes])
    return Propagation(values, labels, compiled, stretches)


def _rows(graph: Hierarchy) -> Iterator[Sequence[int]]:
    return (graph.parents(node) for node in range(len(graph)))


def check_consistency(
    graph: Graph, labels: Mapping[int, float], name: Callable[[int], str]
) -> None:
    """An ancestor may not be more sensitive than its descendant; both are named."""
    for node, value in labels.items():
        if not 0 <= value <= 1:
            raise KnowledgeError(
                f"the sensitivity of {name(node)} is {value:g}",
                where="sensitivity",
                fix="use a value from 0 to 1",
            )
    highest = np.full(len(graph), -1.0)
    own = np.full(len(graph), -1.0)
    own[list(labels)] = list(labels.values())
    for nodes, starts, parents in graph.layers:
        highest[nodes] = np.maximum.reduceat(np.maximum(own, highest)[parents], starts)
    for node, value in labels.items():
        if highest[node] > value:
            above = _offender(graph, labels, node)
            raise KnowledgeError(
                f"{name(above)} ({labels[above]:g}) is more sensitive than {name(node)}"
                f" ({value:g}), which is a kind of it",
                where="sensitivity",
                fix="a narrower concept is at least as sensitive as the broader one: change either",
            )


def _offender(graph: Graph, labels: Mapping[int, float], node: int) -> int:
    """The nearest ancestor with a larger value."""
    ring = graph.parents(node)
    while True:
        for above in ring:
            if labels.get(above, -1.0) > labels[node]:
                return above
        ring = [upper for above in ring for upper in graph.parents(above)]


def _smallest_label_below(graph: Graph, labels: Mapping[int, float]) -> Floats:
    """For each node the smallest expert value at or below it: nothing above may exceed it."""
    caps = np.full(len(graph), np.inf)
    caps[list(labels)] = list(labels.values())
    for nodes, starts, parents in reversed(graph.layers):
        sizes = np.diff(starts, append=len(parents))
        np.minimum.at(caps, parents, np.repeat(caps[nodes], sizes))
    return caps


class _Upward:
    """Fill the stretches between labels, smallest increment first."""

    def __init__(self, graph: Graph, labels: Mapping[int, float]) -> None:
        self._graph = graph
        self._level = graph.levels
        self._value: dict[int, float] = dict(labels)
        self._stretches: dict[int, tuple[int, int]] = {}
        self._parents: dict[int, list[int]] = {}
        self._watchers: dict[int, set[int]] = {}  # unlabelled node -> labels whose region holds it
        self._path: dict[int, list[int]] = {}  # label -> its candidate path, upper end first
        self._version: dict[int, int] = {}
        self._heap: list[tuple[float, int, int]] = []

    def run(self) -> tuple[Floats, Mapping[int, tuple[int, int]]]:
        for root in np.flatnonzero(self._level == 0).tolist():
            self._value.setdefault(root, 0.0)
        for node in list(self._value):
            self._renew(node)
        while self._heap:
            increment, bottom, version = heapq.heappop(self._heap)
            if self._version[bottom] == version:
                self._fill(self._path[bottom], increment)
        values = np.zeros(len(self._graph))
        values[list(self._value)] = list(self._value.values())
        return values, self._stretches

    def _fill(self, path: Sequence[int], increment: float) -> None:
        top, bottom, start = path[0], path[-1], self._value[path[0]]
        stale = {bottom}
        for step, node in enumerate(path[1:-1], start=1):
            self._value[node] = start + increment * step
            self._stretches[node] = (top, bottom)
            stale |= self._watchers.pop(node, set())
            stale.add(node)
        for node in sorted(stale):
            self._renew(node)

    def _renew(self, bottom: int) -> None:
        """Find the slowest rise that ends at this label, and queue it."""
        distance, below = self._longest_paths(bottom)
        best: tuple[float, int, int] | None = None
        for above, length in distance.items():
            if length > 1 and above in self._value:
                increment = (self._value[bottom] - self._value[above]) / length
                if best is None or (increment, -length, above) < best:
                    best = (increment, -length, above)
        version = self._version[bottom] = self._version.get(bottom, 0) + 1
        if best is None:
            return
        path = [best[2]]
        while path[-1] != bottom:
            path.append(below[path[-1]])
        self._path[bottom] = path
        heapq.heappush(self._heap, (best[0], bottom, version))

    def _longest_paths(self, bottom: int) -> tuple[dict[int, int], dict[int, int]]:
        """Lengths of the longest ways up through unlabelled nodes, and the next step down."""
        distance, below = {bottom: 0}, {}
        # Deepest first: a node's length is final before its parents are reached.
        queue = [(-int(self._level[bottom]), bottom)]
        while queue:
            _, node = heapq.heappop(queue)
            if node != bottom and node not in self._value:
                self._watchers.setdefault(node, set()).add(bottom)
            elif node != bottom:
                continue
            for parent in self._parents_of(node):
                if parent not in distance:
                    heapq.heappush(queue, (-int(self._level[parent]), parent))
                if distance.get(parent, 0) < distance[node] + 1:
                    distance[parent] = distance[node] + 1
                    below[parent] = node
        return distance, below

    def _parents_of(self, node: int) -> list[int]:
        found = self._parents.get(node)
        if found is None:
            found = self._parents[node] = self._graph.parents(node)
        return found
