"""Tables inside a text: rows of bars, tabs or aligned columns, and the rows of SQL dumps.

In: lines of a text.  Out: spans of the cells, by row, and which row holds the headings.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import re2

from dlp.text.answers import is_answer
from dlp.text.labels import is_caption

Span = tuple[int, int]
RULE_ROW = re.compile(r"[\s|:+=\-─━┼│┌┐└┘├┤┬┴]+")
COLUMN_GAP = re.compile(r"[ ]{2,}|\t+ *")
HAS_DIGIT = re.compile(r"\d")
INSERT = re.compile(
    r"\s*INSERT\s+(?:IGNORE\s+)?INTO\s+[`\"\[\w.\]]+\s*(?P<columns>\([^)]{0,8000}\))?\s*VALUES\s*",
    re.IGNORECASE,
)
COPY = re.compile(
    r"\s*COPY\s+[\w.\"]+\s*\((?P<columns>[^)]{0,8000})\)\s+FROM\s+stdin", re.IGNORECASE
)
# One quick pass over a text, before its lines are tried.
DUMP_HINT = re2.compile(r'(?i)insert\s+(?:ignore\s+)?into\s|copy\s+[\w."]+\s*\(')
SQL_VALUE = re.compile(
    r"\s*(?:[NEB]?'(?P<quoted>(?:[^'\\]|''|\\.){0,20000}+)'|(?P<plain>[^,()']{1,200}))\s*(?P<end>[,)])"
)
NAME = re.compile(r"[\w ]+")
MAX_HEADING = 60


def may_hold_dumps(text: str) -> bool:
    return DUMP_HINT.search(text) is not None


def bar_cells(text: str, start: int, end: int) -> list[Span]:
    """Cells between bars; a bar at either edge of the line opens no cell."""
    line = text[start:end]
    cells, left = [], start
    for piece in line.split("|"):
        cells.append(stripped(text, left, left + len(piece)))
        left += len(piece) + 1
    if line.lstrip().startswith("|"):
        cells = cells[1:]
    if line.rstrip().endswith("|"):
        cells = cells[:-1]
    return cells


def aligned_cells(text: str, start: int, end: int) -> list[Span]:
    """Cells between tabs or two and more blanks."""
    cells, left = [], start
    while left < end and text[left] in " \t":
        left += 1
    for gap in COLUMN_GAP.finditer(text, left, end):
        if gap.start() > left:
            cells.append((left, gap.start()))
        left = gap.end()
    if left < end:
        cells.append(stripped(text, left, end))
    return cells


def tab_cells(text: str, start: int, end: int) -> list[Span]:
    cells, left = [], start
    for piece in text[start:end].split("\t"):
        cells.append(stripped(text, left, left + len(piece)))
        left += len(piece) + 1
    return cells


def is_rule(line: str) -> bool:
    """Whether a line only draws the frame of a table."""
    return "-" in line and RULE_ROW.fullmatch(line) is not None


def heads(text: str, row: Sequence[Span], below: Sequence[Sequence[Span]], *, ruled: bool) -> bool:
    """Whether a row holds the headings of those below it."""
    cells = [text[start:end].strip(" *") for start, end in row]
    filled = [cell for cell in cells if cell]
    if not filled or any(len(cell) > MAX_HEADING or is_answer(cell) for cell in filled):
        return False
    if ruled:
        return True
    if len(set(filled)) < len(filled) or any(HAS_DIGIT.search(cell) for cell in filled):
        return False
    captions = sum(map(is_caption, filled))
    if len(row) == 2:  # or the first row would be a label and its value
        return captions == 2
    if captions * 3 >= len(filled):
        return True
    for column in range(len(row)):
        values = [text[slice(*other[column])] for other in below if column < len(other)]
        differing = [value for value in values if HAS_DIGIT.search(value) or is_answer(value)]
        if values and len(differing) * 2 > len(values):
            return True
    return False


def stripped(text: str, start: int, end: int) -> Span:
    while start < end and text[start] in " \t*":
        start += 1
    while end > start and text[end - 1] in " \t*\r":
        end -= 1
    return start, end


def sql_columns(text: str, start: int, end: int) -> list[Span]:
    names = NAME.finditer(text, start, end)
    return [stripped(text, *hit.span()) for hit in names if hit[0].strip()]


def sql_rows(text: str, place: int, end: int) -> Iterator[tuple[list[Span], int]]:
    """Cells of each tuple behind VALUES, and where the tuple ends."""
    while place < end:
        while place < end and text[place] in " \t\r\n,":
            place += 1
        if place >= end or text[place] != "(":
            return
        place += 1
        row: list[Span] = []
        while hit := SQL_VALUE.match(text, place, end):
            group = "quoted" if hit["quoted"] is not None else "plain"
            row.append(stripped(text, hit.start(group), hit.end(group)))
            place = hit.end()
            if hit["end"] == ")":
                break
        else:
            return
        yield row, place
