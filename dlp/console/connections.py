"""Bounds on connections and on password checks, so that nobody can keep others from the console.

In: connections as they come.  Out: a protocol for uvicorn that ends those which send no whole
request in time, and the oldest of them where there are too many; a queue for password checks.
"""

from __future__ import annotations

import asyncio
import socket
from collections import Counter
from collections.abc import Callable
from typing import Any, TypeVar

import uvicorn
from starlette.concurrency import run_in_threadpool
from uvicorn.protocols.http.h11_impl import H11Protocol

SECONDS_TO_SEND = 10.0  # for headers and body together; no form or call of ours is larger
SECONDS_TO_BEGIN = 1.0  # so long a connection is safe from those that come after it
MOST_WAITING = 256  # connections without a whole request, and older than that; a browser opens six
MOST_OF_ALL = 700  # without a whole request; a process may have 1,024 open files
ACCEPTED_AT_ONCE = 64  # then what they sent is read, before more are accepted
KEPT_BY_KERNEL = 1024
CHECKS_AT_ONCE = 1  # passwords; each takes 64 MiB and a fifth of a second
MOST_CHECKS = 40  # waiting, of everybody
MOST_CHECKS_EACH = 4  # waiting, of one address

T = TypeVar("T")


def bounded_protocol() -> type[H11Protocol]:
    """A protocol whose connections share one list of those that wait for a request."""

    class BoundedConnection(H11Protocol):
        waiting: dict[BoundedConnection, asyncio.TimerHandle] = {}  # noqa: RUF012 - oldest first
        since = 0.0

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            self._wait()

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            if self in self.waiting and self._is_served():
                self.waiting.pop(self).cancel()

        def on_response_complete(self) -> None:
            super().on_response_complete()
            if not self._is_served():
                self._wait()

        def connection_lost(self, exc: Exception | None) -> None:
            self._forget()
            super().connection_lost(exc)

        def _is_served(self) -> bool:
            """Whether a whole request has arrived and its answer has not gone."""
            cycle = self.cycle
            return cycle is not None and not cycle.response_complete and not cycle.more_body

        def _wait(self) -> None:
            self._forget()
            self.since = self.loop.time()
            self.waiting[self] = self.loop.call_later(SECONDS_TO_SEND, self.transport.abort)
            while len(self.waiting) > MOST_WAITING:
                oldest = next(iter(self.waiting))
                if self.since - oldest.since < SECONDS_TO_BEGIN and len(self.waiting) < MOST_OF_ALL:
                    break
                self.waiting.pop(oldest).cancel()
                oldest.transport.abort()

        def _forget(self) -> None:
            if (timer := self.waiting.pop(self, None)) is not None:
                timer.cancel()

    return BoundedConnection


class BoundedServer(uvicorn.Server):
    """Accepts few connections at a time, and lets the kernel keep the others waiting."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for listening in sockets or ():
            listening.listen(KEPT_BY_KERNEL)


class PasswordChecks:
    """Checks wait outside the threads that serve pages, a few of each address at a time."""

    def __init__(self) -> None:
        self._waiting: Counter[str] = Counter()
        self._room = asyncio.Semaphore(CHECKS_AT_ONCE)

    async def run(self, address: str, check: Callable[[], T]) -> T | None:
        """What the check gives, or None where too many wait already."""
        if self._waiting.total() >= MOST_CHECKS or self._waiting[address] >= MOST_CHECKS_EACH:
            return None
        self._waiting[address] += 1
        try:
            async with self._room:
                return await run_in_threadpool(check)
        finally:
            self._waiting[address] -= 1
            if not self._waiting[address]:
                del self._waiting[address]
