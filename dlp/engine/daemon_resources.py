"""Everything the daemon has open for one reading of its settings, opened and closed together.

In: Settings, running workers.  Out: monitor, queue, acting and gauges that take turns.
"""

from __future__ import annotations

import hashlib
import logging
import os
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Self

from sqlalchemy import Engine, false, or_, select

from dlp.acquire.judged_state import Known
from dlp.acquire.process_priority import within
from dlp.acquire.walk import identity_of
from dlp.acquire.write_settling import Settling
from dlp.assembly import Analysis
from dlp.config import Policy, Settings
from dlp.engine.exposures import Exposures, Ranking
from dlp.engine.gauges import Gauges
from dlp.engine.local_engine import LocalEngine, open_engine
from dlp.engine.queue_processor import QueueProcessor
from dlp.engine.sanitise_workers import Cleansing
from dlp.engine.share_monitor import Pace, ShareMonitor, WatchedShare
from dlp.engine.verdict_actions import Acting, wishes_of
from dlp.engine.verdict_version import Versions, verdict_version
from dlp.keys import fingerprint_key, state_folder
from dlp.store.catalogue import Catalogue
from dlp.store.catalogue_probe import default_path
from dlp.store.database import OUTAGE, server_name
from dlp.store.job_queue import Backlog
from dlp.store.migrations import open_database
from dlp.store.schema import files
from dlp.telemetry.metrics import Exporter

# Look again at what was found before, when a share's policy has begun to ask for something else.
#
# Enforcing after observing is meant for the files that were observed. Only what the new
# policy may ask something about is read again.


def look_again(
    settings: Settings, known: Known, backlog: Backlog, database: Engine, roots: Mapping[str, bytes]
) -> None:
    """What is known and the new policy are kept in one step: a crash before it repeats all."""
    server = server_name(database, settings.store.server)
    for share in settings.share:
        policy = share.policy or settings.policy
        if not known.policy_changed(share.name, digest_of(policy)):
            continue
        top = roots[share.name].rstrip(b"/") + b"/"
        paths = list(found_beneath(database, server, top, policy))
        backlog.forget(share.name, paths)
        for path in paths:
            known.doubt(share.name, path.removeprefix(top))
    known.commit()


def digest_of(policy: Policy) -> str:
    return hashlib.sha256(policy.model_dump_json().encode()).hexdigest()


def asked_about(policy: Policy) -> list[str]:
    """The containers about which the policy wants more than to know."""
    each = ((name, getattr(policy, name)) for name in ("phi", "probable", "possible"))
    return [
        name
        for name, answer in each
        if {*(answer.values() if isinstance(answer, dict) else [answer])} - {"observe"}
    ]


def found_beneath(database: Engine, server: str, top: bytes, policy: Policy) -> Iterator[bytes]:
    after = top[:-1] + bytes([top[-1] + 1])  # the first name that no longer begins so
    query = select(files.c.path).where(
        files.c.server == server,
        files.c.path >= top,
        files.c.path < after,
        or_(
            files.c.container.in_(asked_about(policy)),
            (files.c.gaps != "") if policy.gaps != "observe" else false(),
        ),
    )
    with database.connect() as connection:
        yield from (os.fsencode(path) for (path,) in connection.execute(query))


# A child process beside the daemon: the one that sends notifications, or the console.
#
# A process of its own with a fresh start: it inherits no descriptor and no thread, and whatever
# kills it leaves the daemon alone.

log = logging.getLogger(__name__)

FIRST_WAIT, LONGEST_WAIT = 1.0, 60.0
STOP_SECONDS = 10.0


class Companion:
    def __init__(self, name: str, command: Sequence[str]) -> None:
        """An empty command: not wanted here."""
        self._name = name
        self._command = list(command)
        self._child: subprocess.Popen[bytes] | None = None
        self._next_start = 0.0
        self._wait = FIRST_WAIT

    def turn(self, now: float) -> None:
        """Start it, or start it again; one that fails at once is left alone for a while."""
        if not self._command:
            return
        if self._child is not None and self._child.poll() is None:
            if now >= self._next_start:
                self._wait = FIRST_WAIT
            return
        if self._child is not None:
            log.warning("the %s ended with status %d", self._name, self._child.returncode)
            self._hang_up()
        if now >= self._next_start:
            self._next_start = now + self._wait
            self._wait = min(2 * self._wait, LONGEST_WAIT)
            # Its standard input ends when we do, however we end.
            self._child = subprocess.Popen(self._command, stdin=subprocess.PIPE)  # noqa: S603 - ours

    def close(self) -> None:
        if self._child is None:
            return
        self._child.terminate()
        try:
            self._child.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._child.kill()
            self._child.wait()
        self._hang_up()

    def _hang_up(self) -> None:
        assert self._child is not None
        assert self._child.stdin is not None
        self._child.stdin.close()
        self._child = None


@dataclass(frozen=True, slots=True)
class Workers:
    """The processes that read files, and the rules they were started with."""

    engine: LocalEngine
    cleansing: Cleansing | None  # where some policy sanitises files
    version: str  # as verdicts name it
    versions: Versions

    @classmethod
    def start(cls, settings: Settings) -> Self:
        """Fork them: before any thread, database or key is open."""
        analysis = Analysis(settings)
        engine = open_engine(analysis, settings, jobs=settings.jobs)
        versions = Versions(settings, full=False, key=fingerprint_key(settings.keys.fingerprint))
        # Before the workers load them: rules edited in between cost a second judgement, no file.
        version, _ = verdict_version(settings), versions.present
        with ExitStack() as trouble:
            trouble.callback(engine.close)
            engine.start()
            sanitises = any("sanitise" in wished for wished in wishes_of(settings))
            cleansing = Cleansing(settings) if sanitises else None
            if cleansing is not None:
                cleansing.start()
            trouble.pop_all()
        return cls(engine, cleansing, version, versions)

    def close(self) -> None:
        self.engine.close()
        if self.cleansing is not None:
            self.cleansing.close()


