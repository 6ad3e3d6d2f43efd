"""Gather sightings into few commits, in bounded memory.

In: sightings, one by one, from watchers and sweeps.  Out: rows in the backlog within 50 ms.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from dlp.errors import StoreError
from dlp.model import FileRef
from dlp.store.backlog import Backlog, Priority

MOST = 100  # one a commit: 300/s; a hundred: 50,000/s
DELAY_SECONDS = 0.05
BOUND = 10_000  # while the disk refuses; beyond it the sweep has to find them again


class Intake:
    """Not safe between threads; the loop that owns it calls `tick` at least every 50 ms."""

    def __init__(
        self,
        backlog: Backlog,
        rules_version: str,
        *,
        clock: Callable[[], float] = time.monotonic,
        bound: int = BOUND,
    ) -> None:
        self._backlog = backlog
        self.rules_version = rules_version
        self._clock = clock
        self._bound = bound
        self._waiting: list[tuple[FileRef, Priority]] = []
        self._since = 0.0
        self.commits = 0  # so that the owner sees what `add` committed by itself
        self.needs_sweep = False  # set when sightings had to be let go; the caller sweeps

    def add(self, ref: FileRef, priority: Priority) -> None:
        if not self._waiting:
            self._since = self._clock()
        if len(self._waiting) >= self._bound:
            self.needs_sweep = True
        else:
            self._waiting.append((ref, priority))
        if len(self._waiting) % MOST == 0:
            self.flush()

    def tick(self) -> None:
        if self._waiting and self._clock() - self._since >= DELAY_SECONDS:
            self.flush()

    def flush(self) -> int:
        """Commit; on trouble keep what waits and raise, so that the caller can say so."""
        waiting, self._waiting = self._waiting, []
        try:
            queued = self._backlog.put(waiting, self.rules_version)
        except StoreError:
            self._waiting = waiting
            raise
        self.commits += 1
        return queued

    def __len__(self) -> int:
        return len(self._waiting)
