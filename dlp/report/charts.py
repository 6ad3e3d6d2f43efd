"""Charts as SVG, drawn on the server: no script, no font, no request, no inline style.

In: numbers and labels.  Out: one SVG element as text, safe to place into a page.

Colours are CSS classes (`lv-high`, `ct-phi`, `ink` ...) and never attributes: the page decides what
they look like in light, dark and print; `palette.css` holds the values the reports use. Every
chart says what it shows in `aria-label`, and each mark has a `<title>` for the pointer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from itertools import accumulate
from typing import NamedTuple

from dlp.report.writers import printable

WIDTH = 540.0  # of a chart in its own units; the page scales it
ROW = 34.0  # height of one bar with the space around it
BAR = 18.0
STEP = 50.0  # height of one step of a funnel
CHARACTER = 7.2  # width of one at 13 px, on average
GAP = 2.0  # between neighbouring marks, so that colour is not all that parts them
LEFT, RIGHT, TOP, BOTTOM = 44.0, 14.0, 14.0, 30.0  # around the lines of a trend
NAMES = 90.0  # room for the names of lines


class Bar(NamedTuple):
    label: str
    value: float
    shown: str = ""  # the value in words; the number itself if empty
    tone: str = "ct-possible"  # CSS class


class Line(NamedTuple):
    name: str
    values: Sequence[float]
    tone: str = "ct-phi"


def number(value: float) -> str:
    """1234567 as people read it, without decimals that mean nothing."""
    return f"{value:,.0f}" if value == int(value) or value >= 100 else f"{value:,.2g}"


def clean(text: str) -> str:
    """Text for markup: what is not printable becomes its escape, then HTML's signs go."""
    return escape(printable(text), quote=True)


def shorten(text: str, most: int) -> str:
    """Keep both ends: the share and the name say more than the folders between."""
    if len(text) <= most:
        return text
    tail = max(1, int(most * 0.6))
    return f"{text[: max(1, most - tail - 1)]}…{text[-tail:]}"


def svg(
    body: str,
    label: str,
    height: float,
    width: float = WIDTH,
    tone: str = "chart",
    *,
    fixed: bool = False,
) -> str:
    """`fixed`: as large as it is drawn, where a page would rather scroll than shrink it."""
    size = f' width="{width:g}" height="{height:g}"' if fixed else ""
    return (
        f'<svg class="{tone}"{size} role="img" aria-label="{clean(label)}"'
        f' viewBox="0 0 {width:g} {height:g}" xmlns="http://www.w3.org/2000/svg">{body}</svg>'
    )


def text(x: float, y: float, words: str, tone: str = "ink", anchor: str = "start") -> str:
    return (
        f'<text class="{tone}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{clean(words)}</text>'
    )


def box(place: tuple[float, float], size: tuple[float, float], tone: str, title: str = "") -> str:
    (x, y), (width, height) = place, size
    summary = f"<title>{clean(title)}</title>" if title else ""
    return (
        f'<rect class="{clean(tone)}" x="{x:.1f}" y="{y:.1f}" width="{max(width, 0):.1f}"'
        f' height="{height:.1f}" rx="2">{summary}</rect>'
    )


def bars(rows: Sequence[Bar], label: str, *, names: float = 0.36) -> str:
    """Horizontal bars with their names to the left and their values behind them."""
    start = WIDTH * names
    room = WIDTH - start - 76
    most = max((row.value for row in rows), default=0.0) or 1.0
    characters = int((start - 12) / CHARACTER)
    marks = []
    for at, row in enumerate(rows):
        y, width = at * ROW, max(room * row.value / most, 1.5 if row.value else 0.0)
        shown = row.shown or number(row.value)
        marks += [
            text(start - 10, y + 22, shorten(row.label, characters), "ink", "end"),
            box((start, y + 8), (width, BAR), row.tone, f"{row.label}: {shown}"),
            text(start + width + 7, y + 22, shown, "ink strong"),
        ]
    summary = "; ".join(f"{row.label} {row.shown or number(row.value)}" for row in rows)
    return svg("".join(marks), f"{label}: {summary}", max(ROW, len(rows) * ROW))


def funnel(steps: Sequence[Bar], label: str) -> str:
    """Bars that narrow around one axis; each says what share of the first is left."""
    whole = (steps[0].value if steps else 0.0) or 1.0
    middle, room = WIDTH * 0.3, WIDTH * 0.58
    side = WIDTH * 0.64
    marks = []
    for at, step in enumerate(steps):
        y, width = at * STEP, max(room * step.value / whole, 2.0)
        share = f"{step.value / whole:.1%}" if at else ""
        words = " · ".join(filter(None, (step.label, step.shown or share)))
        marks += [
            box((middle - width / 2, y + 4), (width, STEP - 10), step.tone, words),
            text(side, y + 20, number(step.value), "ink strong big"),
            text(side, y + 38, words, "faint"),
        ]
    summary = "; ".join(f"{step.label} {number(step.value)}" for step in steps)
    return svg("".join(marks), f"{label}: {summary}", max(STEP, len(steps) * STEP))


