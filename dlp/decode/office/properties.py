"""Read the properties a document keeps about itself.

In: core, extended and custom property parts.  Out: one labelled part, and the title.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lxml import etree

from dlp.decode.office.markup import attribute, local_of
from dlp.model import FieldMap, Part

ROOTS = frozenset({"coreProperties", "Properties"})
# Counters of the program that wrote the file; nobody's data.
COUNTERS = frozenset({
    "TotalTime", "Pages", "Words", "Characters", "Application", "DocSecurity", "Lines",
    "Paragraphs", "ScaleCrop", "LinksUpToDate", "CharactersWithSpaces", "SharedDoc",
    "HyperlinksChanged", "AppVersion", "Slides", "Notes", "HiddenSlides", "MMClips", "i4", "bool",
})  # fmt: skip


def read(root: etree._Element) -> Iterator[tuple[str, str]]:
    """Give (name, value) of every property that holds words."""
    for element in root:
        name = local_of(element)
        if name == "property":  # custom properties carry the name people chose
            name = attribute(element, "name")
        if name in COUNTERS or not name:
            continue
        for text in leaves(element):
            yield name, text


def leaves(element: etree._Element) -> Iterator[str]:
    for node in element.iter():
        if local_of(node) in COUNTERS:
            continue
        text = (node.text or "").strip()
        if text:
            yield text


def labelled(locator: str, pairs: Iterable[tuple[str, str]]) -> Part:
    """Write "name: value" lines and mark the values as fields of that name."""
    fields = FieldMap()
    pieces: list[str] = []
    at = 0
    for record, (name, value) in enumerate(pairs, start=1):
        start = at + len(name) + 2
        fields.add(name, start, start + len(value), record)
        pieces.append(f"{name}: {value}\n")
        at = start + len(value) + 1
    return Part(locator, "".join(pieces), fields)
