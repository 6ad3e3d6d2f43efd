"""Rewrite JSON, FHIR among it, string by string; layout and order stay.

In: JSON or newline-delimited JSON.  Out: the same structure with edited keys, strings and numbers.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Iterator
from typing import Any

from dlp.knowledge.marks import CODE
from dlp.sanitise.documents.contract import NUMBER, Job, refuse
from dlp.sanitise.documents.formats.html import rewrite_fragment
from dlp.sanitise.documents.formats.text import decode, encode

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


MEDIA_TYPES = frozenset({
    "application/json", "application/fhir+json", "application/x-ndjson", "application/ndjson",
})  # fmt: skip
TOKEN = re.compile(r'("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d[\d.eE+-]*)', re.DOTALL)
PACKED = re.compile(r"[A-Za-z0-9+/\s]{64,}={0,2}")
MARKUP = re.compile(r"\s*<(?:div|p|html|table|body)\b", re.IGNORECASE)


def rewrite(data: bytes, job: Job) -> bytes:
    text, codec = decode(data)
    check(text)
    structure = Structure(text, job)
    key = ""

    def token(hit: re.Match[str]) -> str:
        nonlocal key
        string, colon, number = hit.groups()
        if number is not None:
            new = job.edit(structure(number))
            return number if new == number else json.dumps(new)
        value = json.loads(string, strict=False)
        if colon is not None:
            key = value
            new = job.edit(value)
        else:
            new = edited(structure(value), key, job)
        out = string if new == value else json.dumps(new, ensure_ascii=codec != "utf-8")
        return out + (colon or "")

    return encode(TOKEN.sub(token, text), codec)


def check(text: str) -> None:
    """Refuse what is no JSON: only then are its strings all of it."""
    try:
        json.loads(text.lstrip("\ufeff"), strict=False)
    except ValueError:
        lines = [line for line in text.splitlines() if line.strip()]
        try:
            if not lines:
                raise refuse("the file is empty")
            for line in lines:
                json.loads(line, strict=False)
        except ValueError:
            raise refuse("the file is no valid JSON") from None


def edited(value: str, key: str, job: Job) -> str:
    if MARKUP.match(value):
        return rewrite_fragment(value, job)  # FHIR narrative
    if key == "data" and PACKED.fullmatch(value):
        return repacked(value, job)
    return job.edit(value)


def repacked(value: str, job: Job) -> str:
    """A file in a string: rewritten, or dropped when nobody can."""
    try:
        content = base64.b64decode(value, validate=False)
    except (binascii.Error, ValueError):
        return job.edit(value)
    new = job.inside(content)
    if new is None:
        job.note("attachment dropped: no module rewrites it")
        return ""
    return value if new == content else base64.b64encode(new).decode()
