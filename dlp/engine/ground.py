"""What the lookout keeps about each share, how often it looks, and whom it tells.

In: settings.  Out: Ground, Pace, Desk.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from dlp.acquire.sweep import Sweep
from dlp.model import FileRef, Gap


@dataclass(slots=True)
class Ground:
    """One share as the lookout sees it."""

    name: str
    root: bytes
    next_sweep: float = 0.0
    polled: bool = False  # remote, or some of its directories are beyond the watch limit
    remote: bool = False
    available: bool = True
    placed: bool = False  # its directories are watched as far as the kernel lets us
    sweeps: int = 0
    under_way: Iterator[object] | None = None
    sweep: Sweep | None = None
    again: bool = False  # something was lost while a sweep was under way


class Desk(Protocol):
    """Whoever takes over what was found."""

    def arrived(
        self, ref: FileRef, *, fresh: bool, seen: float, provisional: bool = False
    ) -> None: ...

    def unopenable(self, ref: FileRef, gap: Gap) -> None: ...

    def departed(self, share: str, path: bytes) -> None: ...


@dataclass(frozen=True, slots=True)
class Pace:
    poll_seconds: float
    sweep_seconds: float
    may_sweep: Callable[[], bool]
    cross_mounts: bool = True