class Parts:
    def __init__(
        self,
        settings: Settings,
        workers: Workers,
        beside: Mapping[str, Sequence[str]],
        *,
        crashed: bool = True,
    ) -> None:
        """All of them, or none: what fails half-way closes what was opened before.

        `crashed`: whether what an earlier holder had in hand may have ended it.
        """
        self._crashed = crashed
        self.settings = settings
        self.workers = workers
        self.closed = False
        with ExitStack() as opened:
            self._open(opened)
            self.companions = self._company(beside)
            for companion in self.companions:
                opened.callback(companion.close)
            self._opened = opened.pop_all()

    def _open(self, opened: ExitStack) -> None:
        settings = self.settings
        database = settings.store.database or str(default_path())
        known = state_folder() / "known.db"
        if "://" not in database and not Path(database).exists():
            known.unlink(missing_ok=True)  # verdicts lost: judge all again
        self.known = Known(known)
        opened.callback(self.known.close)
        self.database = open_database(database)
        opened.callback(self.database.dispose)
        backlog = Backlog(self.database, server=settings.store.server)
        backlog.recover(crashed=self._crashed)
        roots = {share.name: root_of(share.path) for share in settings.share}
        look_again(settings, self.known, backlog, self.database, roots)
        self.gauges = Gauges(settings, roots, self.workers.version)
        self.acting = Acting(settings, roots, self.workers.cleansing)
        opened.callback(self.acting.close)
        catalogue = Catalogue(self.database, server=settings.store.server)
        self.queue = QueueProcessor(
            roots, self.known, catalogue, backlog,
            versions=self.workers.versions, act=self.gauges.timed(self.acting),
            observer=self.gauges.metrics,
            ranking=Ranking(
                Exposures(settings, roots.values()), self.database, settings.store.server
            ),
        )  # fmt: skip
        self.queue.report_set_aside(self.database)
        self.monitor = self._monitor_shares(roots)
        opened.callback(self.monitor.close)
        self.queue.again = lambda share, relative: self.monitor.settling.hint(
            (share, relative), time.monotonic(), closed=False
        )
        opened.callback(self.gauges.close)
        self.gauges.attach(
            monitor=self.monitor,
            engine=self.workers.engine,
            database=self.database,
            known=self.known,
            acting=self.acting,
        )
        self._export(opened)

    def _monitor_shares(self, roots: dict[str, bytes]) -> ShareMonitor:
        acquire = self.settings.acquire
        fixed = [*acquire.exclude, str(state_folder()), self.settings.quarantine.vault]

        def own() -> list[tuple[int, int]]:
            folders = [*fixed, *map(os.fsdecode, self.acting.own_folders)]
            return [found for path in folders if path and (found := identity_of(path))]

        pace = Pace(
            acquire.poll_seconds,
            acquire.sweep_seconds,
            lambda: within(acquire.sweep_hours, datetime.now().astimezone()),
            not acquire.one_filesystem,
        )
        return ShareMonitor(
            [WatchedShare(name, root) for name, root in roots.items()],
            self.known,
            self.queue,
            Settling(
                grace_seconds=acquire.grace_seconds, provisional_seconds=acquire.provisional_seconds
            ),
            pace,
            versions=self.workers.versions.present,
            exclude=own,
        )

    def _export(self, opened: ExitStack) -> None:
        telemetry = self.settings.telemetry
        if not telemetry.port:
            return
        exporter = Exporter(
            self.gauges.metrics.registry,
            healthy=self.gauges.healthy,
            ready=self.gauges.ready,
            address=telemetry.address,
            port=telemetry.port,
        )
        opened.callback(exporter.close)

    def _company(self, beside: Mapping[str, Sequence[str]]) -> list[Companion]:
        """The child processes that these settings start."""
        notify = self.settings.notify
        wanted = {
            "sender": bool(notify.channel) and not notify.apart,
            "console": self.settings.console.beside,
        }
        return [Companion(name, beside.get(name, ())) for name, want in wanted.items() if want]

    def turn(self, now: float) -> None:
        self.monitor.turn(now, hurry=bool(self.queue.in_hand))
        self.queue.turn(self.workers.engine, now)
        self.acting.turn(now)
        self.gauges.turn(now)
        for companion in self.companions:
            companion.turn(now)

    @property
    def idle(self) -> bool:
        return self.monitor.idle() and self.queue.idle and self.acting.idle

    def take(self, settings: Settings, workers: Workers) -> None:
        """Go on with other rules, everything else as it was."""
        self.acting.finish()
        self.queue.hand_back()
        self.workers.close()
        self.settings, self.workers = settings, workers
        self.queue.take(workers.versions)
        self.monitor.versions = workers.versions.present
        self.acting.cleansing = workers.cleansing
        self.monitor.sweep_all()
        self.gauges.reloaded(done=True, engine=workers.engine)

    def close(self) -> None:
        """Put back what is unfinished, keep what is known; the workers are the caller's."""
        self.acting.finish()
        self.queue.hand_back()
        if self.workers.cleansing is not None:
            self.workers.cleansing.forget()
        self.queue.intake.flush()
        self.queue.flush()
        self.closed = True
        self._opened.close()

    def abandon(self) -> None:
        """The database does not answer: close what there is, and write nothing."""
        if self.workers.cleansing is not None:
            self.workers.cleansing.forget()
        self.closed = True
        with suppress(*OUTAGE):
            self._opened.close()


def root_of(path: str) -> bytes:
    return os.fsencode(path).rstrip(b"/") or b"/"
