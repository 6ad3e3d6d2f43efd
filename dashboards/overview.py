"""The page for the person on duty: is something wrong, where, and since when.

In: nothing.  Out: the dashboard dlp-overview.
"""

from __future__ import annotations

from typing import Any

from dashboards.pieces import (
    BLUE,
    CONTAINER_COLOURS,
    GREEN,
    ORANGE,
    RED,
    SHARE,
    WHERE,
    YELLOW,
    board,
    graph,
    number,
    rows,
    states,
)

FIRING = 'ALERTS{alertstate="firing",alertname=~"Dlp.+"'
NONE_IS_FINE = ((None, GREEN), (1, RED))
UP = {"0": ("DOWN", RED), "1": ("up", GREEN)}
FINE = {"0": ("none", GREEN)}
SEVERITIES = {
    "critical": ("critical", RED),
    "warning": ("warning", ORANGE),
    "info": ("info", BLUE),
    "none": ("heartbeat", GREEN),
}
STATE = {"0": ("AWAY", RED), "1": ("watched", GREEN)}


def build() -> Any:
    return board(
        "dlp-overview",
        "dlp / overview",
        "Is something wrong, where, and since when. Read the top line from left to right.",
        [
            ("", [*verdict_at_a_glance(), firing(), degraded()]),
            ("Shares", [shares()]),
            ("What happens", [*what_happens()]),
        ],
    )


def verdict_at_a_glance() -> list[Any]:
    return [
        number(
            "Daemon",
            "Down: nothing is watched. Runbook DlpDown.",
            f"min(up{{{WHERE}}})",
            meaning=UP,
            nothing="DOWN",
            colours=((None, RED), (1, GREEN)),
            width=4,
        ),
        number(
            "Critical alerts",
            "Somebody should act now; the table below says on what.",
            f'count({FIRING},severity="critical"}}) or vector(0)',
            colours=NONE_IS_FINE,
            meaning=FINE,
            width=4,
        ),
        number(
            "Warnings",
            "Somebody should look today.",
            f'count({FIRING},severity="warning"}}) or vector(0)',
            colours=((None, GREEN), (1, YELLOW)),
            meaning=FINE,
            width=4,
        ),
        number(
            "Shares away",
            "Shares that cannot be listed. Runbook DlpShareUnavailable.",
            f"count(dlp_share_available{{{SHARE}}} == 0) or vector(0)",
            colours=NONE_IS_FINE,
            meaning=FINE,
            width=4,
        ),
        number(
            "New files at critical risk, 10 min",
            "Verdicts, not files on record: the ranking (dlp rank, console) names them.",
            f'sum(share_level:dlp_risky_verdicts:increase10m{{{SHARE},level="critical"}})',
            colours=NONE_IS_FINE,
            meaning=FINE,
            width=4,
        ),
        number(
            "Longest wait in the queue",
            "Minutes are usual during a first comparison. Runbook DlpBacklogOld.",
            f"max(instance:dlp_queue_age:seconds{{{WHERE}}})",
            unit="s",
            colours=((None, GREEN), (600, YELLOW), (3600, RED)),
            width=4,
        ),
    ]


def firing() -> Any:
    return rows(
        "Firing now",
        "DlpDeadMansSwitch always stands here: it shows that rules are evaluated. "
        "Each other line has a page of its name in docs/runbooks.",
        {"firing": ("short", f"max by (alertname, severity, instance, share) ({FIRING}}})")},
        key=("severity", "alertname", "share", "instance"),
        words_of={"severity": SEVERITIES},
        first="severity",
        labels_only=True,
        width=12,
    )


def degraded() -> Any:
    return states(
        "Less protection than configured",
        "watch_limit: directories are polled. sandbox: a wall is missing. share: one is away. "
        "breaker: acting has stopped until a person looks.",
        "{{reason}}",
        f"max by (reason) (dlp_degraded{{{WHERE}}})",
        {"0": ("as configured", GREEN), "1": ("degraded", RED)},
    )


def shares() -> Any:
    by = "by (instance, share)"
    return rows(
        "Shares now",
        "One line for each share. A comparison older than a day, or much unread, wants a look.",
        {
            "state": ("short", f"min {by} (dlp_share_available{{{SHARE}}})"),
            "directories watched": ("short", f"sum {by} (dlp_watched_directories{{{SHARE}}})"),
            "last comparison": ("s", f"max {by} (share:dlp_sweep_age:seconds{{{SHARE}}})"),
            "verdicts per second": ("cps", f"sum {by} (share:dlp_files_judged:rate5m{{{SHARE}}})"),
            "unread, 1 h": ("percentunit", f"max {by} (share:dlp_gaps:ratio1h{{{SHARE}}})"),
            "files that are PHI": (
                "short",
                f'sum {by} (dlp_catalogued_files{{{SHARE},container="phi"}})',
            ),
            "at critical risk": (
                "short",
                f'sum {by} (dlp_files_at_risk{{{SHARE},level="critical"}})',
            ),
            "in quarantine": ("short", f'sum {by} (dlp_quarantined_files{{{SHARE},state="kept"}})'),
        },
        key=("share", "instance"),
        meanings={"state": STATE},
        colours={
            "state": ((None, RED), (1, GREEN)),
            "last comparison": ((None, GREEN), (108_000, RED)),
            "unread, 1 h": ((None, GREEN), (0.05, YELLOW), (0.2, RED)),
            "at critical risk": NONE_IS_FINE,
        },
    )


def what_happens() -> list[Any]:
    rate = "$__rate_interval"
    latency = f"sum by (le) (rate(dlp_detection_latency_seconds_bucket{{{WHERE}}}[{rate}]))"
    return [
        graph(
            "Verdicts",
            "How many files are judged, by how likely they hold health information.",
            {
                "{{container}}": "sum by (container) "
                f"(rate(dlp_files_judged_total{{{SHARE}}}[{rate}]))"
            },
            unit="cps",
            stacked=True,
            colours=CONTAINER_COLOURS,
        ),
        graph(
            "From the last change to the verdict",
            "A saved file should be judged within seconds. Runbook DlpVerdictsLate.",
            {
                "half of the files": f"histogram_quantile(0.5, {latency})",
                "19 of 20": f"histogram_quantile(0.95, {latency})",
            },
            unit="s",
        ),
        graph(
            "Not read, per hour",
            "By reason. What was not read was not cleared. encrypted and needs_ocr are the owners' "
            "to solve; internal and timeout are ours.",
            {"{{reason}}": f"sum by (reason) (rate(dlp_gaps_total{{{SHARE}}}[{rate}])) * 3600"},
            unit="short",
            stacked=True,
        ),
        graph(
            "Queue",
            "waiting: judged soon. aside: killed its worker three times. Runbook DlpFilesAside.",
            {
                "{{state}}": f"sum by (state) (dlp_queue_files{{{WHERE}}})",
                "being written": f"sum(dlp_settling_files{{{WHERE}}})",
            },
        ),
        graph(
            "Actions per hour",
            "held: the breaker kept a file in place. failed: see runbook DlpActionsFail.",
            {"{{action}}": f"sum by (action) (rate(dlp_actions_total{{{SHARE}}}[{rate}])) * 3600"},
            stacked=True,
        ),
        graph(
            "Events lost",
            "Each is followed by a full comparison. Often: raise fs.inotify.max_queued_events.",
            {"overflows": f"sum(increase(dlp_watch_overflows_total{{{WHERE}}}[{rate}]))"},
        ),
    ]
