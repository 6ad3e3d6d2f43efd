"""Check a record that a worker sent: every field, its type, its bounds, its closed words.

In: an object from a process that reads hostile files, the file it was given.  Out: fit or not.

A worker whose parser was taken over can send anything. What passes here can neither stop the
supervisor nor speak of another file, and free text is short and printable.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Any

from dlp.model import MOST_TRACES, Container, FileRef, GapCode, Kind
from dlp.report.record import display

Check = Callable[[Any], bool]

MOST_COUNT = 1 << 53  # what a double holds exactly
CONTAINERS = frozenset(container.value for container in Container)
GAPS = frozenset(code.value for code in GapCode)
KINDS = frozenset(kind.value for kind in Kind)
STAGE = re.compile(r"[a-z0-9_]{1,40}(?:\.[a-z0-9_]{1,40})?")
WORD = re.compile(r"[\w .:/+*@&'()#,\[\]-]{0,120}")  # ids of rules, concepts, persons, versions
AREA = re.compile(r"(?:[A-Z]{2}(?:-[A-Za-z0-9]{1,8})?)?")
SHA256 = re.compile(r"(?:[0-9a-f]{64})?")
LANGUAGE = re.compile(r"[A-Za-z0-9_,+ -]{0,40}")
SHOWN = frozenset({"text", "mask"})  # of a finding, where somebody asked for them
# "links" come with --values or --masks; "people" where a record lists only the worst of them;
# "near_key" with the rule sets of the study
# "traces" where somebody is in a file
ASKED_FOR = frozenset({"links", "people", "near_key", "traces"})
TAGS = re.compile(rf"(?:[A-Za-z0-9+/]{{4}}){{0,{MOST_TRACES * 3}}}[A-Za-z0-9+/=]{{0,4}}")
REASON_CHARACTERS = 400
PLACE_CHARACTERS = 4_000  # a place is made of names of members, and those may be long
COLUMN_CHARACTERS = 1_000


def is_fit(record: Any, ref: FileRef) -> bool:
    """Whether a worker that was given this file may say this of it."""
    return (
        isinstance(record, dict)
        and has_fields(record, FIELDS, ASKED_FOR)
        and record["path"] == display(ref.path)
        and record["size_bytes"] == ref.size_bytes
    )


def has_fields(
    value: Any, fields: Mapping[str, Check], optional: frozenset[str] = frozenset()
) -> bool:
    return (
        isinstance(value, dict)
        and value.keys() - optional == fields.keys() - optional
        and all(fields[name](one) for name, one in value.items())
    )


def is_number(value: Any) -> bool:
    return type(value) in {int, float} and abs(value) < MOST_COUNT and math.isfinite(value)


def is_amount(value: Any) -> bool:
    return is_number(value) and value >= 0


def is_share(value: Any) -> bool:
    return is_number(value) and 0 <= value <= 1


def is_count(value: Any) -> bool:
    return type(value) is int and 0 <= value < MOST_COUNT


def text_of(most: int, *, printable: bool = True) -> Check:
    def check(value: Any) -> bool:
        return (
            isinstance(value, str) and len(value) <= most and (not printable or value.isprintable())
        )

    return check


def matching(pattern: re.Pattern[str]) -> Check:
    return lambda value: isinstance(value, str) and pattern.fullmatch(value) is not None


def among(words: frozenset[str]) -> Check:
    return lambda value: isinstance(value, str) and value in words


def each(check: Check) -> Check:
    return lambda value: isinstance(value, list) and all(map(check, value))


def absent_or(check: Check) -> Check:
    return lambda value: value is None or check(value)


def is_burden(value: Any) -> bool:
    return (
        isinstance(value, list)
        and len(value) == 3
        and (is_word(value[0]) and is_word(value[1]) and is_number(value[2]))
    )


def amounts_by(name: Check) -> Check:
    return lambda value: (
        isinstance(value, dict)
        and all(name(key) and is_number(amount) for key, amount in value.items())
    )


def is_finding(value: Any) -> bool:
    return has_fields(value, FINDING, SHOWN) and value["start"] <= value["end"]


is_word = matching(WORD)
is_stage = matching(STAGE)
is_place = text_of(PLACE_CHARACTERS, printable=False)
FINDING: Mapping[str, Check] = {
    "kind": among(KINDS),
    "rule": is_word,
    "part": is_place,
    "start": is_count,
    "end": is_count,
    "confidence": is_share,
    "concept": absent_or(is_word),
    "person": absent_or(is_word),
    "context": each(is_word),
    "text": lambda value: isinstance(value, str),  # --values and --masks only
    "mask": lambda value: isinstance(value, str),
}
PERSON: Mapping[str, Check] = {
    "id": is_word,
    "identifiability": is_amount,
    "sensitivity": is_amount,
    "chance": is_share,
    "privacy": is_amount,
    "fingerprints": each(is_word),
    "explanation": each(text_of(REASON_CHARACTERS)),
    "bits": amounts_by(is_word),
    "burden": each(is_burden),
    "area": matching(AREA),
    "minor": lambda value: isinstance(value, bool),
}
TABLE: Mapping[str, Check] = {
    "part": is_place,
    "columns": each(text_of(COLUMN_CHARACTERS, printable=False)),
    "rows": is_count,
    "k": is_count,
    "unique": is_count,
    "at_risk": is_count,
}
LINK: Mapping[str, Check] = {
    "person": is_word,
    "kind": among(KINDS),
    "concept": is_word,
    "part": is_place,
    "start": is_count,
    "end": is_count,
    "scope": is_word,
    "chance": is_share,
    "for": each(text_of(REASON_CHARACTERS)),
    "against": each(text_of(REASON_CHARACTERS)),
}
GAP: Mapping[str, Check] = {"code": among(GAPS), "where": is_place}
FIELDS: Mapping[str, Check] = {
    "path": lambda value: isinstance(value, str),
    "container": among(CONTAINERS),
    "reason": text_of(REASON_CHARACTERS),
    "privacy": is_amount,
    "identifiability": is_amount,
    "sensitivity": is_amount,
    "persons": each(lambda value: has_fields(value, PERSON)),
    "findings": each(is_finding),
    "gaps": each(lambda value: has_fields(value, GAP)),
    "tables": each(lambda value: has_fields(value, TABLE)),
    "media_type": text_of(200),
    "language": matching(LANGUAGE),
    "duplicate_of": lambda value: value is None,
    "action": lambda value: value == "observe",  # a worker reads; it does not act
    "ms": is_amount,
    "spent_ms": amounts_by(is_stage),
    "sha256": matching(SHA256),
    "size_bytes": is_count,
    "trail": each(is_stage),
    "rules_version": is_word,
    "links": each(lambda value: has_fields(value, LINK)),
    "near_key": is_word,
    "traces": matching(TAGS),
    "people": is_count,  # where the record lists only the worst of them
}
