"""The grammar of HL7 version 2: segments, fields, delimiters, escapes, documents inside.

In: a segment.  Out: its fields with their labels ("PID-5"), as written.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from dataclasses import dataclass

STAMP = re.compile(
    r"((?:18|19|20)\d{2})(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?:\d{4,6}(?:\.\d+)?)?(?:[+-]\d{4})?"
)
SEGMENT = re.compile(r"[^\r\n\x0b\x0c\x1c]+")
# HL7 table 0396: the systems of diagnoses, findings, drugs and procedures, by their usual names.
SYSTEMS = (
    (re.compile(r"I9\w*|ICD-?9\S*"), "ICD-9"), (re.compile(r"I10\w*|ICD-?10\S*"), "ICD-10"),
    (re.compile(r"LN"), "LOINC"), (re.compile(r"SCT2?|SNM3?|SNT"), "SNOMED"),
    (re.compile(r"RXNORM|RXN"), "RxNorm"), (re.compile(r"C4|CPT\S*"), "CPT"),
    (re.compile(r"NDC"), "NDC"), (re.compile(r"HCPCS|ATC|DRG\w*"), "code"),
)  # fmt: skip
ESCAPE_LIMIT = 40  # \X...\ holds a few bytes; a longer run is no escape


@dataclass(frozen=True, slots=True)
class Signs:
    """The delimiters a message declares for itself in MSH-1 and MSH-2."""

    field: str = "|"
    component: str = "^"
    repeat: str = "~"
    escape: str = "\\"
    part: str = "&"

    @classmethod
    def of(cls, segment: str) -> Signs:
        encoding = segment[4:].split(segment[3], 1)[0][:4]
        return cls(segment[3], *(encoding + "^~\\&"[len(encoding) :]))


def fields_of(segment: str, signs: Signs) -> Iterator[tuple[str, str]]:
    name, *fields = segment.split(signs.field)
    if not re.fullmatch(r"[A-Z][A-Z0-9]{2}", name):
        if segment.strip():
            yield "continued", segment  # a value with a bare line break; still text
        return
    shift = 2 if name in {"MSH", "FHS", "BHS"} else 1  # MSH-1 is the separator itself
    for number, raw in enumerate(fields, shift):
        if raw and (number > 2 or shift == 1):
            yield f"{name}-{number}", raw


def system_name(code: str) -> str:
    """What a coding system is called in a text; nothing when it is no clinical one."""
    return next((name for pattern, name in SYSTEMS if pattern.fullmatch(code)), "")


def unescape(value: str, signs: Signs) -> str:
    if signs.escape not in value:
        return value
    plain = {"F": signs.field, "S": signs.component, "T": signs.part, "R": signs.repeat,
             "E": signs.escape, ".br": "\n", ".sp": "\n", ".ce": "\n"}  # fmt: skip
    mark = re.escape(signs.escape)

    def replace(hit: re.Match[str]) -> str:
        code = hit[1]
        if code in plain:
            return plain[code]
        if code[0] == "X" and len(code) % 2:
            try:
                return bytes.fromhex(code[1:]).decode("utf-8", "replace")
            except ValueError:
                return hit[0]
        return "" if code in {"H", "N"} or code[0] == "." else hit[0]

    return re.sub(rf"{mark}([^{mark}\r\n]{{1,{ESCAPE_LIMIT}}}){mark}", replace, value)


def encapsulated(raw: str, label: str, signs: Signs) -> bytes:
    """Data type ED: source ^ type ^ subtype ^ Base64 ^ the document."""
    if not label.startswith("OBX-5"):
        return b""
    pieces = raw.split(signs.component)
    if len(pieces) < 5 or pieces[3].lower() != "base64":
        return b""
    try:
        return base64.b64decode("".join(pieces[4].split()))
    except (binascii.Error, ValueError):
        return b""
