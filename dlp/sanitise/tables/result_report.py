"""The figures of a result as text, as JSON and as one HTML page; no cell of the table is in them.

In: Result.  Out: text, an object for JSON, or a page that loads nothing from elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np

from dlp.sanitise.tables.anonymise import Protection, Result
from dlp.sanitise.tables.records import Rows


def as_object(result: Result) -> dict[str, Any]:
    request, loss = result.request, result.loss
    return {
        "k": request.k,
        "method": request.method,
        "classic": request.classic,
        "columns": {
            name: {"role": role.role, "kind": role.kind, "reason": role.reason}
            for name, role in result.roles.items()
        },
        "quasi_identifiers": list(result.quasi),
        "before": _figures(result.before),
        "after": None if result.after is None else _figures(result.after),
        "loss": None
        if loss is None
        else {
            "sse": round(loss.sse, 4),
            "mean": round(loss.mean, 6),
            "kl": round(loss.kl, 6),
            "rows_changed": loss.changed,
            "columns": dict(zip(result.quasi, (round(c, 6) for c in loss.columns), strict=True)),
        },
        "notes": list(result.notes),
    }


def _figures(state: Protection) -> dict[str, Any]:
    return {
        **state.risk.as_object(),
        "l": dict(state.diversity),
        "t": {name: round(value, 6) for name, value in state.closeness.items()},
    }


def as_text(result: Result) -> str:
    wide = max(map(len, result.roles))
    lines = ["columns"]
    for name, role in result.roles.items():
        what = f"{role.role} ({role.kind})" if role.role in ("quasi", "sensitive") else role.role
        lines.append(f"  {name:<{wide}}  {what:<19}  {role.reason}")
    lines += ["", f"{'':<34}{'before':>12}{'after' if result.after else '':>12}"]
    lines += [f"  {name:<32}{before:>12}{after:>12}" for name, before, after in comparison(result)]
    if result.loss is not None:
        loss = result.loss
        figures = f"SSE {loss.sse:.2f}, mean {loss.mean:.4f}, KL {loss.kl:.3f}"
        lines += ["", f"loss  {figures}, {loss.changed:,} rows changed"]
        lines += [
            f"  {name:<{wide}}  {value:.4f}"
            for name, value in zip(result.quasi, result.loss.columns, strict=True)
        ]
    if result.notes:
        lines += ["", "notes", *(f"  {note}" for note in result.notes)]
    return "\n".join(lines)


def comparison(result: Result) -> list[tuple[str, str, str]]:
    """Rows of name, before, after; after is empty when the table was only measured."""
    k = result.request.k
    before, after = _column(result.before), _column(result.after)
    names = [
        "rows", "classes", "k (smallest class)", "rows alone in their class",
        f"rows in classes below {k}", "highest risk of a row",
        "expected found again, prosecutor", "expected found again, journalist",
    ]  # fmt: skip
    names += [f"l of {name}" for name in result.before.diversity]
    names += [f"t of {name}" for name in result.before.closeness]
    return list(zip(names, before, after or [""] * len(names), strict=True))


def _column(state: Protection | None) -> list[str]:
    if state is None:
        return []
    risk = state.risk
    figures = [f"{risk.rows:,}", f"{risk.classes:,}", f"{risk.k:,}", f"{risk.unique:,}"]
    figures += [f"{risk.at_risk:,}", f"{risk.highest:.4f}"]
    figures += [f"{risk.prosecutor:,.1f}", f"{risk.journalist:,.1f}"]
    figures += [f"{value}" for value in state.diversity.values()]
    return figures + [f"{value:.4f}" for value in state.closeness.values()]


_STYLE = """
:root{color-scheme:light dark;--a:#b3541e;--b:#1f6f5c;--line:#8886}
body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;margin:1rem 0}
td,th{padding:.3rem .8rem;border-bottom:1px solid var(--line);text-align:left}
td.n{text-align:right;font-variant-numeric:tabular-nums}
svg{max-width:100%;height:auto} svg text{font:12px system-ui,sans-serif;fill:currentColor}
.before{fill:var(--a)} .after{fill:var(--b)}
"""
_BOUNDS = (1, 2, 3, 5, 10, 20, 50, 100, 1 << 62)


def page(result: Result, title: str) -> str:
    parts = [
        f"<h1>{escape(title)}</h1>",
        f"<p>{escape(_headline(result))}</p>",
        "<h2>Before and after</h2>",
        _table(("", "before", "after"), comparison(result)),
        "<h2>Rows by the size of their class</h2>",
        _histogram(result),
    ]
    if result.loss is not None:
        parts += ["<h2>Loss by column</h2>", _bars(result.quasi, result.loss.columns)]
        parts.append(
            f"<p>SSE {result.loss.sse:.2f}; mean distance {result.loss.mean:.4f}; "
            f"KL divergence {result.loss.kl:.3f}; {result.loss.changed:,} rows changed.</p>"
        )
    roles = [(name, r.role, r.kind, r.reason) for name, r in result.roles.items()]
    parts += ["<h2>Columns</h2>", _table(("column", "role", "kind", "why"), roles)]
    if result.notes:
        notes = "".join(f"<li>{escape(note)}</li>" for note in result.notes)
        parts += ["<h2>Notes</h2>", f"<ul>{notes}</ul>"]
    body = "\n".join(parts)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head>\n"
        f"<body>\n{body}\n</body></html>\n"
    )


def _headline(result: Result) -> str:
    risk = result.before.risk
    found = f"{risk.unique:,} of {risk.rows:,} rows were alone in their class"
    if result.after is None:
        return f"{found.replace('were', 'are')}; the smallest class has {risk.k:,}."
    form = "classic" if result.request.classic else "semantic"
    return (
        f"{result.request.method}, {form}, k = {result.request.k}: {found}; "
        f"every row now has at least {result.after.risk.k - 1:,} like it."
    )


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    top = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    lines = []
    for row in rows:
        cells = [
            f'<td class="n">{escape(cell)}</td>'
            if at and cell[:1].isdigit()
            else f"<td>{escape(cell)}</td>"
            for at, cell in enumerate(row)
        ]
        lines.append(f"<tr>{''.join(cells)}</tr>")
    return f"<table><tr>{top}</tr>{''.join(lines)}</table>"


def _rows_by_size(sizes: Rows | None) -> list[int]:
    if sizes is None:
        return [0] * (len(_BOUNDS) - 1)
    places = np.digitize(sizes, _BOUNDS[:-1]) - 1
    counted = np.bincount(places, sizes, minlength=len(_BOUNDS) - 1)
    return [int(count) for count in counted]


def _histogram(result: Result) -> str:
    before, after = _rows_by_size(result.sizes_before), _rows_by_size(result.sizes_after)
    top = max(*before, *after, 1)
    shapes = []
    for at, (one, two) in enumerate(zip(before, after, strict=True)):
        left = 20 + at * 90
        for offset, count, kind in ((0, one, "before"), (34, two, "after")):
            tall = 160 * count / top
            box = f'x="{left + offset}" y="{180 - tall:.1f}" width="30" height="{tall:.1f}"'
            shapes.append(f'<rect class="{kind}" {box}><title>{kind}: {count:,}</title></rect>')
        start, end = _BOUNDS[at], _BOUNDS[at + 1] - 1
        label = f"{start}+" if at == len(before) - 1 else f"{start}" + f"–{end}" * (end > start)
        shapes.append(f'<text x="{left + 32}" y="198" text-anchor="middle">{label}</text>')
    key = (
        '<rect class="before" x="560" y="4" width="12" height="12"/><text x="578" y="14">before'
        '</text><rect class="after" x="640" y="4" width="12" height="12"/>'
        '<text x="658" y="14">after</text>'
    )
    return f'<svg viewBox="0 0 760 210" role="img">{"".join(shapes)}{key}</svg>'


def _bars(names: Sequence[str], values: Sequence[float]) -> str:
    shapes = []
    for at, (name, value) in enumerate(zip(names, values, strict=True)):
        y = 8 + at * 24
        shapes.append(f'<text x="190" y="{y + 13}" text-anchor="end">{escape(name[:28])}</text>')
        box = f'x="200" y="{y}" width="{max(1.0, 450 * value):.1f}" height="16"'
        shapes.append(f'<rect class="after" {box}/>')
        shapes.append(f'<text x="{208 + 450 * value:.1f}" y="{y + 13}">{value:.3f}</text>')
    return f'<svg viewBox="0 0 760 {16 + 24 * len(names)}" role="img">{"".join(shapes)}</svg>'
