"""Read Windows metafiles, the drawings Office makes of embedded objects.

In: an open emf or wmf.  Out: its title and the text it draws; a bitmap inside needs OCR.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import BinaryIO

from dlp.decode.contract import Item, Limits, at_most
from dlp.decode.encoding import CHARSETS
from dlp.model import Gap, GapCode, Part

MEDIA_TYPES = frozenset({"image/emf", "image/x-emf", "image/wmf", "image/x-wmf"})

EMF_MARK, PLACEABLE = b" EMF", b"\xd7\xcd\xc6\x9a"
HEADER, COMMENT, SMALL_TEXT = 1, 70, 108
TEXT_NARROW, TEXT_WIDE = 83, 84
EMF_BITMAPS = frozenset({76, 77, 78, 79, 80, 81, 114, 116})
EMF_HEARD = frozenset({HEADER, COMMENT, SMALL_TEXT, TEXT_NARROW, TEXT_WIDE, *EMF_BITMAPS})
EMF_HEAD = struct.Struct("<II")
PLUS_STRING, PLUS_GLYPHS, PLUS_OBJECT = 0x401C, 0x4036, 0x4008
NO_RECTANGLE, SMALL_LETTERS, GLYPH_NUMBERS = 0x100, 0x200, 0x10
WMF_TEXT, WMF_LONG_TEXT, WMF_FONT = 0x0521, 0x0A32, 0x02FB
WMF_BITMAPS = frozenset({0x0F43, 0x0B41, 0x0940, 0x0922, 0x0B23, 0x0D33})
WMF_HEARD = frozenset({WMF_TEXT, WMF_LONG_TEXT, WMF_FONT, *WMF_BITMAPS})
SPEAKING_BITMAP = 20_000  # bytes; smaller ones are icons and fills
MOST_RECORDS = 2_000_000


def extract(source: BinaryIO, limits: Limits) -> Iterator[Item]:
    content = at_most(source, limits.max_inflated_bytes + 1)
    if len(content) > limits.max_inflated_bytes:
        yield Gap(GapCode.TOO_LARGE, "body")
    for item in read(content):
        if not isinstance(item, Part) or item.text.strip():
            yield item


def read(content: bytes) -> Iterator[Item]:
    reader = Emf(content) if content[40:44] == EMF_MARK else Wmf(content)
    try:
        reader.walk()
    except (struct.error, IndexError):
        reader.damaged = True
    yield Part("title", "\n".join(filter(None, reader.title.split("\0"))))
    yield Part("body", reader.lines.text())
    if reader.bitmap:
        yield Gap(GapCode.NEEDS_OCR, "picture")
    if reader.damaged:
        yield Gap(GapCode.CORRUPT, "body")


class Lines:
    """Puts pieces of text back together by where they are drawn."""

    def __init__(self) -> None:
        self._out: list[str] = []
        self._y: int | None = None
        self._end = 0

    def add(self, text: str, x: int, y: int, width: int) -> None:
        text = text.rstrip("\0")
        if not text:
            return
        if self._y is not None and y != self._y:
            self._out.append("\n")
        elif self._out and (width == 0 or x - self._end > width // len(text) // 3):
            # Words are drawn one by one, letters too; only a gap on paper is a gap in the text.
            self._out.append(" ")
        self._out.append(text)
        self._y, self._end = y, x + width

    def text(self) -> str:
        return "".join(self._out)


class Reader:
    def __init__(self, content: bytes) -> None:
        self.content = content
        self.lines = Lines()
        self.title = ""
        self.bitmap = False
        self.damaged = False

    def walk(self) -> None:
        raise NotImplementedError


class Emf(Reader):
    def walk(self) -> None:
        at = 0
        end = len(self.content)
        for _ in range(MOST_RECORDS):
            if at + 8 > end:
                break
            kind, size = EMF_HEAD.unpack_from(self.content, at)
            if size < 8 or at + size > end:
                self.damaged = True
                break
            if kind in EMF_HEARD:  # most of a drawing are pens and lines
                self._record(kind, self.content[at : at + size])
            at += size
            if kind == 14:  # end of file
                return
        self.damaged = True

    def _record(self, kind: int, record: bytes) -> None:
        if kind == HEADER:
            count, offset = struct.unpack_from("<II", record, 60)
            if count:
                self.title = record[offset : offset + 2 * count].decode("utf-16-le", "replace")
        elif kind in {TEXT_NARROW, TEXT_WIDE}:
            self._text(record, wide=kind == TEXT_WIDE)
        elif kind == SMALL_TEXT:
            self._small_text(record)
        elif kind in EMF_BITMAPS:
            self.bitmap |= len(record) > SPEAKING_BITMAP
        elif kind == COMMENT and record[12:16] == b"EMF+":
            self._plus(record[16:])

    def _text(self, record: bytes, *, wide: bool) -> None:
        x, y, count, offset, options = struct.unpack_from("<iiIII", record, 36)
        (spacing,) = struct.unpack_from("<I", record, 72)
        if options & GLYPH_NUMBERS:
            self.bitmap = True  # shapes without letters: only eyes can read them
            return
        raw = record[offset : offset + count * (2 if wide else 1)]
        text = raw.decode("utf-16-le" if wide else "cp1252", "replace")
        steps = record[spacing : spacing + 4 * count] if spacing else b""
        width = sum(step for (step,) in struct.iter_unpack("<i", steps[: len(steps) // 4 * 4]))
        self.lines.add(text, x, y, max(0, width))

    def _small_text(self, record: bytes) -> None:
        x, y, count, options = struct.unpack_from("<iiII", record, 8)
        start = 36 if options & NO_RECTANGLE else 52
        narrow = options & SMALL_LETTERS
        raw = record[start : start + count * (1 if narrow else 2)]
        self.lines.add(raw.decode("cp1252" if narrow else "utf-16-le", "replace"), x, y, 0)

    def _plus(self, block: bytes) -> None:
        at = 0
        while at + 12 <= len(block):
            kind, flags, size, length = struct.unpack_from("<HHII", block, at)
            payload = block[at + 12 : at + 12 + length]
            if kind == PLUS_STRING:
                (count,) = struct.unpack_from("<I", payload, 8)
                text = payload[28 : 28 + 2 * count].decode("utf-16-le", "replace")
                self.lines.add(text, 0, at, 0)
            elif kind == PLUS_GLYPHS and len(payload) >= 16:
                options, _, count = struct.unpack_from("<III", payload, 4)
                if options & 1:
                    text = payload[16 : 16 + 2 * count].decode("utf-16-le", "replace")
                    self.lines.add(text, 0, at, 0)
            elif kind == PLUS_OBJECT and flags >> 8 & 0x7F == 5:
                self.bitmap |= length > SPEAKING_BITMAP
            if size < 12:
                break
            at += size


class Wmf(Reader):
    def walk(self) -> None:
        at = 22 if self.content[:4] == PLACEABLE else 0
        at += 2 * struct.unpack_from("<H", self.content, at + 2)[0]
        codec = "cp1252"
        for _ in range(MOST_RECORDS):
            if at + 6 > len(self.content):
                break
            words, kind = struct.unpack_from("<IH", self.content, at)
            if kind == 0 or words < 3:
                self.damaged |= kind != 0
                return
            payload = self.content[at + 6 : at + 2 * words] if kind in WMF_HEARD else b""
            if kind == WMF_FONT and len(payload) > 13:
                codec = CHARSETS.get(payload[13], "cp1252")
            elif kind in {WMF_TEXT, WMF_LONG_TEXT}:
                self._text(kind, payload, codec)
            elif kind in WMF_BITMAPS:
                self.bitmap |= len(payload) > SPEAKING_BITMAP
            at += 2 * words
        self.damaged = True

    def _text(self, kind: int, payload: bytes, codec: str) -> None:
        if kind == WMF_TEXT:
            (count,) = struct.unpack_from("<H", payload)
            y, x = struct.unpack_from("<hh", payload, 2 + count + count % 2)
            self.lines.add(payload[2 : 2 + count].decode(codec, "replace"), x, y, 0)
            return
        y, x, count, options = struct.unpack_from("<hhHH", payload)
        start = 16 if options & 6 else 8
        text = payload[start : start + count].decode(codec, "replace")
        steps = payload[start + count + count % 2 :][: 2 * count]
        width = sum(step for (step,) in struct.iter_unpack("<h", steps[: len(steps) // 2 * 2]))
        self.lines.add(text, x, y, max(0, width))
