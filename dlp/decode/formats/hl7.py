"""Read HL7 version 2 messages, alone, in batches, or framed by MLLP.

In: an open message file.  Out: one readable line a field, labelled "PID-5"; documents inside.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from dlp.decode.contract import Embedded, Item, Limits
from dlp.decode.encoding import read_text
from dlp.decode.labelled import LabelledText
from dlp.model import Gap, GapCode
from dlp.text.hl7_segments import (
    SEGMENT,
    STAMP,
    Signs,
    encapsulated,
    fields_of,
    system_name,
    unescape,
)

MEDIA_TYPES = frozenset({"application/hl7-v2"})
# HL7 v2.5.1 names of the fields that speak of people and their health.
MEANINGS = {
    "PID-2": "patient ID", "PID-3": "medical record number", "PID-4": "alternate patient ID",
    "PID-5": "patient name", "PID-6": "mother's maiden name", "PID-7": "date of birth",
    "PID-8": "sex", "PID-9": "patient alias", "PID-10": "race", "PID-11": "patient address",
    "PID-13": "home phone", "PID-14": "business phone", "PID-16": "marital status",
    "PID-18": "account number", "PID-19": "SSN", "PID-20": "driver's licence number",
    "PID-23": "birth place", "PID-29": "date of death", "NK1-2": "next of kin",
    "NK1-3": "relationship", "NK1-4": "address", "NK1-5": "phone", "PV1-2": "patient class",
    "PV1-3": "location", "PV1-7": "attending doctor", "PV1-8": "referring doctor",
    "PV1-9": "consulting doctor", "PV1-17": "admitting doctor", "PV1-19": "visit number",
    "PV1-44": "admission date", "PV1-45": "discharge date", "DG1-3": "diagnosis code",
    "DG1-4": "diagnosis", "DG1-5": "diagnosis date", "AL1-3": "allergy", "AL1-5": "reaction",
    "OBX-3": "observation", "OBX-5": "value", "OBX-14": "observation date",
    "OBR-4": "service", "OBR-7": "observation date", "OBR-13": "clinical information",
    "OBR-16": "ordering provider", "ORC-12": "ordering provider", "NTE-3": "comment",
    "RXE-2": "drug", "RXO-1": "drug", "RXA-5": "administered", "PR1-3": "procedure",
    "PR1-4": "procedure", "IN1-2": "insurance plan", "IN1-4": "insurance company",
    "IN1-16": "name of insured", "IN1-36": "policy number", "IN1-49": "insured's ID number",
    "GT1-3": "guarantor name", "GT1-5": "guarantor address", "GT1-12": "guarantor SSN",
    "MSH-7": "date of message", "EVN-2": "recorded date", "ACC-1": "accident date",
}  # fmt: skip
FAMILY_FIRST = frozenset({"PID-5", "PID-6", "PID-9", "NK1-2", "IN1-16", "GT1-3", "MRG-7"})
ID_FIRST = frozenset({"PV1-7", "PV1-8", "PV1-9", "PV1-17", "OBR-16", "ORC-12", "OBX-16"})


def extract(source: BinaryIO, limits: Limits) -> Iterator[Item]:
    text, longer = read_text(source, limits)
    lines = LabelledText("body", limits)
    signs, record, seen_patient, documents = Signs(), -1, False, 0
    for hit in SEGMENT.finditer(text):
        segment = hit[0]
        name = segment[:3]
        if name in {"MSH", "FHS", "BHS"} and len(segment) > 4:
            signs = Signs.of(segment)
        if name == "MSH" or (name == "PID" and seen_patient):
            record, seen_patient = record + 1, False
        seen_patient = seen_patient or name == "PID"
        for label, raw in fields_of(segment, signs):
            if document := encapsulated(raw, label, signs):
                documents += 1
                yield Embedded(f"document:{documents}", "", document)
            elif value := readable(raw, label, signs):
                meaning = MEANINGS.get(label, "")
                lines.add(label, value, max(record, 0), f"{label} {meaning}".rstrip())
    yield from lines.items()
    if longer and not lines.full:
        yield Gap(GapCode.TOO_LARGE, "body")


def readable(raw: str, label: str, signs: Signs) -> str:
    if raw.isalnum():
        return join([raw], label)
    values = []
    for repeat in raw.split(signs.repeat):
        pieces = [
            unescape(" ".join(piece.split(signs.part)), signs)
            for piece in repeat.split(signs.component)
        ]
        values.append(join(pieces, label))
    return "; ".join(filter(None, values))


def join(pieces: list[str], label: str) -> str:
    if label in ID_FIRST and len(pieces) > 2:
        return " ".join(
            filter(None, [f"{pieces[1]}, {pieces[2]}".strip(", "), *pieces[3:4], pieces[0]])
        )
    if label in FAMILY_FIRST and len(pieces) > 1:
        return " ".join(filter(None, [f"{pieces[0]}, {pieces[1]}".strip(", "), *pieces[2:5]]))
    value = " ".join(filter(None, announced(pieces)))
    stamp = STAMP.fullmatch(value)
    # 19500102 reads as a number; with dashes it reads as the day it is
    if stamp and "date" in MEANINGS.get(label, ""):
        return "-".join(stamp.groups())
    return value


def announced(pieces: list[str]) -> Iterator[str]:
    """A code behind the name of its system, as a text writes it: LN alone reads as a lane."""
    for first in range(0, len(pieces), 3):
        code, *words = pieces[first : first + 3]
        system = system_name(words[1]) if len(words) > 1 and code else ""
        yield from (system, code, words[0]) if system else (code, *words)
