"""MeSH as arrays: terms, tree positions, parents, children, ancestors, semantic distance.

In: the artefact "mesh".  Out: answers by descriptor index; nothing is copied, workers share pages.

The distance is sd(a, b) = log2(1 + (union - shared) / union), in [0, 1), where union and shared
count the members of T(a) and T(b) together and in common. T(a) is a with all its ancestors, and
two kinds of nodes MeSH has but does not number: the tree letters (A anatomy, C diseases ...) and
one root over all. The root bounds the distance below 1 and lets depth count for unrelated pairs;
the letters make two diseases closer than a disease and a drug.
"""

from __future__ import annotations

import functools
from bisect import bisect_left
from pathlib import Path

import numpy as np
import numpy.typing as npt

from dlp.knowledge.artefact import Artefact, load
from dlp.knowledge.phrases import KeyTable, fold_words, phrase_key
from dlp.knowledge.site_knowledge import artefact_folder
from dlp.knowledge.spelling import bag_of

Indices = npt.NDArray[np.uint16]


class _Rows:
    """Rows of different length; a row is a view.

    Bounds stay numbers of the file: a worker that takes one of 30,000 objects it shares with others
    must count who holds it, and gets a page of its own for that.
    """

    __slots__ = ("_bounds", "_values", "bounds", "values")

    def __init__(self, artefact: Artefact, key: str) -> None:
        self.bounds: npt.NDArray[np.uint32] = artefact[f"{key}.bounds"]
        self.values: npt.NDArray[np.uint16] = artefact[f"{key}.values"]
        # an item of these is an object of Python at once, without one of numpy between
        self._bounds, self._values = self.bounds.data, self.values.data

    def __getitem__(self, row: int) -> memoryview:
        bounds = self._bounds
        return self._values[bounds[row] : bounds[row + 1]]


class Mesh:
    """The descriptors in order of their ids; an index is a position in that order."""

    def __init__(self, artefact: Artefact) -> None:
        self.edition: str = artefact.meta["edition"]
        self.sha256 = artefact.sha256
        self.ids: tuple[str, ...] = tuple(artefact.strings("id").all())
        self._names = artefact.strings("name")
        self._terms = artefact.strings("term")
        self._tree_above = artefact["tree.above"]
        self._tree_own = artefact["tree.own"]
        self._terms_of = artefact["term.of"]
        self._trees_of = artefact["tree.of"]
        self._depths = artefact["depth"]
        self._parents = _Rows(artefact, "parents")
        self._children = _Rows(artefact, "children")
        self._ancestors = _Rows(artefact, "ancestors")
        self._table = KeyTable(artefact["key"], artefact["key.buckets"])
        self._owner: Indices = artefact["key.owner"]
        self._shared = _Rows(artefact, "key.shared")
        self._position = dict(zip(self.ids, range(len(self.ids)), strict=True))

    def __len__(self) -> int:
        return len(self.ids)

    def __contains__(self, ident: object) -> bool:
        return ident in self._position

    def index(self, ident: str) -> int:
        """The index of a descriptor id such as "D015658"; KeyError when there is none."""
        return self._position[ident]

    def name(self, index: int) -> str:
        return self._names[index]

    def terms(self, index: int) -> tuple[str, ...]:
        """The entry terms, without the preferred name."""
        start, end = int(self._terms_of[index]), int(self._terms_of[index + 1])
        return tuple(self._terms[term] for term in range(start, end))

    def find(self, term: str) -> tuple[int, ...]:
        """The descriptors a term names: exactly, else in any order, number or spelling."""
        if term in self._position:
            return (self._position[term],)
        words = fold_words(term)
        if not words:
            return ()
        return self._owned(phrase_key(words)) or self._owned(phrase_key(bag_of(words)))

    def _owned(self, key: int) -> tuple[int, ...]:
        row = self._table.find_one(key)
        if row < 0:
            return ()
        owner = int(self._owner[row])
        if owner < len(self):
            return (owner,)
        return tuple(self._shared[owner - len(self)].tolist())

    @property
    def parent_rows(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Where each descriptor's parents start in the second array, and where the last end."""
        bounds, values = self._parents.bounds, self._parents.values
        return bounds.astype(np.int64), values.astype(np.int64)

    def parents(self, index: int) -> memoryview:
        return self._parents[index]

    def children(self, index: int) -> memoryview:
        return self._children[index]

    def ancestors(self, index: int) -> memoryview:
        """All descriptors above, sorted, itself excluded."""
        return self._ancestors[index]

    def descendants(self, index: int) -> Indices:
        """All descriptors below, sorted, itself excluded."""
        below: set[int] = set()
        waiting = self._children[index].tolist()
        while waiting:
            reached = waiting.pop()
            if reached not in below:
                below.add(reached)
                waiting.extend(self._children[reached].tolist())
        return np.array(sorted(below - {index}), dtype=np.uint16)

    def is_a(self, index: int, other: int) -> bool:
        """Whether a descriptor is another one or lies below it."""
        if index == other:
            return True
        above = self._ancestors[index]
        place = bisect_left(above, other)
        return place < len(above) and above[place] == other

    def depth(self, index: int) -> int:
        """The length of the shortest tree number: 1 for the top of a category."""
        return int(self._depths[index])

    def tree_numbers(self, index: int) -> tuple[str, ...]:
        start, end = int(self._trees_of[index]), int(self._trees_of[index + 1])
        return tuple(self._tree_number(tree) for tree in range(start, end))

    def _tree_number(self, position: int) -> str:
        parts = []
        while (above := int(self._tree_above[position])) < len(self._tree_above):
            parts.append(f"{int(self._tree_own[position]):03d}")
            position = above
        letter, digits = divmod(int(self._tree_own[position]), 100)
        return ".".join((f"{chr(letter)}{digits:02d}", *reversed(parts)))

    def categories(self, index: int) -> tuple[str, ...]:
        """The tops of its tree positions, such as ("C04", "F03")."""
        return tuple(dict.fromkeys(tree[:3] for tree in self.tree_numbers(index)))

    @functools.cached_property
    def letters(self) -> npt.NDArray[np.uint32]:
        """One bit per tree letter a descriptor hangs under: bit 0 is A, bit 25 is Z."""
        top = np.arange(len(self._tree_above))
        above = np.append(self._tree_above, len(self._tree_above)).astype(np.int64)
        for _ in range(16):  # deeper than any tree number
            higher = above[top]
            top = np.where(higher < len(self._tree_above), higher, top)
        bits = np.left_shift(1, self._tree_own[top].astype(np.int64) // 100 - ord("A"))
        owner = np.repeat(np.arange(len(self)), np.diff(self._trees_of))
        found = np.zeros(len(self), dtype=np.uint32)
        np.bitwise_or.at(found, owner, bits.astype(np.uint32))
        return found


@functools.cache
def load_mesh(folder: Path | None = None) -> Mesh:
    """The site's own MeSH when one was imported, else the bundled one."""
    return Mesh(load("mesh", folder or artefact_folder("mesh")))


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
