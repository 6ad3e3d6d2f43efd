"""Keep the published numbers true: ask each part how it is, now and then.

In: the running parts of the daemon.  Out: gauges, and the answers to healthz and readyz.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import Engine

import dlp
from dlp.acquire.judged_state import Known
from dlp.acquire.watcher import watch_limit
from dlp.config import Settings
from dlp.engine.inventory_counts import Stocktaker
from dlp.engine.local_engine import LocalEngine
from dlp.engine.queue_processor import Act
from dlp.engine.share_monitor import Lookout
from dlp.engine.verdict_actions import Acting
from dlp.measure.levels import level_of
from dlp.model import FileRef
from dlp.resources import artefacts_folder, rules_folder
from dlp.telemetry.metrics import DEGRADED, Metrics

LOOK_SECONDS = 1.0
STALE_SECONDS = 120.0  # a loop that has not come round for so long hangs


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
        self._stocktaker: Stocktaker | None = None
        self._placed = False
        self._reasons: list[str] = []
        self._rules_read()

    def attach(
        self,
        *,
        lookout: Lookout,
        engine: LocalEngine,
        database: Engine,
        known: Known,
        acting: Acting,
    ) -> None:
        self._lookout = lookout
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
            self._engine, self._ends = engine, Counter()
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
        for reason, count in (self._engine.ends - self._ends).items():
            metrics.ends.labels(reason).inc(count)
        self._ends = Counter(self._engine.ends)
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
        for reason in DEGRADED:
            self.metrics.degraded.labels(reason).set(states[reason])
        self._reasons = [reason for reason, true in states.items() if true]


def newest(folder: Path) -> float:
    """When anything beneath was last changed."""
    return max((path.stat().st_mtime for path in folder.rglob("*") if path.is_file()), default=0.0)
