"""Run the analysis in disposable confined processes; a file that kills one costs only itself.

In: Jobs, each with a way to open its file.  Out: one Done per job, as soon as it is known.

One thread and one selector: nothing here ever waits for a worker. Use it as a stream, with run(),
or from a loop of one's own with submit(), results() and fileno().
"""

from __future__ import annotations

import os
import selectors
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Self

from dlp.acquire.reference import gap_of
from dlp.decode.contract import Limits
from dlp.engine.crew import Member, cause_of_death, end_of, ran_out_of_memory
from dlp.engine.jobs import Done, Errand, Job
from dlp.engine.nursery import Brood, Nursery, NurseryLostError
from dlp.engine.protocol import OversizeError, ProtocolError
from dlp.engine.worker import Analyse, Sandbox, Terms
from dlp.errors import IsolationError
from dlp.model import Gap, GapCode

__all__ = ["Done", "Job", "LocalEngine"]

RECYCLE_BYTES = 128_000_000  # a worker grown by this may hold on to memory; a fork costs little
MAX_OUTPUT_BYTES = 32_000_000
TRIES = 2
DOCTOR = "run: dlp doctor"


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
    ) -> None:
        """Both run in the process that forks the workers: `warm` loads what all of them need,
        `supply` what one said it lacks (dlp.demand)."""
        self._jobs = max(1, jobs)
        self._terms = Terms(limits, max_output_bytes, Sandbox(sandbox))
        self._files_per_worker = max(1, files_per_worker)
        self._recycle_bytes = recycle_bytes
        self._brood = Brood(analyse, self._terms, warm, supply)
        self._nursery: Nursery | None = None
        self._selector = selectors.DefaultSelector()
        self._members: set[Member] = set()
        self._queue: deque[Errand] = deque()
        self._done: list[Done] = []
        self.spawned = 0
        self.ends: Counter[str] = Counter()  # why workers were replaced
        self.walls: dict[str, str] = {}
        self.degraded: bool | None = None  # known once the first worker has confined itself

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self) -> None:
        """Fork the nursery. Do it early, before threads and secrets."""
        if self._nursery is None:
            try:
                self._nursery = Nursery(self._brood)
            except NurseryLostError as error:
                raise IsolationError("the workers could not be prepared", fix=DOCTOR) from error

    def close(self) -> None:
        """End every worker; what was in flight is dropped without a result."""
        for member in list(self._members):
            self._dismiss(member)
            if member.errand is not None:
                os.close(member.errand.fd)
        for errand in self._queue:
            if errand.fd >= 0:
                os.close(errand.fd)
        self._queue.clear()
        if self._nursery is not None:
            self._nursery.close()
            self._nursery = None
        self._selector.close()
        self._selector = selectors.DefaultSelector()

    def fileno(self) -> int:
        """Readable when results() may have something; deadlines still need a timeout."""
        return self._selector.fileno()

    @property
    def in_flight(self) -> int:
        """Jobs taken and not yet given back."""
        busy = sum(member.errand is not None for member in self._members)
        return busy + len(self._queue) + len(self._done)

    @property
    def room(self) -> int:
        """How many jobs to submit so that no worker waits; more only lie in a queue."""
        return max(0, 2 * self._jobs - self.in_flight)

    def submit(self, job: Job) -> None:
        self._queue.append(Errand(job, job.ref))
        self._dispatch()

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
        self.start()
        until = None if timeout is None else time.monotonic() + timeout
        while True:
            self._dispatch()
            if self._done or not self.in_flight:
                break
            if not self._turn(until):
                break
        done, self._done = self._done, []
        return done

    def _turn(self, until: float | None) -> bool:
        """One look at the workers; False when the caller's time is up."""
        now = time.monotonic()
        wall = self._terms.limits.wall_seconds
        moments = [m.errand.started + wall for m in self._members if m.errand is not None]
        if until is not None:
            moments.append(until)
        wait = max(0.0, min(moments) - now) if moments else None
        for key, _ in self._selector.select(wait):
            self._listen(key.data)
        now = time.monotonic()
        for member in list(self._members):
            if member.errand is not None and now >= member.errand.started + wall:
                self._fail(member, Gap(GapCode.TIMEOUT, "worker:wall"))
        return until is None or now < until or bool(self._done)

    def _dispatch(self) -> None:
        while self._queue:
            idle = next((m for m in self._members if m.errand is None), None)
            if idle is None:
                if len(self._members) >= self._jobs:
                    return
                idle = self._hire()
            self._give(idle, self._queue.popleft())

    def _give(self, member: Member, errand: Errand) -> None:
        try:
            errand.open()
        except OSError as error:
            self._done.append(Done(errand.ref, None, gap_of(error), 0.0, errand.job))
            return
        errand.started = time.monotonic()
        errand.tries += 1
        member.errand = errand
        if not member.give(errand.ref, errand.fd):
            self._bury(member)

    def _hire(self) -> Member:
        for _ in range(TRIES):
            self.start()
            assert self._nursery is not None
            try:
                pid, channel = self._nursery.spawn()
            except NurseryLostError:
                self._drop_nursery()
                continue
            member = Member(pid, channel, self._nursery, self._terms.max_output_bytes)
            self._members.add(member)
            self._selector.register(channel, selectors.EVENT_READ, member)
            self.spawned += 1
            return member
        raise IsolationError("workers cannot be started", fix=DOCTOR)

    def _listen(self, member: Member) -> None:
        if member not in self._members:
            return
        try:
            alive = member.inbox.read(member.channel)
            message = member.inbox.next()
            while message is not None:
                self._hear(member, message)
                message = member.inbox.next() if member in self._members else None
        except OversizeError:
            self._fail(member, Gap(GapCode.TOO_LARGE, "worker:output"))
        except ProtocolError:
            self._fail(member, Gap(GapCode.INTERNAL, "worker:protocol"))
        else:
            if not alive and member in self._members:
                self._bury(member)

    def _hear(self, member: Member, message: dict[str, Any]) -> None:
        if not member.confined:
            member.read_greeting(message)
            self.walls, self.degraded = member.walls, member.degraded
            return
        if member.errand is None:
            raise ProtocolError("an answer nobody asked for")
        if name := member.lacks(message):
            self._replace(member, name)
            return
        record, gap, peak = member.read_answer(message)
        spent = ran_out_of_memory(record, gap)
        if spent and member.served and member.errand.tries < TRIES:
            # a worker that read other files before may be short of memory through no fault of this
            self._give_back(member)
            self.ends["memory"] += 1
            self._dismiss(member)
            return
        self._finish(member, record, gap)
        grown = peak - member.first_peak > self._recycle_bytes
        if spent or grown or member.served >= self._files_per_worker:
            self.ends["memory" if spent else "recycled"] += 1
            self._dismiss(member)

    def _replace(self, member: Member, name: str) -> None:
        """Have somebody with what this one lacks take its file."""
        assert member.errand
        member.errand.tries -= 1
        self._give_back(member)
        self.ends["lacking"] += 1
        self._dismiss(member)
        try:
            if self._nursery is not None and name not in self._nursery.supplied:
                self._nursery.supply(name)
        except NurseryLostError:
            self._drop_nursery()

    def _finish(self, member: Member, record: dict[str, Any] | None, gap: Gap | None) -> None:
        self._done.append(member.finish(record, gap))

    def _fail(self, member: Member, gap: Gap) -> None:
        if member.errand is not None:
            self._finish(member, None, gap)
        self.ends[end_of(gap)] += 1
        self._dismiss(member)

    def _bury(self, member: Member) -> None:
        """A worker went by itself: find out why."""
        cause = cause_of_death(self._dismiss(member, leaving=True))
        self.ends[end_of(cause)] += 1
        if member.nursery is not self._nursery:
            self._give_back(member)
        elif member.errand is not None:
            self._finish(member, None, cause)

    def _give_back(self, member: Member) -> None:
        """The nursery went first and took its workers along; the file is hardly to blame."""
        errand = member.errand
        if errand is not None and errand.tries < TRIES:
            member.errand = None
            self._queue.appendleft(errand)
        elif errand is not None:
            self._finish(member, None, cause_of_death(None))

    def _dismiss(self, member: Member, *, leaving: bool = False) -> int | None:
        if member not in self._members:
            return None  # it went with its nursery
        self._members.discard(member)
        self._selector.unregister(member.channel)
        member.channel.close()
        if member.nursery is not self._nursery:
            return None  # whoever could tell is gone
        try:
            return member.nursery.end(member.pid, leaving=leaving)
        except NurseryLostError:
            self._drop_nursery()
            return None

    def _drop_nursery(self) -> None:
        assert self._nursery is not None
        self._nursery.close()
        self._nursery = None
        for member in list(self._members):
            self._dismiss(member)
            self._give_back(member)
