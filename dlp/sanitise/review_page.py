"""A page for reviewers: the original masked beside the result, changes marked.

In: texts, edits, a function that masks.  Out: one HTML page without scripts.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from dlp.sanitise.plan import Sanitised

STYLE = (
    "body{font:15px/1.5 system-ui,sans-serif;margin:2em;color:#222}"
    "table{border-collapse:collapse;width:100%;table-layout:fixed}"
    "td{vertical-align:top;padding:1em;border:1px solid #ccc;white-space:pre-wrap;"
    "overflow-wrap:break-word}"
    "del{background:#fdd;text-decoration:none}ins{background:#dfd;text-decoration:none}"
)


@dataclass(frozen=True, slots=True)
class Side:
    """One part before and after."""

    name: str
    original: str = field(repr=False)
    result: Sanitised = field(repr=False)


def page(sides: Iterable[Side], facts: Sequence[str], mask: Callable[[str], str]) -> str:
    rows = "".join(_row(side, mask) for side in sides)
    lines = "".join(f"<li>{html.escape(fact)}</li>" for fact in facts)
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Sanitised</title>'
        f"<style>{STYLE}</style></head><body><h1>Before (masked) and after</h1><ul>{lines}</ul>"
        f"<table><tr><th>Original</th><th>Result</th></tr>{rows}</table></body></html>\n"
    )


def _row(side: Side, mask: Callable[[str], str]) -> str:
    before: list[str] = []
    after: list[str] = []
    place = 0
    for edit in side.result.edits:
        same = html.escape(side.original[place : edit.start])
        hidden = html.escape(mask(side.original[edit.start : edit.end]))
        why = html.escape(edit.reason, quote=True)
        before += (same, f'<del title="{why}">{hidden}</del>')
        after += (same, f'<ins title="{why}">{html.escape(edit.text)}</ins>')
        place = edit.end
    rest = html.escape(side.original[place:])
    return (
        f'<tr><th colspan="2">{html.escape(side.name)}</th></tr>'
        f"<tr><td>{''.join(before)}{rest}</td><td>{''.join(after)}{rest}</td></tr>"
    )
