"""Read the workbook, the shared strings, the styles and the sheets of an xlsx or xlsb.

In: parts of a package.  Out: one part per sheet, sheet:1 being the first tab, hidden or not.

Every row is read as it comes; what the file says about its own extent is never asked.
"""

from __future__ import annotations

import re
import struct
import sys
from collections.abc import Iterator

from lxml import etree

from dlp.decode.contract import BudgetExceededError, Item
from dlp.decode.office.binary_runs import wide_runs
from dlp.decode.office.excel_binary import packed_number
from dlp.decode.office.markup import attribute, local_of, speaks, stream
from dlp.decode.office.package import Package, Piece, related
from dlp.decode.office.sheet_text import SheetText, classify, number_text
from dlp.decode.zip_archive import UnreadableError
from dlp.model import Gap, GapCode, Part

SHEETS = frozenset({"worksheet", "chartsheet", "dialogsheet", "macrosheet"})
# A formula is worth reading where it quotes something: text, another file, a long number.
QUOTING = re.compile(r"[\"'\[]|\d{5}")
# A formula may write a text letter by letter: CHAR(72)&CHAR(73).
PIECE = re.compile(r"CHAR\(\s*(\d{1,7})\s*\)|\"([^\"]*)\"", re.IGNORECASE)
FEW_LETTERS = 8
# Words of people in what surrounds the cells: lists, prompts, headers, links.
SPOKEN = (
    "name", "prompt", "promptTitle", "error", "errorTitle", "display", "tooltip", "location",
    "text", "user", "comment", "customList", "sheet", "destinationFile",
    "userName", "title", "altText", "val", "linkedCell", "progId",
)  # fmt: skip

ROW, CELL_RK, CELL_REAL, CELL_TEXT, CELL_SHARED = 0, 2, 5, 6, 7
FORMULA_TEXT, FORMULA_NUMBER = 8, 9
STRING_ITEM, FORMAT, STYLE, BEGIN_STYLES = 19, 44, 47, 617
WORKBOOK, TAB, COMMENT = 153, 156, 637


