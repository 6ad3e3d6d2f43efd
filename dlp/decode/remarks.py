"""What a parser of markup hears beside elements: comments and instructions are text, too.

In: events of an lxml parser.  Out: their texts.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet


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
