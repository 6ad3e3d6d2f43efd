"""Values that FHIR itself calls identifiers, contacts, lines of an address or codes.

In: a JSON document.  Out: what to write for each of them.

A licence number of nine digits, a phone number of ten and a street without "Street" give no cue
of their own; the element they stand in is the cue. A number gets a name made of letters, keyed, so
that references inside and between files still meet; letters, because digits would look like a
number again. A code goes when the words that display it change, and when none display it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from dlp.knowledge.marks import CODE
from dlp.sanitise.documents.contract import NUMBER, Job

MARKS = {"line": "[address]", "telecom": "[phone]"}
CLINICAL = re.compile(r"snomed|loinc|rxnorm|icd|/cpt|ndc|\batc\b|whocc", re.IGNORECASE)
SHORTEST = 4  # characters
DEEPEST = 40


class Structure:
    """Edits strings of one document by the elements that hold their values."""

    def __init__(self, text: str, job: Job) -> None:
        self._job = job
        self._made: dict[str, str] = {}
        for document in documents(text) if '"resourceType"' in text else ():
            for kind, value in said(document, 0):
                if len(value) >= SHORTEST and not NUMBER.fullmatch(value):
                    self._made[value] = self._instead(kind, value)
            for system, code, display in coded(document, 0):
                if code != CODE and self._discloses(system, code, display):
                    self._made[code] = CODE
        longest = sorted(self._made, key=len, reverse=True)
        each = "|".join(map(re.escape, longest))
        self._any = re.compile(rf"(?<![\w-])(?:{each})(?![\w-])") if longest else None

    def _discloses(self, system: str, code: str, display: str) -> bool:
        edit = self._job.edit
        if "icd" in system and edit(f"ICD {code}") != f"ICD {code}":
            return True
        return edit(display) != display if display else "icd" not in system

    def _instead(self, kind: str, value: str) -> str:
        if kind == "telecom" and (made := self._job.edit(value)) != value:
            return made  # found by its looks: a profile may have a surrogate for it
        return MARKS[kind] if kind in MARKS else self._job.number(value)

    def __call__(self, value: str) -> str:
        return self._any.sub(lambda hit: self._made[hit.group()], value) if self._any else value


def documents(text: str) -> Iterator[Any]:
    try:
        yield json.loads(text.lstrip("\ufeff"), strict=False)
    except ValueError:
        yield from (json.loads(line, strict=False) for line in text.splitlines() if line.strip())


def coded(node: Any, depth: int, text: str = "") -> Iterator[tuple[str, str, str]]:
    """System, code and display of every clinical code; a concept's text displays its codes too."""
    if depth > DEEPEST:
        return
    if isinstance(node, list):
        for item in node:
            yield from coded(item, depth + 1, text)
    elif isinstance(node, dict):
        system, code = node.get("system"), node.get("code")
        if isinstance(system, str) and isinstance(code, str) and CLINICAL.search(system):
            yield system.lower(), code, " ".join(filter(None, (text, str(node.get("display", "")))))
        own = node.get("text")
        for inner in node.values():
            yield from coded(inner, depth + 1, own if isinstance(own, str) else "")


def said(node: Any, depth: int) -> Iterator[tuple[str, str]]:
    """Values of identifiers and contacts, lines of addresses."""
    if depth > DEEPEST:
        return
    if isinstance(node, list):
        for item in node:
            yield from said(item, depth + 1)
    elif isinstance(node, dict):
        for key, inner in node.items():
            held = inner if isinstance(inner, list) else [inner]
            for item in held:
                if not isinstance(item, dict):
                    continue
                if key in {"identifier", "telecom"} and isinstance(item.get("value"), str):
                    yield key, item["value"]
                if key == "address" and isinstance(item.get("line"), list):
                    yield from (("line", x) for x in item["line"] if isinstance(x, str))
            yield from said(inner, depth + 1)
