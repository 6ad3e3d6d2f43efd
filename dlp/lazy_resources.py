"""Things too dear to load for a file that may never come: loaded when a file asks for them.

In: a name and a way to load.  Out: the thing, or LackingError in a process that may not load.

A confined worker has lost the disk. It says what it lacks; the process that forks workers loads it,
and the next worker takes the file.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Generic, TypeVar, cast

T = TypeVar("T")


class LackingError(BaseException):
    """Not an Exception: no stage may take it for a failure of its own."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class Shelf:
    """Everything of this process that loads on demand."""

    def __init__(self) -> None:
        self._things: dict[str, OnDemand[object]] = {}
        self.sealed = False

    def put(self, name: str, load: Callable[[], T]) -> OnDemand[T]:
        thing = OnDemand(self, name, load)
        self._things[name] = cast("OnDemand[object]", thing)
        return thing

    @property
    def names(self) -> frozenset[str]:
        return frozenset(self._things)

    def seal(self) -> None:
        """From here on, and in every fork of this process, lacking is said instead of loaded."""
        self.sealed = True

    def supply(self, name: str) -> None:
        """Load it in spite of the seal; a name that nothing bears changes nothing."""
        sealed, self.sealed = self.sealed, False  # whoever loads lacks nothing
        try:
            if name in self._things:
                self._things[name].load()
        finally:
            self.sealed = sealed

    def fill(self) -> None:
        """Load everything, for workers that nobody supplies; one thing may bring another."""
        filled: set[str] = set()
        while missing := self._things.keys() - filled:
            for name in [name for name in self._things if name in missing]:
                self._things[name].load()
            filled |= missing


class OnDemand(Generic[T]):
    def __init__(self, shelf: Shelf, name: str, load: Callable[[], T]) -> None:
        self._shelf = shelf
        self._name = name
        self._loader = load
        self._loaded: list[T] = []

    def get(self) -> T:
        if not self._loaded and self._shelf.sealed:
            raise LackingError(self._name)
        return self.load()

    def load(self) -> T:
        if not self._loaded:
            self._loaded.append(self._loader())
        return self._loaded[0]


@functools.cache
def shelf() -> Shelf:
    return Shelf()
