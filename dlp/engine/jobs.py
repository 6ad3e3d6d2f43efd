"""A job for an engine and what came of it.

In: a sighting.  Out: Job, Done.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dlp.acquire.file_identity import as_seen, gap_of
from dlp.model import FileRef, Gap


@dataclass(frozen=True, slots=True)
class Job:
    ref: FileRef
    open: Callable[[], int]  # called in the supervisor, when a worker is free
    place: tuple[bytes, bytes] | None = None  # root and path beneath, to open it elsewhere


@dataclass(frozen=True, slots=True)
class Done:
    """A record, a gap, or both: then the file was read, but not as one unchanging file."""

    ref: FileRef  # as it was when opened
    record: dict[str, Any] | None
    gap: Gap | None
    ms: float
    job: Job


@dataclass(slots=True)
class Errand:
    """A job on its way: opened, given to a worker, maybe given again."""

    job: Job
    ref: FileRef
    easy: bool = False  # very likely a short text
    dear: bool = False  # it may take seconds
    fd: int = -1
    started: float = 0.0
    tries: int = 0  # workers that got it, but for those that went without having read it

    def open(self) -> Gap | None:
        """Open the file, unless it is; or say why that cannot be."""
        if self.fd < 0:
            try:
                self.fd = self.job.open()
                self.ref = as_seen(self.ref, os.fstat(self.fd))
            except OSError as error:
                self.close()
                return gap_of(error)
        return None

    def close(self) -> None:
        """Two who have it from one opening share a place in it; whoever is next opens it anew."""
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1
