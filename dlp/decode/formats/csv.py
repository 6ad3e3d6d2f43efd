"""Read tables kept as text: comma, semicolon, tab or bar between cells.

In: an open table.  Out: the text as it is, each cell labelled by its column's heading.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import BinaryIO

from dlp.decode.contract import Item, Limits
from dlp.decode.encoding import read_text
from dlp.decode.identify import delimiter_of
from dlp.decode.labelled import MAX_FIELDS
from dlp.model import FieldMap, Gap, GapCode, Part
from dlp.text.field_labels import names_field

MEDIA_TYPES = frozenset({"text/csv"})
NUMBER_LIKE = re.compile(r"[\d\s.,:/$€£%+-]*")
MAX_LABEL = 80  # longer headings are no headings


def extract(source: BinaryIO, limits: Limits) -> Iterator[Item]:
    text, longer = read_text(source, limits, keep_mark=True)
    yield Part("body", text, label_cells(text))
    if longer:
        yield Gap(GapCode.TOO_LARGE, "body")


def label_cells(text: str) -> FieldMap | None:
    lines = [line for line in text[:32768].splitlines()[:60] if line.strip()]
    delimiter = delimiter_of(lines) if lines else ""
    delimiter = delimiter or next((d for d in "\t,;|" if lines and d in lines[0]), "")
    if not delimiter:
        return None
    if is_form(lines, delimiter):
        return label_lines(text, delimiter)
    first, behind = next(read_rows(text, delimiter, 0), ([], len(text)))
    labels = headings(text, first)
    start, record = (behind, 1) if labels else (0, 0)  # without headings the first row counts
    fields = FieldMap()
    for number, (row, _) in enumerate(read_rows(text, delimiter, start), record):
        add_row(fields, labels, row, number)
        if number and len(fields) >= MAX_FIELDS:
            break  # the text holds the rest, unlabelled
    return fields


def is_form(lines: list[str], delimiter: str) -> bool:
    """Whether each line is a usual caption and its value, and the first no row of headings."""
    cells = [line.split(delimiter, 1) for line in lines]
    if len(cells) < 2 or any(len(row) < 2 for row in cells) or names_field(cells[0][1]):
        return False
    return all(names_field(row[0]) for row in cells)


def label_lines(text: str, delimiter: str) -> FieldMap:
    """The values of a form by their captions; the first caption begins the next record."""
    fields, record, place, first = FieldMap(), 0, 0, ""
    for line in text.splitlines(keepends=True):
        label, _, value = line.rstrip().partition(delimiter)
        if value:
            first = first or label
            record += label == first
            start = place + len(label) + 1
            fields.add(label.strip(), start, start + len(value), record)
        place += len(line)
    return fields


def add_row(fields: FieldMap, labels: list[str], row: list[tuple[int, int]], record: int) -> None:
    for column, (start, end) in enumerate(row):
        if end > start:
            label = labels[column] if column < len(labels) else f"column {column + 1}"
            fields.add(label, start, end, record)


def headings(text: str, first: list[tuple[int, int]]) -> list[str]:
    """The first row's cells, if they read like headings; [] if they are values already."""
    cells = [
        " ".join(text[start:end].lstrip("\ufeff").strip('"').replace('""', '"').split())
        for start, end in first
    ]
    filled = [cell for cell in cells if cell]
    if not filled or any(len(cell) > MAX_LABEL or NUMBER_LIKE.fullmatch(cell) for cell in filled):
        return []
    if len(set(filled)) < 0.8 * len(filled):
        return []  # headings repeat rarely, values often
    return [cell or f"column {number}" for number, cell in enumerate(cells, 1)]


def read_rows(text: str, delimiter: str, place: int) -> Iterator[tuple[list[tuple[int, int]], int]]:
    """Spans of the cells of each row, and its end; lines without a quote need no search for one."""
    length = len(text)
    while place < length:
        end = text.find("\n", place)
        end = length if end < 0 else end + 1
        line = text[place:end]
        if '"' in line:
            row, place = quoted_row(text, place, delimiter)
        else:
            row, place = plain_row(line, place, delimiter), end
        if len(row) > 1 or (row and row[0][0] < row[0][1]):
            yield row, place


def plain_row(line: str, start: int, delimiter: str) -> list[tuple[int, int]]:
    row = []
    for cell in line.rstrip("\r\n").split(delimiter):
        end = start + len(cell)
        row.append((start, end))
        start = end + 1
    return row


def quoted_row(text: str, place: int, delimiter: str) -> tuple[list[tuple[int, int]], int]:
    """One row with quoted cells, which may span lines, and where the next row starts."""
    cell = cell_pattern(delimiter)
    row: list[tuple[int, int]] = []
    while hit := cell.match(text, place):
        row.append(hit.span(1) if hit.start(1) >= 0 else hit.span(2))
        place = hit.end()
        if hit[3] != delimiter:
            break
    return row, place


@cache
def cell_pattern(delimiter: str) -> re.Pattern[str]:
    """Possessive, so that a quote left open costs one pass and not one for each cell."""
    mark = re.escape(delimiter)
    return re.compile(
        rf'[ ]*+(?:"((?:[^"]++|"")*+)"[^{mark}\r\n]*+|([^{mark}\r\n]*+))({mark}|\r\n?|\n|\Z)'
    )
