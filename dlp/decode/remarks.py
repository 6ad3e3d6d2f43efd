"""Have a parser of markup tell what it reads; comments and instructions are text, too.

In: pieces of a text.  Out: the events of an lxml parser, told to a target; the texts of remarks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from collections.abc import Set as AbstractSet
from typing import Any

from lxml import etree

SHORT_BYTES = 65_536


class Remarks:
    """The half of a parser target that HTML and XML share."""

    def __init__(self) -> None:
        self.comments: list[str] = []

    def comment(self, text: str) -> None:
        self.comments.append(text)

    def pi(self, _target: str, text: str | None = None) -> None:
        self.comments.append(text or "")

    def close(self) -> None:
        """A target has to have an end; the reader asks it for what it heard."""


def told(**sets: AbstractSet[str]) -> dict[str, int]:
    """By name, which of some sets it is in, as the kernel counts them: a bit for each."""
    says: dict[str, int] = {}
    for place, names in enumerate(sets.values()):
        for name in names:
            says[name] = says.get(name, 0) | 1 << place
    return says


class Parsers:
    """Makes parsers, and keeps one for the next file: it takes as long as reading a short one.

    What a kernel hears comes through an ear, which is the same for every file.
    """

    def __init__(self, make: Callable[[Any], Any]) -> None:
        self._make = make
        self._idle: list[tuple[Any, Any]] = []

    def tell(self, target: Any, pieces: Iterable[bytes], ear: Callable[[], Any] | None) -> bool:
        """False when the parser gave up before the end."""
        if ear is None:
            parser, hearer = self._make(target), None
        else:
            parser, hearer = self._idle.pop() if self._idle else self._with(ear())
            hearer.target = target
        size = 0
        try:
            for piece in pieces:
                parser.feed(piece)
                size += len(piece)
            parser.close()
        except (etree.LxmlError, ValueError, AssertionError):
            return False  # nobody asks it again
        if hearer is not None and size <= SHORT_BYTES:  # another may hold on to much
            hearer.target = None
            self._idle.append((parser, hearer))
        return True

    def _with(self, hearer: Any) -> tuple[Any, Any]:
        return self._make(hearer), hearer
