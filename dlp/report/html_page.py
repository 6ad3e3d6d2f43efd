"""The risk report as one page: no script, no request, readable on screen, in the dark, on paper.

In: Overview.  Out: HTML.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import dlp
from dlp.model import LEVELS
from dlp.report import charts
from dlp.report.charts import Bar, Line, clean, number
from dlp.report.overview import Overview
from dlp.report.words_and_masks import GAPS, LEVEL_NAMES, STEPS, day, several
from dlp.report.writers import figure

WIDE = 1120.0  # of a chart over the whole page, so that its letters are as large as the others
STYLES = ("palette.css", "page.css")


def page(overview: Overview) -> str:
    """The whole page; `Content-Security-Policy` keeps it silent even if a name slipped through."""
    sections = "".join((
        tiles(overview),
        '<div class="grid">', containers(overview), bands(overview), "</div>",
        history(overview), folders(overview), worst_files(overview), people(overview),
        '<div class="grid">', exposure(overview), coverage(overview), done(overview),
        "</div>",
        method(overview),
    ))  # fmt: skip
    return document(overview.title, heading(overview), sections)


def document(title: str, header: str, sections: str) -> str:
    policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="referrer" content="no-referrer">'
        f"<title>{clean(title)}</title><style>{styles()}</style></head><body>"
        f"{header}<main>{sections}</main>{closing()}</body></html>\n"
    )


def styles() -> str:
    here = Path(__file__).parent
    return "\n".join((here / name).read_text(encoding="utf-8") for name in STYLES)


def heading(overview: Overview) -> str:
    where = ", ".join(overview.servers)
    scope = f" on {clean(where)}" if where else ""
    return (
        f'<header class="top"><h1>{clean(overview.title)}</h1>'
        f'<p class="faint">{day(overview.at)} · {several(overview.files, "file")} judged'
        f'{scope}</p><p class="lead">{lead(overview)}</p></header>'
    )


def lead(overview: Overview) -> str:
    """The one sentence that a reader in a hurry takes away."""
    if not overview.files:
        return "Nothing has been scanned yet."
    unread = (
        f" {several(overview.unread, 'file')} could not be read in full and may hold more."
        if overview.unread
        else " Every file was read in full."
    )
    if not overview.phi:
        return f"<strong>No file tells the health of identified people.</strong>{unread}"
    verb = "tells" if overview.phi == 1 else "tell"
    urgent = (
        f" {several(overview.urgent, 'file')} at high or critical risk should be dealt with first."
        if overview.urgent
        else ""
    )
    files, persons = several(overview.phi, "file"), several(overview.people, "person", "people")
    return f"<strong>{files} {verb} the health of {persons}.</strong>{urgent}{unread}"


def tiles(overview: Overview) -> str:
    shown = (
        (number(overview.phi), "files tell people’s health", "hot" if overview.phi else ""),
        (number(overview.people), "people exposed", ""),
        (
            number(overview.urgent),
            "files at high or critical risk",
            "hot" if overview.urgent else "",
        ),
        (f"{overview.coverage:.1%}" if overview.files else "–", "of files read in full", ""),
        (number(overview.reviews.get("open", 0)), "leaks not reviewed yet", ""),
    )
    rows = "".join(
        f'<li class="{tone}"><b>{value}</b><span>{what}</span></li>' for value, what, tone in shown
    )
    return f'<ul class="tiles">{rows}</ul>'


def card(title: str, note: str, body: str) -> str:
    return f'<section class="card"><h2>{title}</h2><p class="note">{note}</p>{body}</section>'


def containers(overview: Overview) -> str:
    steps = [Bar(STEPS[name], left, tone=f"ct-{name}") for name, left in overview.funnel]
    note = "Each step leaves out what cannot be a leak."
    return card("From files to leaks", note, charts.funnel(steps, "Files left at each step"))


def bands(overview: Overview) -> str:
    rows = [
        Bar(LEVEL_NAMES.get(level, level), overview.levels.get(level, 0), tone=f"lv-{level}")
        for level in reversed(LEVELS)
    ]
    note = "Files that identify people, by what their worst person loses and how many they expose."
    return card("Risk of these files", note, charts.bars(rows, "Files by risk", names=0.24))


def history(overview: Overview) -> str:
    days = [when for when, _ in overview.stock]
    if len(days) < 2:
        return ""
    lines = [
        Line(name, [sums.get(container, 0) for _, sums in overview.stock], f"ct-{container}")
        for name, container in (("leaks", "phi"), ("identify", "probable"))
    ]
    drawn = charts.trend(days, lines, "Files over time", width=WIDE)
    return card("Over time", "Files in the catalogue at the end of each day with a change.", drawn)


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Heads that begin with a sign for numbers (#) are set to the right."""
    top = "".join(
        f'<th scope="col"{" class=n" if head.startswith("#") else ""}>{head.lstrip("#")}</th>'
        for head in heads
    )
    kinds = [kind_of(head) for head in heads]
    body = "".join(
        "<tr>" + "".join(f"<td{k}>{c}</td>" for k, c in zip(kinds, row, strict=True)) + "</tr>"
        for row in rows
    )
    inside = f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"
    # so that a wide table scrolls with the keyboard too
    focus = f'tabindex="0" role="group" aria-label="{heads[1].lstrip("#")}"'
    return f'<div class="scroll" {focus}>{inside}</div>'


def kind_of(head: str) -> str:
    if head in {"Folder", "File"}:
        return ' class="path"'
    return ' class="n"' if head.startswith("#") else ""


def tag(level: str) -> str:
    dot = charts.svg(charts.box((0, 0), (10, 10), f"lv-{level}"), level, 10, 10, "dot")
    return f'<span class="tag">{dot.replace("role=", "aria-hidden=true role=")}{level}</span>'


