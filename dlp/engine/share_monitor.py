"""Monitor the shares: events, sweeps and settling in one place, without a thread.

In: shares.  Out: files at rest that need a verdict, and files that left.
"""

from __future__ import annotations

import logging
import os
import time
from collections import deque
from collections.abc import Callable, Collection, Container, Iterator
from dataclasses import dataclass
from typing import Protocol

from dlp.acquire.file_identity import as_seen, gap_of, open_file
from dlp.acquire.judged_state import Key, Known, key_of
from dlp.acquire.sweep import Changed, Departed, Sweep, available
from dlp.acquire.walk import Walk
from dlp.acquire.watcher import Hint, Mounts, Watcher, Word
from dlp.acquire.write_settling import (
    EQUAL_STATS_SECONDS,
    Name,
    Rest,
    Settling,
    Waiting,
    is_owner_file,
    probe,
)
from dlp.model import FileRef, Gap, GapCode

# What the monitor keeps about each share, how often it looks, and whom it tells.


@dataclass(slots=True)
class WatchedShare:
    """One share as the monitor sees it."""

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


class JobQueue(Protocol):
    """Receiver of what was found."""

    def arrived(
        self, ref: FileRef, *, fresh: bool, seen: float, provisional: bool = False
    ) -> None: ...

    def unopenable(self, ref: FileRef, gap: Gap) -> None: ...

    def departed(self, share: str, path: bytes) -> None: ...

    def entered(self, share: str, folder: bytes) -> None: ...

    def only_rights_changed(self, ref: FileRef) -> bool: ...


@dataclass(frozen=True, slots=True)
class Pace:
    poll_seconds: float
    sweep_seconds: float
    may_sweep: Callable[[], bool]
    cross_mounts: bool = True


log = logging.getLogger(__name__)

# For one turn of the loop: much when nothing else waits, little while workers wait to be fed.
SLICE_SECONDS, SHORT_SLICE_SECONDS = 0.02, 0.002
LOOKS, FEW_LOOKS = 200, 12  # files opened
MOST_WAITING = 20_000  # names in memory; beyond, the sweep has to find them again
UNAVAILABLE_RETRY_SECONDS = 5.0


