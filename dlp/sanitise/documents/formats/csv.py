"""Rewrite tables of separated values cell by cell; separators, quotes and line ends stay.

In: csv or tsv.  Out: the same table with edited cells.
"""

from __future__ import annotations

import re

from dlp.sanitise.documents.contract import Edit, Job
from dlp.sanitise.documents.formats.text import decode, encode

MEDIA_TYPES = frozenset({"text/csv", "text/tab-separated-values"})
SEPARATORS = ",\t;|"


def rewrite(data: bytes, job: Job) -> bytes:
    text, codec = decode(data)
    separator = separator_of(text)
    cell = re.compile(
        rf'"(?:[^"]|"")*"(?=[{re.escape(separator)}\r\n]|\Z)|[^{re.escape(separator)}\r\n]+'
    )
    edited = cell.sub(lambda hit: edited_cell(hit[0], separator, job.edit), text)
    return encode(edited, codec)


def separator_of(text: str) -> str:
    """The sign that divides the first lines most evenly."""
    lines = [line for line in text[:20_000].splitlines() if line.strip()][:20] or [""]

    def evenness(sign: str) -> tuple[bool, int, int]:
        counts = [line.count(sign) for line in lines]
        return min(counts) > 0, counts.count(counts[0]) if counts[0] else 0, sum(counts)

    return max(SEPARATORS, key=evenness)


def edited_cell(raw: str, separator: str, edit: Edit) -> str:
    quoted = len(raw) > 1 and raw[0] == raw[-1] == '"'
    value = raw[1:-1].replace('""', '"') if quoted else raw
    new = edit(value)
    if new == value:
        return raw
    if quoted or any(sign in new for sign in (separator, '"', "\n", "\r")):
        return '"' + new.replace('"', '""') + '"'
    return new
