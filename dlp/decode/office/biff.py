"""Walk the records of an old Excel stream and read its strings.

In: the bytes of a Workbook or Book stream.  Out: records with their continuations, and text.

MS-XLS 2.1.4: kind, length, payload of at most 8,224 bytes; what does not fit goes on in CONTINUE
records, and a string that is cut there repeats its width flag.
"""

from __future__ import annotations

import struct
from collections.abc import Container, Iterator
from dataclasses import dataclass

CONTINUE = 0x3C
WIDE, EXTENDED, RICH = 1, 4, 8
HEAD = struct.Struct("<HH")


@dataclass(slots=True)
class Record:
    kind: int
    at: int
    payload: bytes
    more: list[bytes]


def records(stream: bytes, heard: Container[int] | None = None) -> Iterator[Record]:
    """Give each record with the continuations that follow it; stop where the stream breaks off.

    Of kinds that nobody hears only the length is read: most of a workbook is its looks.
    """
    at, end = 0, len(stream)
    begun = False
    waiting: Record | None = None
    head = HEAD.unpack_from
    while at + 4 <= end:
        kind, length = head(stream, at)
        following = at + 4 + length
        if kind == CONTINUE and begun:
            if waiting is not None:
                waiting.more.append(stream[at + 4 : following])
        else:
            if waiting is not None:
                yield waiting
                waiting = None
            begun = True
            if heard is None or kind in heard:
                waiting = Record(kind, at, stream[at + 4 : following], [])
        if following > end:
            break
        at = following
    if waiting is not None:
        yield waiting


class Cursor:
    """Reads across a record and its continuations."""

    def __init__(self, record: Record, at: int = 0) -> None:
        self._segments = [record.payload, *record.more]
        self._index = 0
        self._at = at

    def take(self, count: int) -> bytes:
        """Plain bytes; raises EOFError at the end."""
        out = b""
        while len(out) < count:
            piece = self._segments[self._index][self._at : self._at + count - len(out)]
            self._at += len(piece)
            out += piece
            if len(out) < count and not self._next():
                raise EOFError
        return out

    def number(self, size: int) -> int:
        return int.from_bytes(self.take(size), "little")

    def skip(self, count: int) -> None:
        while count > 0:
            left = len(self._segments[self._index]) - self._at
            step = min(left, count)
            self._at += step
            count -= step
            if count and not self._next():
                raise EOFError

    def text(self, count: int, *, wide: bool) -> str:
        """Characters; each continuation starts by saying its own width."""
        out: list[str] = []
        while count > 0:
            segment = self._segments[self._index]
            size = 2 if wide else 1
            fits = min(count, (len(segment) - self._at) // size)
            raw = segment[self._at : self._at + fits * size]
            out.append(raw.decode("utf-16-le" if wide else "latin-1", "replace"))
            self._at += fits * size
            count -= fits
            if count:
                if not self._next():
                    break
                wide = bool(self.number(1) & WIDE)
        return "".join(out)

    def rich_text(self) -> str:
        """A string of the shared table, with formatting and phonetic data to step over."""
        count = self.number(2)
        flags = self.number(1)
        runs = self.number(2) if flags & RICH else 0
        extra = self.number(4) if flags & EXTENDED else 0
        text = self.text(count, wide=bool(flags & WIDE))
        self.skip(4 * runs + extra)
        return text

    def _next(self) -> bool:
        if self._index + 1 >= len(self._segments):
            return False
        self._index += 1
        self._at = 0
        return True


def shared_strings(record: Record) -> tuple[list[str], bool]:
    """Give the table of strings, and whether it was all there."""
    cursor = Cursor(record, at=8)
    total = int.from_bytes(record.payload[4:8], "little")
    strings: list[str] = []
    try:
        while len(strings) < total:
            strings.append(cursor.rich_text())
    except EOFError:
        return strings, False
    return strings, True


def short_text(payload: bytes, at: int, *, modern: bool, codec: str, wide_count: bool) -> str:
    """A string in one record: a count of one or two bytes, then a width flag since Excel 97."""
    size = 2 if wide_count else 1
    count = int.from_bytes(payload[at : at + size], "little")
    at += size
    if not modern:
        return payload[at : at + count].decode(codec, "replace")
    wide = bool(payload[at : at + 1] and payload[at] & WIDE)
    raw = payload[at + 1 : at + 1 + count * (2 if wide else 1)]
    return raw.decode("utf-16-le" if wide else "latin-1", "replace")


def packed_number(raw: int) -> float:
    """RK: thirty bits of an integer or a double, maybe times a hundred."""
    if raw & 2:
        value = float((raw >> 2) - (1 << 30 if raw & 0x80000000 else 0))
    else:
        value = float(struct.unpack("<d", struct.pack("<Q", (raw & 0xFFFFFFFC) << 32))[0])
    return value / 100 if raw & 1 else value