class Workbook:
    """What the sheets need to be understood: strings, number formats, order, day zero."""

    def __init__(self, package: Package) -> None:
        self._package = package
        self._strings: list[str] = []
        self._used = bytearray()
        self._meanings: list[str] = []
        self._numbers: dict[str, int] = {}
        self._next_number = 1
        self._from_1904 = False
        self._columns: dict[str, int] = {}

    def read_workbook(self, root: etree._Element, path: str) -> Iterator[Item]:
        for setting in root.iter("{*}workbookPr"):
            self._from_1904 = attribute(setting, "date1904") in {"1", "true", "on"}
        tabs = list(related(root, "sheet"))
        for number, (_, identifier) in enumerate(tabs, start=1):
            self._numbers[self._package.relation(path, identifier)] = number
        self._next_number = len(tabs) + 1
        lines = [attribute(tab, "name") for tab, _ in tabs]
        for name in root.iter("{*}definedName"):
            words = (attribute(name, "name"), name.text, attribute(name, "comment"))
            lines.append("\t".join(filter(None, words)))
        for other in root.iter("{*}fileSharing", "{*}customWorkbookView"):
            lines += filter(None, (attribute(other, "userName"), attribute(other, "name")))
        yield Part("workbook", "\n".join(lines))

    def read_styles(self, root: etree._Element) -> Iterator[Item]:
        codes = {
            attribute(element, "numFmtId"): attribute(element, "formatCode")
            for element in root.iter("{*}numFmt")
        }
        for table in root.iter("{*}cellXfs"):
            for style in table.iter("{*}xf"):
                number = attribute(style, "numFmtId")
                meaning = classify(int(number) if number.isdecimal() else 0, codes.get(number, ""))
                self._meanings.append(meaning)
        custom = [attribute(style, "name") for style in root.iter("{*}cellStyle")
                  if not attribute(style, "builtinId")]  # fmt: skip
        # Literal words in a number format show in every cell that uses it.
        custom += [code for code in codes.values() if '"' in code and speaks(code)]
        if custom:
            yield Part("styles", "\n".join(custom))

    def read_strings(self, piece: Piece) -> Iterator[Item]:
        phonetic: list[str] = []
        try:
            for item in stream(piece.stream(), "{*}si"):
                if local_of(item) != "si":
                    continue
                for reading in list(item.iter("{*}rPh")):
                    phonetic.append(joined(reading))
                    reading.clear(keep_tail=True)  # type: ignore[call-arg]
                self._strings.append(joined(item))
        except (etree.XMLSyntaxError, UnreadableError):
            yield Gap(GapCode.CORRUPT, "strings")
        self._used = bytearray(len(self._strings))
        if phonetic:
            yield Part("strings.phonetic", "\n".join(phonetic))

    def unused_strings(self) -> Iterator[Item]:
        """Strings no cell shows any more stay in the file until it is saved anew."""
        left = [text for text, used in zip(self._strings, self._used, strict=True) if not used]
        text = "\n".join(filter(None, left))
        if text.strip():
            yield Part("strings.unused", text)

    def read_sheet(self, piece: Piece) -> Iterator[Item]:
        number = self._numbers.pop(piece.path, None)
        if number is None:
            number, self._next_number = self._next_number, self._next_number + 1
        locator = f"sheet:{number}"
        sheet = SheetText(locator, self._package.zip.budget)
        formulas: dict[str, None] = {}
        trouble: BudgetExceededError | None = None
        gap: Gap | None = None
        around = ""
        try:
            around = self._read_rows(piece, sheet, formulas)
        except (etree.XMLSyntaxError, UnreadableError):
            gap = Gap(GapCode.CORRUPT, locator)
        except BudgetExceededError as error:
            trouble = error
        if (part := sheet.part()) is not None:
            yield part
        if formulas:
            yield Part(f"{locator}.formulas", "\n".join(formulas))
        if around:
            yield Part(f"{locator}.notes", around)
        if gap:
            yield gap
        if trouble:
            raise trouble

    def _read_rows(self, piece: Piece, sheet: SheetText, formulas: dict[str, None]) -> str:
        row_number = 0
        around = ""
        for row in stream(piece.stream(), "{*}row"):
            if local_of(row) != "row":  # the root comes last, with what surrounds the cells
                around = "\n".join(surroundings(row))
                continue
            stated = row.get("r", "")
            row_number = int(stated) if stated.isdecimal() and len(stated) < 9 else row_number + 1
            cells: dict[int, str] = {}
            column = 0
            passed = ""
            for cell in row:
                reference = cell.get("r")
                if reference and not len(cell):  # a frame or a colour: most cells of many a sheet
                    passed = reference
                    continue
                before = self._column(passed) if passed else column
                column = self._column(reference) if reference else before + 1
                passed = ""
                text = self._cell(cell, formulas)
                if text:
                    # Two cells may claim one place; neither hides the other.
                    cells[column] = f"{cells[column]} {text}" if column in cells else text
            sheet.add(row_number, cells)
        return around

    def _cell(self, cell: etree._Element, formulas: dict[str, None]) -> str:
        kind = cell.get("t", "n")
        text = ""
        for child in cell:
            name = local_of(child)
            if name == "v" and child.text:
                text = self._value(kind, child.text, cell.get("s"))
            elif name == "is":
                text = joined(child)
            elif name == "f" and child.text:
                if QUOTING.search(child.text):
                    formulas[child.text] = None
                if spelt := spelt_in(child.text):
                    formulas[spelt] = None
        # Tabs and line ends inside a cell would break the line it is laid out in.
        return " ".join(text.split()) if "\n" in text or "\t" in text else text

    def _value(self, kind: str, stored: str, style: str | None) -> str:
        if kind == "s":
            number = int(stored) if stored.strip().isdecimal() and len(stored) < 12 else -1
            if not 0 <= number < len(self._strings):
                return ""
            self._used[number] = 1
            return self._strings[number]
        if kind == "d":
            return stored.removesuffix("T00:00:00").replace("T", " ")
        if kind != "n":
            return stored
        meaning = ""
        if style and style.isdecimal() and len(style) < 9 and int(style) < len(self._meanings):
            meaning = self._meanings[int(style)]
        return number_text(stored, meaning, from_1904=self._from_1904)

    def _column(self, reference: str) -> int:
        letters = reference.rstrip("0123456789")
        known = self._columns.get(letters)
        if known is None:
            known = 0
            for letter in letters[:4].upper():
                known = known * 26 + (ord(letter) & 31)
            self._columns[letters] = known
        return known


def joined(element: etree._Element) -> str:
    return "".join(text.text for text in element.iter("{*}t") if text.text)


def surroundings(root: etree._Element) -> Iterator[str]:
    """Text and spoken attributes of everything in a sheet that is not a cell."""
    for element in root.iter():
        if element.text and not element.text.isspace():
            yield element.text.strip()
        for key in SPOKEN:
            value = element.get(key)
            if value and speaks(value):
                yield value


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


def spelt_in(formula: str) -> str:
    """The letters that a formula gives by their numbers, with the strings between them."""
    pieces = PIECE.findall(formula)
    if sum(bool(number) for number, _ in pieces) < FEW_LETTERS:
        return ""
    return "".join(
        chr(int(number)) if number and int(number) <= sys.maxunicode else said
        for number, said in pieces
    )
