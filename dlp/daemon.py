"""The daemon: watch the shares, judge what changes, say how it is going, stop cleanly.

In: Settings, signals.  Out: verdicts in the catalogue; nothing on a share unless the policy says.

One thread, one selector. The workers are forked first, before the metrics thread and before
anything secret is open.
"""

from __future__ import annotations

import logging
import selectors
import signal
import time
from collections.abc import Callable, Mapping, Sequence

from dlp.acquire.throttle import be_gentle
from dlp.config import Settings
from dlp.engine.daemon_resources import Parts, Workers
from dlp.engine.signals import Bell
from dlp.engine.systemd import Notifier
from dlp.errors import ConfigError, DlpError, StoreError
from dlp.store.database import OUTAGE

log = logging.getLogger(__name__)

TURN_SECONDS = 0.5  # the loop never sleeps longer: deadlines of workers, due names, watchdog
BUSY_SECONDS = 0.02
FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 1.0, 15.0  # between two tries to reach the database
# What only the workers read: everything else is opened anew when its settings change.
JUDGING = {"decode", "triage", "detect", "measure", "engine", "sanitise"}


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
        self._notifier = Notifier()
        be_gentle(settings.acquire.nice, idle_io=settings.acquire.idle_io)
        self._workers = Workers.start(settings)

    def run(self, *, once: bool = False) -> None:
        """Until a signal says stop; `once`: until one sweep of every share is judged."""
        signal.signal(signal.SIGIO, signal.SIG_IGN)  # a lease broken in the instant we hold it
        try:
            with Bell(self._signalled) as bell:
                self._parts = Parts(self._settings, self._workers, self._beside)
                try:
                    while self._era(bell, once=once):
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

    def _outlast(self, bell: Bell, error: Exception) -> None:
        """Wait for a database that is gone, and open everything anew once it answers.

        What was in hand waits in its queue; what happens on the shares meanwhile is found by the
        sweep that follows every opening.
        """
        log.error("the database does not answer (%s); trying again until it does", name_of(error))
        self._parts.abandon()
        self._notifier.ready("degraded: the database does not answer")
        pause, due = FIRST_PAUSE_SECONDS, time.monotonic()
        with selectors.DefaultSelector() as selector:
            selector.register(bell, selectors.EVENT_READ)
            while not self._stopping:
                selector.select(min(TURN_SECONDS, max(0.0, due - time.monotonic())))
                bell.hush()
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

    def _era(self, bell: Bell, *, once: bool) -> bool:
        """Take turns until it is time to stop; True: only to read the settings again."""
        try:
            return self._turns(bell, once=once)
        except OUTAGE as error:
            if once:
                raise
            self._outlast(bell, error)
            return not self._stopping

    def _turns(self, bell: Bell, *, once: bool) -> bool:
        parts, ready = self._parts, False
        with selectors.DefaultSelector() as selector:
            selector.register(parts.lookout.watcher, selectors.EVENT_READ)
            selector.register(bell, selectors.EVENT_READ)
            selector.register(self._workers.engine.fileno(), selectors.EVENT_READ)
            while not self._stopping and not self._reload:
                selector.select(self._pause())
                bell.hush()
                now = time.monotonic()
                self._notifier.alive(now)
                parts.turn(now)
                if not ready and parts.lookout.placed:
                    ready = True
                    self._notifier.ready(parts.gauges.ready()[1])
                    log.info("ready")
                if once and parts.idle:
                    return False
        return not self._stopping

    def _pause(self) -> float:
        lookout, desk = self._parts.lookout, self._parts.desk
        if lookout.busy and not desk.in_hand:
            return 0.0
        if lookout.busy or not desk.idle:
            return BUSY_SECONDS  # workers wake us; a commit that gathers records need not
        due = lookout.settling.next_due()
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
        log.error("reload refused", extra={"code": error.code})
        self._parts.gauges.reloaded(done=False)
        self._notifier.ready("reload refused")


def name_of(error: Exception) -> str:
    """Its kind; the text of a database error may hold a row."""
    return f"{error.code} {error.what}" if isinstance(error, StoreError) else type(error).__name__


def check(settings: Settings) -> None:
    if not settings.share:
        raise ConfigError("no share to watch", fix="add a [[share]] with a name and a path")


def without_judging(settings: Settings) -> Settings:
    return settings.model_copy(update=dict.fromkeys(JUDGING))
