"""Bring files from the queue on disk to a verdict that is kept, a few at a time.

In: files at rest, from the monitor.  Out: records in the catalogue, states in the known table.

The order of the commits is the promise: the verdict first, then the state it belongs to, then
the job. A crash in between costs a second judgement, never a file.
"""

from __future__ import annotations

import os
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Protocol

from sqlalchemy import Engine, and_, select

from dlp.acquire.file_identity import open_file
from dlp.acquire.judged_state import Known, key_of
from dlp.engine.exposures import Ranking
from dlp.engine.local_engine import LocalEngine
from dlp.engine.protocol import Done, Job
from dlp.engine.scanning import finished
from dlp.engine.verdict_version import Versions
from dlp.model import FileRef, Gap, GapCode
from dlp.report.record import Record, unread_record
from dlp.store.catalogue import Catalogue
from dlp.store.job_queue import Backlog, Intake, Priority, as_job
from dlp.store.job_queue import Job as Lease
from dlp.store.schema import jobs

KEEP_RECORDS = 100
KEEP_SECONDS = 0.1
MAX_UNSTABLE = 5  # judgements thrown away because the file changed under them
REMEMBERED = 50_000  # arrival times, for the latency
RETRY_SECONDS = 2.0
MOST_ACTING = 32  # files whose clean copies are being made


class VerdictObserver(Protocol):
    """Receives each verdict, such as metrics; nothing in it names a file."""

    def judged(self, share: str, record: Record, ms: float, latency: float | None) -> None: ...


# Says, now or later, what was done about the file ("observe", "quarantine" ...), and why that has
# to be tried again, or "".
Act = Callable[[FileRef, Record, Callable[[str, str], None]], None]
Again = Callable[[str, bytes], None]  # a share and a path that changed while it was read


