"""Gauges of the daemon, counted from its parts and the catalogue at intervals.

In: the running parts of the daemon.  Out: gauges, and the answers to healthz and readyz.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    Integer,
    and_,
    case,
    cast,
    func,
    or_,
    select,
)
from sqlalchemy.exc import SQLAlchemyError

import dlp
from dlp.acquire.judged_state import Known
from dlp.acquire.share_definitions import read_accounts
from dlp.acquire.watcher import watch_limit
from dlp.config import Settings
from dlp.engine.local_engine import LocalEngine
from dlp.engine.queue_processor import Act
from dlp.engine.share_monitor import ShareMonitor
from dlp.engine.verdict_actions import Acting
from dlp.errors import DlpError
from dlp.intent import OPEN, State
from dlp.keys import kept_key, state_folder
from dlp.knowledge.roster_files import roster_folder, rosters_in_force
from dlp.measure.risk_levels import BOUNDS, PAPER, level_of
from dlp.model import LEVELS, FileRef
from dlp.resources import artefacts_folder, rules_folder
from dlp.store.database import server_name
from dlp.store.exposed_files import exposed_counts
from dlp.store.job_queue import REFUSED
from dlp.store.ledger import LOOKED, open_ledger
from dlp.store.schema import deliveries, files, intents, jobs, ledger, outbox, persons
from dlp.telemetry.metrics import DEGRADED, KEPT, LEDGER, RISK_LEVELS, STATES, VIEWS, Metrics

LOOK_SECONDS = 1.0
STALE_SECONDS = 120.0  # a loop that has not come round for so long hangs

log = logging.getLogger(__name__)

STOCK_SECONDS = 2.0
LEDGER_SECONDS = 60.0
REST = 50.0  # times as long as the work took
DOUBT_SECONDS = 1.0  # a record may be committed and not yet witnessed
CONTAINERS = ("impossible", "possible", "probable", "phi")


class Gauges:
    def __init__(self, settings: Settings, roots: dict[str, bytes], version: str) -> None:
        self._settings = settings
        self._roots = roots
        self.metrics = Metrics(
            roots,
            version=dlp.__version__,
            rules=version,
            level_of=partial(level_of, profile=settings.measure.profile),
        )
        self._turned = time.monotonic()
        self._next_look = 0.0
        self._overflows = 0
        self._ends: Counter[str] = Counter()
        self._differ = 0  # second readings that differed, as counted by the engine
        self._stocktaker: Stocktaker | None = None
        self._placed = False
        self._reasons: list[str] = []
        self._rules_read()

    def attach(
        self,
        *,
        monitor: ShareMonitor,
        engine: LocalEngine,
        database: Engine,
        known: Known,
        acting: Acting,
    ) -> None:
        self._monitor = monitor
        self._engine = engine
        self._known = known
        self._acting = acting
        self.metrics.watch_limit.set(watch_limit())
        self._stocktaker = Stocktaker(self._settings, self._roots, database, self.metrics)
        self._stocktaker.start()

    def close(self) -> None:
        if self._stocktaker is not None:
            self._stocktaker.close()

    def timed(self, act: Act) -> Act:
        """The same action, with the time it takes on record."""

        def timed(ref: FileRef, record: Any, then: Callable[[str, str], None]) -> None:
            started = time.perf_counter()

            def acted(action: str, again: str) -> None:
                self.metrics.stages.labels("act").observe(time.perf_counter() - started)
                then(action, again)

            act(ref, record, acted)

        return timed

    def turn(self, now: float) -> None:
        self._turned = now
        if now >= self._next_look:
            self._next_look = now + LOOK_SECONDS
            self._look()

    def healthy(self) -> tuple[bool, str]:
        alive = time.monotonic() - self._turned < STALE_SECONDS
        return alive, "alive" if alive else "the loop hangs"

    def ready(self) -> tuple[bool, str]:
        if not self._placed:
            return False, "starting: watches are being set"
        return True, f"degraded: {', '.join(self._reasons)}" if self._reasons else "ready"

    def reloaded(self, *, done: bool, engine: LocalEngine | None = None) -> None:
        self.metrics.reloads.labels("done" if done else "refused").inc()
        if engine is not None:
            self._engine, self._ends, self._differ = engine, Counter(), 0
            self._rules_read()

    def _rules_read(self) -> None:
        self.metrics.rules_changed.set(newest(rules_folder()))
        self.metrics.knowledge_changed.set(newest(artefacts_folder()))
        rosters = rosters_in_force(roster_folder(self._settings.detect.rosters))
        self.metrics.roster_made.set(min((one.made_at for one in rosters), default=0.0))

    def _look(self) -> None:
        metrics, monitor = self.metrics, self._monitor
        watches = monitor.watcher.watches
        for name, watched in monitor.shares.items():
            metrics.watches.labels(name).set(watches.get(name, 0))
            metrics.available.labels(name).set(watched.available)
            metrics.swept.labels(name).set(self._known.swept_at(name))
        metrics.blind.set(monitor.blind)
        metrics.settling.set(len(monitor.settling))
        metrics.overflows.inc(monitor.watcher.overflows - self._overflows)
        self._overflows = monitor.watcher.overflows
        for reason, count in (self._engine.ends - self._ends).items():
            metrics.ends.labels(reason).inc(count)
        self._ends = Counter(self._engine.ends)
        self._count_readings()
        self._placed = self._placed or monitor.placed
        metrics.ready.set(self._placed)
        self._judge_state()

    def _count_readings(self) -> None:
        differ = self._engine.readings["different"]
        if differ > self._differ:
            log.error("two workers judged %d files differently", differ - self._differ)
            self.metrics.differ.inc(differ - self._differ)
        self._differ = differ

    def _judge_state(self) -> None:
        states = {
            "watch_limit": bool(self._monitor.blind),
            "sandbox": bool(self._engine.degraded),
            "breaker": self._acting.stopped,
            "share": not all(watched.available for watched in self._monitor.shares.values()),
        }
        for reason in DEGRADED:
            self.metrics.degraded.labels(reason).set(states[reason])
        self._reasons = [reason for reason, true in states.items() if true]


def newest(folder: Path) -> float:
    """When anything beneath was last changed."""
    return max((path.stat().st_mtime for path in folder.rglob("*") if path.is_file()), default=0.0)


class Stocktaker:
    """Runs until closed; a database that does not answer leaves the last numbers standing."""

    def __init__(
        self,
        settings: Settings,
        roots: Mapping[str, bytes],
        database: Engine,
        metrics: Metrics,
        *,
        seconds: float = STOCK_SECONDS,
    ) -> None:
        self._settings = settings
        self._roots = roots
        self._database = database
        self._metrics = metrics
        self._server = server_name(database, settings.store.server)
        self._undecided_since = 0.0
        self._closing = threading.Event()
        self._turns: dict[Callable[[], None], tuple[float, float]] = {
            self.count_queue: (seconds, 0.0),
            self.count_files: (seconds, 0.0),
            self.count_exposure: (seconds, 0.0),
            self.check_ledger: (LEDGER_SECONDS, 0.0),
        }
        self._thread = threading.Thread(target=self._run, name="stocktaker", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        self._closing.set()
        if self._thread.is_alive():
            self._thread.join(5.0)

    def _run(self) -> None:
        while not self._closing.is_set():
            for job, (least, due) in self._turns.items():
                if time.monotonic() >= due and not self._closing.is_set():
                    self._turns[job] = (least, self._timed(job, least))
            pause = min(due for _, due in self._turns.values()) - time.monotonic()
            self._closing.wait(max(0.05, pause))

    def _timed(self, job: Callable[[], None], least: float) -> float:
        """Do it; the answer is when to do it again."""
        started = time.thread_time()  # CPU time: on a busy machine the wall clock would say more
        try:
            job()
        except (SQLAlchemyError, DlpError, OSError) as error:
            if not self._closing.is_set():
                log.warning("stock not taken: %s", type(error).__name__)
        return time.monotonic() + max(least, REST * (time.thread_time() - started))

    def count_queue(self) -> None:
        metrics = self._metrics
        line = line_of(self._database, STATES, self._server)
        for state, count in line.states.items():
            metrics.queue.labels(state).set(count)
        metrics.oldest.set(line.oldest)
        # Without a channel nothing waits.
        channels = [channel.name for channel in self._settings.notify.channel]
        hold = hold_of(self._database, channels)
        for share in self._roots:
            for word in KEPT:
                metrics.kept.labels(share, word).set(hold.kept.get((share, word), 0))
        metrics.kept_bytes.set(hold.kept_bytes)
        since = [each for each in (hold.review_oldest, self._undecided_since) if each]
        metrics.review_oldest.set(min(since, default=0.0))
        metrics.outbox.set(hold.messages)
        metrics.outbox_oldest.set(hold.message_oldest)
        metrics.ledger_records.set(hold.records)
        metrics.searches.set(hold.searches)
        metrics.vault_free.set(free_bytes(self._settings.quarantine.vault))

    def count_files(self) -> None:
        metrics = self._metrics
        profile = self._settings.measure.profile
        undecided, since = 0, []
        for share, root in self._roots.items():
            counts = share_counts(self._database, root, profile, self._server)
            for container in CONTAINERS:
                metrics.stock.labels(share, container).set(counts.containers.get(container, 0))
            for level in RISK_LEVELS:
                metrics.risk.labels(share, level).set(counts.levels.get(level, 0))
            metrics.persons.labels(share).set(counts.persons)
            undecided += counts.undecided
            since += [counts.undecided_since] if counts.undecided else []
        self._undecided_since = min(since, default=0.0)
        metrics.review.set(undecided)
        metrics.stock_taken.set(time.time())

    def count_exposure(self) -> None:
        metrics, days = self._metrics, self._settings.exposure.stale_days
        here = and_(files.c.server == self._server, or_(*map(beneath, self._roots.values())))
        accounts = read_accounts().users.values()
        counts = exposed_counts(self._database, accounts, time.time(), days, here)
        shown = {**counts.files, "stale": counts.stale, "orphaned": counts.orphaned}
        for view in VIEWS:
            metrics.phi.labels(view).set(shown[view])
        metrics.phi_risk.set(counts.risk)

    def check_ledger(self) -> None:
        state = self._ledger_state()
        if state == "broken":
            self._closing.wait(DOUBT_SECONDS)
            state = self._ledger_state()
        for each in LEDGER:
            self._metrics.ledger.labels(each).set(each == state)
        self._metrics.ledger_checked.set(time.time())

    def _ledger_state(self) -> str:
        key = kept_key("ledger", self._settings.ledger.key)
        if key is None:
            return "unchecked" if hold_of(self._database).records else "whole"
        ledger = open_ledger(self._settings, self._database, key)
        return "broken" if ledger.verify() else "whole"


def free_bytes(vault: str) -> int:
    """Where the vault lies, or will lie."""
    folder = vault or str(state_folder())
    while not os.path.isdir(folder) and len(folder) > 1:
        folder = os.path.dirname(folder)
    room = os.statvfs(folder)
    return room.f_bavail * room.f_frsize


@dataclass(frozen=True, slots=True)
class ShareCounts:
    """What the catalogue holds of one share."""

    containers: Mapping[str, int]
    levels: Mapping[str, int]
    persons: int
    undecided: int  # PHI that nobody has decided about
    undecided_since: float


@dataclass(frozen=True, slots=True)
class Hold:
    """What the journal, the outbox and the ledger hold."""

    kept: Mapping[tuple[str, str], int]  # share and moving, blocked, refused or kept
    kept_bytes: int
    review_oldest: float
    messages: int
    message_oldest: float
    records: int
    searches: int  # for persons


@dataclass(frozen=True, slots=True)
class Line:
    """The queue: how much of it there is, and since when the first has waited."""

    states: Mapping[str, int]
    oldest: float


def share_counts(engine: Engine, root: bytes, profile: str, server: str = "") -> ShareCounts:
    level = level_number(profile).label("level")
    here = and_(files.c.server == server, beneath(root))
    query = (
        select(
            files.c.container,
            level,
            files.c.review,
            func.count(),
            func.min(files.c.judged_at),
        )
        .where(here)
        .group_by(files.c.container, level, files.c.review)
    )
    containers: Counter[str] = Counter()
    levels: Counter[str] = Counter()
    undecided, since = 0, []
    with engine.connect() as connection:
        for container, number, review, count, earliest in connection.execute(query):
            containers[container] += count
            levels[LEVELS[number]] += count
            if (container, review) == ("phi", "open"):
                undecided += count
                since.append(earliest)
        people = exposed(connection, here)
    return ShareCounts(containers, levels, people, undecided, min(since, default=0.0))


def exposed(connection: Connection, here: ColumnElement[bool]) -> int:
    """Different persons in files that are PHI, without those declared harmless."""
    somebody = func.coalesce(func.nullif(persons.c.identity, ""), persons.c.person)
    query = (
        select(func.count(somebody.distinct()))
        .join(files, persons.c.file == files.c.id)
        .where(here, files.c.container == "phi", persons.c.suppressed_until <= time.time())
    )
    return int(connection.execute(query).scalar() or 0)


def level_number(profile: str) -> ColumnElement[int]:
    """`measure.risk_levels.level_of`, said in SQL: no row per file leaves the database."""
    if profile == "geng2011":
        return case((files.c.privacy > PAPER, LEVELS.index("high")), else_=0)
    steps = [cast(files.c.risk > bound, Integer) for bound in BOUNDS]
    return sum(steps[1:], start=steps[0])


def line_of(engine: Engine, states: Collection[str], server: str = "") -> Line:
    """By state, each from its index: the rows of judged files outnumber the rest."""
    ours = jobs.c.server == server
    number = select(func.count()).select_from(jobs)
    with engine.connect() as connection:
        counts = {
            state: connection.execute(number.where(ours, jobs.c.state == state)).scalar_one()
            for state in states
        }
        judged = jobs.c.trouble.startswith(REFUSED)  # it waits to be acted on, not to be read
        oldest = select(func.min(jobs.c.queued_at)).where(ours, jobs.c.state == "waiting", ~judged)
        return Line(counts, connection.execute(oldest).scalar() or 0.0)


def hold_of(engine: Engine, channels: Collection[str] = ()) -> Hold:
    with engine.connect() as connection:
        kept, kept_bytes, review = quarantined(connection)
        messages, message_oldest = unsent(connection, channels) if channels else (0, 0.0)
        kept = {**kept, **refused(connection)}
        records = connection.execute(select(func.max(ledger.c.number))).scalar() or 0
        looked = select(func.count()).where(ledger.c.what.startswith(LOOKED))
        searches = connection.execute(looked).scalar() or 0
    return Hold(kept, kept_bytes, review, messages, message_oldest, records, searches)


def refused(connection: Connection) -> Mapping[tuple[str, str], int]:
    """Files that are still where they were although the policy wants them taken."""
    query = select(jobs.c.share, func.count()).where(
        jobs.c.state.in_(["waiting", "leased"]), jobs.c.trouble.startswith(REFUSED)
    )
    rows = connection.execute(query.group_by(jobs.c.share))
    return {(share, "refused"): count for share, count in rows}


def unsent(connection: Connection, channels: Collection[str]) -> tuple[int, float]:
    """Events that no channel was offered yet, and those on their way; since when the first."""
    offered = select(func.count(), func.min(outbox.c.at)).where(outbox.c.sent_at.is_(None))
    under_way = select(func.count(), func.min(deliveries.c.at)).where(
        deliveries.c.channel.in_(channels), deliveries.c.sent_at.is_(None)
    )
    rows = [connection.execute(query).one() for query in (offered, under_way)]
    return sum(row[0] for row in rows), min((row[1] for row in rows if row[0]), default=0.0)


def quarantined(connection: Connection) -> tuple[Mapping[tuple[str, str], int], int, float]:
    """Files under way or kept; what was restored, purged or came to nothing is history."""
    present = [*(state.value for state in OPEN), State.DONE.value]
    done = intents.c.state == State.DONE.value
    word = case(
        (and_(done, intents.c.action == "quarantine"), "kept"),
        (done, "original"),  # of a file sanitised in place: nobody has to decide
        (intents.c.trouble != "", "blocked"),
        else_="moving",
    ).label("word")
    query = (
        select(
            intents.c.share,
            word,
            func.count(),
            func.sum(intents.c.size_bytes),
            func.min(intents.c.created_at),
        )
        .where(intents.c.state.in_(present))
        .group_by(intents.c.share, word)
    )
    rows = connection.execute(query).all()
    counts = {(share, word): count for share, word, count, _, _ in rows}
    size = sum(int(each) for _, word, _, each, _ in rows if word in {"kept", "original"})
    oldest = min((since for _, word, _, _, since in rows if word == "kept"), default=0.0)
    return counts, size, oldest


def beneath(root: bytes) -> ColumnElement[bool]:
    # "0" follows "/" in the order of bytes.
    folder = root.rstrip(b"/")
    return and_(files.c.path >= folder + b"/", files.c.path < folder + b"0")
