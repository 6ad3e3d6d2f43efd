"""A record as the line of JSON it ends up as: written by the worker, checked and passed on.

In: a record whose findings are text; in the supervisor, bytes from a worker.  Out: a line; a record
that knows its line.

Read, made into objects and written again, a line was a third of what a file costs the supervisor.
"""

from __future__ import annotations

import functools
import json
from typing import Any, NoReturn

import re2

from dlp.model import Container, GapCode
from dlp.report.finding_json import FINDINGS, STRING, WHOLE, ToldFindings
from dlp.report.finding_json import NUMBER as FINITE

# No string of JSON can hold them: in it every quotation mark has a stroke before it.
OPENING, CLOSING = b', "findings": [', b'], "gaps": ['
NONE_TOLD = OPENING + b"]"
NUMBER = f"(?:{FINITE}|NaN|-?Infinity)"  # as json writes them
STRINGS = rf"\[(?:{STRING}(?:, {STRING})*)?\]"
NUMBERS = rf"\{{(?:{STRING}: {NUMBER}(?:, {STRING}: {NUMBER})*)?\}}"
TRIPLE = rf"\[{STRING}, {STRING}, {NUMBER}\]"


def object_of(fields: dict[str, str]) -> str:
    inside = ", ".join(f'"{name}": {value}' for name, value in fields.items())
    return rf"\{{{inside}\}}"


def list_of(one: str) -> str:
    return rf"\[(?:{one}(?:, {one})*)?\]"


PERSON = {
    "id": STRING,
    "identifiability": NUMBER,
    "sensitivity": NUMBER,
    "chance": NUMBER,
    "privacy": NUMBER,
    "fingerprints": STRINGS,
    "explanation": STRINGS,
    "bits": NUMBERS,
    "burden": list_of(TRIPLE),
}
TABLE = {
    "part": STRING,
    "columns": STRINGS,
    "rows": WHOLE,
    "k": WHOLE,
    "unique": WHOLE,
    "at_risk": WHOLE,
}
FIELDS = {
    "path": STRING,
    "container": f'"(?:{"|".join(Container)})"',
    "reason": STRING,
    "privacy": NUMBER,
    "identifiability": NUMBER,
    "sensitivity": NUMBER,
    "persons": list_of(object_of(PERSON)),
    "findings": FINDINGS,
    "gaps": list_of(object_of({"code": f'"(?:{"|".join(GapCode)})"', "where": STRING})),
    "tables": list_of(object_of(TABLE)),
    "media_type": STRING,
    "language": STRING,
    "duplicate_of": "null",
    "action": STRING,
    "ms": NUMBER,
    "spent_ms": NUMBERS,
    "sha256": STRING,
    "size_bytes": WHOLE,
    "trail": STRINGS,
    "rules_version": STRING,
}
written = json.JSONEncoder(check_circular=False).encode


class ToldRecord(dict[str, Any]):
    """A record and its line. A copy with a change is an ordinary record, and has none."""

    __slots__ = ("line",)

    def __init__(self, record: dict[str, Any], line: bytes) -> None:
        super().__init__(record)
        self.line = line

    def _stays(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError("copy a told record to change it: its line says what it is")

    __setitem__ = __delitem__ = __ior__ = _stays
    clear = pop = popitem = setdefault = update = _stays


def line_of(record: dict[str, Any]) -> bytes:
    """What json writes of a record, to the letter."""
    text = written({**record, "findings": []}).encode("ascii")
    head, _, tail = text.partition(NONE_TOLD)
    return b"".join((head, OPENING[:-1], record["findings"].text, tail))


def record_in(line: bytes) -> ToldRecord | None:
    """The record a line says, if it is what a worker of ours may say: one line, all of it ours."""
    told = found_in(line)
    if told is None:
        return None
    start, end = told
    try:
        record = json.loads(b"[]".join((line[:start], line[end:])))
    except ValueError:  # a number of thousands of digits
        return None
    record["findings"] = ToldFindings(line, None, start, end)
    return ToldRecord(record, line)


def found_in(line: bytes) -> tuple[int, int] | None:
    """Where the findings stand in a line; None if it is no line of ours.

    By RE2, in linear time: what a worker sends is read outside of the sandbox.
    """
    if shape().fullmatch(line) is None:
        return None
    # Each stands there once, now that the line has a record's shape.
    return line.index(OPENING) + len(OPENING) - 1, line.rindex(CLOSING) + 1


@functools.cache
def shape() -> Any:
    """Of a line: the fields of a record, each once and in their order."""
    return re2.compile(object_of(FIELDS).encode())