class QueueProcessor:
    def __init__(
        self,
        roots: dict[str, bytes],
        known: Known,
        catalogue: Catalogue,
        backlog: Backlog,
        *,
        versions: Versions,
        act: Act,
        observer: VerdictObserver,
        ranking: Ranking,
    ) -> None:
        self._roots = roots
        self._known = known
        self._catalogue = catalogue
        self._backlog = backlog
        self._versions = versions
        self.intake = Intake(backlog, versions.queued)
        self._act = act
        self._observer = observer
        self._ranking = ranking
        self.again: Again = lambda _share, _path: None
        self._leased: deque[Lease] = deque()
        self._running: dict[FileRef, Lease] = {}
        self._judgements = 0
        self._last_of: dict[bytes, int] = {}  # by path: the last judgement that is acted on
        self._acting: dict[int, Lease] = {}  # judged; what the policy wants takes a while
        self._finished: list[int] = []
        self._gone: dict[bytes, str] = {}  # with its share
        self._kept = 0
        self._flushed = time.monotonic()
        self._seen: OrderedDict[bytes, float] = OrderedDict()
        self._unstable: dict[bytes, int] = {}
        self._dry = False  # the queue had nothing to lease when last asked
        self._ask_again = 0.0
        self._commits = 0  # of the intake, as last seen

    def arrived(self, ref: FileRef, *, fresh: bool, seen: float, provisional: bool = False) -> None:
        if ref.path in self._gone:
            self.flush()  # it left and came back: first the queue has to forget that it was judged
        if provisional:
            self.intake.add(ref, Priority.PROVISIONAL)  # its latency is the writer's
            return
        self._seen.setdefault(ref.path, seen)
        if len(self._seen) > REMEMBERED:
            self._seen.popitem(last=False)
        self.intake.add(ref, Priority.NEW if fresh else Priority.SWEEP)

    def unopenable(self, ref: FileRef, gap: Gap) -> None:
        """Nothing to give to a worker: that is the verdict."""
        self._keep(ref, unread_record(ref.path, gap, 0.0, size_bytes=ref.size_bytes), 0.0)

    def departed(self, share: str, path: bytes) -> None:
        self._gone[path] = share
        self._seen.pop(path, None)
        self._kept += 1

    def entered(self, share: str, folder: bytes) -> None:
        """A sweep begins with a folder."""
        place = os.path.join(self._roots[share], folder) if folder else self._roots[share]
        self._ranking.entered(place, top=not folder)

    def only_rights_changed(self, ref: FileRef) -> bool:
        return self._ranking.only_rights_changed(ref.path)

    @property
    def idle(self) -> bool:
        waiting = self.in_hand or self._ranking.waits or len(self.intake) or self._kept
        waiting = waiting or self.intake.commits != self._commits
        return self._dry and not waiting

    @property
    def in_hand(self) -> int:
        return len(self._leased) + len(self._running) + len(self._acting)

    def turn(self, engine: LocalEngine, now: float) -> None:
        """Queue what arrived, give work to workers, keep what they found."""
        if len(self.intake):
            self.intake.flush() if self._dry else self.intake.tick()
        if self.intake.commits != self._commits:  # in `arrived` or just now: there is work again
            self._commits = self.intake.commits
            self._dry = False
        for done in engine.results(0.0):
            self._finish(done)
        self._feed(engine, now)
        self._ranking.turn()
        if self._kept >= KEEP_RECORDS or (self._kept and now - self._flushed >= KEEP_SECONDS):
            self.flush()
            self._flushed = now

    def _feed(self, engine: LocalEngine, now: float) -> None:
        room = engine.room if len(self._acting) < MOST_ACTING else 0
        if room > len(self._leased) and (not self._dry or now >= self._ask_again):
            # No more than the workers take: a lease counts as a try, and a crash ends them all.
            taken = self._backlog.lease(room - len(self._leased))
            self._leased += taken
            # Jobs that failed wait on disk for their next try: ask now and then.
            self._dry, self._ask_again = not taken, now + RETRY_SECONDS
        while self._leased and engine.room:
            lease = self._leased.popleft()
            if lease.ref in self._running:
                self._backlog.postpone(lease, RETRY_SECONDS)
                continue
            self._running[lease.ref] = lease
            engine.submit(Job(lease.ref, self._opener(lease.ref)))

    def _opener(self, ref: FileRef) -> Callable[[], int]:
        root, relative = self._roots[ref.share], self._beneath(ref)
        return lambda: open_file(root, relative)

    def _finish(self, done: Done) -> None:
        lease = self._running.pop(done.job.ref, None)
        if lease is None:
            return  # asked for by the queue before a reload that failed: handed back, judged again
        gap = done.gap
        code = gap.code if gap else None
        if lease.priority is Priority.PROVISIONAL and code is not GapCode.VANISHED:
            self._keep_for_now(done, lease)
        elif code is GapCode.VANISHED:
            self._backlog.drop(lease)
            # Back already? While it was in hand, its arrival was no news to the queue.
            self.again(done.ref.share, self._beneath(done.ref))
        elif code is GapCode.CHANGED and self._still_moving(done.ref):
            self._backlog.drop(lease)
        elif (
            code is GapCode.INTERNAL
            and self._backlog.fail(lease, gap.where if gap else "", retry_seconds=RETRY_SECONDS)
            is False
        ):
            pass  # tried again later; after the last try what is known is kept
        else:
            self._unstable.pop(done.ref.path, None)
            self._acting[lease.id] = lease
            self._keep(done.ref, finished(done), done.ms, lease)

    def _keep_for_now(self, done: Done, lease: Lease) -> None:
        """Say what an unfinished file holds, act on nothing, and stay ready to judge its end."""
        self._backlog.drop(lease)
        self._kept += 1
        self._gone.pop(done.ref.path, None)
        record = {**self._seen_now(finished(done)), "action": "observe", "provisional": True}
        self._catalogue.add(record)
        self._observer.judged(done.ref.share, record, done.ms, None)
        # The writer may have ended while it was read, and no further event tells.
        self.again(done.ref.share, self._beneath(done.ref))

    def _beneath(self, ref: FileRef) -> bytes:
        return ref.path[len(self._roots[ref.share]) + 1 :]

    def _still_moving(self, ref: FileRef) -> bool:
        """Whether to wait for rest once more; after some times what was seen is kept, as a gap."""
        tries = self._unstable.get(ref.path, 0) + 1
        self._unstable[ref.path] = tries
        if tries >= MAX_UNSTABLE:
            return False
        self.again(ref.share, self._beneath(ref))
        return True

    def _seen_now(self, record: Record) -> Record:
        return {**record, "exposure": self._ranking.exposures.of(os.fsencode(record["path"]))}

    def _keep(self, ref: FileRef, record: Record, ms: float, lease: Lease | None = None) -> None:
        record = self._seen_now(record)  # before anything is done about the file
        self._judgements += 1
        number = self._last_of[ref.path] = self._judgements
        self._act(
            ref,
            record,
            lambda action, again: self._kept_as(
                action, again, ref, record, ms=ms, lease=lease, number=number
            ),
        )

    def _kept_as(
        self,
        action: str,
        again: str,
        ref: FileRef,
        record: Record,
        *,
        ms: float,
        lease: Lease | None,
        number: int,
    ) -> None:
        """Keep the verdict; a refused action keeps the job waiting, and the file unknown.

        What is done may take longer than judging the next version of the same file: then that
        verdict stands already, and this one is history.
        """
        overtaken = self._last_of.get(ref.path) != number
        if not overtaken:
            del self._last_of[ref.path]
        again = again if lease is not None else ""
        if lease is not None:
            if self._acting.pop(lease.id, None) is None:
                return  # handed back meanwhile: it is judged again
            if again:
                self._backlog.refused(lease, again)
            else:
                self._finished.append(lease.id)
        self._kept += 1
        record = {**record, "action": action}
        if not overtaken:
            self._gone.pop(ref.path, None)
            self._catalogue.add(record)
        if not again and not overtaken and (relative := self._beneath(ref)):
            self._known.judged(ref.share, relative, key_of(ref), self._versions.behind(record))
        seen = self._seen.pop(ref.path, None)
        latency = None if seen is None else time.monotonic() - seen
        self._observer.judged(ref.share, record, ms, latency)

    def flush(self) -> None:
        self._catalogue.flush()
        self._known.commit()
        if self._finished:
            self._backlog.done(self._finished)
            self._finished = []
        self._forget_gone()
        self._kept = 0

    def _forget_gone(self) -> None:
        """The rows of what is known go last: until then a sweep would find it out again."""
        gone, self._gone = self._gone, {}
        for share in sorted(set(gone.values())):
            self._backlog.forget(share, [path for path in gone if gone[path] == share])
        if gone:
            self._catalogue.forget(gone)
            self._known.bury()
            self._known.commit()

    def report_set_aside(self, database: Engine) -> None:
        """At start: a file that was in hand at every crash is not tried again, but reported."""
        ours = jobs.c.server == self._backlog.server
        crashed = and_(ours, jobs.c.state == "aside", jobs.c.trouble == "crash")
        with database.connect() as connection:
            refs = [
                as_job(row).ref
                for row in connection.execute(select(jobs).where(crashed)).mappings()
            ]
        for ref in refs:
            relative = ref.path[len(self._roots.get(ref.share, b"")) + 1 :]
            row = self._known.file(ref.share, relative)
            is_current = row is not None and row.stands(key_of(ref), self._versions.present)
            if ref.share in self._roots and not is_current:
                self.unopenable(ref, Gap(GapCode.INTERNAL, "set aside"))

    def take(self, versions: Versions) -> None:
        """From now on files are judged by other rules."""
        self._versions, self.intake.rules_version = versions, versions.queued

    def hand_back(self) -> None:
        """Put back what was leased and not begun, so that a restart finds it waiting."""
        for lease in (*self._leased, *self._running.values(), *self._acting.values()):
            self._backlog.postpone(lease, 0.0)
        self._leased.clear()
        self._running.clear()
        self._acting.clear()
