"""Files set aside until what they need is loaded, while the workers go on with others.

In: errands and the names of what their workers lacked.  Out: when to change a worker, and for what.

A worker forked before something was loaded never has it. A new one has, but begins with cold
caches, so a worker is changed for several files at once, or when nothing else is left to do.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable
from typing import NamedTuple

from dlp.engine.jobs import Errand

Names = frozenset[str]
PATIENCE = 5.0  # seconds that a file waits for company
COMPANY = 4  # files that are worth a new worker at once
CROWD = 16  # files that are worth a second one


class Waiting(NamedTuple):
    name: str  # of what it needs
    since: float
    errand: Errand


class Lacking:
    def __init__(self) -> None:
        self.waiting: deque[Waiting] = deque()

    def add(self, name: str, errand: Errand) -> None:
        self.waiting.append(Waiting(name, time.monotonic(), errand))

    def take(self, has: Names) -> Errand | None:
        """The first file for a worker that has so much."""
        if not self.waiting:
            return None
        for one in self.waiting:
            if one.name in has:
                self.waiting.remove(one)
                return one.errand
        return None

    def next_for(self, has: Names, queue: deque[Errand]) -> Errand | None:
        """A file that waited for such a worker, else the first of those that wait for any."""
        return self.take(has) or (queue.popleft() if queue else None)

    def is_due(self, has: Names, loaded: Names, others: Iterable[Names], *, idle: bool) -> bool:
        """Whether a worker that has so little should go, now that more is loaded."""
        ready = [one for one in self.waiting if one.name in loaded and one.name not in has]
        if not ready:
            return False
        late = time.monotonic() - ready[0].since > PATIENCE
        alone = not any(ready[0].name in what for what in others)
        return idle or len(ready) >= (COMPANY if alone else CROWD) or (late and alone)

    def drain(self) -> list[Errand]:
        left = [one.errand for one in self.waiting]
        self.waiting.clear()
        return left
