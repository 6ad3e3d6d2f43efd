"""A page a steward reads in a minute: before (masked) and after, what went and why, what is left.

In: texts, edits, certificates, a function that masks.  Out: one HTML page without scripts.
"""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dlp.sanitise.plan import Sanitised

STYLE = (
    "body{font:15px/1.5 system-ui,sans-serif;margin:2em auto;max-width:80em;padding:0 1em;"
    "color:#222;background:#fff}"
    "table{border-collapse:collapse;width:100%;table-layout:fixed}"
    "td,th{vertical-align:top;padding:.5em 1em;border:1px solid #ccc;text-align:left}"
    "td.text{white-space:pre-wrap;overflow-wrap:break-word}"
    "del{background:#fdd;text-decoration:none}ins{background:#dfd;text-decoration:none}"
    ".warn{background:#fff3cd;padding:.5em 1em}"
)
# What the kinds and reasons of replacements mean to somebody who never read the code.
KINDS = {
    "person": "names of people", "place": "places", "address": "addresses",
    "organisation": "firms and houses", "provider": "hospitals, clinics and practices",
    "date": "dates", "age": "ages over 89", "phone": "telephone numbers",
    "email": "e-mail addresses", "url": "links", "ip": "network addresses",
    "id": "numbers and user names",
}  # fmt: skip
REASONS = {
    "names": "it names the topic", "related": "people listed it as a sign of the topic",
    "implies": "it is mostly used for the topic", "phrase": "the phrase gives the topic away",
    "tells": "records tie it to the topic", "close": "it stands beside the topic in MeSH",
    "together": "with its neighbours it gives the topic away",
    "words": "a plain word that records tie to the topic",
}  # fmt: skip
TOPICS = {
    "hiv": "HIV", "std": "sexually transmitted infections", "mental": "mental health",
    "substance": "alcohol and drugs", "reproductive": "reproductive health",
    "genetic": "genetic health",
}  # fmt: skip
SOME, MUCH = 0.25, 0.5  # of what the topic's name would tell


@dataclass(frozen=True, slots=True)
class Side:
    """One part before and after."""

    name: str
    original: str = field(repr=False)
    result: Sanitised = field(repr=False)


def page(
    sides: Iterable[Side],
    facts: Sequence[str],
    mask: Callable[[str], str],
    certificates: Sequence[Mapping[str, Any]] = (),
) -> str:
    sides = list(sides)
    rows = "".join(_row(side, mask) for side in sides)
    lines = "".join(f"<li>{html.escape(fact)}</li>" for fact in facts)
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Sanitised</title>'
        f"<style>{STYLE}</style></head><body><h1>Before (masked) and after</h1>"
        f"{_headline(sides, certificates)}<ul>{lines}</ul>{_went(sides)}{_left(certificates)}"
        f"<h2>The text</h2><table><tr><th>Original</th><th>Result</th></tr>{rows}</table>"
        "</body></html>\n"
    )


def _headline(sides: Sequence[Side], certificates: Sequence[Mapping[str, Any]]) -> str:
    edits = [edit for side in sides for edit in side.result.edits]
    people = sum(edit.kind in KINDS for edit in edits)
    said = f"{people} identifiers and {len(edits) - people} words about health went."
    kept = [one["utility"]["preserved"] for one in certificates if "utility" in one]
    if kept:
        said += f" {sum(kept) / len(kept):.0%} of the information in medical terms is still there."
    verdicts = dict.fromkeys(str(one.get("verdict", "holds")) for one in certificates)
    warned = "".join(
        f'<p class="warn">{html.escape(one.capitalize())}.</p>'
        for one in verdicts
        if one != "holds"
    )
    return f"<p><strong>{said}</strong></p>{warned}"


def _went(sides: Sequence[Side]) -> str:
    """What went and why, counted."""
    counted = Counter(_why(edit.kind, edit.reason) for s in sides for edit in s.result.edits)
    rows = "".join(
        f"<tr><td>{html.escape(what)}</td><td>{html.escape(why)}</td><td>{count}</td></tr>"
        for (what, why), count in counted.most_common()
    )
    head = "<tr><th>What</th><th>Why</th><th>How often</th></tr>"
    return f"<h2>What went, and why</h2><table>{head}{rows}</table>"


def _why(kind: str, reason: str) -> tuple[str, str]:
    if kind in KINDS:
        return KINDS[kind], "it tells who somebody is"
    why, _, topic = reason.partition(" ")
    return f"words about {TOPICS.get(topic, topic) or 'health'}", REASONS.get(why, why)


def _left(certificates: Sequence[Mapping[str, Any]]) -> str:
    """What a clever reader could still guess, from what each certificate measured."""
    said = list(dict.fromkeys(line for one in certificates for line in _guesses(one)))
    if not said:
        return ""
    lines = "".join(f"<li>{html.escape(line)}</li>" for line in said)
    return f"<h2>What a clever reader could still guess</h2><ul>{lines}</ul>"


def _guesses(certificate: Mapping[str, Any]) -> Iterator[str]:
    for entry in certificate.get("topics", ()):
        most = max(entry["most_by_a_term"], entry["most_by_a_group"], entry["most_by_plain_words"])
        said = (
            "cannot be measured; only its name and what lists know went"
            if entry.get("status") == "not measurable"
            else "nothing left points to it"
            if most < SOME
            else f"the words left tell at most {most:.0%} of what its name would: "
            + ("a hint" if most < MUCH else "a good guess for somebody who knows medicine")
        )
        yield f"{TOPICS.get(entry['topic'], entry['topic'])}: {said}"
    if certificate.get("withstands"):
        yield f"the topics withstand {certificate['withstands']}"
    if unchecked := certificate.get("not_checked", ()):
        yield f"not checked: {'; '.join(unchecked)}"


def _row(side: Side, mask: Callable[[str], str]) -> str:
    before: list[str] = []
    after: list[str] = []
    place = 0
    for edit in side.result.edits:
        same = html.escape(side.original[place : edit.start])
        hidden = html.escape(mask(side.original[edit.start : edit.end]))
        why = html.escape(": ".join(_why(edit.kind, edit.reason)), quote=True)
        before += (same, f'<del title="{why}">{hidden}</del>')
        after += (same, f'<ins title="{why}">{html.escape(edit.text)}</ins>')
        place = edit.end
    rest = html.escape(side.original[place:])
    return (
        f'<tr><th colspan="2">{html.escape(side.name)}</th></tr><tr><td class="text">'
        f'{"".join(before)}{rest}</td><td class="text">{"".join(after)}{rest}</td></tr>'
    )
