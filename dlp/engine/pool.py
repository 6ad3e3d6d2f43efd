"""The workers of an engine and the process they are forked from.

In: what the workers do.  Out: workers hired and dismissed; those that went with their nursery.
"""

from __future__ import annotations

import contextlib
import select
import selectors
import socket
import time
from collections.abc import Callable, Iterable

from dlp.engine.deferred_jobs import Lacking
from dlp.engine.forkserver import REPLY_SECONDS, Brood, Nursery, NurseryLostError
from dlp.engine.worker_handle import Member
from dlp.errors import IsolationError

NEVER = float("inf")
TRIES = 2
DOCTOR = "run: dlp doctor"


class Staff:
    def __init__(
        self,
        brood: Brood,
        bereaved: Callable[[Member], None],
        coming: Nursery | None = None,
        soon: Iterable[str] = (),
    ) -> None:
        """`bereaved` hears of every worker that its nursery took along."""
        self._soon = tuple(soon)
        self._brood = brood
        self._bereaved = bereaved
        self.nursery: Nursery | None = None
        self._coming = coming  # it is loading
        self.selector = selectors.EpollSelector()
        self.members: set[Member] = set()
        self.hired = 0
        self._wanted: set[str] = set()  # a new nursery has to load it again
        self._asked = 0.0

    def begin(self) -> None:
        """Fork the nursery and go on while it loads."""
        if self.nursery is None and self._coming is None:
            self._coming = Nursery(self._brood)

    def start(self) -> None:
        """Fork the nursery. Do it early, before threads and secrets."""
        if self.nursery is None:
            self.begin()
            coming, self._coming = self._coming, None
            assert coming is not None
            try:
                coming.until_ready()
            except NurseryLostError as error:
                raise IsolationError("the workers could not be prepared", fix=DOCTOR) from error
            self.nursery = coming
            self.selector.register(self.nursery.fileno(), selectors.EVENT_READ, self.nursery)
            if not self._soon:
                self.load(self._wanted)

    @property
    def awaited(self) -> bool:
        """Whether nobody can be hired yet: a nursery was forked, and it is still loading."""
        return self._coming is not None and not has_word(self._coming)

    def close(self) -> None:
        for nursery in (self.nursery, self._coming):
            if nursery is not None:
                nursery.close()
        self.nursery = self._coming = None
        self.selector.close()
        self.selector = selectors.EpollSelector()

    def expect(self, name: str) -> None:
        """Files that need it are on their way: only the first worker is to be without."""
        if not self.hired and name not in self._soon:
            self._soon = (*self._soon, name)

    @property
    def unready(self) -> bool:
        """Whether a worker hired now would lack what all are to have."""
        return not self.loaded.issuperset(self._soon)

    def is_makeshift(self, member: Member) -> bool:
        """Whether the worker lacks what all could have by now."""
        return not self.unready and not member.has.issuperset(self._soon)

    def is_outdated(self, member: Member, lacking: Lacking, *, idle: bool) -> bool:
        """Whether to replace it by one that has more, now or once it has nothing to read."""
        if member.has is self.loaded or self.loading:
            return False
        if self.is_makeshift(member):
            return True
        others = (other.has for other in self.members)
        return lacking.is_due(member.has, self.loaded, others, idle=idle)

    @property
    def loaded(self) -> frozenset[str]:
        """What a worker hired now has, beyond what all have."""
        return self.nursery.supplied if self.nursery else frozenset()

    def load(self, names: Iterable[str]) -> None:
        """Have something loaded while the workers go on."""
        self._wanted = {*self._wanted, *names}
        self._asked = time.monotonic()
        try:
            for name in (*self._soon, *sorted(self._wanted)):
                if self.nursery is not None:
                    self.nursery.want(name)
        except NurseryLostError:
            self.lose_nursery()

    def hear(self) -> None:
        """Something is loaded, or the nursery is gone."""
        assert self.nursery is not None
        try:
            self.nursery.hear()
        except NurseryLostError:
            self.lose_nursery()

    def attend(self) -> None:
        """Hear the nursery if it still has something to say, also while no file is on its way."""
        if self.nursery is not None and has_word(self.nursery):
            self.hear()

    @property
    def loading(self) -> bool:
        """Whether a worker could be hired only after a while."""
        return self.nursery is not None and self.nursery.loading

    @property
    def patience(self) -> float:
        """When to give up on what is being loaded; never, while nothing is."""
        return self._asked + REPLY_SECONDS if self.loading else NEVER

    def first_due(self, wall_seconds: float) -> float:
        """When the first of those who read, or load, has had its time."""
        first = self.patience
        for one in self.members:
            if one.errand is not None and one.errand.started + wall_seconds < first:
                first = one.errand.started + wall_seconds
        return first

    def hire(self) -> Member:
        for _ in range(TRIES):
            self.start()
            assert self.nursery is not None
            try:
                pid, channel = self.nursery.spawn()
            except NurseryLostError:
                self.lose_nursery()
                continue
            member = Member(pid, channel, self.nursery, self._brood.terms.max_output_bytes)
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
        if self._is_idle(member) and member.nursery is self.nursery:
            self._forget(member)
            try:
                member.nursery.release(member.pid)
            except NurseryLostError:
                self.lose_nursery()
        else:
            self.dismiss(member)
        return self.hire()

    def _is_idle(self, member: Member) -> bool:
        """Whether it waits behind all walls, where it could not have forked anything."""
        here = member in self.members and member.errand is None
        return here and member.confined and not member.degraded

    def _forget(self, member: Member) -> None:
        self.members.discard(member)
        self.selector.unregister(member.channel.fileno())
        member.channel.close()

    def dismiss(self, member: Member, *, leaving: bool = False) -> int | None:
        """Its wait status, when somebody can tell."""
        if member not in self.members:
            return None  # it went with its nursery
        self._forget(member)
        if member.nursery is not self.nursery:
            return None  # whoever could tell is gone
        try:
            return member.nursery.end(member.pid, leaving=leaving)
        except NurseryLostError:
            self.lose_nursery()
            return None

    def lose_nursery(self) -> None:
        assert self.nursery is not None
        self.selector.unregister(self.nursery.fileno())
        self.nursery.close()
        self.nursery = None
        for member in list(self.members):
            self.dismiss(member)
            self._bereaved(member)


def has_word(nursery: Nursery) -> bool:
    asked = select.poll()
    asked.register(nursery, select.POLLIN)
    return bool(asked.poll(0))
