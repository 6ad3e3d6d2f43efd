"""The workers of an engine and the process they are forked from.

In: what the workers do.  Out: workers hired and dismissed; those that went with their forkserver.
"""

from __future__ import annotations

import contextlib
import select
import selectors
import socket
import time
from collections import deque
from collections.abc import Callable, Iterable
from typing import NamedTuple

from dlp.engine.forkserver import REPLY_SECONDS, Forkserver, ForkserverLostError, WorkerSpec
from dlp.engine.protocol import Assignment
from dlp.engine.worker_handle import Member
from dlp.errors import IsolationError

NEVER = float("inf")
TRIES = 2
DOCTOR = "run: dlp doctor"

Names = frozenset[str]
PATIENCE = 5.0  # seconds that a file waits for company
COMPANY = 4  # files that are worth a new worker at once
CROWD = 16  # files that are worth a second one


class Pool:
    def __init__(
        self,
        spec: WorkerSpec,
        on_loss: Callable[[Member], None],
        coming: Forkserver | None = None,
        soon: Iterable[str] = (),
    ) -> None:
        """`on_loss` is called with every worker that ended with its forkserver."""
        self._soon = tuple(soon)
        self._spec = spec
        self._on_loss = on_loss
        self.forkserver: Forkserver | None = None
        self._coming = coming  # it is loading
        self.selector = selectors.EpollSelector()
        self.members: set[Member] = set()
        self.hired = 0
        self._wanted: set[str] = set()  # a new forkserver has to load it again
        self._asked = 0.0

    def begin(self) -> None:
        """Fork the forkserver and go on while it loads."""
        if self.forkserver is None and self._coming is None:
            self._coming = Forkserver(self._spec)

    def start(self) -> None:
        """Fork the forkserver. Do it early, before threads and secrets."""
        if self.forkserver is None:
            self.begin()
            coming, self._coming = self._coming, None
            assert coming is not None
            try:
                coming.until_ready()
            except ForkserverLostError as error:
                raise IsolationError("the workers could not be prepared", fix=DOCTOR) from error
            self.forkserver = coming
            self.selector.register(self.forkserver.fileno(), selectors.EVENT_READ, self.forkserver)
            if not self._soon:
                self.load(self._wanted)

    def close(self) -> None:
        for forkserver in (self.forkserver, self._coming):
            if forkserver is not None:
                forkserver.close()
        self.forkserver = self._coming = None
        self.selector.close()
        self.selector = selectors.EpollSelector()

    @property
    def unready(self) -> bool:
        """Whether a worker hired now would lack what all are to have."""
        return not self.loaded.issuperset(self._soon)

    def is_makeshift(self, member: Member) -> bool:
        """Whether the worker lacks what all could have by now."""
        return not self.unready and not member.has.issuperset(self._soon)

    def is_outdated(self, member: Member, deferred: DeferredJobs, *, idle: bool) -> bool:
        """Whether to replace it by one that has more, now or once it has nothing to read."""
        if member.has is self.loaded or self.loading:
            return False
        if self.is_makeshift(member):
            return True
        others = (other.has for other in self.members)
        return deferred.is_due(member.has, self.loaded, others, idle=idle)

    @property
    def loaded(self) -> frozenset[str]:
        """What a worker hired now has, beyond what all have."""
        return self.forkserver.supplied if self.forkserver else frozenset()

    def load(self, names: Iterable[str]) -> None:
        """Have something loaded while the workers go on."""
        self._wanted = {*self._wanted, *names}
        self._asked = time.monotonic()
        try:
            for name in (*self._soon, *sorted(self._wanted)):
                if self.forkserver is not None:
                    self.forkserver.want(name)
        except ForkserverLostError:
            self.lose_forkserver()

    def read_reply(self) -> None:
        """Something is loaded, or the forkserver is gone."""
        assert self.forkserver is not None
        try:
            self.forkserver.read_reply()
        except ForkserverLostError:
            self.lose_forkserver()

    def attend(self) -> None:
        """Read a pending message of the forkserver, also while no file is on its way."""
        if self.forkserver is not None and is_readable(self.forkserver):
            self.read_reply()

    @property
    def loading(self) -> bool:
        """Whether a worker could be hired only after a while."""
        return self.forkserver is not None and self.forkserver.loading

    @property
    def patience(self) -> float:
        """When to give up on what is being loaded; never, while nothing is."""
        return self._asked + REPLY_SECONDS if self.loading else NEVER

    def first_due(self, wall_seconds: float) -> float:
        """When the first of those who read, or load, has had its time."""
        first = self.patience
        for one in self.members:
            if one.assignment is not None and one.assignment.started + wall_seconds < first:
                first = one.assignment.started + wall_seconds
        return first

    def hire(self) -> Member:
        for _ in range(TRIES):
            self.start()
            assert self.forkserver is not None
            try:
                pid, channel = self.forkserver.spawn()
            except ForkserverLostError:
                self.lose_forkserver()
                continue
            member = Member(pid, channel, self.forkserver, self._spec.terms.max_output_bytes)
            self.members.add(member)
            self.selector.register(channel.fileno(), selectors.EVENT_READ, member)
            self.hired += 1
            if self.unready:
                self.load(())  # it loads while this one works
            return member
        raise IsolationError("workers cannot be started", fix=DOCTOR)

    def send_home(self) -> None:
        """Let all workers know at once that no file comes any more; each is then dismissed."""
        for member in self.members:
            with contextlib.suppress(OSError):  # it went before
                member.channel.shutdown(socket.SHUT_RDWR)

    def let_go(self, member: Member) -> None:
        """At the end of all work. One behind all walls, and without a file, goes by itself."""
        if self._is_idle(member):
            self._forget(member)
        else:
            self.dismiss(member)

    def replace(self, member: Member) -> Member:
        """A new worker for one that did no wrong; nobody waits until that one is gone."""
        if self._is_idle(member) and member.forkserver is self.forkserver:
            self._forget(member)
            try:
                member.forkserver.release(member.pid)
            except ForkserverLostError:
                self.lose_forkserver()
        else:
            self.dismiss(member)
        return self.hire()

    def _is_idle(self, member: Member) -> bool:
        """Whether it waits behind all walls, where it could not have forked anything."""
        here = member in self.members and member.assignment is None
        return here and member.confined and not member.degraded

    def _forget(self, member: Member) -> None:
        self.members.discard(member)
        self.selector.unregister(member.channel.fileno())
        member.channel.close()

    def dismiss(self, member: Member, *, leaving: bool = False) -> int | None:
        """Its wait status, when somebody can tell."""
        if member not in self.members:
            return None  # it went with its forkserver
        self._forget(member)
        if member.forkserver is not self.forkserver:
            return None  # its parent, which knew the status, is gone
        try:
            return member.forkserver.end(member.pid, leaving=leaving)
        except ForkserverLostError:
            self.lose_forkserver()
            return None

    def lose_forkserver(self) -> None:
        assert self.forkserver is not None
        self.selector.unregister(self.forkserver.fileno())
        self.forkserver.close()
        self.forkserver = None
        for member in list(self.members):
            self.dismiss(member)
            self._on_loss(member)


