"""Semantic distances of all values and generalisations of a column, from their subsumers.

In: a taxonomy and the distinct values.  Out: a symmetric matrix of
sd(a, b) = log2(1 + (|T(a) ∪ T(b)| - |T(a) ∩ T(b)|) / |T(a) ∪ T(b)|).

The first rows are the values in their order, then follow their other subsumers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from dlp.sanitise.tables.taxonomies import ANY, Known

Distances = npt.NDArray[np.float32]
Codes = npt.NDArray[np.int32]

MISSING = "\0\0"  # a cell without a value; only another such cell is like it
_ROWS = 256  # rows of the matrix made at once, so that the steps between stay small


@dataclass(frozen=True, slots=True)
class Nodes:
    """Values, then their other subsumers; `above[i]` lists T(i), the node itself first."""

    labels: tuple[str, ...]
    values: int
    above: Codes  # padded with the node itself
    sizes: Codes

    def __len__(self) -> int:
        return len(self.labels)


def collect(values: Sequence[str], taxonomy: Known) -> Nodes:
    """Number the values and everything above them.

    Two spellings of one concept stay two values, at distance 0.
    """
    nodes = [MISSING if value == MISSING else taxonomy.node(value) for value in values]
    subsumers = {node: _subsumers(node, taxonomy) for node in dict.fromkeys(nodes)}
    wanted: list[str] = []
    # In a graph an ancestor can have ancestors that the node itself does not list.
    while fresh := sorted(frozenset().union(*subsumers.values()) - subsumers.keys()):
        wanted += fresh
        subsumers |= {node: _subsumers(node, taxonomy) for node in fresh}
    first = {node: at for at, node in reversed(list(enumerate(nodes)))}
    number = first | {node: len(nodes) + at for at, node in enumerate(wanted)}
    rows = []
    for at, node in enumerate([*nodes, *wanted]):
        others = sorted(number[other] for other in subsumers[node] if other != node)
        rows.append([at, *others])
    sizes = np.array([len(row) for row in rows], dtype=np.int32)
    width = int(sizes.max(initial=1))
    padded = [row + [row[0]] * (width - len(row)) for row in rows]
    labels = (*values, *(taxonomy.label(node) for node in wanted))
    above = np.array(padded, dtype=np.int32).reshape(len(rows), width)
    # Spellings of one concept share the bit of the first of them.
    above = np.array([number[n] for n in (*nodes, *wanted)], dtype=np.int32)[above]
    return Nodes(labels, len(nodes), above, sizes)


def _subsumers(node: str, taxonomy: Known) -> frozenset[str]:
    return frozenset({MISSING, ANY}) if node == MISSING else taxonomy.subsumers(node)


def distance_matrix(nodes: Nodes) -> Distances:
    """All pairwise distances.

    Counted by subsumer: each adds one to all pairs below it. Most have few nodes below them, so
    this is far less work than comparing the sets of all pairs, as bits or otherwise.
    """
    shared = np.zeros((len(nodes), len(nodes)), dtype=np.uint16)
    for below in _below(nodes):
        if len(below) == len(nodes):
            shared += 1
        else:
            shared[np.ix_(below, below)] += 1
    sizes = nodes.sizes.astype(np.float32)
    matrix = np.empty(shared.shape, dtype=np.float32)
    for start in range(0, len(nodes), _ROWS):
        rows = slice(start, start + _ROWS)
        matrix[rows] = _sd(shared[rows], sizes[rows, None], sizes[None, :])
    return matrix


def _below(nodes: Nodes) -> list[npt.NDArray[np.int64]]:
    """For each subsumer the nodes that have it."""
    inside = np.arange(nodes.above.shape[1])[None, :] < nodes.sizes[:, None]
    row = np.broadcast_to(np.arange(len(nodes))[:, None], nodes.above.shape)[inside]
    subsumer = nodes.above[inside]
    order = np.argsort(subsumer, kind="stable")
    ends = np.cumsum(np.bincount(subsumer))
    return [part for part in np.split(row[order], ends[:-1]) if len(part)]


class Pairs(Protocol):
    """Distances of nodes, looked up or worked out."""

    def row(self, node: int, others: Codes) -> Distances: ...

    def many(self, left: Codes, right: Codes) -> Distances:
        """Element by element; the arguments are broadcast."""
        ...


class MatrixPairs:
    """Every distance kept; quickest while the square of the nodes fits in memory."""

    def __init__(self, nodes: Nodes) -> None:
        self.matrix = distance_matrix(nodes)

    def row(self, node: int, others: Codes) -> Distances:
        row: Distances = self.matrix[node]
        return row.take(others)

    def many(self, left: Codes, right: Codes) -> Distances:
        found: Distances = self.matrix[left, right]
        return found


class ListedPairs:
    """No distance kept; subsumers are compared when asked for, as for all ZIP codes."""

    def __init__(self, nodes: Nodes) -> None:
        inside = np.arange(nodes.above.shape[1])[None, :] < nodes.sizes[:, None]
        self._above = np.where(inside, nodes.above, -1).astype(np.int32)
        self._theirs = np.where(inside, nodes.above, -2).astype(np.int32)  # no subsumer is shared
        self._sizes = nodes.sizes.astype(np.float32)

    def row(self, node: int, others: Codes) -> Distances:
        held = np.zeros(len(self._above) + 1, dtype=np.uint8)  # the last place is for -1
        held[self._above[node]] = 1
        held[-1] = 0
        shared = held[self._above[others]].sum(axis=1, dtype=np.float32)
        return _sd(shared, self._sizes[node], self._sizes[others])

    def many(self, left: Codes, right: Codes) -> Distances:
        mine, theirs = self._above[left], self._theirs[right]
        shared = (
            (mine[..., :, None] == theirs[..., None, :]).any(axis=-1).sum(axis=-1, dtype=np.float32)
        )
        return _sd(shared, self._sizes[left], self._sizes[right])


def pairs_of(nodes: Nodes, limit_bytes: int) -> Pairs:
    fits = 4 * len(nodes) ** 2 <= limit_bytes
    return MatrixPairs(nodes) if fits else ListedPairs(nodes)


def _sd(shared: npt.NDArray[np.generic], left: Any, right: Any) -> Distances:
    union = left + right - shared
    found: Distances = np.log2(1 + (union - shared) / union)
    return found
