"""Listen to the kernel for changes beneath the shares; what it says is a hint, never the truth.

In: directories to watch.  Out: Hints, and plain words about what was lost or cannot be watched.

The thin inotify_simple instead of an observer library: observers drop the kernel's word that events
were lost, and say nothing when the limit of watches is reached.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from inotify_simple import INotify, flags

LIMIT = "/proc/sys/fs/inotify/max_user_watches"
MASK = (
    flags.CLOSE_WRITE
    | flags.MOVED_TO
    | flags.MOVED_FROM
    | flags.CREATE  # the only word about a hard link
    | flags.MODIFY  # the only word about truncate() by path
    | flags.DELETE
    | flags.DELETE_SELF
    | flags.MOVE_SELF
    | flags.ONLYDIR
)
FINAL = flags.CLOSE_WRITE | flags.MOVED_TO
GONE = flags.DELETE | flags.MOVED_FROM
LOST = flags.DELETE_SELF | flags.MOVE_SELF | flags.UNMOUNT

# linux/magic.h and the file systems' own headers
REMOTE = {
    0x6969: "nfs",
    0x517B: "smb",
    0xFF534D42: "cifs",
    0xFE534D42: "smb2",
    0x65735546: "fuse",
    0x01021997: "9p",
    0x00C36400: "ceph",
    0x5346414F: "afs",
    0x6B414653: "kafs",
    0x73757245: "coda",
    0x564C: "ncp",
    0x01161970: "gfs2",
    0x7461636F: "ocfs2",
    0x0BD00BD0: "lustre",
    0x786F4256: "vboxsf",
}
STATFS_BYTES = 256  # struct statfs is 120 bytes on 64-bit machines; f_type comes first

_libc = ctypes.CDLL(None, use_errno=True)


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
        self._inotify = INotify(nonblocking=True)
        self._places: dict[int, Place] = {}
        self._watches: dict[Place, int] = {}
        self.blind: set[Place] = set()  # directories beyond the limit of watches
        self.overflows: int = 0
        self.lost: set[str] = set()  # shares whose root went away or whose watches broke

    def fileno(self) -> int:
        return int(self._inotify.fileno())

    def close(self) -> None:
        self._inotify.close()

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
        try:
            number = self._inotify.add_watch(f"/proc/self/fd/{fd}", MASK)
        except OSError as error:
            if error.errno in {errno.ENOSPC, errno.ENOMEM}:
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
                with contextlib.suppress(OSError):  # the directory may be gone, and its watch too
                    self._inotify.rm_watch(number)

    def read(self) -> list[Hint]:
        """Everything the kernel has to say just now."""
        hints: list[Hint] = []
        for number, mask, _, name in self._inotify.read(timeout=0):
            hints += self._hints(number, mask, os.fsencode(name))
        return hints

    def _hints(self, number: int, mask: int, name: bytes) -> Iterator[Hint]:
        if mask & flags.Q_OVERFLOW:
            self.overflows += 1
            return
        place = self._places.get(number)
        if place is None:
            return  # words about a directory that was let go
        if mask & flags.IGNORED:
            self._places.pop(number, None)
            self._watches.pop(place, None)
        elif mask & LOST:
            if not place.relative:
                self.lost.add(place.share)  # its parent is not ours to watch
        elif name:
            relative = place.relative + b"/" + name if place.relative else name
            yield from self._about(place.share, relative, mask)

    def _about(self, share: str, relative: bytes, mask: int) -> Iterator[Hint]:
        if mask & flags.ISDIR:
            if mask & GONE:
                self.forget(share, relative)
                yield Hint(share, relative, Word.FOLDER_GONE)
            elif mask & (flags.CREATE | flags.MOVED_TO):
                yield Hint(share, relative, Word.FOLDER)
        elif mask & GONE:
            yield Hint(share, relative, Word.GONE)
        else:
            yield Hint(share, relative, Word.CLOSED if mask & FINAL else Word.TOUCHED)


def watch_limit() -> int:
    """How many directories this user may watch; 0 when the kernel does not say."""
    try:
        with open(LIMIT, "rb") as limit:
            return int(limit.read())
    except (OSError, ValueError):
        return 0


def remote_kind(fd: int) -> str | None:
    """The file system's name if only polling sees its changes."""
    return REMOTE.get(magic_of(fd))


def magic_of(fd: int) -> int:
    answer = ctypes.create_string_buffer(STATFS_BYTES)
    if _libc.fstatfs(fd, answer):
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    # __fsword_t is as wide as long, and some magics set its sign bit.
    return ctypes.c_ulong.from_buffer(answer).value & 0xFFFFFFFF


class Mounts:
    """Asks once per device: a share may hold a remote mount deep inside."""

    def __init__(self) -> None:
        self._kinds: dict[int, str | None] = {}

    def kind(self, fd: int) -> str | None:
        device = os.fstat(fd).st_dev
        if device not in self._kinds:
            self._kinds[device] = remote_kind(fd)
        return self._kinds[device]
