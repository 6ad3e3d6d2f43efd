"""The daemon: watch the shares, judge what changes, say how it is going, stop cleanly.

In: Settings, signals.  Out: verdicts in the catalogue; nothing on a share unless the policy says.

One thread, one selector. The workers are forked first, before the metrics thread and before
anything secret is open.
"""

from __future__ import annotations

import contextlib
import logging
import os
import selectors
import signal
import socket
import time
from collections.abc import Callable, Mapping, Sequence
from types import FrameType
from typing import Self

from dlp.acquire.process_priority import be_gentle
from dlp.config import Settings
from dlp.decode.ocr import capability
from dlp.engine.daemon_resources import Parts, Workers
from dlp.engine.settings_check import same_names
from dlp.errors import ConfigError, DlpError, StoreError
from dlp.knowledge.roster_files import roster_folder, state_of
from dlp.store.database import OUTAGE

log = logging.getLogger(__name__)

TURN_SECONDS = 0.5  # the loop never sleeps longer: deadlines of workers, due names, watchdog
BUSY_SECONDS = 0.02
ROSTER_SECONDS = 10.0  # between two looks at the rosters of patients
FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 1.0, 15.0  # between two tries to reach the database
# What only the workers read: everything else is opened anew when its settings change.
JUDGING = {"decode", "triage", "detect", "measure", "engine", "sanitise"}

SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)

PINGS_PER_WATCHDOG = 3
RELOAD_USEC = 300_000_000


