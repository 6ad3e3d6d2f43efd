"""Find out what a zip holds, from its directory or from the headers in front of each member.

In: an open zip, whole or cut off.  Out: Entry values; nothing is inflated here.
"""

from __future__ import annotations

import re
import struct
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import BinaryIO, NamedTuple

CHUNK = 1 << 20
STORED, DEFLATED, BZIP2, LZMA = 0, 8, 12, 14
LOCAL, CENTRAL, END, END64, LOCATOR64 = b"PK\3\4", b"PK\1\2", b"PK\5\6", b"PK\6\6", b"PK\6\7"
LOCAL_FIELDS = struct.Struct("<4s5H3I2H")
CENTRAL_FIELDS = struct.Struct("<4s6H3I5H2I")
END_FIELDS = struct.Struct("<4s4H2IH")
HEADERS = re.compile(re.escape(LOCAL))
UNKNOWN = 0xFFFFFFFF  # zip64 keeps the real value in the extra field


@dataclass(frozen=True, slots=True)
class Entry:
    number: int
    name: str = field(repr=False)  # names carry patients' names
    method: int
    encrypted: bool
    crc: int | None
    packed: int | None  # None: unknown, the stream itself says where it ends
    size: int
    offset: int
    comment: bytes = field(default=b"", repr=False)
    overlaps: bool = False

    @property
    def is_folder(self) -> bool:
        return self.name.endswith("/") and not self.size

    @property
    def where(self) -> str:
        return f"entry:{self.number}"


class Directory(NamedTuple):
    start: int
    size: int
    shift: int  # how far a file glued in front moved all offsets
    comment: bytes
    end: int  # where the archive ends; the file may go on


def find_directory(source: BinaryIO) -> Directory | None:
    length = source.seek(0, 2)
    tail_start = max(0, length - END_FIELDS.size - 0xFFFF)
    source.seek(tail_start)
    tail = source.read()
    at = tail.rfind(END)
    if at < 0 or len(tail) - at < END_FIELDS.size:
        return None
    *_, size, start, comment_length = END_FIELDS.unpack_from(tail, at)
    comment = tail[at + END_FIELDS.size :][:comment_length]
    end = tail_start + at
    if UNKNOWN in (size, start) or tail[max(0, at - 20) : at][:4] == LOCATOR64:
        wide = find_directory64(source, tail, at)
        if wide is None:
            return None
        end, size, start = wide
    # A file glued in front (a self-extractor) moves everything by its own length.
    shift = end - size - start
    if shift < 0 or start + shift > length:
        return None
    archive_end = tail_start + at + END_FIELDS.size + len(comment)
    return Directory(start + shift, size, shift, comment, archive_end)


def find_directory64(source: BinaryIO, tail: bytes, at: int) -> tuple[int, int, int] | None:
    locator = tail[max(0, at - 20) : at]
    if len(locator) < 20 or locator[:4] != LOCATOR64:
        return None
    where = int.from_bytes(locator[8:16], "little")
    if where >= 1 << 62:
        return None
    source.seek(where)
    record = source.read(56)
    if len(record) < 56 or record[:4] != END64:
        return None
    size, start = struct.unpack("<QQ", record[40:56])
    return where, size, start


def parse_central(directory: bytes, at: int, number: int, shift: int) -> tuple[Entry, int] | None:
    if len(directory) - at < CENTRAL_FIELDS.size:
        return None
    (_, _, _, flags, method, _, _, crc, packed, size, name_length, extra_length, comment_length,
     _, _, _, offset) = CENTRAL_FIELDS.unpack_from(directory, at)  # fmt: skip
    name_at = at + CENTRAL_FIELDS.size
    extra_at = name_at + name_length
    comment_at = extra_at + extra_length
    end = comment_at + comment_length
    if UNKNOWN in (size, packed, offset):
        size, packed, offset = widen(directory[extra_at:comment_at], size, packed, offset)
    name = decode_name(directory[name_at:extra_at], flags)
    comment = directory[comment_at:end]
    entry = Entry(number, name, method, bool(flags & 1), crc, packed, size, offset + shift, comment)
    return entry, end


