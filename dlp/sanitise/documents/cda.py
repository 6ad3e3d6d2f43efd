"""Values that a clinical document (HL7 v3) itself calls lines of an address, or clinical codes.

In: the tree of an XML document, a job.  Out: an edit that writes "[address]" for them first.

A street without "Street" gives no cue of its own; the element it stands in is the cue. A code goes
when the words that display it change, and when none display it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from dlp.knowledge.marks import CODE
from dlp.sanitise.documents.contract import NUMBER, Edit, Job
from dlp.sanitise.documents.tree import Element, local, namespace

# Make an edit from pairs of values and what stands for them.


def replacing(pairs: Iterable[tuple[str, str]]) -> Edit:
    """Replace each value wherever it stands as whole words; the longest first.

    Space inside a value matches any space: the same name breaks differently in another format.
    """
    table: dict[str, str] = {}
    for value, replacement in pairs:
        if value.strip():
            table.setdefault(folded(value), replacement)
    if not table:
        return str
    longest_first = sorted(table, key=lambda value: (-len(value), value))
    pattern = re.compile("|".join(map(expression, longest_first)), re.IGNORECASE)

    def edit(text: str) -> str:
        return pattern.sub(lambda hit: table.get(folded(hit[0]), ""), text)

    return edit


def folded(value: str) -> str:
    return " ".join(value.split()).lower()


def expression(value: str) -> str:
    body = r"\s+".join(map(re.escape, value.split(" ")))
    # "_" ends a word here: names of files and styles are written with it
    before = r"(?<![^\W_])" if value[0].isalnum() else ""
    after = r"(?![^\W_])" if value[-1].isalnum() else ""
    return f"{before}{body}{after}"


HL7 = "urn:hl7-org:v3"
ADDRESS = "[address]"
LINES = frozenset(
    {"streetAddressLine", "streetName", "houseNumber", "additionalLocator", "deliveryAddressLine"}
)


IDS = frozenset({"id", "setId"})
# SNOMED CT, RxNorm, CPT, NDC, ICD-10-CM and ICD-9-CM; LOINC names the sections of every document.
CLINICAL = frozenset(f"2.16.840.1.113883.6.{n}" for n in (96, 88, 12, 69, 90, 103, 104, 4))


def _drop_codes(root: Element, edit: Edit) -> None:
    for element in root.iter("*"):
        code, display = element.get("code"), element.get("displayName")
        if not code or code == CODE:
            continue
        hidden = element.get("codeSystem") in CLINICAL and not display
        if (display and edit(display) != display) or hidden or edit(f"ICD {code}") != f"ICD {code}":
            element.set("code", CODE)


def _drop_numbers(root: Element, job: Job) -> None:
    """Numbers of documents, orders and acts, which have no looks of their own."""
    for element in root.iter("*"):
        number = element.get("extension", "")
        known = not number or number.startswith("[") or NUMBER.fullmatch(number)
        if local(element) in IDS and not known and job.edit(number) == number:
            element.set("extension", job.number(number))


def by_element(root: Element, job: Job) -> Edit:
    """Write them in the elements themselves; the edit is for wherever else they are said."""
    edit = job.edit
    if namespace(root) != HL7:
        return edit
    _drop_codes(root, edit)
    _drop_numbers(root, job)
    found: set[str] = set()
    for element in root.iter("*"):
        text = " ".join((element.text or "").split())
        if local(element) in LINES and text and text != ADDRESS:
            element.text = ADDRESS
            # A number or a word alone is many other things in the rest of the document.
            if " " in text and any(map(str.isalpha, text)):
                found.add(text)
    if not found:
        return edit
    first = replacing([(value, ADDRESS) for value in found])
    return lambda text: edit(first(text))
