"""Read the tables of an OpenDocument spreadsheet.

In: the root of content.xml, or a stream when it is too large for a tree.  Out: sheet:1 ...
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from lxml import etree

from dlp.decode.archive_guard import UnreadableError
from dlp.decode.contract import Budget, Item
from dlp.decode.office.cells import number_text
from dlp.decode.office.markup import Readable, attribute, everything, local_of, stream
from dlp.decode.office.odf_text import CELLS, cut_out, distinct, text_of
from dlp.decode.office.sheet_text import SheetText
from dlp.model import Gap, GapCode, Part

DIGITS = re.compile(r"\d")
QUOTING = re.compile(r"[\"'\[]|\d{5}")
MOST_COLUMNS = 20_000


def read_tables(root: etree._Element, budget: Budget) -> Iterator[Item]:
    comments: list[str] = []
    for note in list(root.iter("{*}annotation")):
        cut_out(note)
        comments.append(text_of(note))
    formulas: dict[str, None] = {}
    for number, table in enumerate(root.iter("{*}table"), start=1):
        sheet = SheetText(f"sheet:{number}", budget)
        add_rows(sheet, table.iter("{*}table-row"), formulas)
        if (part := sheet.part()) is not None:
            yield part
    yield Part("formulas", "\n".join(formulas))
    yield Part("comments", distinct(comments))


def read_stream(source: Readable, budget: Budget) -> Iterator[Item]:
    """All tables as one, for files too large to keep in memory."""
    sheet = SheetText("sheet:1", budget)
    formulas: dict[str, None] = {}
    gap, around = None, ""
    try:
        rows = Rows(stream(source, "{*}table-row"))
        add_rows(sheet, rows, formulas)
        around = rows.rest
    except (etree.XMLSyntaxError, UnreadableError):
        gap = Gap(GapCode.CORRUPT, "sheet:1")
    if (part := sheet.part()) is not None:
        yield part
    yield Part("formulas", "\n".join(formulas))
    yield Part("around", around)
    if gap:
        yield gap


class Rows:
    """The rows of a stream; once they are through, the words of what surrounds them."""

    def __init__(self, elements: Iterator[etree._Element]) -> None:
        self._elements = elements
        self.rest = ""

    def __iter__(self) -> Iterator[etree._Element]:
        for element in self._elements:
            if local_of(element) == "table-row":
                yield element
            else:
                self.rest = everything(element)


def add_rows(sheet: SheetText, rows: Iterable[etree._Element], formulas: dict[str, None]) -> None:
    row_number = 1
    for row in rows:
        cells: dict[int, str] = {}
        column = 0
        for cell in row:
            if local_of(cell) not in CELLS:
                continue
            text = cell_text(cell)
            if text:
                cells[column] = text
            formula = attribute(cell, "formula")
            if formula and QUOTING.search(formula):
                formulas[formula] = None
            column = min(column + repeated(cell, "number-columns-repeated"), MOST_COLUMNS)
        # A repeated row says its words once; the sheet's end is "repeated" a million times.
        sheet.add(row_number, cells)
        row_number += repeated(row, "number-rows-repeated")


def repeated(element: etree._Element, key: str) -> int:
    count = attribute(element, key)
    return int(count) if count.isdecimal() and len(count) < 9 else 1


def cell_text(cell: etree._Element) -> str:
    """The stored date or number, unless what shows says the same digits more readably."""
    shown = text_of(cell)
    date = attribute(cell, "date-value")
    if date:
        return date.removesuffix("T00:00:00").replace("T", " ")
    if attribute(cell, "value-type") == "float":
        value = number_text(attribute(cell, "value"))
        same = "".join(DIGITS.findall(shown)).lstrip("0") == "".join(DIGITS.findall(value))
        return shown if shown and same else value
    return shown or attribute(cell, "string-value") or attribute(cell, "value")
