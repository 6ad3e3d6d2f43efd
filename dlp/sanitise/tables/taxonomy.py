"""What the values of a column are kinds of: one protocol, and hierarchies given as paths.

In: a cell.  Out: the node it stands for, and T(node): the node with all that subsumes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from dlp.errors import SanitiseError

ANY = "*"  # the root of every taxonomy, and what a cell says when nothing more may be said


class Taxonomy(Protocol):
    """Nodes are strings; the ancestors of a node are nodes with subsumers of their own."""

    name: str

    def find(self, value: str) -> str | None:
        """The node a cell stands for; None when it is not known."""
        ...

    def subsumers(self, node: str) -> frozenset[str]:
        """T(node): the node itself, everything above, and ANY."""
        ...

    def label(self, node: str) -> str:
        """What a generalised cell says."""
        ...


class Paths:
    """A hierarchy written down: each value with its generalisations, the nearest first."""

    def __init__(self, name: str, paths: Mapping[str, Sequence[str]]) -> None:
        self.name = name
        self._above: dict[str, frozenset[str]] = {ANY: frozenset({ANY})}
        self._nodes: dict[str, str] = {}
        for value, above in paths.items():
            # A generalisation is told apart from a value of the same wording by its own path.
            steps = [step for step in above if step != ANY]
            chain = [" < ".join([step, *steps[i + 1 :]]) for i, step in enumerate(steps)]
            nodes = [" < ".join([value, *steps]), *chain, ANY]
            self._nodes[value] = nodes[0]
            for at, node in enumerate(nodes):
                self._above.setdefault(node, frozenset(nodes[at:]))

    @classmethod
    def from_rows(cls, name: str, rows: Iterable[Sequence[str]]) -> Paths:
        """Rows as ARX writes them: value; generalisation; wider generalisation; …"""
        paths = {row[0]: [cell for cell in row[1:] if cell] for row in rows if row and row[0]}
        if not paths:
            raise SanitiseError("a hierarchy is empty", where=name, fix="one value a line")
        return cls(name, paths)

    def find(self, value: str) -> str | None:
        return self._nodes.get(value)

    def subsumers(self, node: str) -> frozenset[str]:
        return self._above[node]

    def label(self, node: str) -> str:
        return node.partition(" < ")[0]


class Unrelated:
    """Words nobody placed anywhere: alike only in being values of this column."""

    name = "categories"

    def find(self, value: str) -> str | None:
        return value

    def subsumers(self, node: str) -> frozenset[str]:
        return frozenset({node, ANY})

    def label(self, node: str) -> str:
        return node


class Known:
    """Any taxonomy made total: what it does not know hangs under ANY as a word of its own."""

    def __init__(self, taxonomy: Taxonomy) -> None:
        self.name = taxonomy.name
        self._inner = taxonomy
        self.unknown: set[str] = set()

    def node(self, value: str) -> str:
        found = self._inner.find(value)
        if found is not None:
            return found
        self.unknown.add(value)
        return f"\0{value}"

    def subsumers(self, node: str) -> frozenset[str]:
        if node.startswith("\0"):
            return frozenset({node, ANY})
        return self._inner.subsumers(node)

    def label(self, node: str) -> str:
        if node == ANY:
            return ANY
        return node[1:] if node.startswith("\0") else self._inner.label(node)
