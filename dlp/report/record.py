"""A judged file as the object that every output and every worker speaks.

In: Case.  Out: the jsonl contract, plain values only, no content.
"""

from __future__ import annotations

import base64
import sys
from typing import Any

from dlp.model import CONTAINER_RANK, Case, Container, Gap, Person, TableRisk, Verdict
from dlp.report.words_and_masks import mask
from dlp.table_slices import PEOPLE, people_in, risk_in

Record = dict[str, Any]
NEAR_KEY = "near_key"
TRACES = "traces"
ENCODING, ERRORS = sys.getfilesystemencoding(), sys.getfilesystemencodeerrors()


def record_of(case: Case, ms: float, *, values: bool = False, masks: bool = False) -> Record:
    """`values` adds each finding's text, for measuring only; `masks` adds its shape, for people.

    Both add the best link of each person: who has what, in which scope, how likely and why.
    """
    document, ref = case.document, case.ref
    verdict = case.verdict or Verdict(case.container or Container.POSSIBLE, case.reason)
    tables: tuple[TableRisk, ...] = case.facts.get("tables", ())
    links = {"links": list(case.facts.get("links", ()))} if values or masks else {}
    record = {
        **links,
        "path": ref.path.decode(ENCODING, ERRORS),  # as `display` does
        "container": verdict.container._value_,  # `value` is a call
        "reason": verdict.reason,
        "privacy": verdict.privacy,
        "identifiability": verdict.identifiability,
        "sensitivity": verdict.sensitivity,
        "persons": [person_object(p) for p in verdict.persons] if verdict.persons else [],
        "findings": finding_objects(case, values=values, masks=masks),
        "gaps": [{"code": g.code.value, "where": g.where} for g in case.gaps] if case.gaps else [],
        "tables": [table_object(table, case) for table in tables] if tables else [],
        "media_type": document.media_type if document else "",
        "language": case.language or "",
        "duplicate_of": None,
        "action": case.outcome.action if case.outcome else "observe",
        "ms": ms,
        "spent_ms": dict(case.spent_ms),
        "sha256": ref.sha256,
        "size_bytes": ref.size_bytes,
        "trail": list(case.trail),
        "rules_version": verdict.rules_version,
    }
    if PEOPLE in case.facts:  # more than the worst of them, who are listed
        record["people"] = case.facts[PEOPLE]
    if traces := case.facts.get(TRACES):  # tags of everybody in it, for `dlp find`
        record[TRACES] = base64.b64encode(traces).decode()
    if NEAR_KEY in case.facts:  # the study's rule sets alone tell copies by it
        record[NEAR_KEY] = case.facts[NEAR_KEY]
    return record


def unread_record(path: bytes, gap: Gap, ms: float, *, size_bytes: int = 0) -> Record:
    """The object of a file that no worker could finish: possible, never clean."""
    return {
        "path": display(path),
        "container": Container.POSSIBLE.value,
        "reason": f"not read: {gap.code.value}",
        "privacy": 0.0,
        "identifiability": 0.0,
        "sensitivity": 0.0,
        "persons": [],
        "findings": [],
        "gaps": [{"code": gap.code.value, "where": gap.where}],
        "tables": [],
        "media_type": "",
        "language": "",
        "duplicate_of": None,
        "action": "observe",
        "ms": round(ms, 3),
        "spent_ms": {},
        "sha256": "",
        "size_bytes": size_bytes,
        "trail": [],
        "rules_version": "",
    }


def table_object(table: TableRisk, case: Case) -> Record:
    part = case.document.parts[table.part] if case.document else None
    return {
        "part": part.locator if part else "",
        "columns": list(table.columns),
        "rows": table.rows,
        "k": table.k,
        "unique": table.unique,
        "at_risk": table.at_risk,
    }


def person_object(person: Person) -> Record:
    return {
        "id": person.id,
        "identifiability": person.identifiability,
        "sensitivity": person.sensitivity,
        "chance": person.chance,
        "privacy": person.privacy,
        "fingerprints": sorted(person.fingerprints),
        "explanation": list(person.explanation),
        "bits": {kind: round(bits, 2) for kind, bits in person.bits.items()},
        "burden": [list(fact) for fact in person.burden],
        "area": person.area,
        "minor": person.minor,
    }


def finding_objects(case: Case, *, values: bool, masks: bool) -> list[Record]:
    """Most of a record, and of what it costs: spelt out, without a call for each finding."""
    parts = case.document.parts if case.document else ()
    locators = [part.locator for part in parts]
    found: list[Record] = [
        {
            "kind": kind._value_,
            "rule": rule,
            "part": locators[part] if locators else "",
            "start": start,
            "end": end,
            "confidence": round(confidence, 4),
            "concept": concept or None,
            "person": person or None,
            "context": sorted(context) if context else [],
        }
        for kind, rule, part, start, end, confidence, _, concept, person, _, context in (
            case.findings
        )
    ]
    if parts and (values or masks):
        for row, finding in zip(found, case.findings, strict=True):
            text = parts[finding.part].text[finding.start : finding.end]
            row.update({"text": text} if values else {"mask": mask(text)})
    return found


def display(path: bytes) -> str:
    """A name for people and JSON; bytes that are no UTF-8 survive as surrogate escapes."""
    return path.decode(ENCODING, ERRORS)  # os.fsdecode, without its questions


def rank_key(record: Record) -> tuple[float, float, int, int]:
    """Worst first: risk, the worst person, how far down the cascade, how many people."""
    return (
        -risk_in(record),
        -float(record["privacy"]),
        -CONTAINER_RANK[Container(record["container"])],
        -people_in(record),
    )