def located(row: dict[str, Any], below: str = "") -> str:
    server = f"{row['server']}: " if row.get("server") else ""
    small = f"<small>{clean(below)}</small>" if below else ""
    # a long path breaks after its slashes first
    return f"{clean(server + row['path']).replace('/', '/<wbr>')}{small}"


def folders(overview: Overview) -> str:
    if not overview.worst_folders:
        return ""
    most = max(row["risk"] for row in overview.worst_folders)
    rows = [
        (
            tag(row["level"]),
            located(row),
            charts.meter(row["risk"], most, f"lv-{row['level']}", f"risk {row['risk']:.3g}"),
            f"{row['risk']:.3g}",
            f"{row['harm']:.3g}",
            number(row["people"]),
            number(row["phi"]),
            number(row["files"]),
        )
        for row in overview.worst_folders
    ]
    heads = ("Level", "Folder", "Risk", "#Risk", "#Harm", "#People", "#Leaks", "#Files")
    note = (
        "Harm adds up, over the people in a folder, the worst that is said of each; risk is that "
        "times the people who can read it."
    )
    return card("Worst folders", note, table(heads, rows))


def worst_files(overview: Overview) -> str:
    most = max((row["risk"] for row in overview.worst_files), default=0.0)
    rows = [
        (
            tag(row["level"]),
            located(row, row["reason"]),
            charts.meter(row["risk"], most, f"lv-{row['level']}", f"{row['risk']:.3g}"),
            figure(row["risk"]),
            figure(row["privacy"]),
            number(row["people"]),
            clean(row["exposure"]),
            number(row["readers"]),
        )
        for row in overview.worst_files
    ]
    if not rows:
        return ""
    heads = ("Level", "File", "Risk", "#Risk", "#Worst person", "#People", "Exposure", "#Readers")
    note = (
        "Risk: the expected losses of all people in a file × the people who can read it. A "
        "person's loss: how surely the file points at them × how sensitive it is."
    )
    return card("Worst files", note, table(heads, rows))


def people(overview: Overview) -> str:
    rows = [
        (
            tag(row["level"]),
            clean(row["person"]),
            charts.meter(row["privacy"], 1.0, f"lv-{row['level']}", f"{row['privacy']:.3g}"),
            figure(row["privacy"]),
            figure(row["alone"]),
            number(row["files"]),
        )
        for row in overview.worst_people
    ]
    if not rows:
        return ""
    heads = ("Level", "Person", "Privacy loss", "#Together", "#Worst file", "#Files")
    note = "Pseudonyms of this report; files that describe one person are scored together."
    return card("People most exposed", note, table(heads, rows))


def exposure(overview: Overview) -> str:
    """Leaks by who can read them, and those that nobody uses or owns."""
    if not any(overview.exposure.values()):
        return ""
    most = max(overview.exposure.values())
    rows = [
        (clean(name), charts.meter(count, most, "lv-high", f"{count} leaks"), number(count))
        for name, count in overview.exposure.items()
    ]
    rows += [
        ("stale: neither changed nor opened for long", "", number(overview.stale)),
        ("orphaned: the owner's account is gone", "", number(overview.orphaned)),
    ]
    note = "Who can read the files that tell somebody's health; administrators are not counted."
    return card("Who can read the leaks", note, table(("Exposure", "Leaks", "#Leaks"), rows))


def coverage(overview: Overview) -> str:
    parts = [
        Bar("read in full", overview.read, tone="good"),
        Bar("not in full", overview.unread, tone="bad"),
    ]
    rows = [
        (clean(GAPS.get(code, (code, ""))[0]), number(count), clean(GAPS.get(code, ("", ""))[1]))
        for code, count in sorted(overview.gaps.items(), key=lambda gap: -gap[1])
    ]
    listed = table(("Why not", "#Files", "What to do"), rows) if rows else ""
    drawn = charts.stack(parts, "Files read")
    note = "A file that was not read in full is never called clean."
    return card("What was read", note, drawn + listed)


def done(overview: Overview) -> str:
    order = ("open", "confirmed", "cleared", "accepted")
    tones = ("lv-high", "ct-probable", "good", "lv-low")
    parts = [Bar(n, overview.reviews.get(n, 0), tone=t) for n, t in zip(order, tones, strict=True)]
    rows = [(clean(state), number(count)) for state, count in sorted(overview.actions.items())]
    rows.append(("exceptions in force", number(overview.exceptions)))
    drawn = charts.stack(parts, "Reviews of leaks")
    note = "Decisions about leaks, and what the service did with files."
    return card("What was done", note, drawn + table(("Actions and exceptions", "#Files"), rows))


def method(overview: Overview) -> str:
    facts = {
        "Program": f"dlp {dlp.__version__}",
        "Rules": ", ".join(overview.rules_versions) or "none",
        "First and last judged": f"{day(overview.oldest)} – {day(overview.newest)}"
        if overview.files
        else "nothing judged",
        "Read": f"{overview.size_bytes / 1e9:.2f} GB in {several(overview.files, 'file')}",
        "Level": "critical, high, medium or low by risk: above 400, 20, 1, or less; 1 is one "
        "person's gravest secret before one reader",
        "Limits": "each file is shown as it was when judged; one not read in full may hold more; "
        "pseudonyms differ from report to report",
    }
    rows = "".join(f"<dt>{name}</dt><dd>{clean(value)}</dd>" for name, value in facts.items())
    return card("How this was measured", "", f"<dl>{rows}</dl>")


def closing() -> str:
    return (
        "<footer>This page holds paths and figures, no name, number or sentence of a patient. "
        "Paths themselves can tell: keep it as you keep the shares.</footer>"
    )
