"""Values that a clinical document (HL7 v3) itself calls lines of an address.

In: the tree of an XML document, an edit.  Out: an edit that writes "[address]" for them first.

A street without "Street" gives no cue of its own; the element it stands in is the cue.
"""

from __future__ import annotations

from dlp.sanitise.documents.contract import Edit
from dlp.sanitise.documents.replacing import replacing
from dlp.sanitise.documents.tree import Element, local, namespace

HL7 = "urn:hl7-org:v3"
ADDRESS = "[address]"
LINES = frozenset(
    {"streetAddressLine", "streetName", "houseNumber", "additionalLocator", "deliveryAddressLine"}
)


def by_element(root: Element, edit: Edit) -> Edit:
    """Write them in the elements themselves; the edit is for wherever else they are said."""
    if namespace(root) != HL7:
        return edit
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
