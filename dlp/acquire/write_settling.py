"""Wait until a file stops changing, by evidence: ask the kernel whether anybody still writes.

In: hints about names.  Out: which names to look at now, and whether a file is at rest.
"""

from __future__ import annotations

import errno
import fcntl
import heapq
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from dlp.acquire.judged_state import Key

EQUAL_STATS_SECONDS = 2.0  # between two equal looks, where the kernel gives no lease
FIRST_WAIT, LONGEST_WAIT = 0.1, 10.0
OWNER_FILE_BYTES = 1024  # Word's owner file has 162 bytes, LibreOffice's lock about 100

# Names that programs use on the way to the final one: Word, Excel, browsers, rsync, editors.
TEMPORARY = re.compile(
    rb"(?i)(?:~WR[A-Z]\d{4}\.tmp|~.*\.tmp|.*\.(?:tmp|temp|part|partial|filepart|crdownload|download)"
    rb"|[0-9A-F]{8}|\.goutputstream-.*|\..*\.[A-Za-z0-9]{6}|\..*\.sw[a-p]|.*~)\Z",
    re.DOTALL,
)
OWNER = re.compile(rb"(?:~\$.*|\.~lock\..*#)\Z", re.DOTALL)


class Rest(Enum):
    QUIET = "nobody has it open for writing"
    BUSY = "somebody writes"
    UNKNOWN = "the kernel does not tell"


def probe(fd: int) -> Rest:
    """Take a read lease and let it go at once: it is refused while a writer has the file open.

    Held, it would block the next writer, so it is never held. The caller ignores SIGIO.
    """
    try:
        fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_RDLCK)
    except OSError as error:
        return Rest.BUSY if error.errno == errno.EAGAIN else Rest.UNKNOWN
    fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_UNLCK)
    return Rest.QUIET


def is_temporary(name: bytes) -> bool:
    return TEMPORARY.match(name) is not None


def is_owner_file(name: bytes, size_bytes: int) -> bool:
    """A lock that an office program lays beside an open file. By name and size: a large one is
    something else under that name."""
    return size_bytes <= OWNER_FILE_BYTES and OWNER.match(name) is not None


Name = tuple[str, bytes]  # share, path beneath it


@dataclass(slots=True)
class Waiting:
    """One name on its way to rest."""

    first: float
    due: float
    seen: float  # the last hint about it, where latency starts
    fresh: bool  # from an event; else a sweep found it
    wait: float = FIRST_WAIT
    key: Key | None = None  # as it was when last looked at
    key_since: float = 0.0


class Settling:
    """The names that wait, each with the time of its next look."""

    def __init__(self, *, grace_seconds: float, provisional_seconds: float) -> None:
        self._grace = grace_seconds
        self._provisional = provisional_seconds
        self._waiting: dict[Name, Waiting] = {}
        # Somebody waits for what was just saved; a sweep may have found ten thousand others.
        self._saved: list[tuple[float, Name]] = []
        self._swept: list[tuple[float, Name]] = []

    def __len__(self) -> int:
        return len(self._waiting)

    def hint(
        self, name: Name, now: float, *, closed: bool, fresh: bool = True, age: float = 0.0
    ) -> None:
        """Somebody says that the file changed; `closed`: and that the writer is done.

        `age`: for how many seconds it has been lying there unchanged.
        """
        entry = self._waiting.get(name)
        if entry is None:
            entry = self._waiting[name] = Waiting(now, now, now, fresh)
        elif not closed:
            entry.seen = now  # the next look tells whether somebody still writes
            return
        entry.seen, entry.fresh = now, entry.fresh or fresh
        due = now if closed else now + FIRST_WAIT
        if is_temporary(name[1].rpartition(b"/")[2]):
            due = max(
                due, entry.first + self._grace - age
            )  # it will be renamed or removed, or was left behind
        if closed:
            entry.wait = FIRST_WAIT
        self._at(name, entry, due)

    def forget(self, name: Name) -> None:
        self._waiting.pop(name, None)

    def forget_beneath(self, share: str, folder: bytes) -> None:
        below = folder + b"/"
        for name in [n for n in self._waiting if n[0] == share and n[1].startswith(below)]:
            del self._waiting[name]

    def due(self, now: float) -> Iterator[tuple[Name, Waiting]]:
        """Names to look at now, the just saved first.

        Each must then be postponed, or it is at rest and forgotten.
        """
        for heap in (self._saved, self._swept):
            while heap and heap[0][0] <= now:
                due, name = heapq.heappop(heap)
                entry = self._waiting.get(name)
                if entry is not None and entry.due == due:
                    del self._waiting[name]
                    yield name, entry

    def next_due(self) -> float | None:
        return min((heap[0][0] for heap in (self._saved, self._swept) if heap), default=None)

    def rests(self, entry: Waiting, key: Key, rest: Rest, now: float) -> bool:
        """Whether the file, looked at now, is done being written."""
        same = entry.key == key
        if not same:
            entry.key, entry.key_since = key, now
        if rest is Rest.QUIET:
            return True
        if rest is Rest.UNKNOWN:
            return same and now - entry.key_since >= EQUAL_STATS_SECONDS
        return False

    def overdue(self, entry: Waiting, now: float) -> bool:
        """Written to for so long that a look at what is there cannot wait any more."""
        return now - entry.first >= self._provisional

    def postpone(self, name: Name, entry: Waiting, now: float, *, least: float = 0.0) -> None:
        newer = self._waiting.get(name)
        if newer is not None:
            return  # a hint came meanwhile and knows better
        self._waiting[name] = entry
        wait = max(entry.wait, least)
        entry.wait = min(entry.wait * 2, LONGEST_WAIT)
        self._at(name, entry, now + wait)

    def _at(self, name: Name, entry: Waiting, due: float) -> None:
        entry.due = due
        heapq.heappush(self._saved if entry.fresh else self._swept, (due, name))
