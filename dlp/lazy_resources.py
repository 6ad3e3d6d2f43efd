"""Registry of expensive resources, loaded on first use.

In: a name and a function that loads.  Out: the resource, or NotLoadedError in a sealed process.

A confined worker cannot read the disk. It reports the missing name; the forkserver loads the
resource, and the next worker forked takes the file.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Generic, TypeVar, cast

T = TypeVar("T")


class NotLoadedError(BaseException):
    """Not an Exception: no stage may take it for a failure of its own."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class ResourceRegistry:
    """The resources of this process that load on demand."""

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
        """From here on, here and in every fork, `get` raises instead of loading."""
        self.sealed = True

    def supply(self, name: str) -> None:
        """Load it in spite of the seal; an unknown name is ignored."""
        sealed, self.sealed = self.sealed, False  # a loader may use other resources
        try:
            if name in self._things:
                self._things[name].load()
        finally:
            self.sealed = sealed

    def fill(self) -> None:
        """Load everything, for workers without a forkserver; one resource may register another."""
        filled: set[str] = set()
        while missing := self._things.keys() - filled:
            for name in [name for name in self._things if name in missing]:
                self._things[name].load()
            filled |= missing


class OnDemand(Generic[T]):
    def __init__(self, registry: ResourceRegistry, name: str, load: Callable[[], T]) -> None:
        self._registry = registry
        self._name = name
        self._loader = load
        self._loaded: list[T] = []

    def get(self) -> T:
        if not self._loaded and self._registry.sealed:
            raise NotLoadedError(self._name)
        return self.load()

    def load(self) -> T:
        if not self._loaded:
            self._loaded.append(self._loader())
        return self._loaded[0]


@functools.cache
def lazy_registry() -> ResourceRegistry:
    return ResourceRegistry()
