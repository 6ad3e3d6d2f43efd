"""Read parts in which nothing is unusual without making a tree of them.

In: the bytes of a part.  Out: what flow.py and package.py would find in its tree; None where only
that would tell.

Nine parts in ten are such: no changes, no fields, no text boxes, nothing that comes twice, and XML
as programs write it. A kernel says so while it reads them, and without it there is always a tree.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from dlp.decode.office import flow
from dlp.native import kernel

ELEMENTS = kernel("elements")
DECLARATION = re.compile(
    rb"(?:\xef\xbb\xbf)?<\?xml version=(?:'1\.0'|\"1\.0\")"
    rb"(?: encoding=(?:'(?:UTF|utf)-8'|\"(?:UTF|utf)-8\"))?"
    rb"(?: standalone=(?:'(?:yes|no)'|\"(?:yes|no)\"))? ?\?>[ \t\r\n]*(?=<)"
)
# What only a tree tells apart: who changed what, what was deleted, fields, boxes, twins, and names
# that are somebody's only below certain elements.
UNUSUAL = frozenset({
    *(tag.removeprefix("{*}") for tag in flow.EDITOR_TAGS), *flow.TEXTS - {"t"},
    "AlternateContent", "moveFrom", "moveTo", "txbxContent", "fldData", "name",
})  # fmt: skip
SHAPES = {tag.removeprefix("{*}") for tag in flow.SHAPE} - flow.SAYING
FLOWING = ELEMENTS and ELEMENTS.Elements(
    sorted(UNUSUAL), ["t"], sorted(SHAPES), sorted({*flow.SAYING, *flow.LABELS} - UNUSUAL)
)
LINKING = ELEMENTS and ELEMENTS.Elements([], [], [], ["Relationship"])
UNSEALED = ELEMENTS and ELEMENTS.Elements(["encryption-data"], [], [], [])
# Level, local name, text and attributes of an element.
Element = tuple[int, str, str, dict[str, str]]


def streams(content: bytes) -> tuple[str, str, Iterator[tuple[str, str]]] | None:
    """Name and namespace of the root, and what flow.streams would give."""
    read = elements(FLOWING, content)
    return read and (read[0], read[1], streams_of(read[2]))


def streams_of(found: list[flow.Piece]) -> Iterator[tuple[str, str]]:
    yield "", flow.laid_out(found)
    labels: dict[str, None] = {}
    flow.add_labels(found, labels)
    yield "labels", "\n".join(labels)


def relations(content: bytes) -> list[dict[str, str]] | None:
    """The attributes of each relationship."""
    read = elements(LINKING, content)
    return read and [said for _, said in read[2]]


def is_unsealed(manifest: bytes) -> bool:
    """Whether the manifest of an OpenDocument names nothing that is encrypted."""
    return elements(UNSEALED, manifest) is not None


def all_of(content: bytes, root: str) -> list[Element] | None:
    """Every element, if the part has this root."""
    if LINKING is None:
        return None
    read = LINKING.all_of(content, start_of(content))
    return read[2] if read is not None and read[0] == root else None


def root_of(content: bytes) -> str | None:
    read = elements(LINKING, content)
    return None if read is None else str(read[0])


def elements(heard: Any, content: bytes) -> Any:
    if heard is None:
        return None
    return heard.of(content, start_of(content))


def start_of(content: bytes) -> int:
    declared = DECLARATION.match(content)
    return declared.end() if declared else 0
