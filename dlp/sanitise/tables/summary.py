"""The figures of a result, for people and for scripts; no cell of the table is in them.

In: Result.  Out: text, or an object for JSON.
"""

from __future__ import annotations

from typing import Any

from dlp.sanitise.tables.anonymise import Protection, Result


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
