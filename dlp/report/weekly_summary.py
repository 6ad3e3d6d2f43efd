"""The week in plain words, for an officer's inbox: what is new, what is worst, what waits.

In: Overview and what changed in the period.  Out: text of less than a page.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from dlp.report.overview import Overview
from dlp.report.words_and_masks import GAPS, several
from dlp.report.writers import figure, printable

SHOWN = 5
WIDEST = 76


@dataclass(frozen=True, slots=True)
class Period:
    start: float
    end: float
    judged: Sequence[dict[str, Any]] = ()  # rows of the history, latest first
    decisions: Sequence[dict[str, Any]] = ()
    actions: Sequence[dict[str, Any]] = field(default=())  # intents changed in the period


def weekly(overview: Overview, period: Period) -> str:
    return "\n".join(lines(overview, period)) + "\n"


def lines(overview: Overview, period: Period) -> Iterator[str]:
    yield f"Privacy risk, {day(period.start)} to {day(period.end)}"
    yield ""
    yield from standing(overview)
    yield ""
    yield from changes(overview, period)
    yield from worst(overview)
    yield from waiting(overview)


def day(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%d %b %Y")


def standing(overview: Overview) -> Iterator[str]:
    people = several(overview.people, "person", "people")
    yield f"{several(overview.phi, 'leak')} exposing {people}; {overview.urgent} high or critical."
    yield (
        f"{overview.read:,} of {several(overview.files, 'file')} read in full"
        f" ({overview.coverage:.1%})."
    )


def changes(overview: Overview, period: Period) -> Iterator[str]:
    latest: dict[bytes, dict[str, Any]] = {}
    for row in period.judged:  # latest first: the first of a path is what holds
        latest.setdefault(row["path"], row)
    leaks = [row for row in latest.values() if row["container"] == "phi"]
    decided = Counter(row["verdict"] for row in period.decisions)
    acted = Counter(f"{row['action']} {row['state']}" for row in period.actions)
    yield "In this period"
    yield f"  {several(len(latest), 'file')} new or judged differently, {len(leaks)} of them leaks"
    for row in sorted(leaks, key=lambda row: (-row["privacy"], row["path"]))[:SHOWN]:
        yield f"    {figure(row['privacy']) or '0':>6}  {shown(row['path'])}"
    if len(leaks) > SHOWN:
        yield f"    … and {len(leaks) - SHOWN} more"
    counted = ", ".join(f"{count} {name}" for name, count in sorted(decided.items()))
    yield f"  decisions: {counted or 'none'}"
    yield f"  actions: {', '.join(f'{n} {what}' for what, n in sorted(acted.items())) or 'none'}"
    yield f"  exceptions in force: {overview.exceptions}"
    yield ""


def worst(overview: Overview) -> Iterator[str]:
    if overview.worst_folders:
        yield "Worst folders (risk, people, leaks)"
        for row in overview.worst_folders[:SHOWN]:
            people, leaks = row["people"], row["phi"]
            name = shown(os.fsencode(row["path"]))
            yield f"  {row['level']:<9}{row['risk']:>8.3g}{people:>7,}{leaks:>6,}  {name}"
        yield ""


def waiting(overview: Overview) -> Iterator[str]:
    yield "Waiting for you"
    yield f"  {several(overview.reviews.get('open', 0), 'leak')} not reviewed yet"
    for code, count in sorted(overview.gaps.items(), key=lambda gap: -gap[1])[:SHOWN]:
        what, advice = GAPS.get(code, (code, "look at it"))
        yield f"  {several(count, 'file')} {what}: {advice}"


def shown(path: bytes) -> str:
    """The end of a path says most; the whole of it is in the report."""
    text = printable(os.fsdecode(path))
    return text if len(text) <= WIDEST else f"…{text[1 - WIDEST :]}"
