"""Tables pasted into running text: a line of headings, then lines of cells.

In: text.  Out: labelled fields, as a spreadsheet would give them, or nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from dlp.model import FieldMap, Part
from dlp.text.field_labels import PATIENT, meaning_of

SIGNS = ",;|\t"
FEWEST = 3  # columns
HEADING = 32  # characters of one heading at most
LINE = range(8, 401)  # characters of a line of headings
NAMING = frozenset({"first", "last", "name", "id"})
TELLING = frozenset({"birth", "age", "sex", "address", "phone", "email", "health", "date", "zip"})
# Two signs and no digit.
HEADINGS = re.compile(r"(?m)^[^\d\n,;|\t]{1,60}[,;|\t][^\d\n,;|\t]{1,60}[,;|\t][^\d\n]{1,300}$")


def with_tables(parts: Sequence[Part]) -> list[Part]:
    """A part whose format has no fields may still hold a table as text."""
    found = []
    for part in parts:
        fields = pasted_table(part.text) if part.fields is None else None
        found.append(part if fields is None else replace(part, fields=fields))
    return found


def pasted_table(text: str) -> FieldMap | None:
    """The first table of people in a text."""
    for match in HEADINGS.finditer(text):
        written = match.group()
        if len(written) not in LINE:
            continue
        sign = max(SIGNS, key=written.count)
        labels = [*map(plain, written.split(sign))]
        if len(labels) < FEWEST or not all(0 < len(label) <= HEADING for label in labels):
            continue
        if are_headings(labels):
            return cells_below(text, match.end() + 1, labels, sign)
    return None


def plain(cell: str) -> str:
    return cell.strip().strip('"')


def are_headings(labels: list[str]) -> bool:
    """One for a person, another for what is said of them."""
    whats = set()
    strange = 0  # labels that mean nothing; prose with two commas has little else
    for label in labels:
        owner, what = meaning_of(label)
        strange += not what
        if 2 * strange > len(labels):
            return False
        if owner == PATIENT:
            whats.add(what)
    return bool(whats & NAMING) and bool(whats & TELLING)


def cells_below(text: str, start: int, labels: list[str], sign: str) -> FieldMap | None:
    fields = FieldMap()
    for record, row in enumerate(rows(text, start, sign)):
        if len(row) != len(labels):
            break
        for label, (left, right) in zip(labels, row, strict=True):
            fields.add(label, left, right, record)
    return fields if len(fields) else None


def rows(text: str, start: int, sign: str) -> Iterator[list[tuple[int, int]]]:
    """Spans of cells line by line; a quoted cell may hold signs and line ends."""
    cell = re.compile(rf'[ ]*(?:"((?:[^"]|"")*)"|([^{re.escape(sign)}\n]*))[ \r]*')
    row: list[tuple[int, int]] = []
    place = start
    while place < len(text):
        found = cell.match(text, place)
        if not found:
            return
        group = 1 if found.group(1) is not None else 2
        row.append(found.span(group))
        place = found.end()
        ends = place >= len(text) or text[place] == "\n"
        if not ends and text[place] != sign:
            return
        place += 1
        if ends:
            yield row
            row = []
