"""Rewrite XML of any kind, clinical documents (C-CDA) among it: text, attributes, files inside.

In: XML.  Out: UTF-8 XML without comments, instructions or declarations.
"""

from __future__ import annotations

import base64
import binascii
import re

from dlp.sanitise.documents.cda import by_element
from dlp.sanitise.documents.contract import Job
from dlp.sanitise.documents.tree import (
    FORBIDDEN,
    Element,
    edit_slots,
    flows,
    local,
    parse,
    remove,
    serialise,
)

MEDIA_TYPES = frozenset({"application/xml", "text/xml", "application/fhir+xml", "image/svg+xml"})
ACTIVE = frozenset({"script", "foreignObject"})
SCHEMA = "{http://www.w3.org/2001/XMLSchema-instance}"
PACKED = re.compile(r"[A-Za-z0-9+/]+={0,2}")
SHORTEST = 120


def rewrite(data: bytes, job: Job) -> bytes:
    root = parse(data)
    for element in list(root.iter()):
        if not isinstance(element.tag, str) or local(element) in ACTIVE:
            remove(element)
        elif is_packed(element):
            repack(element, job)
    edit = by_element(root, job.edit)
    mixed = {element for element in root.iter() if is_mixed(element)}
    for slots in flows(root, lambda element: element.getparent() in mixed):
        edit_slots(slots, edit)
    for element in root.iter():
        for key, value in element.attrib.items():
            # what a type or schema is called is no content
            new = value if key.startswith(SCHEMA) else FORBIDDEN.sub("", edit(value))
            if new != value:
                element.set(key, new)
    return serialise(root)


def is_mixed(element: Element) -> bool:
    """Whether words stand beside elements: then the elements only format them."""
    return len(element) > 0 and bool(
        (element.text or "").strip() or any((child.tail or "").strip() for child in element)
    )


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
