"""Codes of SNOMED CT and LOINC where the words before them say that they are some.

In: a text.  Out: places of the codes with the kind of fact.

A SNOMED CT identifier is 6 to 18 digits: item, partition "00" for a concept (or "10" with a
namespace), and a Verhoeff check digit (SNOMED CT release file specification, chapter 6). A number
behind "code" or "problem list" that obeys all this is one. A LOINC code ends in a Luhn digit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from dlp.knowledge.icd import is_loinc, is_snomed
from dlp.model import Kind, Part

SNOMED_RULE, LOINC_RULE = "snomed-code", "loinc-code"
# One of these must stand in a text before its numbers are looked at.
NAMES = ("snomed", "sct", "loinc", "concept id", "problem list", "register", "code", "diagnos")
# Most runs of digits are shorter; none stands before it, nor "3." of a decimal.
NUMBER = re.compile(r"\d{6}(?<!\d.{6})(?<!\d\..{6})\d{0,12}(?!\d|\.\d)")
BEFORE = 40  # characters in which a number is announced
ANNOUNCED = re.compile(
    r"\b(?:snomed(?:[ -]?ct)?(?: code)?|sctid|sct|concept[ _]?id|codes?"
    r"|(?:problem list|register|diagnos\w+)\b(?![^\n\d]*\b(?:mrn|number|no|id)\W)"
    r"[^\n\d]{0,24})\W{1,3}$",
    re.IGNORECASE,
)
LOINC = re.compile(r"\bloinc\b[^\n\d]{0,12}(\d{1,5}-\d)(?!\d)", re.IGNORECASE)
LOINC_CODE = re.compile(r"\d{1,5}-\d")
LONGEST = 20  # characters of a field with a code


def terminology_codes(text: str) -> Iterator[tuple[int, int, Kind, str]]:
    """Start, end, kind and rule of each code that is announced and valid."""
    low = text.lower()
    if not any(name in low for name in NAMES):
        return
    for match in NUMBER.finditer(text):
        if is_snomed(match[0]) and ANNOUNCED.search(
            text[max(0, match.start() - BEFORE) : match.start()]
        ):
            yield *match.span(), Kind.DISEASE, SNOMED_RULE
    if "loinc" in low:
        for match in LOINC.finditer(text):
            if is_loinc(match[1]):
                yield *match.span(1), Kind.TEST, LOINC_RULE


def coded_fields(part: Part) -> Iterator[tuple[int, int, Kind, str]]:
    """Valid codes in fields whose label names the terminology, or is "code" alone."""
    if part.fields is None:
        return
    kinds = {label: named for label in part.fields.labels if (named := terminology_of(label))}
    if not kinds:
        return
    for label, start, end, _ in part.fields:
        if label in kinds and 5 < end - start <= LONGEST:
            code = part.text[start:end].strip()
            if kinds[label] == LOINC_RULE:
                if LOINC_CODE.fullmatch(code) and is_loinc(code):
                    yield start, end, Kind.TEST, LOINC_RULE
            elif NUMBER.fullmatch(code) and is_snomed(code):
                yield start, end, Kind.DISEASE, SNOMED_RULE


def terminology_of(label: str) -> str:
    low = label.lower()
    if "loinc" in low:
        return LOINC_RULE
    return SNOMED_RULE if "snomed" in low or "sct" in low or low == "code" else ""
