"""How far a dismissal reaches: one finding, one file, one folder, or a person everywhere.

In: marks that people called harmless, each with a scope.  Out: until when a person counts nowhere.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import NamedTuple

ANYONE = "any:00000000"  # the mark of a file that was dismissed as a whole


class Scope(StrEnum):
    FINDING = "finding"  # this person in this file
    FILE = "file"  # everybody in this file
    FOLDER = "folder"  # this person beneath this folder
    PERSON = "person"  # this person everywhere, now and later: officers only


class Mark(NamedTuple):
    fingerprint: str
    scope: str
    place: bytes  # the file or the folder; empty: everywhere
    expires_at: float

    def covers(self, path: bytes) -> bool:
        if self.scope == Scope.PERSON:
            return True
        if self.scope == Scope.FOLDER:
            return path.startswith(self.place.rstrip(b"/") + b"/")
        return path == self.place


def place_of(scope: Scope, path: bytes) -> bytes:
    """Where a dismissal made on the page of this file counts."""
    if scope is Scope.PERSON:
        return b""
    return path.rpartition(b"/")[0] if scope is Scope.FOLDER else path


class Marks:
    """The marks in force, by fingerprint."""

    def __init__(self, marks: Iterable[Mark]) -> None:
        self._known: dict[str, list[Mark]] = defaultdict(list)
        for mark in marks:
            self._known[mark.fingerprint].append(mark)

    def harmless_until(self, prints: Sequence[str], path: bytes) -> float:
        """0: this person counts in this file."""
        if not self._known:
            return 0.0
        ends = (
            mark.expires_at
            for one in (*prints, ANYONE)
            for mark in self._known.get(one, ())
            if mark.covers(path)
        )
        return max(ends, default=0.0)
