"""The daemon: watch the shares, judge what changes, say how it is going, stop cleanly.

In: Settings, signals.  Out: verdicts in the catalogue; nothing on a share unless the policy says.

One thread, one selector. The workers are forked first, before the metrics thread and before
anything secret is open.
"""

from __future__ import annotations

import logging
import os
import selectors
import signal
import socket
import time
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from types import FrameType
from typing import Self

from dlp import config
from dlp.acquire.known import Known
from dlp.acquire.settle import Settling
from dlp.acquire.throttle import be_gentle, within
from dlp.acquire.walk import identity_of
from dlp.assembly import Analysis, limits_of
from dlp.config import Settings
from dlp.engine.acting import Acting
from dlp.engine.desk import JudgingDesk
from dlp.engine.gauges import Gauges
from dlp.engine.ground import Ground, Pace
from dlp.engine.local import LocalEngine
from dlp.engine.lookout import Lookout
from dlp.engine.messenger import Messenger
from dlp.engine.systemd import Notifier
from dlp.errors import ConfigError, DlpError
from dlp.keys import state_folder
from dlp.rulebook import rules_version
from dlp.store.backlog import Backlog
from dlp.store.catalogue import Catalogue, default_path
from dlp.store.migrations import open_database
from dlp.telemetry.exporter import Exporter

log = logging.getLogger(__name__)

TURN_SECONDS = 0.5  # the loop never sleeps longer: deadlines of workers, due names, watchdog
BUSY_SECONDS = 0.02
SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


class Daemon:
    def __init__(
        self, settings: Settings, *, reread: Callable[[], Settings], tell: Sequence[str] = ()
    ) -> None:
        """`tell`: the command that sends notifications."""
        if not settings.share:
            raise ConfigError("no share to watch", fix="add a [[share]] with a name and a path")
        self._settings = settings
        self._reread = reread
        self._tell = tell
        self._version = version_of(settings)
        self._stopping = False
        self._reload = False
        self._notifier = Notifier()
        be_gentle(settings.acquire.nice, idle_io=settings.acquire.idle_io)
        self._engine = engine_of(settings)
        self._engine.start()  # forks: before any thread, database or key is open here

    def run(self, *, once: bool = False) -> None:
        """Until a signal says stop; `once`: until one sweep of every share is judged."""
        with _Bell() as bell:
            self._open(bell)
            try:
                self._loop(bell, once=once)
            finally:
                self._close()

    def _open(self, bell: _Bell) -> None:
        bell.on(self._signalled)
        signal.signal(signal.SIGIO, signal.SIG_IGN)  # a lease broken in the instant we hold it
        settings = self._settings
        state = state_folder()
        database = settings.store.database or str(default_path())
        if "://" not in database and not Path(database).exists():
            (state / "known.db").unlink(missing_ok=True)  # verdicts lost: judge all again
        self._known = Known(state / "known.db")
        self._database = open_database(database)
        self._catalogue = Catalogue(self._database, server=settings.store.server)
        backlog = Backlog(self._database, server=settings.store.server)
        backlog.recover()
        roots = {share.name: root_of(share.path) for share in settings.share}
        self._gauges = Gauges(settings, roots, self._version)
        self._acting = Acting(settings, roots)
        self._desk = JudgingDesk(
            roots, self._known, self._catalogue, backlog,
            version=self._version, act=self._gauges.timed(self._acting), tell=self._gauges.metrics,
        )  # fmt: skip
        self._desk.report_set_aside(self._database)
        self._lookout = self._look_out(roots)
        self._desk.again = lambda share, relative: self._lookout.settling.hint(
            (share, relative), time.monotonic(), closed=False
        )
        self._gauges.attach(
            lookout=self._lookout,
            engine=self._engine,
            database=self._database,
            known=self._known,
            acting=self._acting,
        )
        self._exporter = self._export()
        self._messenger = self._message()

    def _message(self) -> Messenger:
        notify = self._settings.notify
        return Messenger(self._tell if notify.channel and not notify.apart else ())

    def _look_out(self, roots: dict[str, bytes]) -> Lookout:
        acquire = self._settings.acquire
        own = [*acquire.exclude, str(state_folder()), self._settings.quarantine.vault]
        own += [os.fsdecode(folder) for folder in self._acting.own_folders]
        pace = Pace(
            acquire.poll_seconds,
            acquire.sweep_seconds,
            lambda: within(acquire.sweep_hours, datetime.now().astimezone()),
            not acquire.one_filesystem,
        )
        return Lookout(
            [Ground(name, root) for name, root in roots.items()],
            self._known,
            self._desk,
            Settling(
                grace_seconds=acquire.grace_seconds, provisional_seconds=acquire.provisional_seconds
            ),
            pace,
            version=self._version,
            exclude=[found for path in own if path and (found := identity_of(path))],
        )

    def _export(self) -> Exporter | None:
        telemetry = self._settings.telemetry
        if not telemetry.port:
            return None
        return Exporter(
            self._gauges.metrics.registry,
            healthy=self._gauges.healthy,
            ready=self._gauges.ready,
            address=telemetry.address,
            port=telemetry.port,
        )

    def _loop(self, bell: _Bell, *, once: bool) -> None:
        ready = False
        with selectors.DefaultSelector() as selector:
            selector.register(self._lookout.watcher, selectors.EVENT_READ)
            selector.register(bell, selectors.EVENT_READ)
            engine_key = selector.register(self._engine.fileno(), selectors.EVENT_READ)
            while not self._stopping:
                selector.select(self._pause())
                bell.hush()
                now = time.monotonic()
                self._notifier.alive(now)
                self._lookout.turn(now, hurry=bool(self._desk.in_hand))
                self._desk.turn(self._engine, now)
                self._acting.turn(now)
                self._gauges.turn(now)
                self._messenger.turn(now)
                if not ready and self._lookout.placed:
                    ready = True
                    self._notifier.ready(self._gauges.ready()[1])
                    log.info("ready")
                if self._reload:
                    selector.unregister(engine_key.fd)
                    self._swap()
                    engine_key = selector.register(self._engine.fileno(), selectors.EVENT_READ)
                if once and self._lookout.idle() and self._desk.idle:
                    return

    def _pause(self) -> float:
        if self._lookout.busy and not self._desk.in_hand:
            return 0.0
        if self._lookout.busy or not self._desk.idle:
            return BUSY_SECONDS  # workers wake us; a commit that gathers records need not
        due = self._lookout.settling.next_due()
        return TURN_SECONDS if due is None else min(TURN_SECONDS, max(0.0, due - time.monotonic()))

    def _signalled(self, number: int) -> None:
        if number == signal.SIGHUP:
            self._reload = True
        else:
            self._stopping = True

    def _swap(self) -> None:
        """Read settings and rules again; only what is whole and valid replaces what works."""
        self._reload = False
        self._notifier.reloading()
        try:
            settings = self._reread()
            fixed = {"share", "store", "telemetry", "quarantine", "ledger", "keys"}
            for name in fixed:
                if getattr(settings, name) != getattr(self._settings, name):
                    log.warning("needs a restart to take effect", extra={"section": name})
            engine = engine_of(settings)
            engine.start()
        except DlpError as error:
            # The message may quote the file that is being edited; the code says where to look.
            log.error("reload refused", extra={"code": error.code})  # noqa: TRY400 - no content in logs
            self._gauges.reloaded(done=False)
        else:
            self._desk.hand_back()
            self._engine.close()
            self._engine, self._settings = engine, settings
            self._version = version_of(settings)
            self._desk.intake.rules_version = self._lookout.version = self._version
            self._lookout.sweep_all()
            self._gauges.reloaded(done=True, engine=engine)
            self._messenger.close()
            self._messenger = self._message()
        self._notifier.ready("reloaded")

    def _close(self) -> None:
        self._notifier.stopping()
        self._engine.close()
        self._messenger.close()
        self._desk.hand_back()
        self._desk.intake.flush()
        self._desk.flush()
        if self._exporter is not None:
            self._exporter.close()
        self._gauges.close()
        self._lookout.close()
        self._known.close()
        self._acting.close()
        self._database.dispose()
        log.info("stopped")


