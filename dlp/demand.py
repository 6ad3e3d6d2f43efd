"""Things too dear to load for a file that may never come: loaded when a file asks for them.

In: a name and a way to load.  Out: the thing, or LackingError in a process that may not load.

A confined worker has lost the disk. It says what it lacks; the process that forks workers loads it,
and the next worker takes the file.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class LackingError(BaseException):
    """Not an Exception: no stage may take it for a failure of its own."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class OnDemand(Generic[T]):
    def __init__(self, name: str, load: Callable[[], T]) -> None:
        self.name = name
        self._load = load
        self._thing: T | None = None
        self._sealed = False

    def get(self) -> T:
        if self._thing is None:
            if self._sealed:
                raise LackingError(self.name)
            self._thing = self._load()
        return self._thing

    def seal(self) -> None:
        """From here on, and in every fork of this process, lacking is said instead of loaded."""
        self._sealed = True

    def supply(self) -> None:
        """Load it in spite of the seal."""
        self._sealed = False
        self.get()
        self.seal()
