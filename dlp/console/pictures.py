"""Small pictures drawn on the server: the funnel, the trend, what follows from what.

In: numbers and names.  Out: SVG whose colours come from the style sheet, so dark mode works.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from markupsafe import Markup, escape

FUNNEL = (
    ("all", "All files seen"), ("possible", "May hold personal information"),
    ("probable", "Identify people"), ("phi", "Health information about them"),
)  # fmt: skip
WIDE, ROW = 560, 46
TREND_WIDE, TREND_HIGH, LEFT, BELOW = 560, 190, 44, 24
BOX, GAP, LINE = 22, 8, 250
MOST_DAYS = 120


def funnel(stock: Mapping[str, int]) -> Markup:
    """Each step is part of the one above; a bar is never too thin to be seen."""
    steps = {
        "all": sum(stock.values()),
        "possible": sum(stock.get(name, 0) for name in ("possible", "probable", "phi")),
        "probable": stock.get("probable", 0) + stock.get("phi", 0),
        "phi": stock.get("phi", 0),
    }
    most = steps["all"] or 1
    parts = []
    for number, (name, words) in enumerate(FUNNEL):
        top = number * ROW
        width = max(3.0, (WIDE - 4) * steps[name] / most) if steps[name] else 0.0
        share = f"{100 * steps[name] / most:.3g} %"
        parts.append(
            f'<text x="0" y="{top + 13}">{escape(words)}</text>'
            f'<text x="{WIDE}" y="{top + 13}" text-anchor="end" class="strong">'
            f"{steps[name]:,} · {share}</text>"
            f'<rect x="0" y="{top + 20}" width="{WIDE}" height="14" rx="3" class="track"/>'
            f'<rect x="0" y="{top + 20}" width="{width:.1f}" height="14" rx="3"'
            f' class="bar {name}"/>'
        )
    told = ", ".join(f"{words}: {steps[name]:,}" for name, words in FUNNEL)
    return picture(WIDE, ROW * len(FUNNEL), f"Funnel. {told}", "".join(parts))


def trend_picture(days: Sequence[tuple[str, Mapping[str, int]]]) -> Markup:
    """Files that hold PHI at the end of each day, as a stepped area: a stock, not a flow."""
    points = [(date.fromisoformat(day), held.get("phi", 0)) for day, held in days][-MOST_DAYS:]
    if not points:
        return Markup("")
    first, last = points[0][0].toordinal(), points[-1][0].toordinal()
    top = nice(max(value for _, value in points))
    right, high = TREND_WIDE - 6, TREND_HIGH - BELOW - 8

    def x(day: date) -> float:
        span = max(1, last - first)
        return LEFT + (right - LEFT) * ((day.toordinal() - first) / span if last > first else 0)

    def y(value: float) -> float:
        return 8 + high - high * value / top

    path = f"M{x(points[0][0]):.1f} {y(points[0][1]):.1f}"
    for day, value in points[1:]:
        path += f"H{x(day):.1f}V{y(value):.1f}"
    path += f"H{right}"
    area = f"{path}V{y(0):.1f}H{LEFT}Z"
    grid = "".join(
        f'<path d="M{LEFT} {y(v):.1f}H{right}" class="grid"/>'
        f'<text x="{LEFT - 8}" y="{y(v) + 4:.1f}" text-anchor="end" class="small">{v:,.0f}</text>'
        for v in (0, top / 2, top)
    )
    ends = (
        f'<text x="{LEFT}" y="{TREND_HIGH - 4}" class="small">{points[0][0]}</text>'
        f'<text x="{right}" y="{TREND_HIGH - 4}" text-anchor="end" class="small">'
        f"{points[-1][0]}</text>"
    )
    told = f"Files with health information: {points[0][1]:,} on {points[0][0]}, "
    told += f"{points[-1][1]:,} on {points[-1][0]}"
    body = f'{grid}<path d="{area}" class="area"/><path d="{path}" class="line"/>{ends}'
    return picture(TREND_WIDE, TREND_HIGH, told, body)


def nice(value: float) -> float:
    """The next round number, so that a grid line reads well."""
    step = 2.0
    while step < value:
        step *= 2 if str(step)[0] in "14" else 2.5
        step = round(step, 6)
    return step


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
    told = "; ".join(describe(child) for child in root.children)
    return picture(wide, high, f"What the sensitivity rests on: {told}", "".join(parts))


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
    words = branch.words if len(branch.words) <= 23 else branch.words[:22] + "…"
    if depth == 0:
        words = branch.words
    parts.append(
        f'<g><title>{escape(branch.words)}</title><rect x="{x}" y="{middle - BOX / 2:.0f}"'
        f' width="{width}" height="{BOX}" rx="4" class="node {escape(branch.kind)}"/>'
        f'<text x="{x + 7}" y="{middle + 4:.0f}" class="small">{escape(words)}</text>'
        f'<text x="{x + width - 7}" y="{middle + 4:.0f}" text-anchor="end" class="small strong">'
        f"{escape(branch.number)}</text></g>"
    )
    return middle


def describe(branch: Branch) -> str:
    said = f"{branch.words} {branch.number}".strip()
    if not branch.children:
        return said
    return f"{said} implies {', '.join(describe(child) for child in branch.children)}"


def picture(wide: float, high: float, told: str, body: str) -> Markup:
    return Markup(  # noqa: S704 - every name in it went through escape()
        f'<svg viewBox="0 0 {wide:.0f} {high:.0f}" role="img" aria-label="{escape(told)}"'
        f' class="picture" width="{wide:.0f}" height="{high:.0f}">{body}</svg>'
    )
