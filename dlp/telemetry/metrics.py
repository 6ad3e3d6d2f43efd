"""Every number the daemon publishes, in one registry owned by the supervisor.

In: what happened, with labels from closed sets.  Out: series that all exist from the start.

No path, name or hash is ever a label. A series that appears only with its first event would hide
that event from `increase()`, so each starts at zero.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
)

from dlp.model import Container, GapCode

ACTIONS = ("observe", "notify", "quarantine", "sanitise", "held", "failed")
LEVELS = ("none", "low", "medium", "high", "critical")
STAGES = ("wait", "judge")
STATES = ("waiting", "leased", "aside")
STAGE_BUCKETS = (0.005, 0.025, 0.1, 0.5, 1, 5, 15, 60)
LATENCY_BUCKETS = (0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 300, 900)


class Metrics:
    def __init__(self, shares: Collection[str], *, version: str, rules: str) -> None:
        # They double the number of series and say nothing new.
        disable_created_metrics()  # type: ignore[no-untyped-call]
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        self._shares = tuple(shares)
        self._define_files()
        self._define_work()
        self._define_watching()
        self._define_state()
        self.build = self._gauge("dlp_build_info", "Always 1; says what runs.", "version", "rules")
        self.build.labels(version, rules).set(1)
        self._begin_at_zero()

    def _define_files(self) -> None:
        name = "dlp_files_judged_total"
        self.files = self._counter(name, "Verdicts, by container.", "share", "container")
        self.read = self._counter("dlp_read_bytes_total", "Size of the files judged.", "share")
        name = "dlp_gaps_total"
        self.gaps = self._counter(
            name, "Verdicts with something unread, by reason.", "share", "reason"
        )
        name = "dlp_actions_total"
        self.actions = self._counter(name, "What was done about files.", "share", "action")
        name = "dlp_files_at_risk"
        self.risk = self._gauge(name, "Files in the catalogue, by level of risk.", "share", "level")
        name = "dlp_persons_exposed"
        self.persons = self._gauge(name, "Persons in files that are PHI, per file.", "share")

    def _define_work(self) -> None:
        self.stages = Histogram(
            "dlp_stage_duration_seconds", "Time a file spends in each stage.", ["stage"],
            buckets=STAGE_BUCKETS, registry=self.registry,
        )  # fmt: skip
        self.latency = Histogram(
            "dlp_detection_latency_seconds", "From the last event about a file to its verdict.",
            buckets=LATENCY_BUCKETS, registry=self.registry,
        )  # fmt: skip
        self.queue = self._gauge("dlp_queue_files", "Files in the queue on disk.", "state")
        name = "dlp_queue_oldest_timestamp_seconds"
        self.oldest = self._gauge(name, "When the longest-waiting file was queued; 0: none waits.")
        self.settling = self._gauge("dlp_settling_files", "Names waiting until nobody writes.")
        name = "dlp_sandbox_starts_total"
        self.workers = self._counter(name, "Worker processes started, the first ones included.")

    def _define_watching(self) -> None:
        name = "dlp_watched_directories"
        self.watches = self._gauge(name, "Directories the kernel watches for us.", "share")
        name = "dlp_watch_limit_directories"
        self.watch_limit = self._gauge(name, "Directories this user may watch.")
        name = "dlp_blind_directories"
        self.blind = self._gauge(name, "Directories beyond the limit; they are polled.")
        name = "dlp_watch_overflows_total"
        self.overflows = self._counter(name, "Times the kernel lost events; a sweep follows.")
        name = "dlp_share_available"
        self.available = self._gauge(name, "1 while the share can be listed.", "share")
        name = "dlp_last_sweep_success_timestamp_seconds"
        self.swept = self._gauge(name, "End of the last full comparison; 0: none yet.", "share")

    def _define_state(self) -> None:
        name = "dlp_degraded"
        self.degraded = self._gauge(name, "1 while protection is less than configured.", "reason")
        self.ready = self._gauge("dlp_ready", "1 once every share is watched.")
        name = "dlp_rules_loaded_timestamp_seconds"
        self.rules_loaded = self._gauge(name, "When the rules in use were read.")
        name = "dlp_rules_changed_timestamp_seconds"
        self.rules_changed = self._gauge(name, "Newest change of a rule file.")
        name = "dlp_knowledge_changed_timestamp_seconds"
        self.knowledge_changed = self._gauge(name, "Newest change of the compiled knowledge.")
        name = "dlp_reloads_total"
        self.reloads = self._counter(name, "Reloads asked for, by what came of them.", "result")

    def _begin_at_zero(self) -> None:
        for share in self._shares:
            for container in Container:
                self.files.labels(share, container.value)
            for code in GapCode:
                self.gaps.labels(share, code.value)
            for action in ACTIONS:
                self.actions.labels(share, action)
            for level in LEVELS:
                self.risk.labels(share, level)
            for series in (self.read, self.persons, self.watches, self.available, self.swept):
                series.labels(share)
        for stage in STAGES:
            self.stages.labels(stage)
        for state in STATES:
            self.queue.labels(state)
        for reason in ("watch_limit", "sandbox", "share", "breaker"):
            self.degraded.labels(reason)
        for result in ("done", "refused"):
            self.reloads.labels(result)

    def judged(
        self, share: str, record: Mapping[str, Any], ms: float, latency: float | None
    ) -> None:
        """Count one verdict; a word outside the closed sets is a bug, not a new series."""
        self.files.labels(share, Container(record["container"]).value).inc()
        self.read.labels(share).inc(record["size_bytes"])
        for code in {GapCode(gap["code"]).value for gap in record["gaps"]}:
            self.gaps.labels(share, code).inc()
        action = record["action"]
        self.actions.labels(share, action if action in ACTIONS else "failed").inc()
        self.stages.labels("judge").observe(ms / 1000)
        if latency is not None:
            self.latency.observe(latency)
            self.stages.labels("wait").observe(max(0.0, latency - ms / 1000))

    def _counter(self, name: str, help_: str, *labels: str) -> Counter:
        return Counter(name, help_, labels, registry=self.registry)

    def _gauge(self, name: str, help_: str, *labels: str) -> Gauge:
        return Gauge(name, help_, labels, registry=self.registry)
