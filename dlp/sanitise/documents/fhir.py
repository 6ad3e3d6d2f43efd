"""Values that FHIR itself calls identifiers, contacts or lines of an address.

In: a JSON document.  Out: what to write for each of them.

A licence number of nine digits, a phone number of ten and a street without "Street" give no cue
of their own; the element they stand in is the cue. A number gets a name made of letters, keyed, so
that references inside and between files still meet; letters, because digits would look like a
number again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from dlp.sanitise.documents.contract import Job

OURS = re.compile(r"number-[a-p]{12}")
MARKS = {"line": "[address]", "telecom": "[phone]"}
SHORTEST = 4  # characters
DEEPEST = 40


class Structure:
    """Edits strings of one document by the elements that hold their values."""

    def __init__(self, text: str, job: Job) -> None:
        self._job = job
        self._made: dict[str, str] = {}
        for document in documents(text) if '"resourceType"' in text else ():
            for kind, value in said(document, 0):
                if len(value) >= SHORTEST and not OURS.fullmatch(value):
                    self._made[value] = self._instead(kind, value)
        longest = sorted(self._made, key=len, reverse=True)
        each = "|".join(map(re.escape, longest))
        self._any = re.compile(rf"(?<![\w-])(?:{each})(?![\w-])") if longest else None

    def _instead(self, kind: str, value: str) -> str:
        if kind == "telecom" and (made := self._job.edit(value)) != value:
            return made  # found by its looks: a profile may have a surrogate for it
        return MARKS[kind] if kind in MARKS else self._number(value)

    def _number(self, value: str) -> str:
        digest = self._job.digest(value)
        return "number-" + "".join(chr(97 + (digest >> 4 * n & 15)) for n in range(12))

    def __call__(self, value: str) -> str:
        return self._any.sub(lambda hit: self._made[hit.group()], value) if self._any else value


def documents(text: str) -> Iterator[Any]:
    try:
        yield json.loads(text.lstrip("\ufeff"), strict=False)
    except ValueError:
        yield from (json.loads(line, strict=False) for line in text.splitlines() if line.strip())


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
