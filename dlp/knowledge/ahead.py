"""Map and hash files of knowledge in a thread, while Python imports and reads other things.

In: paths.  Out: each file as it was mapped, with its SHA-256, for whoever loads it first.

Hashing twenty megabytes is a thirtieth of a start, and needs nothing of Python meanwhile. What is
handed out is the very mapping that was hashed.
"""

from __future__ import annotations

import functools
import hashlib
import mmap
import threading
from collections.abc import Iterable
from pathlib import Path

Hashed = tuple[mmap.mmap, str]


def mapped(path: Path) -> mmap.mmap:
    with path.open("rb") as source:
        return mmap.mmap(source.fileno(), 0, access=mmap.ACCESS_READ)


class Ahead:
    def __init__(self) -> None:
        self._found: dict[Path, Hashed] = {}
        self._turns: dict[Path, threading.Event] = {}
        self._threads: list[threading.Thread] = []

    def begin(self, paths: Iterable[Path]) -> None:
        """In this order, which is best that in which they are loaded."""
        turns = {path: threading.Event() for path in paths}
        self._turns |= turns
        thread = threading.Thread(target=self._hash, args=(turns,), daemon=True)
        self._threads.append(thread)
        thread.start()

    def _hash(self, turns: dict[Path, threading.Event]) -> None:
        for path, done in turns.items():
            try:
                view = mapped(path)
                self._found[path] = view, hashlib.sha256(view).hexdigest()
            except (OSError, ValueError):
                pass  # whoever loads it says what is wrong
            finally:
                done.set()

    def take(self, path: Path) -> Hashed | None:
        """Once for each file; None: nobody began with it."""
        if (turn := self._turns.pop(path, None)) is None:
            return None
        turn.wait()
        return self._found.pop(path, None)

    def end(self) -> None:
        """Wait for all: whoever forks now forks no thread."""
        while self._threads:
            self._threads.pop().join()
        self._turns.clear()
        self._found.clear()


@functools.cache
def ahead() -> Ahead:
    return Ahead()
