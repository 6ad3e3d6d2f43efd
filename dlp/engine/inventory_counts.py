"""Take stock in a thread of its own, rarely enough that nobody notices the cost.

In: the database and the ledger.  Out: gauges of what stands in them, and whether the chain holds.

Counting a million files takes seconds. The loop must not wait for that, so a thread does it, and
rests fifty times as long as it worked: two in a hundred of one core, whatever the size.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable, Mapping

from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from dlp.config import Settings
from dlp.engine.stocktaking import hold_of, line_of, shelf_of
from dlp.errors import DlpError
from dlp.keys import kept_key, state_folder
from dlp.store.database import server_name
from dlp.store.ledger import open_ledger
from dlp.telemetry.metrics import KEPT, LEDGER, LEVELS, STATES, Metrics

log = logging.getLogger(__name__)

STOCK_SECONDS = 2.0
LEDGER_SECONDS = 60.0
REST = 50.0  # times as long as the work took
DOUBT_SECONDS = 1.0  # a record may be committed and not yet witnessed
CONTAINERS = ("impossible", "possible", "probable", "phi")


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
        started = time.thread_time()  # a busy machine makes it slow, not dear
        try:
            job()
        except (SQLAlchemyError, DlpError, OSError) as error:
            if not self._closing.is_set():
                log.warning("stock not taken", extra={"error": type(error).__name__})
        return time.monotonic() + max(least, REST * (time.thread_time() - started))

    def count_queue(self) -> None:
        metrics = self._metrics
        line = line_of(self._database, STATES, self._server)
        for state, count in line.states.items():
            metrics.queue.labels(state).set(count)
        metrics.oldest.set(line.oldest)
        # Where nobody is to be told, nothing waits.
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
        metrics.vault_free.set(free_bytes(self._settings.quarantine.vault))

    def count_files(self) -> None:
        metrics = self._metrics
        profile = self._settings.measure.profile
        undecided, since = 0, []
        for share, root in self._roots.items():
            shelf = shelf_of(self._database, root, profile, self._server)
            for container in CONTAINERS:
                metrics.stock.labels(share, container).set(shelf.containers.get(container, 0))
            for level in LEVELS:
                metrics.risk.labels(share, level).set(shelf.levels.get(level, 0))
            metrics.persons.labels(share).set(shelf.persons)
            undecided += shelf.undecided
            since += [shelf.undecided_since] if shelf.undecided else []
        self._undecided_since = min(since, default=0.0)
        metrics.review.set(undecided)
        metrics.stock_taken.set(time.time())

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
