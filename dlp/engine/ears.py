"""Hear which of several sockets has something to say.

In: whoever has a descriptor.  Out: those of them that can be read.

What `selectors` does, without a key, a mask and an event for each: the supervisor asks once a file,
and its caches are cold each time.
"""

from __future__ import annotations

import contextlib
import select
from typing import Any


class Ears:
    def __init__(self) -> None:
        self._epoll = select.epoll()
        self._known: dict[int, Any] = {}

    def register(self, fd: int, who: Any) -> None:
        self._epoll.register(fd, select.EPOLLIN)
        self._known[fd] = who

    def unregister(self, fd: int) -> None:
        del self._known[fd]
        with contextlib.suppress(OSError):  # it was closed before
            self._epoll.unregister(fd)

    def hear(self, wait: float | None) -> list[Any]:
        """Whoever can be heard within so many seconds; None: as long as it takes."""
        heard = self._epoll.poll(wait, max(1, len(self._known)))
        return [self._known[fd] for fd, _ in heard]

    def fileno(self) -> int:
        """Readable when somebody can be heard."""
        return self._epoll.fileno()

    def close(self) -> None:
        self._epoll.close()
        self._known.clear()
