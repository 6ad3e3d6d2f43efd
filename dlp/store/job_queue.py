"""The queue on disk: nothing is forgotten, nothing is judged twice, nothing is tried for ever.

In: sightings of files.  Out: leased jobs, best first; tries are counted before work starts.
"""

from __future__ import annotations

import hashlib
import itertools
import os
import secrets
import socket
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    RowMapping,
    and_,
    delete,
    func,
    select,
    update,
)

from dlp.errors import StoreError
from dlp.model import FileRef
from dlp.store.database import insert_new, server_name, writing
from dlp.store.schema import jobs

MOST = 100  # one a commit: 300/s; a hundred: 50,000/s
DELAY_SECONDS = 0.05

# The holder of a lease, written so that a dead one on this machine is recognised.


def our_name() -> str:
    """Machine, process, when that process started, and a word that no other holder has."""
    own = os.getpid()
    return f"{socket.gethostname()}:{own}:{started(own)}:{secrets.token_hex(4)}"


def is_dead(holder: str) -> bool:
    """Only a clear yes counts; what runs on another machine ends by its lease."""
    try:
        host, process, since, _ = holder.rsplit(":", 3)
        number = int(process)
    except ValueError:
        return False
    if host != socket.gethostname():
        return False
    # A process has one queue at a time, so an earlier holder in this very process is gone too.
    return number == os.getpid() or started(number) != since


def is_of_this_process(holder: str) -> bool:
    own = os.getpid()
    return holder.startswith(f"{socket.gethostname()}:{own}:{started(own)}:")


def started(process: int) -> str:
    """When a process began, in clock ticks since boot: numbers of processes are used again."""
    try:
        with open(f"/proc/{process}/stat", "rb") as stat:
            # The second field is a name in parentheses and may hold anything.
            return stat.read().rpartition(b")")[2].split()[19].decode()
    except (OSError, IndexError):
        return ""


LEASE_SECONDS = 600.0
MAX_TRIES = 3
DEATHS = frozenset({"crash", "lease"})  # of the process that had the file in hand
REFUSED = "act: "  # before the reason why what the policy wants could not be done
LEAST_WAIT, LONGEST_WAIT = 15.0, 900.0  # seconds until a refused action is tried again
IN_ONE_QUERY = 500  # SQLite bounds the variables of a statement


class Priority(IntEnum):
    NEW = 1  # just saved
    SWEEP = 2  # was there already
    PROVISIONAL = 3  # somebody keeps writing: a look in between, not the last word


@dataclass(frozen=True, slots=True)
class Job:
    id: int
    ref: FileRef = field(repr=False)  # a name can be a patient's
    priority: Priority
    tries: int


class Refusal(NamedTuple):
    """A file whose action was refused, why, since when, and when it is tried again."""

    share: str
    path: bytes
    reason: str
    since: float
    next_try: float


def key_of(ref: FileRef, rules_version: str, server: str) -> str:
    numbers = (ref.device, ref.inode, ref.size_bytes, ref.mtime_ns, ref.ctime_ns)
    place = f"{server}|{ref.share}|".encode() + ref.path
    text = f"{rules_version}|{'|'.join(map(str, numbers))}|".encode() + place
    return hashlib.sha256(text).hexdigest()


