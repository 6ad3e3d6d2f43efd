"""Whole records and their details as compressed bytes.

In: a record.  Out: bytes and back; findings are parsed on first access.

No path and no value is in a stored record; findings are places, kinds and keyed fingerprints.
"""

from __future__ import annotations

import base64
import json
import os
import struct
import zlib
from array import array
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dlp.store.database import Session

SQUEEZE = 1  # level of compression: 1 takes a third of the time of 6 for a tenth more bytes
HEAD = struct.Struct("!I")
TOGETHER = 1 << 31  # in a head: what follows is its length as it was, and one stream holds all
LOCAL = ("path", "duplicate_of", "ms", "spent_ms", "exposure")  # true of one scan only

GROUPS = 200  # findings of one rule about one person in one part are one group

DETAILS = """
SELECT details.file, details.body FROM files JOIN details ON details.file = files.id
WHERE files.server = ? AND files.path = ?
"""
RECORD = "SELECT record FROM judged WHERE server = ? AND folder = ? AND name = ?"
COMPLETE = "UPDATE details SET body = ? WHERE file = ?"


class StoredFindings(Sequence[dict[str, Any]]):
    """The findings of a stored record, read only if somebody looks: most outputs count them."""

    def __init__(self, packed: bytes, count: int, start: int = 0) -> None:
        self._packed = packed
        self._count = count
        self._start = start  # of the findings, in what was packed

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, index: Any) -> Any:
        return json.loads(self.as_json())[index]

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(json.loads(self.as_json()))

    @property
    def text(self) -> bytes:
        return zlib.decompress(self._packed)[self._start :]

    def as_json(self) -> str:
        return self.text.decode()


def pack(record: dict[str, Any]) -> bytes:
    """The record without its findings and behind it the findings, squeezed together."""
    findings = record["findings"]
    kept = {**record, "findings": len(findings)}
    for name in LOCAL:
        kept.pop(name, None)
    head = as_json(kept)
    ready: bytes | None = getattr(findings, "text", None)  # JSON already, as json writes it
    text = json.dumps(findings).encode() if ready is None else ready
    return HEAD.pack(TOGETHER | len(head)) + zlib.compress(head + text, SQUEEZE)


def unpack(packed: bytes) -> dict[str, Any]:
    (length,) = HEAD.unpack_from(packed)
    if length & TOGETHER:
        start, rest = length ^ TOGETHER, packed[HEAD.size :]
        head = zlib.decompressobj().decompress(rest, start)
    else:  # by a version before: each on its own
        start, end = 0, HEAD.size + length
        head, rest = zlib.decompress(packed[HEAD.size : end]), packed[end:]
    record: dict[str, Any] = json.loads(head)
    record["findings"] = StoredFindings(rest, record["findings"], start)
    return record


def sum_of(packed: bytes) -> int:
    """By which a file's details know the record they belong to."""
    return zlib.crc32(packed)


def body_of(record: Mapping[str, Any], stored: int | None = None) -> bytes:
    """`stored`: the sum of the whole record, if that is kept beside it with its findings."""
    findings = record.get("findings", ())
    kept = {
        "trail": record.get("trail", []),
        "ms": record.get("ms", 0.0),
        "language": record.get("language", ""),
        "action": record.get("action", ""),
        "duplicate_of": record.get("duplicate_of"),
        "gaps": [[gap["code"], gap["where"]] for gap in record["gaps"]],
        "tables": record.get("tables", []),
        "explanations": {p["id"]: p.get("explanation", []) for p in record["persons"]},
        "counted": len(findings),
    }
    more = {"findings": grouped(findings)} if stored is None else {"stored": stored}
    return zlib.compress(as_json(kept | more), SQUEEZE)


def as_json(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()


def grouped(findings: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Findings by kind, rule, concept, person, part and context, with their number."""
    groups: dict[tuple[Any, ...], dict[str, Any]] = {}
    for one in findings:
        context = tuple(one.get("context", ()))
        key = (one["kind"], one["rule"], one["concept"], one.get("person"), one["part"], context)
        group = groups.setdefault(key, {
            "kind": one["kind"], "rule": one["rule"], "concept": one["concept"],
            "person": one.get("person"), "part": one["part"], "context": list(context),
            "count": 0, "confidence": 0.0, "at": one["start"],
        })  # fmt: skip
        group["count"] += 1
        group["confidence"] = max(group["confidence"], one["confidence"])
    return sorted(groups.values(), key=turn)[:GROUPS]


def turn(group: Mapping[str, Any]) -> tuple[str, str, int]:
    return group["person"] or "~", group["kind"], -group["count"]


def read_body(body: bytes | None) -> dict[str, Any]:
    empty: dict[str, Any] = {
        "trail": [], "ms": 0.0, "language": "", "action": "", "duplicate_of": None, "gaps": [],
        "tables": [], "explanations": {}, "findings": [], "counted": 0,
    }  # fmt: skip
    if not body:
        return empty
    found: dict[str, Any] = empty | json.loads(zlib.decompress(body))
    found["findings"].sort(key=turn)
    return found


def tags_of(record: Mapping[str, Any]) -> array[int]:
    """The tags of the people in a file as a database holds them, with a sign; 0: some were cut."""
    return array("q", base64.b64decode(record.get("traces", "")))


def concepts_of(record: Mapping[str, Any]) -> set[str]:
    return {fact[1] for person in record["persons"] for fact in person["burden"]}


def reasons_of(session: Session, server: str, path: bytes) -> dict[str, Any]:
    """What is known of a file; findings of another record than was meant say nothing of it."""
    bodies = session.query(DETAILS, (server, path))
    found = read_body(bodies[0][1] if bodies else None)
    meant = found.pop("stored", None)
    records = session.query(RECORD, (server, *os.path.split(path))) if meant is not None else ()
    for (packed,) in records:
        if sum_of(packed) == meant:
            found["findings"] = grouped(unpack(packed)["findings"])
    return found


def keep_findings(session: Session, server: str, path: bytes) -> None:
    """Before a record goes: what only that says of its file goes to the file's details."""
    for number, body in session.query(DETAILS, (server, path)):
        if "stored" in read_body(body):
            whole = as_json(reasons_of(session, server, path))
            session.query(COMPLETE, (zlib.compress(whole, SQUEEZE), number))
