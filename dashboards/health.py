"""The page for whoever runs the daemon: where its time goes, what it lacks, what it keeps.

In: nothing.  Out: the dashboard dlp-health.
"""

from __future__ import annotations

from typing import Any

from dashboards.pieces import GREEN, RED, SHARE, WHERE, YELLOW, board, graph, number, states

RATE = "$__rate_interval"


def build() -> Any:
    return board(
        "dlp-health",
        "dlp / health",
        "Where the daemon's time goes, what it lacks, what it keeps.",
        [
            ("", [*figures()]),
            ("Time", [*time_spent()]),
            ("Watching", [*watching()]),
            ("Workers", [*workers()]),
            ("Keeping", [*keeping()]),
        ],
    )


def figures() -> list[Any]:
    made = f"dlp_roster_made_timestamp_seconds{{{WHERE}}}"
    old = ((None, GREEN), (34_560_000, YELLOW))
    return [
        number(
            "Ready",
            "Whether every share is watched. Runbook DlpNotReady.",
            f"min(dlp_ready{{{WHERE}}})",
            meaning={"0": ("STARTING", RED), "1": ("ready", GREEN)},
            colours=((None, RED), (1, GREEN)),
            width=3,
        ),
        number(
            "Running for",
            "Since the last start. Runbook DlpRestarts.",
            f"time() - min(process_start_time_seconds{{{WHERE}}})",
            unit="s",
            width=3,
        ),
        number(
            "Rules are",
            "Age of the newest rule file. Runbook DlpKnowledgeOld.",
            f"time() - min(dlp_rules_changed_timestamp_seconds{{{WHERE}}})",
            unit="s",
            colours=old,
            width=3,
        ),
        number(
            "Knowledge is",
            "Age of the newest artefact. Runbook DlpKnowledgeOld.",
            f"time() - min(dlp_knowledge_changed_timestamp_seconds{{{WHERE}}})",
            unit="s",
            colours=old,
            width=3,
        ),
        number(
            "Roster is",
            "Age of the oldest roster of patients in force; 0: none.",
            f"(time() - min({made})) * (min({made}) > bool 0)",
            unit="s",
            width=4,
        ),
        number(
            "Counts are",
            "Age of the figures that are read from the database. Runbook DlpCountsStale.",
            f"time() - min(dlp_stock_taken_timestamp_seconds{{{WHERE}}})",
            unit="s",
            colours=((None, GREEN), (600, YELLOW), (3600, RED)),
            width=4,
        ),
        number(
            "Room in the vault",
            "Free space where the vault lies. Runbook DlpVaultFull.",
            f"min(dlp_vault_free_bytes{{{WHERE}}})",
            unit="bytes",
            colours=((None, RED), (1e9, YELLOW), (1e10, GREEN)),
            width=4,
        ),
    ]


def time_spent() -> list[Any]:
    spent = "dlp_stage_duration_seconds"
    latency = f"sum by (le) (rate(dlp_detection_latency_seconds_bucket{{{WHERE}}}[{RATE}]))"
    return [
        graph(
            "Work, by stage",
            "Seconds of work in each second: 2 keep two cores busy. Waiting is not counted.",
            {"{{stage}}": f'sum by (stage) (rate({spent}_sum{{{WHERE},stage!="wait"}}[{RATE}]))'},
            unit="s",
            stacked=True,
        ),
        graph(
            "Mean time of a file, by stage",
            "wait: settling and queue. decode: reading. act: what the policy asks for.",
            {
                "{{stage}}": f"sum by (stage) (rate({spent}_sum{{{WHERE}}}[{RATE}])) "
                f"/ sum by (stage) (rate({spent}_count{{{WHERE}}}[{RATE}]))"
            },
            unit="s",
        ),
        graph(
            "From the last change to the verdict",
            "Runbook DlpVerdictsLate.",
            {
                "half of the files": f"histogram_quantile(0.5, {latency})",
                "19 of 20": f"histogram_quantile(0.95, {latency})",
                "99 of 100": f"histogram_quantile(0.99, {latency})",
            },
            unit="s",
        ),
        graph(
            "Read",
            "Size of the files judged, by share.",
            {"{{share}}": f"sum by (share) (rate(dlp_read_bytes_total{{{SHARE}}}[{RATE}]))"},
            unit="Bps",
            stacked=True,
        ),
    ]


