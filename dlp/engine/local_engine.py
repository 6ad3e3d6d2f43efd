"""Run the analysis in disposable confined processes; a file that kills one costs only itself.

In: Jobs, each with a way to open its file.  Out: one Done per job, as soon as it is known.

One thread and one selector: nothing here ever waits for a worker. Use it as a stream, with
run(), or from a loop of one's own with submit(), results() and fileno().
"""

from __future__ import annotations

import secrets
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Self

from dlp.decode.contract import Limits
from dlp.engine.forkserver import Forkserver, WorkerSpec
from dlp.engine.pool import NEVER, TRIES, DeferredJobs, Pool
from dlp.engine.protocol import Assignment, Done, Job, OversizeError, ProtocolError
from dlp.engine.worker import MAX_OUTPUT_BYTES, Analyse, Sandbox, Terms
from dlp.engine.worker_handle import (
    Member,
    cause_of_death,
    end_of,
    is_of,
    ran_out_of_memory,
    troubled,
)
from dlp.engine.worker_settings import limits_of
from dlp.lazy_resources import lazy_registry
from dlp.model import FileRef, Gap, GapCode
from dlp.report.record_validation import is_fit

if TYPE_CHECKING:
    from dlp.assembly import Analysis
    from dlp.config import Settings


class Dispatcher:
    def __init__(
        self,
        pool: Pool,
        *,
        jobs: int,
        done: list[Done],
        ends: Counter[str],
        lose: Callable[[Member], None],
    ) -> None:
        """What cannot be opened is `done`; `lose` gets workers that take nothing any more."""
        self._pool = pool
        self._jobs = jobs
        self._done = done
        self._ends = ends
        self._lose = lose
        self.queue: deque[Assignment] = deque()
        self.deferred = DeferredJobs()

    @property
    def waits(self) -> bool:
        return bool(self.queue or self.deferred.waiting)

    @property
    def most(self) -> int:
        """How many files to have so that no worker waits; more only lie in the queue."""
        return 2 * self._jobs + len(self.deferred.waiting)

    def give(self) -> None:
        """As much as anybody takes."""
        pool = self._pool
        while self.waits:
            for idle in pool.members:
                if idle.assignment is None:
                    break
            else:
                if len(pool.members) >= (1 if pool.loading else self._jobs):
                    return
                idle = pool.hire()
            if pool.is_outdated(idle, self.deferred, idle=not self.queue):
                self._ends["outdated"] += 1
                idle = pool.replace(idle)
            if (assignment := self.deferred.next_for(idle.has, self.queue)) is None:
                return  # what they wait for is being loaded
            if self._is_open(assignment) and not idle.give(assignment):
                self.take_back(idle)
                self._lose(idle)

    def take_back(self, member: Member) -> None:
        """Queue again what a worker had and did not read."""
        if (assignment := member.take_back()) is not None:
            self.queue.appendleft(assignment)

    def _is_open(self, assignment: Assignment) -> bool:
        if (gap := assignment.open()) is not None:
            gone = Done(assignment.ref, None, gap, 0.0, assignment.job)
            self._done.append(assignment.first or gone)
        return gap is None

    def close(self) -> None:
        for assignment in (*self.queue, *self.deferred.drain()):
            assignment.close()
        self.queue.clear()


__all__ = ["Done", "Job", "LocalEngine"]

Fit = Callable[[dict[str, Any], FileRef], bool]
MILLION = 1_000_000
RECYCLE_BYTES = 128_000_000  # a worker grown by this may hold on to memory; a fork costs little


def open_engine(analysis: Analysis, settings: Settings, *, jobs: int) -> LocalEngine:
    """One that loads what nearly every file needs, and takes only records that are fit."""
    return LocalEngine(
        analysis,
        jobs=jobs,
        limits=limits_of(settings),
        files_per_worker=settings.engine.files_per_worker,
        warm=analysis.warm_lightly,
        supply=lazy_registry().supply,
        fit=is_fit,
        sandbox=Sandbox(settings.engine.sandbox),
        second_readings=settings.engine.second_readings,
    )