def is_readable(forkserver: Forkserver) -> bool:
    asked = select.poll()
    asked.register(forkserver, select.POLLIN)
    return bool(asked.poll(0))


class Waiting(NamedTuple):
    name: str  # of what it needs
    since: float
    assignment: Assignment


class DeferredJobs:
    def __init__(self) -> None:
        self.waiting: deque[Waiting] = deque()

    def add(self, name: str, assignment: Assignment) -> None:
        self.waiting.append(Waiting(name, time.monotonic(), assignment))

    def take(self, has: Names) -> Assignment | None:
        """The first file for a worker that has so much."""
        if not self.waiting:
            return None
        for one in self.waiting:
            if one.name in has:
                self.waiting.remove(one)
                return one.assignment
        return None

    def next_for(self, has: Names, queue: deque[Assignment]) -> Assignment | None:
        """A file that waited for such a worker, else the first of those that wait for any."""
        return self.take(has) or (queue.popleft() if queue else None)

    def is_due(self, has: Names, loaded: Names, others: Iterable[Names], *, idle: bool) -> bool:
        """Whether a worker that has so little should go, now that more is loaded."""
        ready = [one for one in self.waiting if one.name in loaded and one.name not in has]
        if not ready:
            return False
        late = time.monotonic() - ready[0].since > PATIENCE
        alone = not any(ready[0].name in what for what in others)
        return idle or len(ready) >= (COMPANY if alone else CROWD) or (late and alone)

    def drain(self) -> list[Assignment]:
        left = [one.assignment for one in self.waiting]
        self.waiting.clear()
        return left
