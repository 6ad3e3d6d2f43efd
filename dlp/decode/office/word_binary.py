"""Read the text of Word 6 to 2003 documents.

In: the streams of a doc.  Out: body, notes, headers, comments, text boxes, names, leftovers.

MS-DOC: the text is one sequence of characters, cut into pieces that lie anywhere in the main
stream, 8 or 16 bits wide; the header says how many characters belong to which story.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass

from dlp.decode.compound_file import Storage
from dlp.decode.contract import Embedded, Item
from dlp.decode.encoding import codec_of
from dlp.decode.office.binary_runs import readable_runs, wide_runs
from dlp.decode.office.embedded import pictures
from dlp.model import Gap, GapCode, Part

WORD_97, WORD_95 = 0xA5EC, 0xA5DC
ENCRYPTED, OTHER_TABLE, FAST_SAVED = 0x0100, 0x0200, 0x0004
STORIES = ("body", "footnotes", "headers", "macros", "comments", "endnotes", "textboxes",
           "header_textboxes")  # fmt: skip
WIDE_FIRST_97, CLX_97, TABLES_97 = 0x4C, 0x01A2, 0x9A
WIDE_FIRST_95, CLX_95 = 0x34, 0x0160
COMPRESSED = 0x40000000
# Where names and words lie outside the text, by position in the header's table of places.
LABELS = {
    9: "autotext",
    21: "bookmarks",
    32: "associated",
    45: "forms",
    52: "captions",
    60: "variables",
}
EDITORS = {36: "commenters", 51: "revisers", 71: "saved by"}
FIELD = re.compile("\x13([^\x13-\x15]*)(?:\x14([^\x13-\x15]*))?\x15")
MARKS = str.maketrans({
    "\r": "\n", "\x0b": "\n", "\x0c": "\n", "\x07": "\t", "\x1e": "-", "\x1f": None, "\xa0": " ",
    **dict.fromkeys("\x00\x01\x02\x03\x04\x05\x06\x08\x0e\x13\x14\x15\x19\x1a\x1b\x1c\x1d", None),
})  # fmt: skip
LANGUAGES = {0x19: 1251, 0x22: 1251, 0x02: 1251, 0x05: 1250, 0x0E: 1250, 0x15: 1250, 0x08: 1253,
             0x1F: 1254, 0x0D: 1255, 0x01: 1256, 0x11: 932, 0x12: 949, 0x04: 936}  # fmt: skip


@dataclass(slots=True)
class Header:
    """What the file information block says."""

    modern: bool
    flags: int
    codec: str
    counts: list[int]
    clx: tuple[int, int]
    first: int
    last: int


def read(storage: Storage) -> Iterator[Item]:
    main = storage.read("WordDocument")
    where = storage.where
    try:
        header = read_header(main)
    except struct.error:
        header = None
    if header is None:
        yield Gap(GapCode.CORRUPT, f"{where}body")
        yield Part(f"{where}runs", readable_runs(main))
        return
    if header.flags & ENCRYPTED:
        yield Gap(GapCode.ENCRYPTED, f"{where}body")
        return
    tables = main
    if header.modern:
        tables = storage.read("1Table" if header.flags & OTHER_TABLE else "0Table")
    pieces, whole = read_pieces(header, tables)
    # Counts are in 16-bit units, so the text stays in them until it is cut into stories.
    text = b"".join(piece_units(main, header, piece) for piece in pieces)
    if not whole or len(text) < 2 * sum(header.counts):
        yield Gap(GapCode.CORRUPT, f"{where}body")
    yield from read_stories(text, header.counts, where)
    if header.modern:
        yield from read_names(main, tables, where)
    yield from read_drawings(main, storage)
    if header.flags & FAST_SAVED:
        yield Part(f"{where}leftovers", readable_runs(uncovered(main, pieces)))


def read_header(main: bytes) -> Header | None:
    magic, version, _, language = struct.unpack_from("<4H", main)
    (flags,) = struct.unpack_from("<H", main, 0x0A)
    first, last = struct.unpack_from("<II", main, 0x18)
    modern = magic == WORD_97 and version > 104
    if magic not in {WORD_97, WORD_95}:
        return None
    counts = list(struct.unpack_from("<8I", main, WIDE_FIRST_97 if modern else WIDE_FIRST_95))
    clx = struct.unpack_from("<II", main, CLX_97 if modern else CLX_95)
    codec = codec_of(LANGUAGES.get(language & 0xFF, 1252))
    return Header(modern, flags, codec, [min(c, 1 << 28) for c in counts], clx, first, last)


Piece = tuple[int, int, bool]  # place in the main stream, characters, wide


def read_pieces(header: Header, tables: bytes) -> tuple[list[Piece], bool]:
    """Give the pieces of the text, and whether the list is all of it."""
    start, size = header.clx
    if not size and not header.modern:
        return [(header.first, max(0, header.last - header.first), False)], True
    clx = tables[start : start + size]
    at = 0
    while at + 3 <= len(clx) and clx[at] == 1:
        at += 3 + int.from_bytes(clx[at + 1 : at + 3], "little")
    if at + 5 > len(clx) or clx[at] != 2:
        # Without the list the text still lies where it always starts.
        wide = max(0, header.last - header.first) // 2
        return [(header.first, wide, True)] if header.modern else [], False
    (length,) = struct.unpack_from("<I", clx, at + 1)
    table = clx[at + 5 : at + 5 + length]
    count = (len(table) - 4) // 12
    if count < 1:
        return [], False
    ends = struct.unpack_from(f"<{count + 1}I", table)
    pieces: list[Piece] = []
    for number in range(count):
        (place,) = struct.unpack_from("<I", table, 4 * (count + 1) + 8 * number + 2)
        characters = ends[number + 1] - ends[number]
        if characters <= 0:
            continue
        if not header.modern:
            pieces.append((place, characters, False))
        elif place & COMPRESSED:
            pieces.append(((place & ~COMPRESSED) // 2, characters, False))
        else:
            pieces.append((place, characters, True))
    return pieces, len(table) == length


def piece_units(main: bytes, header: Header, piece: Piece) -> bytes:
    place, characters, wide = piece
    if wide:
        return main[place : place + 2 * characters]
    codec = "cp1252" if header.modern else header.codec
    return main[place : place + characters].decode(codec, "replace").encode("utf-16-le")


def read_stories(text: bytes, counts: list[int], where: str) -> Iterator[Item]:
    at = 0
    for story, count in zip(STORIES, counts, strict=True):
        shown, codes = split_fields(text[at : at + 2 * count].decode("utf-16-le", "replace"))
        yield Part(where + story, clean(shown))
        if codes:
            yield Part(f"{where}{story}.fields", clean("\n".join(codes)))
        at += 2 * count
    # Counts can lie; characters beyond them are still characters.
    yield Part(f"{where}rest", clean(text[at:].decode("utf-16-le", "replace")))


def split_fields(text: str) -> tuple[str, list[str]]:
    """Keep the results of fields in the text and put their codes aside, innermost first."""
    codes: list[str] = []

    def result(hit: re.Match[str]) -> str:
        codes.append(hit[1].strip())
        return hit[2] or ""

    for _ in range(20):  # fields nest; deeper ones only stay in the text
        text, replaced = FIELD.subn(result, text)
        if not replaced:
            break
    return text, codes


def clean(text: str) -> str:
    """Cells end in a mark, rows in one more."""
    return text.replace("\x07\x07", "\n").translate(MARKS).strip("\n")


def read_names(main: bytes, tables: bytes, where: str) -> Iterator[Item]:
    for group, places in (("labels", LABELS), ("editors", EDITORS)):
        found = []
        for index in places:
            try:
                start, size = struct.unpack_from("<II", main, TABLES_97 + 8 * index)
            except struct.error:
                break
            found.append(readable_runs(tables[start : start + min(size, 1 << 20)]))
        yield Part(where + group, "\n".join(filter(None, found)))


def read_drawings(main: bytes, storage: Storage) -> Iterator[Item]:
    """Pictures lie behind the text and in the data stream, form fields and links only there."""
    extra = storage.read("Data")
    found = [picture for c in (main, extra) for picture in pictures(c, storage.compound.budget)]
    for number, picture in enumerate(found, start=1):
        yield Embedded(f"{storage.where}media:{number}", "", picture)
    yield Part(f"{storage.where}forms", wide_runs(extra))


def uncovered(main: bytes, pieces: list[Piece]) -> bytes:
    """What a fast save left behind: the main stream without its header and live pieces."""
    rest = bytearray(main[0x600:])
    for place, characters, wide in pieces:
        start = max(0, place - 0x600)
        end = max(0, place + characters * (1 + wide) - 0x600)
        rest[start:end] = bytes(len(rest[start:end]))
    return bytes(rest)
