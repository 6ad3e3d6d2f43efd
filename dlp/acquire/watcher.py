"""Listen to the kernel for changes beneath the shares; what it says is a hint, never the truth.

In: directories to watch.  Out: Hints, and plain words about what was lost or cannot be watched.

Only the calls of watchdog's inotify layer are used: its observers drop the kernel's word that
events were lost, and say nothing when the limit of watches is reached.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import struct
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from watchdog.observers.inotify_c import (
    InotifyConstants as Kernel,
)
from watchdog.observers.inotify_c import (
    WatchDescriptor,
    inotify_add_watch,
    inotify_init,
    inotify_rm_watch,
)

LIMIT = "/proc/sys/fs/inotify/max_user_watches"
HEADER = struct.Struct("iIII")  # watch, mask, cookie, length of the name
READ_BYTES = 1 << 18
MASK = (
    Kernel.IN_CLOSE_WRITE
    | Kernel.IN_MOVED_TO
    | Kernel.IN_MOVED_FROM
    | Kernel.IN_CREATE  # the only word about a hard link
    | Kernel.IN_MODIFY  # the only word about truncate() by path
    | Kernel.IN_DELETE
    | Kernel.IN_DELETE_SELF
    | Kernel.IN_MOVE_SELF
    | Kernel.IN_ONLYDIR
)
FINAL = Kernel.IN_CLOSE_WRITE | Kernel.IN_MOVED_TO
GONE = Kernel.IN_DELETE | Kernel.IN_MOVED_FROM
LOST = Kernel.IN_DELETE_SELF | Kernel.IN_MOVE_SELF | Kernel.IN_UNMOUNT


class Word(StrEnum):
    """What the kernel says about a name."""

    CLOSED = "closed"  # a writer closed it, or it arrived under this name
    TOUCHED = "touched"  # somebody may still be writing
    GONE = "gone"
    FOLDER = "folder"  # a directory appeared: watch it, then list it
    FOLDER_GONE = "folder gone"


@dataclass(frozen=True, slots=True)
class Hint:
    share: str
    relative: bytes
    word: Word


@dataclass(frozen=True, slots=True)
class Place:
    share: str
    relative: bytes


class Watcher:
    def __init__(self) -> None:
        self._fd = inotify_init()
        if self._fd < 0:
            raise OSError(ctypes.get_errno(), "no inotify instance is left")
        os.set_blocking(self._fd, False)
        os.set_inheritable(self._fd, False)
        self._places: dict[int, Place] = {}
        self._watches: dict[Place, int] = {}
        self.blind: set[Place] = set()  # directories beyond the limit of watches
        self.overflows: int = 0
        self.lost: set[str] = set()  # shares whose root went away or whose watches broke

    def fileno(self) -> int:
        return self._fd

    def close(self) -> None:
        os.close(self._fd)

    @property
    def watches(self) -> dict[str, int]:
        """Watched directories by share."""
        counts: dict[str, int] = defaultdict(int)
        for place in self._watches:
            counts[place.share] += 1
        return counts

    def watch(self, share: str, relative: bytes, fd: int) -> bool:
        """Watch an open directory; False when the kernel allows no more."""
        place = Place(share, relative)
        # By descriptor: no path is too long, and no link can be swapped in on the way.
        number = inotify_add_watch(self._fd, b"/proc/self/fd/%d" % fd, MASK)
        if number < 0:
            if ctypes.get_errno() in {errno.ENOSPC, errno.ENOMEM}:
                self.blind.add(place)
            return False
        former = self._places.get(number)
        if former is not None and former != place:
            self._watches.pop(former, None)  # the same directory under its new name
        self.blind.discard(place)
        self._places[number] = place
        self._watches[place] = number
        return True

    def forget(self, share: str, relative: bytes) -> None:
        """Stop watching a directory and all beneath it."""
        below = relative + b"/"
        inside = [
            place
            for place in (*self._watches, *self.blind)
            if place.share == share
            and (not relative or place.relative == relative or place.relative.startswith(below))
        ]
        for place in inside:
            self.blind.discard(place)
            number = self._watches.pop(place, None)
            if number is not None:
                self._places.pop(number, None)
                inotify_rm_watch(self._fd, WatchDescriptor(number))

    def read(self) -> list[Hint]:
        """Everything the kernel has to say just now."""
        hints: list[Hint] = []
        with contextlib.suppress(BlockingIOError):
            for number, mask, name in events(os.read(self._fd, READ_BYTES)):
                hints += self._hints(number, mask, name)
        return hints

    def _hints(self, number: int, mask: int, name: bytes) -> Iterator[Hint]:
        if mask & Kernel.IN_Q_OVERFLOW:
            self.overflows += 1
            return
        place = self._places.get(number)
        if place is None:
            return  # words about a directory that was let go
        if mask & Kernel.IN_IGNORED:
            self._places.pop(number, None)
            self._watches.pop(place, None)
        elif mask & LOST:
            if not place.relative:
                self.lost.add(place.share)  # its parent is not ours to watch
        elif name:
            relative = place.relative + b"/" + name if place.relative else name
            yield from self._about(place.share, relative, mask)

    def _about(self, share: str, relative: bytes, mask: int) -> Iterator[Hint]:
        if mask & Kernel.IN_ISDIR:
            if mask & GONE:
                self.forget(share, relative)
                yield Hint(share, relative, Word.FOLDER_GONE)
            elif mask & (Kernel.IN_CREATE | Kernel.IN_MOVED_TO):
                yield Hint(share, relative, Word.FOLDER)
        elif mask & GONE:
            yield Hint(share, relative, Word.GONE)
        else:
            yield Hint(share, relative, Word.CLOSED if mask & FINAL else Word.TOUCHED)


def events(block: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Take a block read from inotify apart."""
    position = 0
    while position + HEADER.size <= len(block):
        number, mask, _, length = HEADER.unpack_from(block, position)
        position += HEADER.size
        yield number, mask, block[position : position + length].rstrip(b"\0")
        position += length


def watch_limit() -> int:
    """How many directories this user may watch; 0 when the kernel does not say."""
    try:
        with open(LIMIT, "rb") as limit:
            return int(limit.read())
    except (OSError, ValueError):
        return 0
