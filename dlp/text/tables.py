"""Tables inside a text: rows of bars, tabs or aligned columns, and the rows of SQL dumps.

In: lines of a text.  Out: spans of the cells, by row, and which row holds the headings.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

import re2

from dlp.text.answers import is_answer
from dlp.text.field_labels import names_field
from dlp.text.labels import is_caption

Span = tuple[int, int]
RULE_ROW = re.compile(r"[\s|:+=\-─━┼│┌┐└┘├┤┬┴]+")
COLUMN_GAP = re.compile(r"[ ]{2,}|\t+ *")
HAS_DIGIT = re.compile(r"\d")
INSERT = re.compile(
    r"\s*INSERT\s+(?:IGNORE\s+)?INTO\s+(?P<table>[`\"\[\w.\]]+)\s*(?P<columns>\([^)]{0,8000}\))?"
    r"\s*VALUES\s*",
    re.IGNORECASE,
)
CREATE = re.compile(
    r"CREATE\s+(?:TEMP\w*\s+)?TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?(?P<table>[`\"\[\w.\]]+)\s*\(",
    re.IGNORECASE,
)
# A definition of a column up to the comma or bracket behind it; VARCHAR(80) has its own bracket.
COLUMN = re.compile(
    r"\s*[`\"\[]?(?P<name>\w{1,64})[`\"\]]?(?:[^,()]|\([^()]{0,200}\)){0,400}(?P<end>[,)])"
)
NO_COLUMN = frozenset({"primary", "key", "unique", "constraint", "foreign", "index", "check"})
MOST_COLUMNS = 400
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


def comma_cells(text: str, start: int, end: int) -> list[Span]:
    """Cells between commas, quoted or not; no blank stands behind a comma that parts cells."""
    cells, left, quoted = [], start, False
    for at in range(start, end):
        if text[at] == '"':
            quoted = not quoted
        elif text[at] == "," and not quoted:
            cells.append((left, at))
            left = at + 1
    cells.append((left, end))
    quotes = (text[a] == text[b - 1] == '"' and b - a > 1 if a < b else False for a, b in cells)
    return [(a + 1, b - 1) if q else (a, b) for (a, b), q in zip(cells, quotes, strict=True)]


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
        return captions == 2 or all(map(names_field, cells))
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


def columns_of_insert(text: str, insert: re.Match[str]) -> list[Span]:
    """Those that the statement names, or else those that its table was created with."""
    if insert["columns"]:
        return sql_columns(text, insert.start("columns"), insert.end("columns"))
    return [*created_columns(text).get(bare_name(insert["table"]), ())]


@lru_cache(maxsize=2)
def created_columns(text: str) -> dict[str, tuple[Span, ...]]:
    """The columns of each table that the text creates."""
    found: dict[str, tuple[Span, ...]] = {}
    for created in CREATE.finditer(text):
        columns: list[Span] = []
        place = created.end()
        while len(columns) < MOST_COLUMNS and (column := COLUMN.match(text, place)):
            if column["name"].lower() not in NO_COLUMN:
                columns.append(column.span("name"))
            place = column.end()
            if column["end"] == ")":
                break
        found[bare_name(created["table"])] = tuple(columns)
    return found


def bare_name(table: str) -> str:
    return table.rsplit(".", 1)[-1].strip('`"[]').lower()


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