def stack(parts: Sequence[Bar], label: str, height: float = 26.0) -> str:
    """One bar cut into its parts, with a legend that names each and its number."""
    seen = [part for part in parts if part.value > 0]
    whole = sum(part.value for part in seen) or 1.0
    room = WIDTH - GAP * max(0, len(seen) - 1)
    marks, x, column, line = [], 0.0, 0.0, 0
    for part in seen:
        width = room * part.value / whole
        summary = f"{part.label}: {part.shown or number(part.value)} ({part.value / whole:.1%})"
        marks.append(box((x, 0), (max(width, 1.5), height), part.tone, summary))
        x += width + GAP
    for part in parts:
        words = f"{part.label} {part.shown or number(part.value)}"
        wide = CHARACTER * len(words) + 40
        if column + wide > WIDTH:
            column, line = 0.0, line + 1
        y = height + 12 + line * 24
        marks += [box((column, y), (12, 12), part.tone), text(column + 18, y + 11, words, "ink")]
        column += wide
    summary = "; ".join(f"{part.label} {part.shown or number(part.value)}" for part in parts)
    return svg("".join(marks), f"{label}: {summary}", height + 36 + line * 24)


def meter(value: float, most: float, tone: str, label: str) -> str:
    """A bar as high as a line of text, for the cell of a table."""
    width = 100.0 * min(1.0, value / most) if most > 0 else 0.0
    body = box((0, 1), (100, 8), "track") + box((0, 1), (max(width, 1.0 * bool(value)), 8), tone)
    return svg(body, label, 10.0, 100.0, "meter")


def scaled(
    values: Sequence[float], width: float, height: float, most: float = 0.0
) -> list[tuple[float, float]]:
    top = most or max(values, default=0.0) or 1.0
    step = width / max(1, len(values) - 1)
    return [(at * step, height - height * value / top) for at, value in enumerate(values)]


def trend(
    days: Sequence[str],
    lines: Sequence[Line],
    label: str,
    *,
    height: float = 220.0,
    width: float = WIDTH,
) -> str:
    """Lines over days from nought, each named at its end; the last values are in the label."""
    most = nice(max((value for line in lines for value in line.values), default=0.0))
    inner, tall = width - LEFT - RIGHT - NAMES, height - TOP - BOTTOM
    marks = [grid(most, inner, tall)]
    for line in lines:
        points = [(LEFT + x, TOP + y) for x, y in scaled(line.values, inner, tall, most)]
        if len(points) == 1:
            points.append((LEFT + inner, points[0][1]))
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        summary = f"{line.name}: {number(line.values[-1])}" if line.values else line.name
        title = f"<title>{clean(summary)}</title>"
        marks.append(f'<polyline class="line {line.tone}" points="{path}">{title}</polyline>')
    ends = [(line, TOP + tall - tall * line.values[-1] / most) for line in lines if line.values]
    marks += [
        text(LEFT + inner + 8, y + 4, f"{line.name} {number(line.values[-1])}", "ink")
        for line, y in apart(ends)
    ]
    for at in sorted({0, len(days) // 2, len(days) - 1} if days else ()):
        anchor = "start" if at == 0 else "end" if at == len(days) - 1 else "middle"
        x = LEFT + inner * at / max(1, len(days) - 1)
        marks.append(text(x, height - 8, days[at], "faint", anchor))
    summary = "; ".join(f"{li.name} now {number(li.values[-1])}" for li in lines if li.values)
    return svg("".join(marks), f"{label}: {summary}", height, width)


def grid(most: float, inner: float, tall: float) -> str:
    marks = []
    for part in (0.0, 0.5, 1.0):
        y = TOP + tall - tall * part
        marks.append(f'<path class="grid" d="M{LEFT:.1f} {y:.1f}H{LEFT + inner:.1f}"/>')
        marks.append(text(LEFT - 8, y + 4, number(most * part), "faint", "end"))
    return "".join(marks)


def apart(ends: Iterable[tuple[Line, float]]) -> list[tuple[Line, float]]:
    """Move names that would lie on each other down by the height of a line."""
    ordered = sorted(ends, key=lambda end: end[1])
    places = list(accumulate((y for _, y in ordered), lambda before, y: max(y, before + 15)))
    return [(line, y) for (line, _), y in zip(ordered, places, strict=True)]


def nice(value: float) -> float:
    """The next of 2, 4, 10, 20, 40, 100 ...: halves of it are whole numbers."""
    step = 1.0
    while True:
        for factor in (2, 4, 10):
            if value <= step * factor:
                return step * factor
        step *= 10
