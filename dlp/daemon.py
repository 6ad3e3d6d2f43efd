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
from dlp.engine.bell import Bell
from dlp.engine.parts import Parts, Workers
from dlp.engine.systemd import Notifier
from dlp.errors import ConfigError, DlpError

log = logging.getLogger(__name__)

TURN_SECONDS = 0.5  # the loop never sleeps longer: deadlines of workers, due names, watchdog
BUSY_SECONDS = 0.02
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
                    self._parts.close()
        finally:
            self._workers.close()
        log.info("stopped")

    def _era(self, bell: Bell, *, once: bool) -> bool:
        """Take turns until it is time to stop; True: only to read the settings again."""
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


def check(settings: Settings) -> None:
    if not settings.share:
        raise ConfigError("no share to watch", fix="add a [[share]] with a name and a path")


def without_judging(settings: Settings) -> Settings:
    return settings.model_copy(update=dict.fromkeys(JUDGING))
