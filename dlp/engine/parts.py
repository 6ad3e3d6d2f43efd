"""Everything the daemon has open for one reading of its settings, opened and closed together.

In: Settings, running workers.  Out: lookout, desk, acting and gauges that take turns.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Self

from dlp.acquire.known import Known
from dlp.acquire.settle import Settling
from dlp.acquire.throttle import within
from dlp.acquire.walk import identity_of
from dlp.assembly import Analysis
from dlp.config import Settings
from dlp.demand import shelf
from dlp.engine.acting import Acting, wishes_of
from dlp.engine.cleansing import Cleansing
from dlp.engine.companion import Companion
from dlp.engine.desk import JudgingDesk
from dlp.engine.gauges import Gauges
from dlp.engine.ground import Ground, Pace
from dlp.engine.local import LocalEngine
from dlp.engine.lookout import Lookout
from dlp.engine.order import limits_of
from dlp.engine.second_look import look_again
from dlp.engine.versions import Versions, verdict_version
from dlp.keys import fingerprint_key, state_folder
from dlp.store.backlog import Backlog
from dlp.store.catalogue import Catalogue
from dlp.store.glimpse import default_path
from dlp.store.migrations import open_database
from dlp.telemetry.exporter import Exporter


@dataclass(frozen=True, slots=True)
class Workers:
    """The processes that read files, and the rules they were started with."""

    engine: LocalEngine
    cleansing: Cleansing | None  # where some policy asks for sanitised files
    version: str  # as verdicts name it
    versions: Versions

    @classmethod
    def start(cls, settings: Settings) -> Self:
        """Fork them: before any thread, database or key is open."""
        analysis = Analysis(settings)
        engine = LocalEngine(
            analysis,
            jobs=settings.jobs,
            limits=limits_of(settings),
            files_per_worker=settings.engine.files_per_worker,
            warm=analysis.warm_lightly,
            supply=shelf().supply,
        )
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
        self, settings: Settings, workers: Workers, beside: Mapping[str, Sequence[str]]
    ) -> None:
        """All of them, or none: what fails half-way closes what was opened before."""
        self.settings = settings
        self.workers = workers
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
        backlog.recover()
        roots = {share.name: root_of(share.path) for share in settings.share}
        look_again(settings, self.known, backlog, self.database, roots)
        self.gauges = Gauges(settings, roots, self.workers.version)
        self.acting = Acting(settings, roots, self.workers.cleansing)
        opened.callback(self.acting.close)
        catalogue = Catalogue(self.database, server=settings.store.server)
        self.desk = JudgingDesk(
            roots, self.known, catalogue, backlog,
            versions=self.workers.versions, act=self.gauges.timed(self.acting),
            tell=self.gauges.metrics,
        )  # fmt: skip
        self.desk.report_set_aside(self.database)
        self.lookout = self._look_out(roots)
        opened.callback(self.lookout.close)
        self.desk.again = lambda share, relative: self.lookout.settling.hint(
            (share, relative), time.monotonic(), closed=False
        )
        opened.callback(self.gauges.close)
        self.gauges.attach(
            lookout=self.lookout,
            engine=self.workers.engine,
            database=self.database,
            known=self.known,
            acting=self.acting,
        )
        self._export(opened)

    def _look_out(self, roots: dict[str, bytes]) -> Lookout:
        acquire = self.settings.acquire
        own = [*acquire.exclude, str(state_folder()), self.settings.quarantine.vault]
        own += [os.fsdecode(folder) for folder in self.acting.own_folders]
        pace = Pace(
            acquire.poll_seconds,
            acquire.sweep_seconds,
            lambda: within(acquire.sweep_hours, datetime.now().astimezone()),
            not acquire.one_filesystem,
        )
        return Lookout(
            [Ground(name, root) for name, root in roots.items()],
            self.known,
            self.desk,
            Settling(
                grace_seconds=acquire.grace_seconds, provisional_seconds=acquire.provisional_seconds
            ),
            pace,
            versions=self.workers.versions.present,
            exclude=[found for path in own if path and (found := identity_of(path))],
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
        """The processes these settings want beside the guard."""
        notify = self.settings.notify
        wanted = {
            "sender": bool(notify.channel) and not notify.apart,
            "console": self.settings.console.beside,
        }
        return [Companion(name, beside.get(name, ())) for name, want in wanted.items() if want]

    def turn(self, now: float) -> None:
        self.lookout.turn(now, hurry=bool(self.desk.in_hand))
        self.desk.turn(self.workers.engine, now)
        self.acting.turn(now)
        self.gauges.turn(now)
        for companion in self.companions:
            companion.turn(now)

    @property
    def idle(self) -> bool:
        return self.lookout.idle() and self.desk.idle

    def take(self, settings: Settings, workers: Workers) -> None:
        """Go on with other rules, everything else as it was."""
        self.desk.hand_back()
        self.workers.close()
        self.settings, self.workers = settings, workers
        self.desk.take(workers.versions)
        self.lookout.versions = workers.versions.present
        self.acting.cleansing = workers.cleansing
        self.lookout.sweep_all()
        self.gauges.reloaded(done=True, engine=workers.engine)

    def close(self) -> None:
        """Put back what is unfinished, keep what is known; the workers are the caller's."""
        self.desk.hand_back()
        if self.workers.cleansing is not None:
            self.workers.cleansing.forget()
        self.desk.intake.flush()
        self.desk.flush()
        self._opened.close()


def root_of(path: str) -> bytes:
    return os.fsencode(path).rstrip(b"/") or b"/"