class Backlog:
    def __init__(
        self,
        engine: Engine,
        *,
        clock: Callable[[], float] = time.time,
        lease_seconds: float = LEASE_SECONDS,
        max_tries: int = MAX_TRIES,
        server: str = "",
    ) -> None:
        """`server`: whose files these are; daemons of one name share the work."""
        self._engine = engine
        self._clock = clock
        self._lease_seconds = lease_seconds
        self._max_tries = max_tries
        self.server = server_name(engine, server)
        self._ours = jobs.c.server == self.server
        self.holder = our_name()
        self._in_hand: dict[int, bool] = {}  # by id: whether it is a suspect

    def put(self, seen: Iterable[tuple[FileRef, Priority]], rules_version: str) -> int:
        """Queue what is not yet queued or judged, in one commit; say how much was new."""
        now = self._clock()
        rows = {key_of(ref, rules_version, self.server): (ref, p) for ref, p in seen}
        if not rows:
            return 0
        with writing(self._engine) as connection:
            known = self._known(connection, list(rows))
            fresh = {key: pair for key, pair in rows.items() if key not in known}
            for key in rows.keys() & known:
                self._hasten(connection, key, rows[key][1], now)
            # An older version that still waits can no longer be read.
            self._remove(connection, [ref for ref, _ in fresh.values()], "waiting")
            values = [
                {**as_row(key, *fresh[key], rules_version, now), "server": self.server}
                for key in fresh
            ]
            if values:
                connection.execute(insert_new(self._engine, jobs), values)
        return len(fresh)

    def _remove(self, connection: Connection, refs: Sequence[FileRef], *states: str) -> None:
        """Found by path, then filtered by state: with both in one query SQLite scans the state."""
        paths: dict[str, list[bytes]] = {}
        for ref in refs:
            paths.setdefault(ref.share, []).append(ref.path)
        for share, mine in paths.items():
            for start in range(0, len(mine), IN_ONE_QUERY):
                some = jobs.c.path.in_(mine[start : start + IN_ONE_QUERY])
                rows = connection.execute(select(jobs.c.id, jobs.c.state).where(
                    self._ours, jobs.c.share == share, some
                ))  # fmt: skip
                if ids := [row.id for row in rows if row.state in states]:
                    connection.execute(delete(jobs).where(jobs.c.id.in_(ids)))

    @staticmethod
    def _known(connection: Connection, keys: Sequence[str]) -> set[str]:
        found: set[str] = set()
        for start in range(0, len(keys), IN_ONE_QUERY):
            some = keys[start : start + IN_ONE_QUERY]
            found.update(connection.scalars(select(jobs.c.key).where(jobs.c.key.in_(some))))
        return found

    @staticmethod
    def _hasten(connection: Connection, key: str, priority: Priority, now: float) -> None:
        """The sweep saw it first; now its owner has just saved it."""
        later = and_(jobs.c.key == key, jobs.c.state == "waiting", jobs.c.priority > priority)
        better = {"priority": int(priority), "rank": rank(priority, now)}
        connection.execute(update(jobs).where(later).values(better))

    def lease(self, most: int = 1) -> list[Job]:
        """Take the best jobs; the try is on disk before the caller sees them.

        A suspect is taken when nothing else is in hand, and nothing beside it: if this process
        dies once more, that file and no innocent one is set aside.
        """
        now = self._clock()
        if any(self._in_hand.values()):
            return []
        with writing(self._engine) as connection:
            self._expire(connection, now)
            ready = and_(self._ours, jobs.c.state == "waiting", jobs.c.not_before <= now)
            best = select(jobs).where(ready).order_by(jobs.c.priority, jobs.c.rank).limit(most)
            rows = connection.execute(best.with_for_update(skip_locked=True)).mappings().all()
            calm = list(itertools.takewhile(lambda row: not self._is_suspect(row), rows))
            rows = calm if calm or self._in_hand else rows[:1]
            if rows:
                taken = jobs.c.id.in_([row["id"] for row in rows])
                until = now + self._lease_seconds
                leased = {"state": "leased", "holder": self.holder, "lease_until": until}
                connection.execute(
                    update(jobs).where(taken).values(**leased, tries=jobs.c.tries + 1)
                )
        self._in_hand |= {row["id"]: self._is_suspect(row) for row in rows}
        return [as_job(row) for row in rows]

    def _is_suspect(self, row: RowMapping) -> bool:
        """Whether the process that had it in hand has died so often that once more is enough."""
        return row["tries"] >= self._max_tries - 1 and row["trouble"] in DEATHS

    def _let_go(self, ids: Iterable[int]) -> None:
        for number in ids:
            self._in_hand.pop(number, None)

    def _expire(self, connection: Connection, now: float) -> None:
        # Our own leases end by our own word only: a clock that jumps a day frees none of them.
        lapsed = and_(jobs.c.lease_until < now, jobs.c.holder != self.holder)
        self._give_back(connection, lapsed, "lease")

    def _give_back(self, connection: Connection, which: ColumnElement[bool], trouble: str) -> int:
        worn = and_(jobs.c.state == "leased", which, jobs.c.tries >= self._max_tries)
        connection.execute(update(jobs).where(worn).values(state="aside", trouble=trouble))
        back = update(jobs).where(jobs.c.state == "leased", which)
        values = {"state": "waiting", "holder": "", "trouble": trouble}
        return connection.execute(back.values(**values)).rowcount

    def recover(self, *, crashed: bool = True) -> int:
        """At start: jobs leased by dead processes of this host wait again, or are set aside.

        What was refused may be possible now, and is tried at once.
        """
        with writing(self._engine) as connection:
            held = select(jobs.c.holder).distinct().where(jobs.c.holder != "")
            holders = connection.scalars(held)
            dead = [one for one in holders if one != self.holder and is_dead(one)]
            if not crashed:  # an outage: no file of ours ended a process
                ours = jobs.c.holder.in_([one for one in dead if is_of_this_process(one)])
                given = update(jobs).where(jobs.c.state == "leased", ours)
                connection.execute(given.values(tries=jobs.c.tries - 1))
            refused = and_(self._ours, jobs.c.trouble.startswith(REFUSED))
            connection.execute(update(jobs).where(refused).values(not_before=0.0))
            return self._give_back(connection, jobs.c.holder.in_(dead), "crash")

    def done(self, ids: Sequence[int]) -> None:
        """Judged. Rows of older versions of the same path have served their time.

        The older one may be judged last: a daemon that was killed holds it up.
        """
        self._let_go(ids)
        with writing(self._engine) as connection:
            ours = and_(jobs.c.id.in_(ids), jobs.c.holder == self.holder)
            connection.execute(update(jobs).where(ours).values(state="done", holder="", trouble=""))
            for row in connection.execute(
                select(jobs.c.id, jobs.c.share, jobs.c.path).where(jobs.c.id.in_(ids))
            ).all():
                same = and_(self._ours, jobs.c.share == row.share, jobs.c.path == row.path)
                finished = and_(same, jobs.c.state.in_(["done", "aside"]))
                newest = connection.scalar(select(func.max(jobs.c.id)).where(finished)) or 0
                connection.execute(delete(jobs).where(finished, jobs.c.id < newest))

    def fail(self, job: Job, trouble: str, *, retry_seconds: float = 5.0) -> bool:
        """Wait and try again, or set aside after the last try; says whether it is set aside."""
        worn = job.tries >= self._max_tries
        state = "aside" if worn else "waiting"
        wait = self._clock() + retry_seconds * 2 ** (job.tries - 1)
        self._change([job.id], state=state, holder="", trouble=trouble, not_before=wait)
        return worn

    def postpone(self, job: Job, seconds: float) -> None:
        """Not a failure: the file is still being written."""
        until = self._clock() + seconds
        tries = jobs.c.tries - 1
        self._change([job.id], state="waiting", holder="", not_before=until, tries=tries)

    def refused(self, job: Job, reason: str) -> None:
        """The policy's action was refused: judge and try again, less and less often."""
        now = self._clock()
        self._let_go([job.id])
        with writing(self._engine) as connection:
            queued = select(jobs.c.queued_at).where(jobs.c.id == job.id)
            since = connection.execute(queued).scalar() or now
            # As long again as it has waited: the times between two tries double.
            wait = min(max(now - since, LEAST_WAIT), LONGEST_WAIT)
            values = {"trouble": REFUSED + reason, "not_before": now + wait}
            ours = and_(jobs.c.id == job.id, jobs.c.holder == self.holder)
            connection.execute(
                update(jobs)
                .where(ours)
                .values(state="waiting", holder="", tries=jobs.c.tries - 1, **values)
            )

    def refusals(self) -> list[Refusal]:
        """Files that the policy wants taken and that are still where they were."""
        query = select(jobs).where(
            self._ours, jobs.c.state != "done", jobs.c.trouble.startswith(REFUSED)
        )
        with self._engine.connect() as connection:
            return [
                Refusal(
                    row["share"],
                    row["path"],
                    row["trouble"].removeprefix(REFUSED),
                    row["queued_at"],
                    row["not_before"],
                )
                for row in connection.execute(query.order_by(jobs.c.queued_at)).mappings()
            ]

    def _change(self, ids: Sequence[int], **values: Any) -> None:
        self._let_go(ids)
        with writing(self._engine) as connection:
            ours = and_(jobs.c.id.in_(ids), jobs.c.holder == self.holder)
            connection.execute(update(jobs).where(ours).values(**values))

    def drop(self, job: Job) -> None:
        """The file is gone, or is another file now that has a job of its own."""
        self._let_go([job.id])
        with writing(self._engine) as connection:
            connection.execute(delete(jobs).where(jobs.c.id == job.id))

    def forget(self, share: str, paths: Sequence[bytes]) -> None:
        """Let what was judged or set aside be queued again in the same state."""
        with writing(self._engine) as connection:
            self._remove(connection, [FileRef(share, path) for path in paths], "done", "aside")

    def counts(self) -> dict[str, int]:
        with self._engine.connect() as connection:
            query = select(jobs.c.state, func.count()).where(self._ours)
            rows = connection.execute(query.group_by(jobs.c.state))
            return {row[0]: row[1] for row in rows}