def widen(extra: bytes, size: int, packed: int, offset: int) -> tuple[int, int, int]:
    """Replace each value that is marked unknown by the next one of the zip64 field."""
    at = 0
    while at + 4 <= len(extra):
        kind, length = struct.unpack_from("<2H", extra, at)
        if kind == 1:
            values = extra[at + 4 : at + 4 + length // 8 * 8]
            wide = (value for (value,) in struct.iter_unpack("<Q", values[: len(values) // 8 * 8]))
            size, packed, offset = (
                next(wide, value) if value == UNKNOWN else value for value in (size, packed, offset)
            )
            break
        at += 4 + length
    return size, packed, offset


def mark_overlaps(entries: list[Entry], directory_start: int) -> tuple[Entry, ...]:
    """Find members that claim the same bytes: only a bomb needs that."""
    order = sorted(entries, key=lambda entry: entry.offset)
    overlapping: set[int] = set()
    for position, entry in enumerate(order):
        end = entry.offset + LOCAL_FIELDS.size + (entry.packed or 0)
        following = order[position + 1].offset if position + 1 < len(order) else directory_start
        if end > following:
            overlapping.add(entry.number)
    if not overlapping:
        return tuple(entries)
    return tuple(replace(entry, overlaps=entry.number in overlapping) for entry in entries)


def unlisted(source: BinaryIO, listed: list[Entry], limit: int) -> Iterator[Entry]:
    """Give members that lie in the file but not in its directory: leftovers and hiding places."""
    by_offset = {entry.offset: entry for entry in listed}
    offsets: list[int] = []
    met: list[Entry] = []  # whose ends are asked for only where something else is found
    end = 0
    number = len(listed)
    for offset in find_headers(source):
        if offset in by_offset:
            met.append(by_offset[offset])
            continue
        offsets = offsets or sorted(by_offset)
        before = bisect_right(offsets, offset) - 1
        if before >= 0:
            met.append(by_offset[offsets[before]])
        end = max(end, *(span_end(source, entry) for entry in met)) if met else end
        met.clear()
        if offset < end or number >= limit:
            continue  # part of a listed member: a zip stored inside
        entry = parse_local(source, offset, number + 1)
        if entry is not None:
            number += 1
            end = span_end(source, entry)
            yield entry


def span_end(source: BinaryIO, entry: Entry) -> int:
    source.seek(entry.offset + 26)
    lengths = source.read(4)
    names = sum(struct.unpack("<2H", lengths)) if len(lengths) == 4 else 0
    return entry.offset + LOCAL_FIELDS.size + names + (entry.packed or 0)


def find_headers(source: BinaryIO) -> Iterator[int]:
    """Give the offset of everything that looks like the header in front of a member."""
    position, carried = 0, b""
    while True:
        source.seek(position)
        block = source.read(CHUNK)
        if not block:
            return
        window = carried + block
        for hit in HEADERS.finditer(window):
            yield position - len(carried) + hit.start()
        carried = window[-3:]
        position += len(block)


def parse_local(source: BinaryIO, offset: int, number: int) -> Entry | None:
    source.seek(offset)
    head = source.read(LOCAL_FIELDS.size)
    if len(head) < LOCAL_FIELDS.size:
        return None
    _, _, flags, method, _, _, crc, packed, size, name_length, _ = LOCAL_FIELDS.unpack(head)
    if method not in {STORED, DEFLATED, BZIP2, LZMA} or name_length > 1024:
        return None
    name = decode_name(source.read(name_length), flags)
    if flags & 8:  # sizes follow the data, so only the stream knows
        return Entry(number, name, method, bool(flags & 1), None, None, size, offset)
    return Entry(number, name, method, bool(flags & 1), crc, packed, size, offset)


def decode_name(raw: bytes, flags: int) -> str:
    if flags & 0x800:
        return raw.decode("utf-8", "replace")
    try:
        return raw.decode("utf-8")  # many writers forget the flag; by chance nothing else decodes
    except UnicodeDecodeError:
        return raw.decode("cp437")
