"""Semantic distance of MeSH concepts, by the generalisations they do not share.

In: descriptor indices.  Out: sd(a, b) = log2(1 + (union - shared) / union), in [0, 1).

Union and shared count the members of T(a) and T(b) together and in common.

T(a) is a with all its ancestors, and two kinds of nodes MeSH has but does not number: the tree
letters (A anatomy, C diseases ...) and one root over all. The root bounds the distance below 1
and lets depth count for unrelated pairs; the letters make two diseases closer than a disease and
a drug.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from dlp.knowledge.mesh import Mesh, load_mesh

Distances = npt.NDArray[np.float64]
_LETTERS = 26


def subsumers(index: int, mesh: Mesh | None = None) -> frozenset[int]:
    """T(a): itself, its ancestors, its tree letters (numbered after all descriptors), the root."""
    mesh = mesh or load_mesh()
    size = len(mesh)
    letters = int(mesh.letters[index])
    virtual = {size + bit for bit in range(_LETTERS) if letters >> bit & 1}
    return frozenset({index, size + _LETTERS, *mesh.ancestors(index).tolist(), *virtual})


def sd(a: int, b: int, mesh: Mesh | None = None) -> float:
    """0 for the same concept, below 1 for any pair, symmetric."""
    left, right = subsumers(a, mesh), subsumers(b, mesh)
    shared = len(left & right)
    union = len(left) + len(right) - shared
    return float(np.log2(1 + (union - shared) / union))


def sd_matrix(indices: Sequence[int], mesh: Mesh | None = None) -> Distances:
    """All pairwise distances."""
    return sd_between(indices, indices, mesh)


def sd_between(rows: Sequence[int], columns: Sequence[int], mesh: Mesh | None = None) -> Distances:
    """The distance of every row concept to every column concept."""
    mesh = mesh or load_mesh()
    left = [subsumers(index, mesh) for index in rows]
    right = [subsumers(index, mesh) for index in columns]
    seen = sorted(frozenset().union(*left, *right))
    place = {node: column for column, node in enumerate(seen)}
    one, two = _membership(left, place), _membership(right, place)
    shared = one @ two.T
    union = one.sum(axis=1)[:, None] + two.sum(axis=1)[None, :] - shared
    distances: Distances = np.log2(1 + (union - shared) / union).astype(np.float64)
    return distances


def _membership(sets: Sequence[frozenset[int]], place: dict[int, int]) -> npt.NDArray[np.float32]:
    table = np.zeros((len(sets), len(place)), dtype=np.float32)
    for row, nodes in enumerate(sets):
        table[row, [place[node] for node in nodes]] = 1
    return table
