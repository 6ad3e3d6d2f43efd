"""Keep the published numbers true: ask each part how it is, now and then.

In: the running parts of the daemon.  Out: gauges, and the answers to healthz and readyz.
"""

from __future__ import annotations

import time
from pathlib import Path

from sqlalchemy import Engine

import dlp
from dlp.acquire.known import Known
from dlp.acquire.watcher import watch_limit
from dlp.config import Settings
from dlp.engine.acting import Acting
from dlp.engine.local import LocalEngine
from dlp.engine.lookout import Lookout
from dlp.engine.stocktaking import files_by_level, persons_exposed
from dlp.resources import artefacts_folder, rules_folder
from dlp.store.backlog import Backlog
from dlp.telemetry.metrics import LEVELS, STATES, Metrics

LOOK_SECONDS = 1.0
STOCK_SECONDS = 15.0  # a query over the catalogue: not at every scrape
STALE_SECONDS = 120.0  # a loop that has not come round for so long hangs


class Gauges:
    def __init__(self, settings: Settings, roots: dict[str, bytes], version: str) -> None:
        self._roots = roots
        self._profile = settings.measure.profile
        self.metrics = Metrics(roots, version=dlp.__version__, rules=version)
        self._turned = time.monotonic()
        self._next_look = self._next_stock = 0.0
        self._spawned = self._overflows = 0
        self._placed = False
        self._reasons: list[str] = []
        self._rules_read()

    def attach(
        self,
        *,
        lookout: Lookout,
        engine: LocalEngine,
        database: Engine,
        backlog: Backlog,
        known: Known,
        acting: Acting,
    ) -> None:
        self._lookout = lookout
        self._engine = engine
        self._database = database
        self._backlog = backlog
        self._known = known
        self._acting = acting
        self.metrics.watch_limit.set(watch_limit())

    def turn(self, now: float) -> None:
        self._turned = now
        if now >= self._next_look:
            self._next_look = now + LOOK_SECONDS
            self._look()
        if now >= self._next_stock:
            self._next_stock = now + STOCK_SECONDS
            self._take_stock()

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
            self._engine, self._spawned = engine, 0
            self._rules_read()

    def _rules_read(self) -> None:
        self.metrics.rules_loaded.set(time.time())
        self.metrics.rules_changed.set(newest(rules_folder()))
        self.metrics.knowledge_changed.set(newest(artefacts_folder()))

    def _look(self) -> None:
        metrics, lookout = self.metrics, self._lookout
        watches = lookout.watcher.watches
        for name, ground in lookout.grounds.items():
            metrics.watches.labels(name).set(watches.get(name, 0))
            metrics.available.labels(name).set(ground.available)
            metrics.swept.labels(name).set(self._known.swept_at(name))
        metrics.blind.set(lookout.blind)
        metrics.settling.set(len(lookout.settling))
        metrics.overflows.inc(lookout.watcher.overflows - self._overflows)
        self._overflows = lookout.watcher.overflows
        metrics.workers.inc(self._engine.spawned - self._spawned)
        self._spawned = self._engine.spawned
        self._placed = self._placed or lookout.placed
        metrics.ready.set(self._placed)
        self._judge_state()

    def _judge_state(self) -> None:
        states = {
            "watch_limit": bool(self._lookout.blind),
            "sandbox": bool(self._engine.degraded),
            "breaker": self._acting.stopped,
            "share": not all(ground.available for ground in self._lookout.grounds.values()),
        }
        for reason, true in states.items():
            self.metrics.degraded.labels(reason).set(true)
        self._reasons = [reason for reason, true in states.items() if true]

    def _take_stock(self) -> None:
        metrics = self.metrics
        counts = self._backlog.counts()
        for state in STATES:
            metrics.queue.labels(state).set(counts.get(state, 0))
        waited = self._backlog.oldest_seconds()
        metrics.oldest.set(time.time() - waited if waited else 0)
        server = self._backlog.server
        for share, root in self._roots.items():
            levels = files_by_level(self._database, root, self._profile, server)
            for level in LEVELS:
                metrics.risk.labels(share, level).set(levels.get(level, 0))
            exposed = persons_exposed(self._database, root, server)
            metrics.persons.labels(share).set(exposed)


def newest(folder: Path) -> float:
    """When anything beneath was last changed."""
    return max((path.stat().st_mtime for path in folder.rglob("*") if path.is_file()), default=0.0)
