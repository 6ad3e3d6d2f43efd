"""Read the binary parts of an xlsb: strings, styles, sheets, comments, and the words of the rest.

In: parts of a package.  Out: one part per sheet, as an xlsx of the same content gives.

MS-XLSB 2.1.4: records with a number and a length of one to four bytes, seven bits each.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

from dlp.decode.contract import Item
from dlp.decode.office.biff import packed_number
from dlp.decode.office.binary_runs import wide_runs
from dlp.decode.office.cells import classify, number_text
from dlp.decode.office.package import Package, Piece
from dlp.decode.office.sheet_text import SheetText
from dlp.model import Gap, GapCode, Part

ROW, CELL_RK, CELL_REAL, CELL_TEXT, CELL_SHARED = 0, 2, 5, 6, 7
FORMULA_TEXT, FORMULA_NUMBER = 8, 9
STRING_ITEM, FORMAT, STYLE, BEGIN_STYLES = 19, 44, 47, 617
WORKBOOK, TAB, COMMENT = 153, 156, 637


class BinaryWorkbook:
    """What the sheets of an xlsb need to be understood, and how to read them."""

    def __init__(self, package: Package) -> None:
        self._package = package
        self._strings: list[str] = []
        self._formats: dict[int, str] = {}
        self._styles: list[int] = []
        self._numbers: dict[str, int] = {}
        self._from_1904 = False

    def read(self, piece: Piece) -> Iterator[Item]:
        content = piece.all_bytes()
        name = piece.path.rpartition("/")[2]
        damaged = False
        if "/worksheets/" in piece.path or "sheets/" in piece.path:
            yield from self._read_sheet(piece.path, content)
            return
        kept: list[str] = []
        try:
            for kind, payload in records(content):
                kept += self._take(kind, payload, piece.path)
        except (struct.error, EOFError):
            damaged = True
        locator = name.partition(".")[0]
        if locator in {"workbook", "sharedstrings", "styles"}:
            yield Part(f"binary:{locator}", "\n".join(kept))
        else:
            number = self._numbers.setdefault(piece.path, len(self._numbers) + 1)
            yield Part(f"binary:{number}", "\n".join(filter(None, kept)) or wide_runs(content))
        if damaged:
            yield Gap(GapCode.CORRUPT, "binary")

    def _take(self, kind: int, payload: bytes, path: str) -> list[str]:
        """Use a record of the parts around the sheets; give what it says."""
        if kind == STRING_ITEM:
            self._strings.append(text_at(payload, 1)[0])
        elif kind == FORMAT:
            self._formats[struct.unpack_from("<H", payload)[0]] = text_at(payload, 2)[0]
        elif kind == BEGIN_STYLES:
            self._styles.clear()
        elif kind == STYLE:
            self._styles.append(struct.unpack_from("<H", payload, 2)[0])
        elif kind == WORKBOOK:
            self._from_1904 = bool(payload[0] & 1) if payload else False
        elif kind == TAB:
            identifier, at = text_at(payload, 8)
            target = self._package.relation(path, identifier)
            self._numbers[target] = len(self._numbers) + 1
            return [text_at(payload, at)[0]]
        elif kind == COMMENT:
            return [text_at(payload, 1)[0]]
        else:
            return [wide_runs(payload)]
        return []

    def _read_sheet(self, path: str, content: bytes) -> Iterator[Item]:
        number = self._numbers.setdefault(path, len(self._numbers) + 1)
        locator = f"sheet:{number}"
        sheet = SheetText(locator, self._package.zip.budget)
        around: list[str] = []
        row, cells = 0, dict[int, str]()
        damaged = False
        try:
            for kind, payload in records(content):
                if kind == ROW:
                    sheet.add(row, cells)
                    row, cells = struct.unpack_from("<I", payload)[0] + 1, {}
                elif CELL_RK <= kind <= FORMULA_NUMBER:
                    text = self._cell(kind, payload)
                    if text:
                        cells[struct.unpack_from("<I", payload)[0]] = " ".join(text.split())
                else:
                    around.append(wide_runs(payload))
        except (struct.error, EOFError):
            damaged = True
        sheet.add(row, cells)
        if (part := sheet.part()) is not None:
            yield part
        yield Part(f"{locator}.notes", "\n".join(filter(None, around)))
        if damaged:
            yield Gap(GapCode.CORRUPT, locator)

    def _cell(self, kind: int, payload: bytes) -> str:
        if kind in {CELL_TEXT, FORMULA_TEXT}:
            return text_at(payload, 8)[0]
        if kind == CELL_SHARED:
            (index,) = struct.unpack_from("<I", payload, 8)
            return self._strings[index] if index < len(self._strings) else ""
        if kind == CELL_RK:
            value = packed_number(struct.unpack_from("<I", payload, 8)[0])
        elif kind in {CELL_REAL, FORMULA_NUMBER}:
            (value,) = struct.unpack_from("<d", payload, 8)
        else:
            return ""
        style = int.from_bytes(payload[4:7], "little")
        number = self._styles[style] if style < len(self._styles) else 0
        meaning = classify(number, self._formats.get(number, ""))
        return number_text(repr(value), meaning, from_1904=self._from_1904)


def records(content: bytes) -> Iterator[tuple[int, bytes]]:
    """Give (kind, payload); raises EOFError where the part breaks off."""
    at = 0
    while at < len(content):
        kind = content[at]
        at += 1
        if kind & 0x80:
            if at >= len(content):
                raise EOFError
            kind = kind & 0x7F | (content[at] & 0x7F) << 7
            at += 1
        length = 0
        for place in range(4):
            if at >= len(content):
                raise EOFError
            byte = content[at]
            at += 1
            length |= (byte & 0x7F) << 7 * place
            if not byte & 0x80:
                break
        if at + length > len(content):
            raise EOFError
        yield kind, content[at : at + length]
        at += length


def text_at(payload: bytes, at: int) -> tuple[str, int]:
    (count,) = struct.unpack_from("<I", payload, at)
    if count == 0xFFFFFFFF:  # no text at all
        return "", at + 4
    end = at + 4 + 2 * count
    return payload[at + 4 : end].decode("utf-16-le", "replace"), end


def is_sheet_part(path: str) -> bool:
    """Whether a .bin is records of an xlsb: not a macro project, a control, an object."""
    others = (
        "vbaproject",
        "/printersettings/",
        "/embeddings/",
        "/activex/",
        "/media/",
        "/ctrlprops",
    )
    return path.startswith("xl/") and not any(name in path for name in others)
