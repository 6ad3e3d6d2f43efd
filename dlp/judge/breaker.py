"""Stop acting when something is plainly wrong: too many actions, or too many failures.

In: what was done and when, by the caller's clock.  Out: whether to go on; once open, it stays so.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable


class Breaker:
    """Times come from a monotonic clock, or from the journal when counting across a restart."""

    def __init__(
        self, *, actions: int, seconds: float, error_rate: float, error_sample: int = 10
    ) -> None:
        self._actions = actions
        self._seconds = seconds
        self._error_rate = error_rate
        self._error_sample = error_sample
        self._done: deque[tuple[float, bool]] = deque()
        self.reason = ""  # not empty: open

    def seed(self, times: Iterable[float]) -> None:
        """Count what an earlier run did: a crash loop must not be a way around the limit."""
        self._done.extend((time, True) for time in times)

    def allows(self, now: float) -> bool:
        """Ask before every action; asking too often is what opens it."""
        self._forget(now)
        if not self.reason and len(self._done) >= self._actions:
            self.reason = f"{self._actions} actions within {self._seconds / 60:g} minutes"
        return not self.reason

    def note(self, now: float, *, ok: bool) -> None:
        self._forget(now)
        self._done.append((now, ok))
        failed = sum(not fine for _, fine in self._done)
        enough = len(self._done) >= self._error_sample
        if not self.reason and enough and failed > self._error_rate * len(self._done):
            self.reason = f"{failed} of {len(self._done)} actions failed"

    def open(self, reason: str) -> None:
        self.reason = reason

    def reset(self) -> None:
        self._done.clear()
        self.reason = ""

    def _forget(self, now: float) -> None:
        while self._done and now - self._done[0][0] > self._seconds:
            self._done.popleft()
