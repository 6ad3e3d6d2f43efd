"""Have a parser of markup tell what it reads; comments and instructions are text, too.

In: pieces of a text.  Out: the events of an lxml parser, told to a target; the texts of remarks.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lxml import etree


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


def feed_all(parser: Any, pieces: Iterable[bytes]) -> bool:
    """Feed a parser to the end; False when it gave up before."""
    try:
        for piece in pieces:
            parser.feed(piece)
        parser.close()
    except (etree.LxmlError, ValueError, AssertionError):
        return False
    return True
