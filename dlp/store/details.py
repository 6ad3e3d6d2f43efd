"""Why a file got its verdict, small enough to keep for every file: no value, no excerpt.

In: a record.  Out: deflated JSON and back; the concepts it speaks of.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from typing import Any

GROUPS = 200  # findings of one rule about one person in one part are one group
SQUEEZE = 6


def body_of(record: Mapping[str, Any]) -> bytes:
    kept = {
        "trail": record.get("trail", []),
        "ms": record.get("ms", 0.0),
        "language": record.get("language", ""),
        "action": record.get("action", ""),
        "duplicate_of": record.get("duplicate_of"),
        "gaps": [[gap["code"], gap["where"]] for gap in record["gaps"]],
        "tables": record.get("tables", []),
        "explanations": {p["id"]: p.get("explanation", []) for p in record["persons"]},
        "findings": grouped(record.get("findings", [])),
        "counted": len(record.get("findings", [])),
    }
    return zlib.compress(json.dumps(kept, separators=(",", ":")).encode(), SQUEEZE)


def grouped(findings: list[dict[str, Any]]) -> list[dict[str, Any]]:
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
    ordered = sorted(groups.values(), key=lambda g: (g["person"] or "~", g["kind"], -g["count"]))
    return ordered[:GROUPS]


def read_body(body: bytes | None) -> dict[str, Any]:
    empty: dict[str, Any] = {
        "trail": [], "ms": 0.0, "language": "", "action": "", "duplicate_of": None, "gaps": [],
        "tables": [], "explanations": {}, "findings": [], "counted": 0,
    }  # fmt: skip
    return empty | json.loads(zlib.decompress(body)) if body else empty


def concepts_of(record: Mapping[str, Any]) -> set[str]:
    return {fact[1] for person in record["persons"] for fact in person["burden"]}
