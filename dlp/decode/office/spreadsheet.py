"""Read the workbook, the shared strings, the styles and the sheets of an xlsx.

In: parts of a package.  Out: one part per sheet, sheet:1 being the first tab, hidden or not.

Every row is read as it comes; what the file says about its own extent is never asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lxml import etree

from dlp.decode.archive_guard import UnreadableError
from dlp.decode.contract import BudgetExceededError, Item
from dlp.decode.office.cells import classify, number_text
from dlp.decode.office.markup import attribute, local_of, speaks, stream
from dlp.decode.office.package import Package, Piece, related
from dlp.decode.office.sheet_text import SheetText
from dlp.model import Gap, GapCode, Part

SHEETS = frozenset({"worksheet", "chartsheet", "dialogsheet", "macrosheet"})
# A formula is worth reading where it quotes something: text, another file, a long number.
QUOTING = re.compile(r"[\"'\[]|\d{5}")
# Words of people in what surrounds the cells: lists, prompts, headers, links.
SPOKEN = (
    "name", "prompt", "promptTitle", "error", "errorTitle", "display", "tooltip", "location",
    "text", "user", "comment", "customList", "sheet", "destinationFile",
    "userName", "title", "altText", "val", "linkedCell", "progId",
)  # fmt: skip


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
            elif name == "f" and child.text and QUOTING.search(child.text):
                formulas[child.text] = None
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
