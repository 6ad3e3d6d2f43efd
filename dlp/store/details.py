"""Why a file got its verdict, small enough to keep for every file: no value, no excerpt.

In: a record.  Out: deflated JSON and back; the concepts it speaks of.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

GROUPS = 200  # findings of one rule about one person in one part are one group
SQUEEZE = 1  # level of compression: 1 takes two thirds of the time of 6 for a tenth more bytes


def body_of(record: Mapping[str, Any], stored: int | None = None) -> bytes:
    """`stored`: the sum of the whole record, if that is kept beside it with its findings."""
    findings = record.get("findings", ())
    groups = groups_of(findings) if stored is None else b""  # then they are counted
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
    if stored is not None:
        return zlib.compress(as_json({**kept, "stored": stored}), SQUEEZE)
    return zlib.compress(b'%b,"findings":%b}' % (as_json(kept)[:-1], groups), SQUEEZE)


def as_json(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()


def groups_of(findings: Any) -> bytes:
    """As JSON: at most so many, in their order only where some had to be left out."""
    told = getattr(findings, "groups", None)  # JSON already, one by one
    if told is None:
        return as_json(grouped(findings))
    groups = told()
    text = b"[%b]" % b",".join(groups)
    if len(groups) <= GROUPS:
        return text
    return as_json(sorted(json.loads(text), key=turn)[:GROUPS])


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


def concepts_of(record: Mapping[str, Any]) -> set[str]:
    return {fact[1] for person in record["persons"] for fact in person["burden"]}
