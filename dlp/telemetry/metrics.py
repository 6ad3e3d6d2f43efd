"""Every number the daemon publishes, in one registry, and the HTTP server that publishes it.

In: what happened, with labels from closed sets.  Out: series that all exist from the start, on
/metrics; /healthz and /readyz on the same address.

No path, name or hash is ever a label. A series that appears only with its first event would hide
that event from `increase()`, so each starts at zero. Ages are published as timestamps: the reader
subtracts, and a daemon that hangs does not go on looking young.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    Summary,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.exposition import CONTENT_TYPE_LATEST

from dlp.errors import ConfigError
from dlp.model import LEVELS, Container, GapCode, Kind
from dlp.table_slices import risk_in

ACTIONS = ("notify", "quarantine", "sanitise", "held", "failed")  # "observe" does nothing
RISK_LEVELS = LEVELS[1:]  # of what is at risk; "none" is not
STAGES = ("wait", "decode", "triage", "detect", "measure", "act")
STATES = ("waiting", "leased", "aside")
VIEWS = ("organisation", "everyone", "public link", "stale", "orphaned")
KEPT = ("moving", "blocked", "refused", "kept")
ENDS = ("recycled", "crash", "timeout", "memory", "output")
DEGRADED = ("watch_limit", "sandbox", "share", "breaker")
LEDGER = ("whole", "broken", "unchecked")
# A file that vanished before it was read gets no verdict.
GAPS = tuple(code.value for code in GapCode if code is not GapCode.VANISHED)
LATENCY_BUCKETS = (0.25, 0.5, 1, 2, 5, 15, 60, 300)

LevelOf = Callable[[float, float], str]


class Metrics:
    def __init__(
        self, shares: Collection[str], *, version: str, rules: str, level_of: LevelOf
    ) -> None:
        # They double the number of series and say nothing new.
        disable_created_metrics()  # type: ignore[no-untyped-call]
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        self._shares = tuple(shares)
        self._level_of = level_of
        self._define_verdicts()
        self._define_stock()
        self._define_work()
        self._define_watching()
        self._define_keeping()
        self._define_state()
        self.build = self._gauge("dlp_build_info", "Always 1; says what runs.", "version", "rules")
        self.build.labels(version, rules).set(1)
        self._begin_at_zero()

    def _define_verdicts(self) -> None:
        name = "dlp_files_judged_total"
        self.files = self._counter(name, "Verdicts, by container.", "share", "container")
        name = "dlp_risky_verdicts_total"
        self.risky = self._counter(name, "Verdicts that put a person at risk.", "share", "level")
        self.read = self._counter("dlp_read_bytes_total", "Size of the files judged.", "share")
        name = "dlp_gaps_total"
        self.gaps = self._counter(
            name, "Verdicts with something unread, by reason.", "share", "reason"
        )
        name = "dlp_actions_total"
        self.actions = self._counter(name, "What was done about files.", "share", "action")
        name = "dlp_findings_total"
        self.findings = self._counter(name, "Findings in files that are PHI, by kind.", "kind")

    def _define_stock(self) -> None:
        name = "dlp_catalogued_files"
        self.stock = self._gauge(name, "Files in the catalogue now.", "share", "container")
        name = "dlp_files_at_risk"
        self.risk = self._gauge(name, "Files in the catalogue now, by level.", "share", "level")
        name = "dlp_persons_exposed"
        self.persons = self._gauge(name, "Different persons in files that are PHI now.", "share")
        name = "dlp_phi_files"
        self.phi = self._gauge(name, "PHI files now: widely readable, unused, unowned.", "view")
        name = "dlp_phi_risk"
        self.phi_risk = self._gauge(name, "Expected losses × readers, over files with PHI now.")
        name = "dlp_stock_taken_timestamp_seconds"
        self.stock_taken = self._gauge(name, "When catalogue, queue and vault were last counted.")

    def _define_work(self) -> None:
        name = "dlp_stage_duration_seconds"
        self.stages = Summary(
            name, "Time a file spends in each stage.", ["stage"], registry=self.registry
        )
        self.latency = Histogram(
            "dlp_detection_latency_seconds", "From the last event about a file to its verdict.",
            buckets=LATENCY_BUCKETS, registry=self.registry,
        )  # fmt: skip
        self.queue = self._gauge("dlp_queue_files", "Files in the queue on disk.", "state")
        name = "dlp_queue_oldest_timestamp_seconds"
        self.oldest = self._gauge(name, "When the longest-waiting file was queued; 0: none waits.")
        self.settling = self._gauge("dlp_settling_files", "Names waiting until nobody writes.")
        name = "dlp_sandbox_restarts_total"
        self.ends = self._counter(name, "Worker processes replaced, by why they ended.", "reason")
        name = "dlp_readings_differ_total"
        self.differ = self._counter(name, "Files that a second worker judged differently.")

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

    def _define_keeping(self) -> None:
        name = "dlp_quarantined_files"
        self.kept = self._gauge(
            name, "Files on their way, stuck, or kept until someone decides.", "share", "state"
        )
        name = "dlp_quarantine_bytes"
        self.kept_bytes = self._gauge(name, "Size of the files kept in the vault.")
        name = "dlp_vault_free_bytes"
        self.vault_free = self._gauge(name, "Free space where the vault lies.")
        name = "dlp_review_files"
        self.review = self._gauge(name, "Files on the shares that are PHI and undecided.")
        name = "dlp_review_oldest_timestamp_seconds"
        self.review_oldest = self._gauge(
            name, "When the oldest undecided file was judged or taken; 0: none."
        )
        name = "dlp_outbox_messages"
        self.outbox = self._gauge(name, "Messages that nobody has been sent yet.")
        name = "dlp_outbox_oldest_timestamp_seconds"
        self.outbox_oldest = self._gauge(name, "When the oldest of them was written; 0: none.")
        name = "dlp_ledger_state"
        self.ledger = self._gauge(name, "1 for what the last check of the chain found.", "state")
        name = "dlp_ledger_records"
        self.ledger_records = self._gauge(name, "Records in the ledger.")
        name = "dlp_person_searches"
        self.searches = self._gauge(name, "How often somebody has looked for a person.")
        name = "dlp_ledger_checked_timestamp_seconds"
        self.ledger_checked = self._gauge(name, "End of the last check of the chain; 0: none yet.")

    def _define_state(self) -> None:
        name = "dlp_degraded"
        self.degraded = self._gauge(name, "1 while protection is less than configured.", "reason")
        self.ready = self._gauge("dlp_ready", "1 once every share is watched.")
        name = "dlp_rules_changed_timestamp_seconds"
        self.rules_changed = self._gauge(name, "Newest change of a rule file.")
        name = "dlp_roster_made_timestamp_seconds"
        self.roster_made = self._gauge(name, "When the oldest roster in force was made; 0: none.")
        name = "dlp_knowledge_changed_timestamp_seconds"
        self.knowledge_changed = self._gauge(name, "Newest change of the compiled knowledge.")
        name = "dlp_reloads_total"
        self.reloads = self._counter(name, "Reloads asked for, by what came of them.", "result")

    def _begin_at_zero(self) -> None:
        containers = tuple(container.value for container in Container)
        by_share: tuple[tuple[Counter | Gauge, tuple[str, ...]], ...] = (
            (self.files, containers), (self.stock, containers), (self.gaps, GAPS),
            (self.actions, ACTIONS), (self.risky, RISK_LEVELS), (self.risk, RISK_LEVELS),
            (self.kept, KEPT),
        )  # fmt: skip
        for share in self._shares:
            for series, words in by_share:
                for word in words:
                    series.labels(share, word)
            for plain in (
                self.read,
                self.persons,
                self.watches,
                self.available,
                self.swept,
            ):
                plain.labels(share)
        alone: tuple[tuple[Counter | Gauge | Summary, tuple[str, ...]], ...] = (
            (self.findings, tuple(kind.value for kind in Kind)), (self.stages, STAGES),
            (self.queue, STATES), (self.ends, ENDS), (self.degraded, DEGRADED),
            (self.ledger, LEDGER), (self.phi, VIEWS), (self.reloads, ("done", "refused")),
        )  # fmt: skip
        for metric, words in alone:
            for word in words:
                metric.labels(word)

    def judged(
        self, share: str, record: Mapping[str, Any], ms: float, latency: float | None
    ) -> None:
        """Count one verdict; a word outside the closed sets is a bug, not a new series."""
        container = Container(record["container"])
        self.files.labels(share, container.value).inc()
        self.read.labels(share).inc(record["size_bytes"])
        for code in {GapCode(gap["code"]) for gap in record["gaps"]}:
            self.gaps.labels(share, "changed" if code is GapCode.VANISHED else code.value).inc()
        level = self._level_of(risk_in(record), record["privacy"])
        if level in RISK_LEVELS:
            self.risky.labels(share, level).inc()
        if container is Container.PHI:
            for finding in record["findings"]:
                self.findings.labels(Kind(finding["kind"]).value).inc()
        action = record["action"]
        if action != "observe":
            self.actions.labels(share, action if action in ACTIONS else "failed").inc()
        for stage in record["spent_ms"].keys() & set(STAGES):
            self.stages.labels(stage).observe(float(record["spent_ms"][stage]) / 1000)
        if latency is not None:
            self.latency.observe(latency)
            self.stages.labels("wait").observe(max(0.0, latency - ms / 1000))

    def _counter(self, name: str, help_: str, *labels: str) -> Counter:
        return Counter(name, help_, labels, registry=self.registry)

    def _gauge(self, name: str, help_: str, *labels: str) -> Gauge:
        return Gauge(name, help_, labels, registry=self.registry)


PATIENCE_SECONDS = 5.0  # for a client that opens a connection and says nothing
TEXT = "text/plain; charset=utf-8"
Answer = Callable[[], tuple[bool, str]]


class Exporter:
    """Runs in a thread of its own; start it after the workers were forked."""

    def __init__(
        self,
        registry: CollectorRegistry,
        *,
        healthy: Answer,
        ready: Answer,
        address: str,
        port: int,
    ) -> None:
        handler = type("Handler", (_Handler,), {"pages": {
            "/metrics": lambda: (200, CONTENT_TYPE_LATEST, generate_latest(registry)),
            "/healthz": lambda: plain(*healthy()),
            "/readyz": lambda: plain(*ready()),
        }})  # fmt: skip
        try:
            self._server = ThreadingHTTPServer((address, port), handler)
        except OSError as error:
            raise ConfigError(
                f"cannot listen: {error.strerror}",
                where=f"telemetry {address}:{port}",
                fix="choose another telemetry.port, or 0 for none",
            ) from error
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(PATIENCE_SECONDS)


def plain(well: bool, text: str) -> tuple[int, str, bytes]:
    return (200 if well else 503), TEXT, f"{text}\n".encode()


class _Handler(BaseHTTPRequestHandler):
    pages: dict[str, Callable[[], tuple[int, str, bytes]]]
    timeout = PATIENCE_SECONDS
    server_version = "dlp"
    sys_version = ""

    def do_GET(self) -> None:
        page = self.pages.get(self.path.partition("?")[0])
        status, kind, body = page() if page else (404, TEXT, b"/metrics /healthz /readyz\n")
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """A scrape every few seconds is not news."""