class Daemon:
    def __init__(
        self,
        settings: Settings,
        *,
        reread: Callable[[], Settings],
        beside: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        """`beside`: the commands that send notifications and serve the console."""
        check(settings)
        self._settings = settings
        self._reread = reread
        self._beside = beside or {}
        self._stopping = False
        self._reload = False
        self._sweeps = 0
        self._rosters_due, self._rosters_tried = 0.0, "-"  # a state that is refused is tried once
        self._notifier = Notifier()
        be_gentle(settings.acquire.nice, idle_io=settings.acquire.idle_io)
        self._workers = Workers.start(settings)

    def run(self, *, once: bool = False) -> None:
        """Until a signal says stop; `once`: until one sweep of every share is judged."""
        signal.signal(signal.SIGIO, signal.SIG_IGN)  # a lease broken in the instant we hold it
        try:
            with Signals(self._signalled) as signals:
                self._parts = Parts(self._settings, self._workers, self._beside)
                try:
                    while self._era(signals, once=once):
                        self._swap()
                finally:
                    self._notifier.stopping()
                    self._close()
        finally:
            self._workers.close()
        log.info("stopped")

    def _close(self) -> None:
        if self._parts.closed:
            return
        try:
            self._parts.close()
        except OUTAGE as error:  # what was in hand is judged again after the next start
            log.warning("stopped without the database: %s", type(error).__name__)
            self._parts.abandon()

    def _outlast(self, signals: Signals, error: Exception) -> None:
        """Wait for a database that is gone, and open everything anew once it answers.

        What was in hand waits in its queue; what happens on the shares meanwhile is found by the
        sweep that follows every opening.
        """
        log.error("the database does not answer (%s); trying again until it does", name_of(error))
        self._parts.abandon()
        self._notifier.ready("degraded: the database does not answer")
        pause, due = FIRST_PAUSE_SECONDS, time.monotonic()
        with selectors.DefaultSelector() as selector:
            selector.register(signals, selectors.EVENT_READ)
            while not self._stopping:
                selector.select(min(TURN_SECONDS, max(0.0, due - time.monotonic())))
                signals.drain()
                now = time.monotonic()
                self._notifier.alive(now)
                if now < due:
                    continue
                try:
                    parts = (self._settings, self._workers, self._beside)
                    self._parts = Parts(*parts, crashed=False)
                except OUTAGE:
                    due = time.monotonic() + pause
                    pause = min(2 * pause, LONGEST_PAUSE_SECONDS)
                else:
                    log.info("the database answers again")
                    return

    def _era(self, signals: Signals, *, once: bool) -> bool:
        """Take turns until it is time to stop; True: only to read the settings again."""
        try:
            return self._turns(signals, once=once)
        except OUTAGE as error:
            if once:
                raise
            self._outlast(signals, error)
            return not self._stopping

    def _turns(self, signals: Signals, *, once: bool) -> bool:
        parts, ready = self._parts, False
        with selectors.DefaultSelector() as selector:
            selector.register(parts.monitor.watcher, selectors.EVENT_READ)
            selector.register(signals, selectors.EVENT_READ)
            selector.register(self._workers.engine.fileno(), selectors.EVENT_READ)
            while not self._stopping and not self._reload:
                selector.select(self._pause())
                signals.drain()
                now = time.monotonic()
                self._notifier.alive(now)
                parts.turn(now)
                self._notice_recognition()
                self._notice_rosters(now)
                if not ready and parts.monitor.placed:
                    ready = True
                    self._notifier.ready(parts.gauges.ready()[1])
                    log.info("ready")
                if once and parts.idle:
                    return False
        return not self._stopping

    def _notice_recognition(self) -> None:
        """After each sweep: new text recognition is taken like new rules, by a reload."""
        sweeps = sum(watched.sweeps for watched in self._parts.monitor.shares.values())
        if sweeps != self._sweeps:
            self._sweeps = sweeps
            if capability() != self._workers.versions.recognition:
                log.info("text recognition has changed: reloading")
                self._reload = True

    def _notice_rosters(self, now: float) -> None:
        """A roster that was built, removed or has expired is taken like new rules."""
        if now < self._rosters_due:
            return
        self._rosters_due = now + ROSTER_SECONDS
        state = state_of(roster_folder(self._settings.detect.rosters))
        if state not in {self._workers.versions.rosters, self._rosters_tried}:
            log.info("the rosters of patients have changed: reloading")
            self._rosters_tried, self._reload = state, True

    def _pause(self) -> float:
        monitor, queue = self._parts.monitor, self._parts.queue
        if monitor.busy and not queue.in_hand:
            return 0.0
        if monitor.busy or not queue.idle:
            return BUSY_SECONDS  # workers wake us; a commit that gathers records need not
        due = monitor.settling.next_due()
        return TURN_SECONDS if due is None else min(TURN_SECONDS, max(0.0, due - time.monotonic()))

    def _signalled(self, number: int) -> None:
        if number == signal.SIGHUP:
            self._reload = True
        else:
            self._stopping = True

    def _swap(self) -> None:
        """Read settings and rules again; only what is whole and valid replaces what works."""
        if not self._reload:
            return  # the database was away
        self._reload = False
        self._notifier.reloading()
        try:
            settings = self._reread()
            check(settings)
            workers = Workers.start(settings)
        except DlpError as error:
            self._refused(error)
            return
        if without_judging(settings) == without_judging(self._settings):
            self._parts.take(settings, workers)
        elif not self._reopen(settings, workers):
            workers.close()
            return
        self._settings, self._workers = settings, workers
        log.info("reloaded")

    def _reopen(self, settings: Settings, workers: Workers) -> bool:
        """Other shares, policies, keys or places: as at a start; if that fails, as before."""
        self._parts.close()
        try:
            self._parts = Parts(settings, workers, self._beside)
        except DlpError as error:
            self._parts = Parts(self._settings, self._workers, self._beside)
            self._refused(error)
            return False
        self._workers.close()
        be_gentle(settings.acquire.nice, idle_io=settings.acquire.idle_io)
        self._parts.gauges.reloaded(done=True)
        return True

    def _refused(self, error: DlpError) -> None:
        # The message may quote the file that is being edited; the code says where to look.
        log.error("reload refused: %s; `dlp config check` says more", error.code)
        self._parts.gauges.reloaded(done=False)
        self._notifier.ready("reload refused")


def name_of(error: Exception) -> str:
    """Its kind; the text of a database error may hold a row."""
    return f"{error.code} {error.what}" if isinstance(error, StoreError) else type(error).__name__


def check(settings: Settings) -> None:
    if not settings.share:
        raise ConfigError("no share to watch", fix="add a [[share]] with a name and a path")
    for problem in same_names(settings):
        raise ConfigError(problem.what, where=problem.key, fix=problem.fix)


def without_judging(settings: Settings) -> Settings:
    return settings.model_copy(update=dict.fromkeys(JUDGING))


class Signals:
    def __init__(self, on_signal: Callable[[int], None]) -> None:
        self._on_signal = on_signal

    def __enter__(self) -> Self:
        self._in, self._out = socket.socketpair()
        self._in.setblocking(False)
        self._out.setblocking(False)
        self._former_fd = signal.set_wakeup_fd(self._out.fileno(), warn_on_full_buffer=False)
        self._former = {number: signal.getsignal(number) for number in SIGNALS}
        for number in SIGNALS:
            signal.signal(number, self._signalled)
        return self

    def __exit__(self, *_: object) -> None:
        signal.set_wakeup_fd(self._former_fd)
        for number, handler in self._former.items():
            signal.signal(number, handler)
        self._in.close()
        self._out.close()

    def _signalled(self, number: int, _: FrameType | None) -> None:
        self._on_signal(number)

    def fileno(self) -> int:
        return self._in.fileno()

    def drain(self) -> None:
        try:
            self._in.recv(256)
        except BlockingIOError:
            return


class Notifier:
    """Silent when no service manager listens."""

    def __init__(self) -> None:
        self._address = os.environ.get("NOTIFY_SOCKET", "")
        if self._address.startswith("@"):
            self._address = "\0" + self._address[1:]
        self._patience = int(os.environ.get("WATCHDOG_USEC") or 0)
        self._every = self._patience / 1e6 / PINGS_PER_WATCHDOG
        self._next = 0.0

    def ready(self, status: str) -> None:
        watchdog = f"\nWATCHDOG_USEC={self._patience}" if self._patience else ""
        self._send(f"READY=1\nSTATUS={status}{watchdog}")

    def reloading(self) -> None:
        """New workers load all the knowledge meanwhile, and nothing else goes on here."""
        longer = f"\nWATCHDOG_USEC={self._patience + RELOAD_USEC}" if self._patience else ""
        self._send(f"RELOADING=1\nMONOTONIC_USEC={time.monotonic_ns() // 1000}{longer}")

    def stopping(self) -> None:
        self._send("STOPPING=1")

    def status(self, text: str) -> None:
        self._send(f"STATUS={text}")

    def alive(self, now: float) -> None:
        """Called from the loop that does the work, so that a hung loop is noticed."""
        if self._every and now >= self._next:
            self._next = now + self._every
            self._send("WATCHDOG=1")

    def _send(self, text: str) -> None:
        if not self._address:
            return
        with (
            socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as line,
            contextlib.suppress(OSError),  # a manager that went away is no reason to stop
        ):
            line.sendto(text.encode(), self._address)
