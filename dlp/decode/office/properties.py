"""Read the properties a document keeps about itself.

In: XML property parts, or OLE property sets (MS-OLEPS).  Out: one labelled part, and the title.
"""

from __future__ import annotations

import datetime as dt
import struct
from collections.abc import Iterable, Iterator

from lxml import etree

from dlp.decode.encoding import codec_of
from dlp.decode.office.markup import attribute, local_of
from dlp.model import FieldMap, Part

ROOTS = frozenset({"coreProperties", "Properties"})
# Counters of the program that wrote the file; nobody's data.
COUNTERS = frozenset({
    "TotalTime", "Pages", "Words", "Characters", "Application", "DocSecurity", "Lines",
    "Paragraphs", "ScaleCrop", "LinksUpToDate", "CharactersWithSpaces", "SharedDoc",
    "HyperlinksChanged", "AppVersion", "Slides", "Notes", "HiddenSlides", "MMClips", "i4", "bool",
})  # fmt: skip

SUMMARY = "\x05SummaryInformation"
DOCUMENT_SUMMARY = "\x05DocumentSummaryInformation"
NAMES = {
    SUMMARY: {
        2: "title", 3: "subject", 4: "author", 5: "keywords", 6: "comments", 7: "template",
        8: "last saved by", 11: "printed", 12: "created", 13: "saved",
    },
    DOCUMENT_SUMMARY: {
        2: "category", 3: "target", 13: "part titles", 14: "manager", 15: "company",
        26: "content type", 27: "content status", 28: "language",
    },
}  # fmt: skip
TEXT, WIDE_TEXT, TIME, VARIANT, VECTOR = 0x1E, 0x1F, 0x40, 0x0C, 0x1000
MOST_VALUES = 2000
BEGINNING = dt.datetime(1601, 1, 1)  # noqa: DTZ001 - the zone is not stored


def read_xml(root: etree._Element) -> Iterator[tuple[str, str]]:
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


def read_property_set(name: str, content: bytes) -> Iterator[tuple[str, str]]:
    """Give every property that holds words or a date; damage ends a section, not the rest."""
    try:
        (count,) = struct.unpack_from("<I", content, 24)
        offsets = [struct.unpack_from("<I", content, 44 + 20 * n)[0] for n in range(min(count, 8))]
    except struct.error:
        return
    for position, offset in enumerate(offsets):
        known = NAMES.get(name, {}) if position == 0 else {}
        found: list[tuple[str, str]] = []
        try:
            found.extend(read_section(content, offset, known))
        except (struct.error, OverflowError, IndexError):
            pass  # a count that points past the end
        finally:
            yield from found


def read_section(content: bytes, start: int, known: dict[int, str]) -> Iterator[tuple[str, str]]:
    _, count = struct.unpack_from("<II", content, start)
    count = min(count, MOST_VALUES)
    places = dict(struct.unpack_from("<II", content, start + 8 + 8 * n) for n in range(count))
    codec = "cp1252"
    if 1 in places:
        (codepage,) = struct.unpack_from("<H", content, start + places[1] + 4)
        codec = codec_of(codepage)
    names = dict(known)
    if 0 in places and not known:
        names |= read_names(content, start + places[0], codec)
    for identifier, offset in places.items():
        if identifier in {0, 1}:
            continue
        label = names.get(identifier, "")
        if known and not label:
            continue  # counters, thumbnails, flags
        for value in read_value(content, start + offset, codec):
            yield label or "property", value


def read_value(content: bytes, at: int, codec: str) -> Iterator[str]:
    (kind,) = struct.unpack_from("<I", content, at)
    yield from (text for text, _ in typed(content, at + 4, kind, codec) if text.strip())


def typed(content: bytes, at: int, kind: int, codec: str) -> Iterator[tuple[str, int]]:
    """Give the texts of a value, each with the place after it."""
    if kind & VECTOR:
        (count,) = struct.unpack_from("<I", content, at)
        at += 4
        for _ in range(min(count, MOST_VALUES)):
            inner = kind & 0xFFF
            if inner == VARIANT:
                (inner,) = struct.unpack_from("<I", content, at)
                at += 4
            if inner not in {TEXT, WIDE_TEXT}:
                at += 4
                continue
            for text, end in typed(content, at, inner, codec):
                yield text, end
                at = end
    elif kind == TEXT:
        (size,) = struct.unpack_from("<I", content, at)
        raw = content[at + 4 : at + 4 + size]
        yield raw.decode(codec, "replace").split("\0")[0], at + 4 + size
    elif kind == WIDE_TEXT:
        (size,) = struct.unpack_from("<I", content, at)
        raw = content[at + 4 : at + 4 + size * 2]
        yield raw.decode("utf-16-le", "replace").split("\0")[0], at + 4 + (size * 2 + 3) // 4 * 4
    elif kind == TIME:
        (ticks,) = struct.unpack_from("<Q", content, at)
        yield moment(ticks), at + 8


def moment(ticks: int) -> str:
    """Hundreds of nanoseconds since 1601; small numbers are durations."""
    if ticks < 0x0100000000000000:
        return ""
    try:
        return str((BEGINNING + dt.timedelta(microseconds=ticks // 10)).replace(microsecond=0))
    except OverflowError:
        return ""


def read_names(content: bytes, at: int, codec: str) -> dict[int, str]:
    (count,) = struct.unpack_from("<I", content, at)
    at += 4
    names: dict[int, str] = {}
    for _ in range(min(count, MOST_VALUES)):
        identifier, length = struct.unpack_from("<II", content, at)
        size = length * 2 if codec == "utf-16-le" else length
        names[identifier] = content[at + 8 : at + 8 + size].decode(codec, "replace").split("\0")[0]
        at += 8 + ((size + 3) // 4 * 4 if codec == "utf-16-le" else size)
    return names
