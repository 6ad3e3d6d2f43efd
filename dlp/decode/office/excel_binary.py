"""Read the workbooks of Excel 3 to 2003.

In: the streams of an xls.  Out: sheet:1 ... with labelled cells, comments, text boxes, names,
headers, links, caches, pictures. Records of BIFF, and strings and numbers as it packs them.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass

from dlp.decode.compound_file import Storage
from dlp.decode.contract import Budget, Embedded, Item
from dlp.decode.encoding import codec_of
from dlp.decode.office.binary_runs import readable_runs
from dlp.decode.office.embedded import pictures
from dlp.decode.office.sheet_text import SheetText, classify, number_text
from dlp.model import Gap, GapCode, Part

BEGIN, END, FILE_PASSWORD, DRAWING_GROUP = {0x0009, 0x0209, 0x0409, 0x0809}, 0x0A, 0x2F, 0xEB
MODERN = 0x0600
# Records whose words are picked out without taking them apart: links, lists, queries, users.
SPEAKING = frozenset({
    0x5C, 0x5A, 0xAF, 0xB0, 0xB1, 0xC6, 0xCD, 0xDC, 0xEC, 0x100D, 0x1AD, 0x1AE, 0x1B8, 0x1BA,
    0x1BE, 0x1F2, 0x23, 0x223, 0x803, 0x800, 0x876, 0x87A, 0x89C, 0x1D, 0x51, 0x52, 0x17, 0x1B,
    0x1B5, 0xF6, 0x180, 0x863, 0x8A1, 0x871, 0x877, 0x878,
})  # fmt: skip
Cells = dict[int, dict[int, str]]

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


def read(storage: Storage) -> Iterator[Item]:
    name = "Workbook" if "Workbook" in storage else "Book"
    yield from read_stream(storage.read(name), storage.compound.budget, storage.where)


def read_stream(content: bytes, budget: Budget, where: str = "") -> Iterator[Item]:
    book = Book(budget, where)
    for record in records(content, HEARD):
        if record.kind == FILE_PASSWORD:
            yield Gap(GapCode.ENCRYPTED, f"{where}body")
            return
        try:
            book.take(record)
        except (struct.error, EOFError, IndexError, ValueError, OverflowError):
            book.damaged = True
    yield from book.items()


class Book:
    def __init__(self, budget: Budget, where: str) -> None:
        self._budget, self._where = budget, where
        self._modern = True
        self._codec = "cp1252"
        self._strings: list[str] = []
        self._formats: dict[int, str] = {}
        self._styles: list[int] = []
        self._from_1904 = False
        self._tabs: dict[int, int] = {}  # place of a sheet's first record -> its number
        self._sheets: dict[int, Cells] = {}
        self._charts: list[Cells] = []
        self._around: list[Cells] = []  # what the substreams we are in write to
        self._current: Cells = {}
        self._last: tuple[int, int] | None = None  # the formula whose text comes next
        self._words: dict[str, dict[str, None]] = {}
        self._drawings: list[bytes] = []
        self.damaged = False

    def take(self, record: Record) -> None:
        kind = record.kind
        if kind in BEGIN:
            self._begin(record)
        elif kind == END:
            if self._around:
                self._current = self._around.pop()
        elif kind in HANDLERS:
            HANDLERS[kind](self, record.payload, record)
        elif kind == DRAWING_GROUP:
            self._drawings.append(b"".join([record.payload, *record.more]))
        elif kind in SPEAKING:
            self._say("around", readable_runs(b"".join([record.payload, *record.more])))

    def items(self) -> Iterator[Item]:
        for number, cells in sorted(self._sheets.items()):
            sheet = SheetText(f"{self._where}sheet:{number}", self._budget)
            for row in sorted(cells):
                sheet.add(row + 1, dict(sorted(cells[row].items())))
            if (part := sheet.part()) is not None:
                yield part
        for number, chart in enumerate(self._charts, start=1):
            rows = ("\t".join(chart[row].values()) for row in sorted(chart))
            yield Part(f"{self._where}chart:{number}", "\n".join(rows))
        for stream, texts in self._words.items():
            yield Part(self._where + stream, "\n".join(texts))
        for number, picture in enumerate(pictures(b"".join(self._drawings), self._budget), start=1):
            yield Embedded(f"{self._where}media:{number}", "", picture)
        if self.damaged or self._around:
            yield Gap(GapCode.CORRUPT, f"{self._where}body")

    def _begin(self, record: Record) -> None:
        self._around.append(self._current)
        if len(self._around) > 1:
            # A chart inside a sheet keeps copies of its values, at places of its own.
            self._current = {}
            self._charts.append(self._current)
            return
        version = int.from_bytes(record.payload[:2], "little")
        self._modern = record.kind == 0x0809 and version == MODERN
        kind = int.from_bytes(record.payload[2:4], "little")
        if kind == 5:
            return  # the workbook itself
        number = self._tabs.get(record.at, len(self._sheets) + 1)
        self._current = self._sheets.setdefault(number, {})

    def _say(self, stream: str, text: str) -> None:
        if text.strip():
            self._words.setdefault(stream, {})[text] = None

    def _text(self, payload: bytes, at: int, *, wide_count: bool = True) -> str:
        return short_text(
            payload, at, modern=self._modern, codec=self._codec, wide_count=wide_count
        )

    def _put(self, row: int, column: int, text: str) -> None:
        text = " ".join(text.split())
        if text:
            cells = self._current.setdefault(row, {})
            # Two records may claim one cell; neither hides the other.
            cells[column] = f"{cells[column]} {text}" if column in cells else text

    def _put_number(self, row: int, column: int, style: int, value: float) -> None:
        number = self._styles[style] if style < len(self._styles) else 0
        meaning = classify(number, self._formats.get(number, ""))
        self._put(row, column, number_text(repr(value), meaning, from_1904=self._from_1904))

    def on_codepage(self, payload: bytes, _record: Record) -> None:
        number = int.from_bytes(payload[:2], "little")
        self._codec = codec_of({0x8000: 10000, 0x8001: 1252, 367: 1252}.get(number, number))

    def on_date_mode(self, payload: bytes, _record: Record) -> None:
        self._from_1904 = payload[:1] == b"\1"

    def on_tab(self, payload: bytes, _record: Record) -> None:
        self._tabs[int.from_bytes(payload[:4], "little")] = len(self._tabs) + 1
        self._say("workbook", self._text(payload, 6, wide_count=False))

    def on_shared(self, _payload: bytes, record: Record) -> None:
        self._strings, whole = shared_strings(record)
        self.damaged |= not whole

    def on_format(self, payload: bytes, _record: Record) -> None:
        code = self._text(payload, 2, wide_count=self._modern)
        self._formats[int.from_bytes(payload[:2], "little")] = code

    def on_style(self, payload: bytes, _record: Record) -> None:
        self._styles.append(int.from_bytes(payload[2:4], "little"))

    def on_label_shared(self, payload: bytes, _record: Record) -> None:
        row, column, _, index = struct.unpack_from("<3HI", payload)
        if index < len(self._strings):
            self._put(row, column, self._strings[index])

    def on_label(self, payload: bytes, _record: Record) -> None:
        row, column = struct.unpack_from("<2H", payload)
        self._put(row, column, self._text(payload, 6))

    def on_number(self, payload: bytes, _record: Record) -> None:
        row, column, style, value = struct.unpack_from("<3Hd", payload)
        self._put_number(row, column, style, value)

    def on_rk(self, payload: bytes, _record: Record) -> None:
        row, column, style, raw = struct.unpack_from("<3HI", payload)
        self._put_number(row, column, style, packed_number(raw))

    def on_many_rk(self, payload: bytes, _record: Record) -> None:
        row, first = struct.unpack_from("<2H", payload)
        for place in range((len(payload) - 6) // 6):
            style, raw = struct.unpack_from("<HI", payload, 4 + 6 * place)
            self._put_number(row, first + place, style, packed_number(raw))

    def on_formula(self, payload: bytes, _record: Record) -> None:
        row, column, style = struct.unpack_from("<3H", payload)
        if payload[12:14] == b"\xff\xff":
            self._last = (row, column)
        else:
            self._put_number(row, column, style, struct.unpack_from("<d", payload, 6)[0])
        self._say("formulas", readable_runs(payload[20:]))

    def on_formula_text(self, payload: bytes, record: Record) -> None:
        if self._last is not None:
            whole = b"".join([payload, *(segment[1:] for segment in record.more)])
            self._put(*self._last, self._text(whole, 0))
            self._last = None

    def on_note(self, payload: bytes, _record: Record) -> None:
        if self._modern:
            self._say("editors", self._text(payload, 8))
        else:
            self._say("comments", payload[6:].decode(self._codec, "replace"))

    def on_text_object(self, payload: bytes, record: Record) -> None:
        count = int.from_bytes(payload[10:12], "little")
        if self._modern and record.more:
            cursor = Cursor(Record(0, 0, record.more[0], record.more[1:]))
            self._say("comments", cursor.text(count, wide=bool(cursor.number(1) & WIDE)))

    def on_page_text(self, payload: bytes, _record: Record) -> None:
        if payload:
            self._say("headers", self._text(payload, 0, wide_count=self._modern))

    def on_name(self, payload: bytes, _record: Record) -> None:
        count = payload[3]
        named = bytes([count]) + payload[14:]
        self._say("names", self._text(named, 0, wide_count=False))
        self._say("names", readable_runs(payload[14:]))


HANDLERS: dict[int, Callable[[Book, bytes, Record], None]] = {
    0x42: Book.on_codepage, 0x22: Book.on_date_mode, 0x85: Book.on_tab, 0xFC: Book.on_shared,
    0x41E: Book.on_format, 0xE0: Book.on_style, 0xFD: Book.on_label_shared, 0x204: Book.on_label,
    0xD6: Book.on_label, 0x203: Book.on_number, 0x27E: Book.on_rk, 0xBD: Book.on_many_rk,
    0x06: Book.on_formula, 0x206: Book.on_formula, 0x406: Book.on_formula,
    0x207: Book.on_formula_text, 0x07: Book.on_formula_text, 0x1C: Book.on_note,
    0x1B6: Book.on_text_object, 0x14: Book.on_page_text,
    0x15: Book.on_page_text, 0x18: Book.on_name,
}  # fmt: skip
HEARD = frozenset({*BEGIN, END, FILE_PASSWORD, DRAWING_GROUP, *SPEAKING, *HANDLERS})
