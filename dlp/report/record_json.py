"""A record as a line of JSON: written by the worker, checked by the supervisor, passed on as text.

In: a Case; in the supervisor, bytes from a worker.  Out: a line; findings parsed on first access.

Parsing and writing each line again would be a third of what a file costs the supervisor.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator, Sequence
from json.encoder import encode_basestring_ascii as quoted
from typing import Any, NoReturn

from dlp.model import Case, Container, Finding, GapCode, Kind

START = b'{"kind": '
# No string of JSON can hold them: in it every quotation mark has a stroke before it.
FIRST, NEXT, LAST, PLACE = b'[{"kind": ', b'}, {"kind": ', b"}]", b', "start": '
STRING = r'"(?:[ !#-\[\]-~]|\\(?:["\\bfnrt]|u[0-9a-f]{4}))*"'
WHOLE = "(?:0|[1-9][0-9]*)"
FINDING_NUMBER = rf"-?{WHOLE}(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?"
FINDING_FIELDS = {
    "kind": f'"(?:{"|".join(Kind)})"',
    "rule": STRING,
    "part": STRING,
    "start": WHOLE,
    "end": WHOLE,
    "confidence": FINDING_NUMBER,
    "concept": f"(?:null|{STRING})",
    "person": f"(?:null|{STRING})",
    "context": rf"\[(?:{STRING}(?:, {STRING})*)?\]",
}
STATED = ", ".join(f'"{name}": {value}' for name, value in FINDING_FIELDS.items())
FINDING = rf"\{{{STATED}\}}"
FINDINGS = rf"\[(?:{FINDING}(?:, {FINDING})*)?\]"

# No string of JSON can hold them: in it every quotation mark has a stroke before it.
OPENING, CLOSING = b', "findings": [', b'], "gaps": ['
NONE_TOLD = OPENING + b"]"
NUMBER = f"(?:{FINDING_NUMBER}|NaN|-?Infinity)"  # as json writes them
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


class WrittenRecord(dict[str, Any]):
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


def record_in(line: bytes) -> WrittenRecord | None:
    """The record a line says, if it is what a worker of ours may say: one line, all of it ours."""
    told = found_in(line)
    if told is None:
        return None
    start, end = told
    try:
        record = json.loads(b"[]".join((line[:start], line[end:])))
    except ValueError:  # a number of thousands of digits
        return None
    record["findings"] = WrittenFindings(line, None, start, end)
    return WrittenRecord(record, line)


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
    import re2  # noqa: PLC0415 - only the supervisor of a scan checks lines

    return re2.compile(object_of(FIELDS).encode())


class WrittenFindings(Sequence[dict[str, Any]]):
    """Read only if somebody looks; they may be a stretch of a longer text, which is kept."""

    __slots__ = ("_count", "_end", "_start", "_whole")

    def __init__(
        self, whole: bytes, count: int | None, start: int = 0, end: int | None = None
    ) -> None:
        """`count`: None, where nobody may ever ask."""
        self._whole = whole
        self._count = count
        self._start = start
        self._end = end

    @property
    def text(self) -> bytes:
        return self._whole[self._start : self._end]

    def __len__(self) -> int:
        if self._count is None:
            self._count = self._whole.count(START, self._start, self._end)
        return self._count

    def __getitem__(self, index: Any) -> Any:
        return json.loads(self.text)[index]

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(json.loads(self.text))

    def as_json(self) -> str:
        return self.text.decode("ascii")

    def groups(self) -> list[bytes]:
        """Objects of JSON: findings that differ in place and confidence only, and their number.

        Taken apart at its marks the text costs half of what making objects of it does.
        """
        found: dict[tuple[bytes, bytes], list[Any]] = {}
        text = self.text[len(FIRST) : -len(LAST)]
        each = text.split(NEXT) if text else []
        self._count = len(each)
        for one in each:
            head, _, more = one.partition(PLACE)
            start, _, sure, tail = more.split(b", ", 3)
            group = found.get((head, tail))
            if group is None:
                found[head, tail] = [1, sure, start]
                continue
            group[0] += 1
            if sure != group[1] and share(sure) > share(group[1]):
                group[1] = sure
        return [
            b'{"kind": %b, %b, "count": %d, %b, "at": %b}' % (head, tail, count, sure, start)
            for (head, tail), (count, sure, start) in found.items()
        ]


@functools.lru_cache(maxsize=1024)  # a dozen of them for a thousand findings
def share(sure: bytes) -> float:
    return float(sure.removeprefix(b'"confidence": '))


def told_findings(case: Case) -> WrittenFindings:
    """What json writes of `finding_objects`, to the letter."""
    findings = case.findings
    if not findings:
        return WrittenFindings(b"[]", 0)
    parts = case.document.parts if case.document else ()
    places = [place_of(part.locator) for part in parts]
    return WrittenFindings(findings_text(findings, places), len(findings))


def findings_text(findings: tuple[Finding, ...], places: list[str]) -> bytes:
    heads: dict[tuple[Kind, str, int], str] = {}
    tails: dict[tuple[str, str, frozenset[str]], str] = {}
    sures: dict[float, str] = {}  # a dozen of them for a thousand findings
    found: list[str] = []
    for kind, rule, part, start, end, confidence, _, concept, person, _, context in findings:
        head = heads.get((kind, rule, part))
        if head is None:
            place = places[part] if places else NOWHERE
            head = heads[kind, rule, part] = f"{head_of(kind, rule)}{place}"
        tail = tails.get((concept, person, context))
        if tail is None:
            tail = tails[concept, person, context] = tail_of(concept, person, context)
        if confidence.__class__ is not float:  # 1 and 1.0 are one key
            sure = str(round(confidence, 4))
        elif (known := sures.get(confidence)) is not None:
            sure = known
        else:
            sure = sures[confidence] = str(round(confidence, 4))
        found.append(f'{head}{start}, "end": {end}, "confidence": {sure}{tail}')
    return f"[{', '.join(found)}]".encode("ascii")


@functools.lru_cache(maxsize=1024)  # of rules, not of files
def head_of(kind: Kind, rule: str) -> str:
    return f'{{"kind": {quoted(kind._value_)}, "rule": {quoted(rule)}, "part": '


@functools.lru_cache(maxsize=1024)
def place_of(locator: str) -> str:
    return f'{quoted(locator)}, "start": '


def tail_of(concept: str, person: str, context: frozenset[str]) -> str:
    meant = quoted(concept) if concept else "null"
    whose = quoted(person) if person else "null"
    return f', "concept": {meant}, "person": {whose}{end_of(context)}'


@functools.lru_cache(maxsize=1024)
def end_of(context: frozenset[str]) -> str:
    return f', "context": [{", ".join(map(quoted, sorted(context)))}]}}'


NOWHERE = place_of("")