class ShareMonitor:
    def __init__(
        self,
        shares: Collection[WatchedShare],
        known: Known,
        queue: JobQueue,
        settling: Settling,
        pace: Pace,
        *,
        versions: Container[str],
        exclude: Callable[[], Collection[tuple[int, int]]] = tuple,
    ) -> None:
        self.shares = {watched.name: watched for watched in shares}
        self._known = known
        self._queue = queue
        self.settling = settling
        self._pace = pace
        self.versions = versions
        self._own = exclude  # asked again: a share that is mounted later brings a holding folder
        self._exclude = frozenset(exclude())
        self.watcher = Watcher()
        self._mounts = Mounts()
        self._folders: deque[tuple[WatchedShare, Iterator[object]]] = (
            deque()
        )  # appeared, to be entered
        self._overflows = 0
        self._slice, self._looks = SLICE_SECONDS, LOOKS

    @property
    def placed(self) -> bool:
        return all(watched.placed or not watched.available for watched in self.shares.values())

    @property
    def blind(self) -> int:
        return len(self.watcher.blind)

    @property
    def busy(self) -> bool:
        """Whether the next turn has work to do at once."""
        return bool(self._folders) or any(
            share.under_way is not None for share in self.shares.values()
        )

    def idle(self) -> bool:
        """Nothing found is still on its way to the queue, and every share was swept once."""
        swept = all(one.sweeps or not one.available for one in self.shares.values())
        return swept and not self.busy and not len(self.settling)

    def sweep_all(self) -> None:
        """Something was lost, or the rules changed: compare everything."""
        for watched in self.shares.values():
            watched.next_sweep = 0.0
            watched.again = watched.under_way is not None

    def turn(self, now: float, *, hurry: bool = False) -> None:
        """Read events, enter folders, sweep, look at files; `hurry`: briefly, workers wait."""
        self._slice, self._looks = SLICE_SECONDS, LOOKS
        if hurry and self.placed:  # until every folder is watched, no event tells what is saved
            self._slice, self._looks = SHORT_SLICE_SECONDS, FEW_LOOKS
        for hint in self.watcher.read():
            self._take_hint(hint, now)
        self._losses()
        self._enter_folders(now)
        for watched in self.shares.values():
            self._advance(watched, now)
        self._look(now)

    def _take_hint(self, hint: Hint, now: float) -> None:
        name = (hint.share, hint.relative)
        if hint.word is Word.FOLDER:
            watched = self.shares[hint.share]
            self._folders.append((watched, iter(self._sweep(watched, hint.relative))))
        elif hint.word is Word.FOLDER_GONE:
            self.settling.forget_beneath(*name)
            for relative in self._known.gone_beneath(*name):
                self._leave(hint.share, relative)
        elif hint.word is Word.GONE and not self._there(*name):
            self.settling.forget(name)
            if self._known.gone(*name):
                self._leave(*name)
        elif len(self.settling) >= MOST_WAITING:
            self.shares[hint.share].next_sweep = 0.0
            self.shares[hint.share].again = True
        else:
            self.settling.hint(name, now, closed=hint.word is not Word.TOUCHED)

    def _there(self, share: str, relative: bytes) -> bool:
        """Two names that change places come as an arrival first and a departure after it."""
        return os.path.lexists(os.path.join(self.shares[share].root, relative))

    def _losses(self) -> None:
        if self.watcher.overflows > self._overflows:
            self._overflows = self.watcher.overflows
            log.warning("events were lost; sweeping every share")
            self.sweep_all()
        while self.watcher.lost:
            watched = self.shares[self.watcher.lost.pop()]
            watched.next_sweep, watched.placed = 0.0, False

    def _enter_folders(self, now: float) -> None:
        """Watch what appeared, then list it: files may have been written before the watch."""
        until = time.monotonic() + self._slice
        while self._folders and len(self.settling) < MOST_WAITING and time.monotonic() < until:
            watched, sweep = self._folders[0]
            try:
                self._take(watched, next(sweep), now, fresh=True)
            except StopIteration:
                self._folders.popleft()
            except OSError:
                self._folders.popleft()
                watched.next_sweep = 0.0  # the share left

    def _sweep(self, watched: WatchedShare, start: bytes = b"") -> Sweep:
        self._exclude = frozenset(self._own())
        return Sweep(
            watched.name, watched.root, self._known, self.versions, start, self._exclude,
            self._pace.cross_mounts, lambda relative, fd: self._enter(watched, relative, fd),
        )  # fmt: skip

    def _enter(self, watched: WatchedShare, relative: bytes, fd: int) -> None:
        self._watch(watched, relative, fd)
        self._queue.entered(watched.name, relative)

    def _watch(self, watched: WatchedShare, relative: bytes, fd: int) -> None:
        if self._mounts.kind(fd) is not None:
            watched.polled = watched.remote = True
        elif not self.watcher.watch(watched.name, relative, fd):
            watched.polled = True

    def _advance(self, watched: WatchedShare, now: float) -> None:
        if watched.under_way is None:
            self._start(watched, now)
        full = watched.sweep is not None and len(self.settling) >= MOST_WAITING // 2
        if watched.under_way is None or full:
            return
        until = time.monotonic() + self._slice
        try:
            while time.monotonic() < until:
                found = next(watched.under_way)
                self._take(watched, found, now, fresh=False)
        except StopIteration:
            self._end(watched, now)
        except OSError:
            watched.under_way = watched.sweep = None
            self._missing(watched, now)

    def _start(self, watched: WatchedShare, now: float) -> None:
        # A sweep by the timer waits for its hours; one after a loss, or in place of events, never.
        timed = watched.next_sweep > 0 and not watched.polled and watched.available
        if now < watched.next_sweep or (timed and not self._pace.may_sweep()):
            return
        device = self._known.device_of(watched.name)
        if not available(watched.root, device, self._known.count(watched.name)):
            self._missing(watched, now)
            return
        if not watched.available:
            log.info("share %s is back", watched.name)
        watched.available = True
        if watched.placed:
            watched.sweep = self._sweep(watched)
            watched.under_way = iter(watched.sweep)
        else:
            # Watches first and fast: the sweep waits for workers, events do not.
            watched.polled = watched.remote
            self._exclude = frozenset(self._own())
            walk = Walk(
                watched.name, self._exclude, ordered=False, cross_mounts=self._pace.cross_mounts,
                on_directory=lambda relative, fd: self._watch(watched, relative, fd),
            )  # fmt: skip
            watched.under_way = walk.beneath(watched.root)

    def _end(self, watched: WatchedShare, now: float) -> None:
        sweep, watched.sweep, watched.under_way = watched.sweep, None, None
        if sweep is None:
            watched.placed = True
            return
        watched.sweeps += 1
        every = self._pace.poll_seconds if watched.polled else self._pace.sweep_seconds
        watched.next_sweep = 0.0 if watched.again else now + every
        watched.again = False
        self._known.swept(watched.name, os.stat(watched.root).st_dev, time.time())

    def _missing(self, watched: WatchedShare, now: float) -> None:
        if watched.available:
            log.error("share %s is unavailable: is it mounted? nothing is forgotten", watched.name)
        watched.available, watched.placed = False, False
        watched.next_sweep = now + UNAVAILABLE_RETRY_SECONDS
        self.watcher.forget(watched.name, b"")

    def _take(self, watched: WatchedShare, found: object, now: float, *, fresh: bool) -> None:
        if isinstance(found, Departed):
            self._known.gone(watched.name, found.relative)
            self._leave(watched.name, found.relative)
        elif isinstance(found, Changed) and found.gap is not None:
            self._queue.unopenable(found.ref, found.gap)
        elif isinstance(found, Changed):
            # Not proof that it is closed: the look asks the kernel.
            age = time.time() - found.ref.ctime_ns / 1e9
            name = (watched.name, found.relative)
            self.settling.hint(name, now, closed=True, fresh=fresh, age=age)

    def _leave(self, share: str, relative: bytes) -> None:
        self._queue.departed(share, os.path.join(self.shares[share].root, relative))

    def _look(self, now: float) -> None:
        for count, (name, entry) in enumerate(self.settling.due(now), start=1):
            self._look_at(name, entry, now)
            if count >= self._looks:
                return

    def _look_at(self, name: Name, entry: Waiting, now: float) -> None:
        share, relative = name
        ref = FileRef(share, os.path.join(self.shares[share].root, relative))
        try:
            fd = open_file(self.shares[share].root, relative)
        except OSError as error:
            gap = gap_of(error)
            if gap.code is not GapCode.VANISHED:
                self._queue.unopenable(ref, gap)
            return
        try:
            ref = as_seen(ref, os.fstat(fd))
            if self._passes(name, ref):
                return
            # A lease on a remote file tells nothing of writers elsewhere.
            rest = Rest.UNKNOWN if self._mounts.kind(fd) else probe(fd)
        finally:
            os.close(fd)
        self._conclude(name, entry, ref, rest, now)

    def _passes(self, name: Name, ref: FileRef) -> bool:
        """Nothing to judge: ours, an office program's lock, or the content already judged."""
        if (ref.device, ref.inode) in self._exclude:
            return True
        if is_owner_file(name[1].rpartition(b"/")[2], ref.size_bytes):
            return True
        row, key = self._known.file(*name), key_of(ref)
        if row is None:
            return False
        if row.stands(key, self.versions):
            return True
        moved = row.key._replace(ctime_ns=key.ctime_ns) == key and row.version in self.versions
        return moved and self._queue.only_rights_changed(ref)

    def _conclude(self, name: Name, entry: Waiting, ref: FileRef, rest: Rest, now: float) -> None:
        key: Key = key_of(ref)
        if self.settling.rests(entry, key, rest, now):
            self._queue.arrived(ref, fresh=entry.fresh, seen=entry.seen)
            return
        if self.settling.overdue(entry, now):
            self._queue.arrived(ref, fresh=False, seen=entry.seen, provisional=True)
            entry.first = now
        least = EQUAL_STATS_SECONDS if rest is Rest.UNKNOWN else 0.0
        self.settling.postpone(name, entry, now, least=least)

    def close(self) -> None:
        self.watcher.close()