def watching() -> list[Any]:
    return [
        graph(
            "Directories watched",
            "At the limit directories are polled: raise fs.inotify.max_user_watches.",
            {
                "watched": f"sum(dlp_watched_directories{{{WHERE}}})",
                "polled instead": f"sum(dlp_blind_directories{{{WHERE}}})",
                "limit": f"min(dlp_watch_limit_directories{{{WHERE}}})",
            },
            width=8,
        ),
        graph(
            "Names that are being written",
            "They are judged when nobody writes them any more.",
            {"settling": f"sum(dlp_settling_files{{{WHERE}}})"},
            width=8,
        ),
        states(
            "Shares",
            "Red: it could not be listed.",
            "{{share}}",
            f"min by (share) (dlp_share_available{{{SHARE}}})",
            {"1": ("watched", GREEN), "0": ("away", RED)},
            width=8,
        ),
    ]


def workers() -> list[Any]:
    return [
        graph(
            "Workers replaced, per hour",
            "recycled is routine, the others were killed by a file: runbook DlpSandboxDeaths."
            " Second readings that differ: runbook DlpReadingsDiffer.",
            {
                "{{reason}}": "sum by (reason) "
                f"(rate(dlp_sandbox_restarts_total{{{WHERE}}}[{RATE}])) * 3600",
                "second readings that differ": "sum "
                f"(rate(dlp_readings_differ_total{{{WHERE}}}[{RATE}])) * 3600",
            },
            stacked=True,
            width=8,
        ),
        graph(
            "Memory of the supervisor",
            "Workers have their own limit, decode.memory_bytes.",
            {"{{instance}}": f"process_resident_memory_bytes{{{WHERE}}}"},
            unit="bytes",
            width=8,
        ),
        graph(
            "Processor and open files of the supervisor",
            "Cores in use; open files as a part of the limit.",
            {
                "cores": f"sum(rate(process_cpu_seconds_total{{{WHERE}}}[{RATE}]))",
                "open files": f"max(process_open_fds{{{WHERE}}} / process_max_fds{{{WHERE}}})",
            },
            unit="percentunit",
            width=8,
        ),
    ]


def keeping() -> list[Any]:
    return [
        graph(
            "Vault",
            "What is kept, and what room is left.",
            {
                "kept": f"sum(dlp_quarantine_bytes{{{WHERE}}})",
                "free": f"min(dlp_vault_free_bytes{{{WHERE}}})",
            },
            unit="bytes",
            width=8,
        ),
        graph(
            "Messages not sent yet",
            "Notifications on their way; they survive a restart. Runbook DlpMessagesStuck.",
            {
                "messages": f"sum(dlp_outbox_messages{{{WHERE}}})",
                "age of the oldest in hours": "max(instance:dlp_outbox_age:seconds"
                f"{{{WHERE}}}) / 3600",
            },
            width=8,
        ),
        graph(
            "Reloads",
            "refused: the daemon goes on with what it had. Runbook DlpReloadRefused.",
            {"{{result}}": f"sum by (result) (dlp_reloads_total{{{WHERE}}})"},
            width=8,
        ),
        states(
            "Ledger",
            "Red: broken (runbook DlpLedgerBroken), or unchecked because the key is missing.",
            "{{instance}}",
            f'max by (instance) (dlp_ledger_state{{{WHERE},state="whole"}})',
            {"1": ("whole", GREEN), "0": ("not whole", RED)},
            width=12,
        ),
        graph(
            "Last check of the ledger",
            "Seconds since the whole chain was last read. Runbook DlpLedgerUnchecked.",
            {
                "{{instance}}": "time() - max by (instance) "
                f"(dlp_ledger_checked_timestamp_seconds{{{WHERE}}})"
            },
            unit="s",
        ),
    ]
