"""Rewrite JSON, FHIR among it, string by string; layout and order stay.

In: JSON or newline-delimited JSON.  Out: the same structure with edited keys, strings and numbers.
"""

from __future__ import annotations

import base64
import binascii
import json
import re

from dlp.sanitise.documents.contract import Job, refuse
from dlp.sanitise.documents.fhir import Structure
from dlp.sanitise.documents.formats.html import rewrite_fragment
from dlp.sanitise.documents.wording import decode, encode

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
