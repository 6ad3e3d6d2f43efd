"""Rewrite XML of any kind, clinical documents (C-CDA) among it: text, attributes, files inside.

In: XML.  Out: UTF-8 XML without instructions or declarations; of comments, only prose.
"""

from __future__ import annotations

import base64
import binascii
import re

from lxml import etree

from dlp.knowledge.marks import CODE
from dlp.sanitise.documents.contract import NUMBER, Edit, Job
from dlp.sanitise.documents.value_search import replacing
from dlp.sanitise.documents.xml_tree import (
    FORBIDDEN,
    Element,
    edit_slots,
    flows,
    local,
    namespace,
    parse,
    remove,
    serialise,
)

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


MEDIA_TYPES = frozenset({"application/xml", "text/xml", "application/fhir+xml", "image/svg+xml"})
ACTIVE = frozenset({"script", "foreignObject"})
SCHEMA = "{http://www.w3.org/2001/XMLSchema-instance}"
# Where its author kept the schema, often a path with a user's name; no reader needs it.
HINTS = frozenset({f"{SCHEMA}schemaLocation", f"{SCHEMA}noNamespaceSchemaLocation"})
PACKED = re.compile(r"[A-Za-z0-9+/]+={0,2}")
SHORTEST = 120
NO_PROSE = re.compile(r"<[/!?A-Za-z]|[A-Za-z0-9+/]{80}")
# A tag that an explanation names, perhaps with codes: nothing stands inside it.
NAMED_TAG = re.compile(
    r"<[A-Za-z][\w:.-]*(?:\s+(?:code|displayName|codeSystem|codeSystemName|codeSystemVersion)"
    r"\s*=\s*\"[^\"<>]*\")*\s*/?>"
)
HYPHENS = re.compile(r"-(?=-)|-$")  # two in a row, or one at the end, would end a comment


def rewrite(data: bytes, job: Job) -> bytes:
    root = parse(data, comments=True)
    comments = kept_comments(root, job)
    for element in list(root.iter("*")):
        if local(element) in ACTIVE:
            remove(element)
        elif is_packed(element):
            repack(element, job)
    edit = by_element(root, job)
    for comment in comments:
        comment.text = HYPHENS.sub("- ", FORBIDDEN.sub("", edit(comment.text)))
    mixed = {element for element in root.iter("*") if is_mixed(element)}
    for slots in flows(root, lambda element: element.getparent() in mixed):
        edit_slots(slots, edit)
    for element in root.iter("*"):
        for hint in HINTS.intersection(element.attrib):
            del element.attrib[hint]
        for key, value in element.attrib.items():
            # what a type is called is no content
            new = value if key.startswith(SCHEMA) else FORBIDDEN.sub("", edit(value))
            if new != value:
                element.set(key, new)
    return serialise(root)


def kept_comments(root: Element, job: Job) -> list[Element]:
    """Take out all comments but prose that stands between elements.

    Inside words a comment would cut them in two. One that holds elements or a packed file is a
    piece of a document: its fields would be read without their names.
    """
    kept = []
    for comment in list(root.iter(etree.Comment)):
        parent = comment.getparent()
        words = parent is None or (parent.text or "").strip() or has_tails(parent)
        if words or not (comment.text or "").strip() or is_markup(comment.text):
            remove(comment)
            job.note("comments dropped: not prose, or inside words")
        else:
            kept.append(comment)
    return kept


def is_markup(text: str) -> bool:
    return NO_PROSE.search(NAMED_TAG.sub(" ", text)) is not None


def has_tails(element: Element) -> bool:
    return any((child.tail or "").strip() for child in element)


def is_mixed(element: Element) -> bool:
    """Whether words stand beside elements: then the elements only format them."""
    return len(element) > 0 and bool((element.text or "").strip() or has_tails(element))


def is_packed(element: Element) -> bool:
    """Whether an element holds a file in base 64, as C-CDA's text and FHIR's data do."""
    if len(element) or not element.text:
        return False
    declared = element.get("representation") == "B64" or "base64" in (element.get("encoding") or "")
    return declared or is_base64(element.text)


def is_base64(text: str) -> bool:
    """Long lines without a space between words, of the right length: no prose looks so."""
    lines = text.split()
    packed = "".join(lines)
    return (
        len(packed) >= SHORTEST and not len(packed) % 4 and len(packed) >= 40 * len(lines) - 40
        and PACKED.fullmatch(packed) is not None
    )  # fmt: skip


def repack(element: Element, job: Job) -> None:
    try:
        content = base64.b64decode(element.text)
    except (binascii.Error, ValueError):
        element.text = None
        job.note("file inside dropped: not readable")
        return
    new = job.inside(content, element.get("mediaType") or "")
    if new is None:
        element.text = None
        job.note("file inside dropped: no module rewrites it")
    elif new != content:
        element.text = base64.b64encode(new).decode()
