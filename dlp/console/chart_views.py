"""The console's pictures: the report's charts with the console's numbers, and one of its own.

In: numbers and names.  Out: SVG whose colours come from the style sheet, so dark mode works.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta

from markupsafe import Markup

from dlp.report import charts
from dlp.report.charts import Bar, Line
from dlp.report.words_and_masks import STEPS

BOX, GAP, LINE = 22, 8, 250
MOST_DAYS = 120


def funnel(stock: Mapping[str, int]) -> Markup:
    """Each step is part of the one above."""
    names = list(STEPS)
    left = {name: sum(stock.get(one, 0) for one in names[at:]) for at, name in enumerate(names)}
    steps = [Bar(words, left[name], tone=f"ct-{name}") for name, words in STEPS.items()]
    return drawn(charts.funnel(steps, "Files left at each step"))


def trend_picture(days: Sequence[tuple[str, Mapping[str, int]]]) -> Markup:
    """PHI files at the end of each day: what was true stays true until the next change."""
    if not days:
        return Markup("")
    known = {date.fromisoformat(day): held.get("phi", 0) for day, held in days}
    last, value = max(known), 0
    first = max(min(known), last - timedelta(days=MOST_DAYS - 1))
    value = next((known[day] for day in sorted(known, reverse=True) if day <= first), 0)
    whole, values = [], []
    for number in range((last - first).days + 1):
        day = first + timedelta(days=number)
        value = known.get(day, value)
        whole.append(day.isoformat())
        values.append(float(value))
    return drawn(charts.trend(whole, [Line("files", values)], "Files with health information"))


@dataclass(frozen=True, slots=True)
class Branch:
    """Something said, or something that follows from it."""

    words: str
    kind: str = ""
    number: str = ""
    children: tuple[Branch, ...] = field(default=())

    @property
    def leaves(self) -> int:
        return sum(child.leaves for child in self.children) or 1


def tree(root: Branch) -> Markup:
    """From left to right: the sum, what the file says, what that implies."""
    step = BOX + GAP
    high = root.leaves * step + GAP
    depth = 3 if any(child.children for child in root.children) else 2
    wide = 90 + LINE * (depth - 1) + 40
    parts: list[str] = []
    place(root, 0, 0.0, parts, step)
    summary = "; ".join(describe(child) for child in root.children)
    label = f"What the sensitivity rests on: {summary}"
    return drawn(charts.svg("".join(parts), label, high, wide, "picture", fixed=True))


def place(branch: Branch, depth: int, top: float, parts: list[str], step: int) -> float:
    """Draw a branch with its children beside it; returns the height of its middle."""
    x = 0 if depth == 0 else 90 + LINE * (depth - 1) + 30
    width = 90 if depth == 0 else LINE - 40
    middle = top + branch.leaves * step / 2
    below = top
    for child in branch.children:
        at = place(child, depth + 1, below, parts, step)
        start, end = x + width, 90 + LINE * depth + 30
        half = (start + end) / 2
        curve = f"M{start} {middle:.0f}C{half} {middle:.0f} {half} {at:.0f} {end} {at:.0f}"
        parts.append(f'<path d="{curve}" class="twig"/>')
        below += child.leaves * step
    words = branch.words if depth == 0 or len(branch.words) <= 23 else branch.words[:22] + "…"
    tone = f"node {branch.kind}".strip()
    parts += [
        charts.box((x, middle - BOX / 2), (width, BOX), tone, branch.words),
        charts.text(x + 7, middle + 4, words, "ink small"),
        charts.text(x + width - 7, middle + 4, branch.number, "ink small strong", "end"),
    ]
    return middle


def describe(branch: Branch) -> str:
    said = f"{branch.words} {branch.number}".strip()
    if not branch.children:
        return said
    return f"{said} implies {', '.join(describe(child) for child in branch.children)}"


def drawn(svg: str) -> Markup:
    return Markup(svg)  # noqa: S704 - charts escapes every name in it
