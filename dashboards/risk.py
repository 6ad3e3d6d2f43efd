"""The page for compliance: how much is exposed, whose, is it getting better, what waits for us.

In: nothing.  Out: the dashboard dlp-risk.
"""

from __future__ import annotations

from typing import Any

from dashboards.pieces import (
    CONTAINER_COLOURS,
    GREEN,
    LEVEL_COLOURS,
    ORANGE,
    RED,
    SHARE,
    WHERE,
    YELLOW,
    bars,
    board,
    graph,
    number,
    rows,
)

AT_RISK = f"dlp_files_at_risk{{{SHARE}}}"
LEDGER = {"0": ("NOT WHOLE", RED), "1": ("whole", GREEN)}


def build() -> Any:
    return board(
        "dlp-risk",
        "dlp / risk",
        "How much health information lies exposed, of how many people, and what waits for a "
        "decision. Names of files and people are in the console, never here.",
        [
            ("", [*figures()]),
            ("Exposure", [*exposure()]),
            ("Coverage", [*coverage()]),
            ("Decisions and evidence", [*decisions()]),
        ],
    )


def figures() -> list[Any]:
    return [
        number(
            "People exposed",
            "Different persons, as far as they can be told apart, in files that are PHI.",
            f"sum(dlp_persons_exposed{{{SHARE}}})",
            colours=((None, GREEN), (1, YELLOW), (50, ORANGE), (500, RED)),
            width=4,
        ),
        number(
            "Files at critical risk",
            "Grave facts of people who can be found at once, or of very many.",
            f'sum(dlp_files_at_risk{{{SHARE},level="critical"}})',
            colours=((None, GREEN), (1, RED)),
            width=4,
        ),
        number(
            "Files at high risk",
            "The next to look at.",
            f'sum(dlp_files_at_risk{{{SHARE},level="high"}})',
            colours=((None, GREEN), (1, ORANGE)),
            width=4,
        ),
        number(
            "Undecided",
            "Files that are PHI and that nobody has confirmed, cleared or accepted.",
            f"sum(dlp_review_files{{{WHERE}}})",
            colours=((None, GREEN), (1, YELLOW)),
            width=4,
        ),
        number(
            "Longest wait for a decision",
            "On the shares or in quarantine. Runbook DlpReviewOverdue.",
            f"max(instance:dlp_review_age:seconds{{{WHERE}}})",
            unit="s",
            colours=((None, GREEN), (259_200, YELLOW), (604_800, RED)),
            width=4,
        ),
        number(
            "Ledger",
            "Whether the record of what was done holds against its anchor.",
            f'min(dlp_ledger_state{{{WHERE},state="whole"}})',
            meaning=LEDGER,
            colours=((None, RED), (1, GREEN)),
            width=4,
        ),
    ]


def exposure() -> list[Any]:
    return [
        graph(
            "Files at risk",
            "The stock, by level. It should fall; a step up is a new export or a new share.",
            {"{{level}}": f"sum by (level) ({AT_RISK})"},
            stacked=True,
            colours=LEVEL_COLOURS,
        ),
        graph(
            "People exposed, by share",
            "The same person in two shares counts in both.",
            {"{{share}}": f"sum by (share) (dlp_persons_exposed{{{SHARE}}})"},
        ),
        rows(
            "Shares by level of risk",
            "Where the risk lies.",
            {
                level: ("short", f'sum by (share) (dlp_files_at_risk{{{SHARE},level="{level}"}})')
                for level in ("critical", "high", "medium", "low")
            }
            | {"people": ("short", f"sum by (share) (dlp_persons_exposed{{{SHARE}}})")},
            key=("share",),
            colours={
                "critical": ((None, GREEN), (1, RED)),
                "high": ((None, GREEN), (1, ORANGE)),
            },
            width=12,
        ),
        graph(
            "Files with PHI, by who can read them",
            "Widely readable ones, and those that nobody uses or owns any more.",
            {"{{view}}": f"sum by (view) (dlp_phi_files{{{WHERE}}})"},
        ),
        graph(
            "Risk",
            "Expected losses times readers, over all files with PHI. Closing a folder lowers it.",
            {"{{instance}}": f"sum by (instance) (dlp_phi_risk{{{WHERE}}})"},
        ),
        bars(
            "What was found in files that are PHI",
            "Findings since the daemon started, by kind.",
            "{{kind}}",
            f"sort_desc(sum by (kind) (dlp_findings_total{{{WHERE}}}))",
            width=12,
        ),
        graph(
            "New verdicts at risk, per hour",
            "What was saved or found for the first time. The stock above says what is left.",
            {
                "{{level}}": "sum by (level) "
                f"(rate(dlp_risky_verdicts_total{{{SHARE}}}[$__rate_interval])) * 3600"
            },
            stacked=True,
            colours=LEVEL_COLOURS,
            width=24,
        ),
    ]


def coverage() -> list[Any]:
    return [
        bars(
            "The funnel",
            "Files on record by container: how far down the cascade they went.",
            "{{container}}",
            f"sum by (container) (dlp_catalogued_files{{{SHARE}}})",
            colours=CONTAINER_COLOURS,
        ),
        bars(
            "Not read in full, by reason",
            "Verdicts with a gap since the daemon started. A gap is never a clean file.",
            "{{reason}}",
            f"sort_desc(sum by (reason) (dlp_gaps_total{{{SHARE}}}))",
        ),
        bars(
            "Last full comparison",
            "How long ago every file of the share was last compared.",
            "{{share}}",
            f"max by (share) (share:dlp_sweep_age:seconds{{{SHARE}}})",
            unit="s",
        ),
    ]


def decisions() -> list[Any]:
    return [
        graph(
            "In quarantine",
            "kept: waits for a decision. moving: minutes. blocked: runbook DlpActionsBlocked.",
            {"{{state}}": f"sum by (state) (dlp_quarantined_files{{{SHARE}}})"},
            width=8,
        ),
        graph(
            "Actions per day",
            "What was done about files.",
            {
                "{{action}}": "sum by (action) "
                f"(rate(dlp_actions_total{{{SHARE}}}[$__rate_interval])) * 86400"
            },
            stacked=True,
            width=8,
        ),
        graph(
            "Records in the ledger",
            "It only grows; a step down is a cut end. Runbook DlpLedgerBroken.",
            {
                "{{instance}}": f"sum by (instance) (dlp_ledger_records{{{WHERE}}})",
                "searches for a person": f"sum(dlp_person_searches{{{WHERE}}})",
            },
            width=8,
        ),
    ]
