"""Compare a share with what is known of it: the truth that events only hint at.

In: a share's root, the table of known files.  Out: every change and every departure.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Container, Iterator
from dataclasses import dataclass, field

from dlp.acquire.judged_state import Known, Row, join, key_of
from dlp.acquire.walk import Sighting, Walk
from dlp.model import FileRef, Gap, GapCode

PAUSE_FILES = 200  # the daemon's loop does other work in between


@dataclass(frozen=True, slots=True)
class Changed:
    """New, different from when it was judged, or judged by other rules."""

    relative: bytes
    ref: FileRef
    gap: Gap | None = None  # there is nothing to open


@dataclass(frozen=True, slots=True)
class Departed:
    relative: bytes


@dataclass(slots=True)
class Sweep:
    """One pass over a share or one of its directories; a generator, so it can be paused."""

    share: str
    root: bytes
    known: Known
    versions: Container[str]
    start: bytes = b""
    exclude: Collection[tuple[int, int]] = ()
    cross_mounts: bool = True
    on_directory: Callable[[bytes, int], None] | None = None
    files: int = 0
    whole: bool = True  # every directory could be listed
    _folder: bytes | None = None
    _left: dict[bytes, Row] = field(default_factory=dict)  # known here and not seen yet
    _walked: set[bytes] = field(default_factory=set)
    _departed: list[bytes] = field(default_factory=list)

    def __iter__(self) -> Iterator[Changed | Departed | None]:
        """Changes as they are found, and None now and then where there are none."""
        walk = Walk(
            self.share, frozenset(self.exclude), ordered=False, cross_mounts=self.cross_mounts,
            on_directory=self._enter,
        )  # fmt: skip
        for sighting in walk.beneath(self.root, self.start):
            yield from self._departures()
            if self._is_new(sighting):
                yield Changed(sighting.relative, sighting.ref, sighting.gap)
            elif not self.files % PAUSE_FILES:
                yield None
        self._leave()
        yield from self._departures()
        if not self.start and self.whole:
            yield from self._lost_folders()

    def _enter(self, relative: bytes, fd: int) -> None:
        if self.on_directory is not None:
            self.on_directory(relative, fd)
        self._leave()
        self._walked.add(relative)
        self._folder, self._left = relative, self.known.folder(self.share, relative)

    def _leave(self) -> None:
        """What was known in the directory just listed and did not show up may be gone."""
        if self._folder is not None:
            self._departed += [join(self._folder, name) for name in self._left]
        self._folder, self._left = None, {}

    def _is_new(self, sighting: Sighting) -> bool:
        if sighting.gap is not None and sighting.gap.where == "directory":
            self._unlisted(sighting)
            if sighting.gap.code in {GapCode.VANISHED, GapCode.CHANGED}:
                return False  # moved away while we walked
        self.files += 1
        name = sighting.relative.rpartition(b"/")[2]
        row = self._left.pop(name, None)
        if sighting.gap is not None and row is None:
            row = self.known.file(self.share, sighting.relative)
        return row is None or not row.stands(key_of(sighting.ref), self.versions)

    def _unlisted(self, sighting: Sighting) -> None:
        """A directory that cannot be listed, now or any more, says nothing about its files."""
        self.whole = False
        if sighting.relative == self._folder:
            self._folder, self._left = None, {}

    def _departures(self) -> Iterator[Departed]:
        while self._departed:
            relative = self._departed.pop()
            # The listing may be seconds old by now.
            if not exists(os.path.join(self.root, relative)):
                yield Departed(relative)

    def _lost_folders(self) -> Iterator[Departed]:
        for folder in list(self.known.folders(self.share)):
            if folder not in self._walked and not exists(os.path.join(self.root, folder)):
                for relative in self.known.gone_beneath(self.share, folder):
                    yield Departed(relative)


def exists(path: bytes) -> bool:
    """Only a clear no counts: an error of the mount is not the absence of the file."""
    try:
        os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True
    return True


def available(root: bytes, device: int | None, known: int) -> bool:
    """Whether the share itself is there: an empty mount point is not a share whose files left."""
    try:
        seen = os.stat(root)
        with os.scandir(root) as entries:
            empty = next(entries, None) is None
    except OSError:
        return False
    return not (empty and known and device is not None and seen.st_dev != device)