class _Bell:
    """Signals as something to select on; handlers do nothing but remember."""

    def __enter__(self) -> Self:
        self._in, self._out = socket.socketpair()
        self._in.setblocking(False)
        self._out.setblocking(False)
        self._former_fd = signal.set_wakeup_fd(self._out.fileno(), warn_on_full_buffer=False)
        self._former = {number: signal.getsignal(number) for number in SIGNALS}
        return self

    def __exit__(self, *_: object) -> None:
        signal.set_wakeup_fd(self._former_fd)
        for number, handler in self._former.items():
            signal.signal(number, handler)
        self._in.close()
        self._out.close()

    def on(self, tell: Callable[[int], None]) -> None:
        def handler(number: int, _: FrameType | None) -> None:
            tell(number)

        for number in SIGNALS:
            signal.signal(number, handler)

    def fileno(self) -> int:
        return self._in.fileno()

    def hush(self) -> None:
        try:
            self._in.recv(256)
        except BlockingIOError:
            return


def engine_of(settings: Settings) -> LocalEngine:
    analysis = Analysis(settings)
    return LocalEngine(
        analysis,
        jobs=settings.jobs,
        limits=limits_of(settings),
        files_per_worker=settings.engine.files_per_worker,
        warm=analysis.warm,
    )


def version_of(settings: Settings) -> str:
    """Of everything a verdict depends on: a new port is no reason to judge all again."""
    sections = ("decode", "triage", "detect", "measure")
    judging = config.Settings(**{name: getattr(settings, name) for name in sections})
    return f"{rules_version()}-{judging.digest}"


def root_of(path: str) -> bytes:
    return os.fsencode(path).rstrip(b"/") or b"/"
