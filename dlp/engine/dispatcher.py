"""Hand files to workers: to whoever is idle, then behind short texts that others read.

In: errands, in the order they came.  Out: open files with those who read them.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable
from itertools import islice

from dlp.engine.pool import DeferredJobs, Pool
from dlp.engine.protocol import Done, Errand
from dlp.engine.worker_handle import Member

# While every worker has so many files behind the one it reads, the supervisor naps: several answers
# heard at once cost little more than one, for the code and the data to hear them are cached then.
RESTFUL = 5
DRAINED, SATED = 1, 3  # with so few of them left it slept too long, with more too short
NAPS = (0.0005, 0.02)  # seconds


class Giving:
    def __init__(
        self,
        pool: Pool,
        *,
        jobs: int,
        ahead: int,
        files_per_worker: int,
        done: list[Done],
        ends: Counter[str],
        lose: Callable[[Member], None],
    ) -> None:
        """What cannot be opened is `done`; `lose` hears of workers that take nothing any more."""
        self._pool = pool
        self._jobs = jobs
        self._ahead = ahead
        self._files_per_worker = files_per_worker
        self._done = done
        self._ends = ends
        self._lose = lose
        self.queue: deque[Errand] = deque()
        self.lacking = DeferredJobs()
        self._nap = NAPS[0]

    @property
    def waits(self) -> bool:
        return bool(self.queue or self.lacking.waiting)

    @property
    def most(self) -> int:
        """How many files to have so that no worker waits; more only lie in the queue."""
        return (1 + self._ahead) * self._jobs + len(self.lacking.waiting)

    def give(self) -> None:
        """As much as anybody takes."""
        pool = self._pool
        while self.waits:
            for idle in pool.members:
                if idle.errand is None:
                    break
            else:
                if len(pool.members) >= (1 if pool.loading else self._jobs):
                    self._give_ahead()
                    return
                idle = pool.hire()
            if pool.is_outdated(idle, self.lacking, idle=not self.queue):
                self._ends["lacking"] += 1
                idle = pool.replace(idle)
            if (errand := self.lacking.next_for(idle.has, self.queue)) is None:
                return  # what they wait for is being loaded
            if self._is_open(errand) and not idle.give(errand):
                self._lose(idle)

    def _give_ahead(self) -> None:
        """Let nobody who reads a short text wait for the next file while we hear what it found."""
        given = True
        while given and self.waits:
            given = False
            for member in tuple(self._pool.members):
                if not self._takes_more(member):
                    continue
                given = self.give_behind(member) or given
                if member.gone:
                    self._lose(member)
                    return

    def _takes_more(self, member: Member) -> bool:
        """Nothing lies behind a file that may take long.

        In a scan, where short texts come last, one lies behind what hardly ever takes long.
        """
        ahead, errand = member.ahead, member.errand
        if errand is None:
            return False
        if not errand.easy:
            return self._ahead > 1 and not ahead and not errand.dear
        return len(ahead) < self._ahead and (not ahead or ahead[-1].easy)

    def give_behind(self, member: Member) -> bool:
        """Whether there was a file for it to read after what it has, if it stays so long."""
        leaves = member.served + 1 + len(member.ahead) >= self._files_per_worker
        if leaves or self._pool.is_outdated(member, self.lacking, idle=not self.queue):
            return False
        if (errand := self.lacking.next_for(member.has, self.queue)) is None:
            return False
        if self._is_open(errand) and not member.give(errand):
            self.queue.appendleft(member.take_back_last())
        return True

    def open_next(self) -> None:
        """Whoever answers next gets the next file at once."""
        for errand in islice(self.queue, self._jobs):
            errand.open()

    @property
    def nap(self) -> float:
        """Seconds in which, by what the last one left, nobody will have read all that it has."""
        for member in self._pool.members:
            if len(member.ahead) < RESTFUL:
                return 0.0
        return self._nap

    def wake(self) -> None:
        """After a nap, when all that was said is heard and nothing more was given."""
        left = min((len(member.ahead) for member in self._pool.members), default=0)
        if left <= DRAINED:
            self._nap = max(self._nap / 2, NAPS[0])
        elif left > SATED:
            self._nap = min(self._nap * 1.5, NAPS[1])

    def _is_open(self, errand: Errand) -> bool:
        if (gap := errand.open()) is not None:
            self._done.append(Done(errand.ref, None, gap, 0.0, errand.job))
        return gap is None

    def close(self) -> None:
        for errand in (*self.queue, *self.lacking.drain()):
            errand.close()
        self.queue.clear()