def rank(priority: Priority, now: float) -> int:
    """Saves: newest first, someone waits for it. The sweep: oldest first."""
    milliseconds = int(now * 1000)
    return milliseconds if priority >= Priority.SWEEP else -milliseconds


def as_row(
    key: str, ref: FileRef, priority: Priority, rules_version: str, now: float
) -> dict[str, Any]:
    return {
        "key": key,
        "share": ref.share,
        "path": ref.path,
        "device": str(ref.device),
        "inode": str(ref.inode),
        "size_bytes": ref.size_bytes,
        "mtime_ns": ref.mtime_ns,
        "ctime_ns": ref.ctime_ns,
        "rules_version": rules_version,
        "priority": int(priority),
        "rank": rank(priority, now),
        "state": "waiting",
        "queued_at": now,
    }


def as_job(row: RowMapping) -> Job:
    numbers = {name: row[name] for name in ("size_bytes", "mtime_ns", "ctime_ns")}
    ref = FileRef(row["share"], row["path"], int(row["device"]), int(row["inode"]), **numbers)
    return Job(row["id"], ref, Priority(row["priority"]), row["tries"] + 1)


class Intake:
    """Not safe between threads; the loop that owns it calls `tick` at least every 50 ms."""

    def __init__(
        self,
        backlog: Backlog,
        rules_version: str,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._backlog = backlog
        self.rules_version = rules_version
        self._clock = clock
        self._waiting: list[tuple[FileRef, Priority]] = []
        self._since = 0.0
        self.commits = 0  # so that the owner sees what `add` committed by itself

    def add(self, ref: FileRef, priority: Priority) -> None:
        if not self._waiting:
            self._since = self._clock()
        self._waiting.append((ref, priority))
        if len(self._waiting) % MOST == 0:
            self.flush()

    def tick(self) -> None:
        if self._waiting and self._clock() - self._since >= DELAY_SECONDS:
            self.flush()

    def flush(self) -> int:
        """Commit; on trouble keep what waits and raise.

        The daemon then opens everything anew, and a sweep finds what was dropped.
        """
        waiting, self._waiting = self._waiting, []
        try:
            queued = self._backlog.put(waiting, self.rules_version)
        except StoreError:
            self._waiting = waiting
            raise
        self.commits += 1
        return queued

    def __len__(self) -> int:
        return len(self._waiting)