class LocalEngine:
    def __init__(
        self,
        analyse: Analyse,
        *,
        jobs: int,
        limits: Limits,
        files_per_worker: int = 200,
        max_output_bytes: int = MAX_OUTPUT_BYTES,
        recycle_bytes: int = RECYCLE_BYTES,
        sandbox: Sandbox = Sandbox.STANDARD,
        warm: Callable[[], None] | None = None,
        supply: Callable[[str], None] | None = None,
        forkserver: Forkserver | None = None,
        soon: tuple[str, ...] = (),
        fit: Fit | None = None,
        second_readings: float = 0.0,
    ) -> None:
        """Both run in the process that forks the workers: `warm` loads what all of them need,
        `supply` what one said it lacks (dlp.lazy_resources). `forkserver` is one that runs.
        `soon` is loaded in any case, while one worker works without it and is then replaced.
        `fit`: which records a worker may send (dlp.report.record_validation).
        `second_readings`: the share of files that a second worker reads as well."""
        self._fit = fit
        self._second_readings = second_readings
        self._terms = Terms(limits, max_output_bytes, Sandbox(sandbox))
        self._files_per_worker = max(1, files_per_worker)
        self._recycle_bytes = recycle_bytes
        spec = WorkerSpec(analyse, self._terms, warm, supply)
        self._pool = Pool(spec, self._give_back, forkserver, soon)
        self._done: list[Done] = []
        self.in_flight = 0  # jobs taken and not yet given back
        self.ends: Counter[str] = Counter()  # why workers were replaced
        self.readings: Counter[str] = Counter()  # second ones: "same" or "different"
        self._dispatcher = Dispatcher(
            self._pool,
            jobs=max(1, jobs),
            done=self._done,
            ends=self.ends,
            lose=self._lose,
        )
        self._queue = self._dispatcher.queue
        self.walls: dict[str, str] = {}
        self.degraded: bool | None = None  # known once the first worker has confined itself

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self) -> None:
        """Fork the forkserver. Do it early, before threads and secrets."""
        self._pool.start()

    def begin(self) -> None:
        """Fork the forkserver, and go on while it loads."""
        self._pool.begin()

    def close(self) -> None:
        """End every worker; what was in flight is dropped without a result."""
        self._pool.send_home()  # they leave side by side
        for member in list(self._pool.members):
            self._pool.let_go(member)
            member.take_back()
        self._dispatcher.close()
        self.in_flight = len(self._done)
        self._pool.close()

    def reads_plain_text_only(self) -> bool:
        """Whether a file of another kind had to wait until what all workers need is loaded."""
        return self._pool.unready

    def fileno(self) -> int:
        """Readable when results() may have something; deadlines still need a timeout."""
        return self._pool.selector.fileno()

    @property
    def spawned(self) -> int:
        return self._pool.hired

    @property
    def room(self) -> int:
        """How many jobs to submit so that no worker waits; more only lie in a queue."""
        return max(0, self._dispatcher.most - self.in_flight)

    def submit(self, job: Job) -> None:
        self._queue.append(Assignment(job, job.ref))
        self.in_flight += 1
        self._dispatcher.give()

    def run(self, jobs: Iterable[Job]) -> Iterator[Done]:
        """Give results as they come; takes from `jobs` only as fast as workers finish."""
        self.start()
        source = iter(jobs)
        exhausted = False
        while True:
            while not exhausted and self.room:
                if (job := next(source, None)) is None:
                    exhausted = True
                else:
                    self.submit(job)
            if exhausted and not self.in_flight:
                return
            yield from self.results(None)

    def results(self, timeout: float | None = 0.0) -> list[Done]:
        """Wait until something is done, at most `timeout` seconds; None: as long as it takes."""
        if not self.in_flight:  # else the selector does
            self._pool.attend()
        self.start()
        until = None if timeout is None else time.monotonic() + timeout
        while True:
            if self._dispatcher.waits:
                self._dispatcher.give()
            if self._done or not self.in_flight:
                break
            if not self._turn(until):
                break
        done = self._done.copy()
        self._done.clear()
        self.in_flight -= len(done)
        self.readings.update(one.second for one in done if one.second)
        return done

    def _turn(self, until: float | None) -> bool:
        """One look at the workers; False when the caller's time is up."""
        due = self._pool.first_due(self._terms.limits.wall_seconds)
        first = due if until is None or due < until else until
        wait = None if first == NEVER else max(0.0, first - time.monotonic())
        for ready, _ in self._pool.selector.select(wait):
            one = ready.data
            if isinstance(one, Member):
                self._read_channel(one)
            elif one is self._pool.forkserver:
                self._pool.attend()  # ending a worker may have taken its word meanwhile
        now = time.monotonic()
        if now >= due:
            self._end_overdue(now)
        return until is None or now < until or bool(self._done)

    def _end_overdue(self, now: float) -> None:
        wall = self._terms.limits.wall_seconds
        for member in list(self._pool.members):
            if member.assignment is not None and now >= member.assignment.started + wall:
                self._fail(member, Gap(GapCode.TIMEOUT, "worker:wall"))
        if now >= self._pool.patience:
            self._pool.lose_forkserver()

    def _read_channel(self, member: Member) -> None:
        if member not in self._pool.members:
            return
        try:
            alive = member.inbox.read(member.channel)
            message = member.inbox.next()
            while message is not None:
                self._read_message(member, message)
                more = not member.inbox.is_empty and member in self._pool.members
                message = member.inbox.next() if more else None
        except OversizeError:
            self._fail(member, Gap(GapCode.TOO_LARGE, "worker:output"))
        except ProtocolError:
            self._distrust(member)
        else:
            if (member.gone or not alive) and member in self._pool.members:
                self._end_dead(member)

    def _read_message(self, member: Member, message: dict[str, Any]) -> None:
        if not member.confined:
            member.read_greeting(message)
            self.walls, self.degraded = member.walls, member.degraded
            return
        if member.assignment is None:
            raise ProtocolError("an answer without a job")
        if name := member.missing_resource(message):
            self._set_aside(member, name)
            return
        record, gap, peak = member.read_answer(message)
        if not is_of(record, member.assignment.ref):
            raise ProtocolError("the record of another file")
        if record is not None and self._fit and not self._fit(record, member.assignment.ref):
            raise ProtocolError("no record of ours")
        spent = ran_out_of_memory(record, gap)
        if spent and member.files_done and member.assignment.tries < TRIES:
            # a worker that read other files before may be short of memory through no fault of this
            self._give_back(member)
            self.ends["memory"] += 1
            self._dismiss(member)
            return
        again = member.assignment.first is None and self._draws(record)
        done = member.finish(record, gap)
        again = again and done.gap is None
        if again:
            self._queue.append(Assignment(done.job, done.job.ref, first=done))
        else:
            self._done.append(done)
        grown = peak - member.first_peak > self._recycle_bytes
        spent_up = grown or member.files_done >= self._files_per_worker
        # after a draw as well: another worker must read the file again
        if spent or spent_up or again or troubled(record, gap):
            self.ends["memory" if spent else "recycled"] += 1
            self._dismiss(member)

    def _draws(self, record: dict[str, Any] | None) -> bool:
        """Whether a second worker reads this file; no worker can know beforehand."""
        return record is not None and secrets.randbelow(MILLION) < self._second_readings * MILLION

    def _distrust(self, member: Member) -> None:
        """End a worker that breaks the protocol; its file goes to another one, or is a gap."""
        if member.assignment is not None and member.assignment.tries < TRIES:
            self._give_back(member)
            self.ends["crash"] += 1
            self._dismiss(member)
        else:
            self._fail(member, Gap(GapCode.INTERNAL, "worker:protocol"))

    def _set_aside(self, member: Member, name: str) -> None:
        """Defer the file until a worker has what this one lacks; this one goes on with others."""
        self._dispatcher.deferred.add(name, member.set_aside())
        self._pool.load({name})

    def _fail(self, member: Member, gap: Gap) -> None:
        if member.assignment is not None:
            self._done.append(member.finish(None, gap))
        self.ends[end_of(gap)] += 1
        self._dismiss(member)

    def _dismiss(self, member: Member) -> None:
        self._pool.dismiss(member)
        self._dispatcher.take_back(member)

    def _lose(self, member: Member) -> None:
        """A worker takes nothing any more; it may have said why."""
        self._read_channel(member)
        if member in self._pool.members:
            self._end_dead(member)

    def _end_dead(self, member: Member) -> None:
        """A worker went by itself: find out why."""
        cause = cause_of_death(self._pool.dismiss(member, leaving=True))
        self.ends[end_of(cause)] += 1
        if member.forkserver is not self._pool.forkserver:
            self._give_back(member)
        elif member.assignment is not None:
            self._done.append(member.finish(None, cause))

    def _give_back(self, member: Member) -> None:
        """The forkserver went first and took its workers along; the file is hardly to blame."""
        assignment = member.assignment
        if assignment is not None and assignment.tries < TRIES:
            member.assignment = None
            assignment.close()
            self._queue.appendleft(assignment)
        elif assignment is not None:
            self._done.append(member.finish(None, cause_of_death(None)))
