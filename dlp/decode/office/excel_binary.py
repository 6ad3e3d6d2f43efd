"""Read the workbooks of Excel 3 to 2003.

In: the streams of an xls.  Out: sheet:1 ... with labelled cells, comments, text boxes, names,
headers, links, caches, pictures.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator

from dlp.decode.contract import Budget, Embedded, Item
from dlp.decode.office import biff
from dlp.decode.office.binary_runs import readable_runs
from dlp.decode.office.blips import pictures
from dlp.decode.office.cells import classify, number_text
from dlp.decode.office.compound import Storage
from dlp.decode.office.rtf_words import codec_of
from dlp.decode.office.sheet_text import SheetText
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


def read(storage: Storage) -> Iterator[Item]:
    name = "Workbook" if "Workbook" in storage else "Book"
    yield from read_stream(storage.read(name), storage.compound.budget, storage.where)


def read_stream(content: bytes, budget: Budget, where: str = "") -> Iterator[Item]:
    book = Book(budget, where)
    for record in biff.records(content, HEARD):
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

    def take(self, record: biff.Record) -> None:
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

    def _begin(self, record: biff.Record) -> None:
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
        return biff.short_text(
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

    def on_codepage(self, payload: bytes, _record: biff.Record) -> None:
        number = int.from_bytes(payload[:2], "little")
        self._codec = codec_of({0x8000: 10000, 0x8001: 1252, 367: 1252}.get(number, number))

    def on_date_mode(self, payload: bytes, _record: biff.Record) -> None:
        self._from_1904 = payload[:1] == b"\1"

    def on_tab(self, payload: bytes, _record: biff.Record) -> None:
        self._tabs[int.from_bytes(payload[:4], "little")] = len(self._tabs) + 1
        self._say("workbook", self._text(payload, 6, wide_count=False))

    def on_shared(self, _payload: bytes, record: biff.Record) -> None:
        self._strings, whole = biff.shared_strings(record)
        self.damaged |= not whole

    def on_format(self, payload: bytes, _record: biff.Record) -> None:
        code = self._text(payload, 2, wide_count=self._modern)
        self._formats[int.from_bytes(payload[:2], "little")] = code

    def on_style(self, payload: bytes, _record: biff.Record) -> None:
        self._styles.append(int.from_bytes(payload[2:4], "little"))

    def on_label_shared(self, payload: bytes, _record: biff.Record) -> None:
        row, column, _, index = struct.unpack_from("<3HI", payload)
        if index < len(self._strings):
            self._put(row, column, self._strings[index])

    def on_label(self, payload: bytes, _record: biff.Record) -> None:
        row, column = struct.unpack_from("<2H", payload)
        self._put(row, column, self._text(payload, 6))

    def on_number(self, payload: bytes, _record: biff.Record) -> None:
        row, column, style, value = struct.unpack_from("<3Hd", payload)
        self._put_number(row, column, style, value)

    def on_rk(self, payload: bytes, _record: biff.Record) -> None:
        row, column, style, raw = struct.unpack_from("<3HI", payload)
        self._put_number(row, column, style, biff.packed_number(raw))

    def on_many_rk(self, payload: bytes, _record: biff.Record) -> None:
        row, first = struct.unpack_from("<2H", payload)
        for place in range((len(payload) - 6) // 6):
            style, raw = struct.unpack_from("<HI", payload, 4 + 6 * place)
            self._put_number(row, first + place, style, biff.packed_number(raw))

    def on_formula(self, payload: bytes, _record: biff.Record) -> None:
        row, column, style = struct.unpack_from("<3H", payload)
        if payload[12:14] == b"\xff\xff":
            self._last = (row, column)
        else:
            self._put_number(row, column, style, struct.unpack_from("<d", payload, 6)[0])
        self._say("formulas", readable_runs(payload[20:]))

    def on_formula_text(self, payload: bytes, record: biff.Record) -> None:
        if self._last is not None:
            whole = b"".join([payload, *(segment[1:] for segment in record.more)])
            self._put(*self._last, self._text(whole, 0))
            self._last = None

    def on_note(self, payload: bytes, _record: biff.Record) -> None:
        if self._modern:
            self._say("editors", self._text(payload, 8))
        else:
            self._say("comments", payload[6:].decode(self._codec, "replace"))

    def on_text_object(self, payload: bytes, record: biff.Record) -> None:
        count = int.from_bytes(payload[10:12], "little")
        if self._modern and record.more:
            cursor = biff.Cursor(biff.Record(0, 0, record.more[0], record.more[1:]))
            self._say("comments", cursor.text(count, wide=bool(cursor.number(1) & biff.WIDE)))

    def on_page_text(self, payload: bytes, _record: biff.Record) -> None:
        if payload:
            self._say("headers", self._text(payload, 0, wide_count=self._modern))

    def on_name(self, payload: bytes, _record: biff.Record) -> None:
        count = payload[3]
        named = bytes([count]) + payload[14:]
        self._say("names", self._text(named, 0, wide_count=False))
        self._say("names", readable_runs(payload[14:]))


HANDLERS: dict[int, Callable[[Book, bytes, biff.Record], None]] = {
    0x42: Book.on_codepage, 0x22: Book.on_date_mode, 0x85: Book.on_tab, 0xFC: Book.on_shared,
    0x41E: Book.on_format, 0xE0: Book.on_style, 0xFD: Book.on_label_shared, 0x204: Book.on_label,
    0xD6: Book.on_label, 0x203: Book.on_number, 0x27E: Book.on_rk, 0xBD: Book.on_many_rk,
    0x06: Book.on_formula, 0x206: Book.on_formula, 0x406: Book.on_formula,
    0x207: Book.on_formula_text, 0x07: Book.on_formula_text, 0x1C: Book.on_note,
    0x1B6: Book.on_text_object, 0x14: Book.on_page_text,
    0x15: Book.on_page_text, 0x18: Book.on_name,
}  # fmt: skip
HEARD = frozenset({*BEGIN, END, FILE_PASSWORD, DRAWING_GROUP, *SPEAKING, *HANDLERS})
