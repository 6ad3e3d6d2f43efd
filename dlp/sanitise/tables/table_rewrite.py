"""The new table: quasi-identifiers by group, direct identifiers gone, text sanitised.

In: the table, roles and the point of each row's group.  Out: a table of the same rows, in order.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from dlp.sanitise.tables.cells import text_of
from dlp.sanitise.tables.columns import NUMERIC, Column
from dlp.sanitise.tables.records import Rows
from dlp.sanitise.tables.roles import DIRECT, TEXT, Role
from dlp.sanitise.tables.scale import SUPPRESSED, Points
from dlp.sanitise.tables.table import Table
from dlp.sanitise.tables.taxonomies import ANY

Sanitise = Callable[[str], str | None]
REMOVED = "[removed]"
REPEATABLE = frozenset({"date", "place"})  # kinds whose cells a note of the same row may repeat
_LONG = 4  # characters of a quasi-identifier that is looked for in text of its own row
_SHORTEST = 3  # letters of an identifier that is looked for in text


class Groups(NamedTuple):
    """The quasi-identifiers, the group of each row, and what each group becomes."""

    columns: Sequence[Column]
    group: Rows
    points: Points


def rewrite(
    table: Table,
    roles: Mapping[str, Role],
    groups: Groups,
    sanitise_text: Sanitise | None,
) -> tuple[Table, tuple[str, ...]]:
    """The first direct identifier becomes a pseudonym of the row; the others are left out."""
    masked = {column.name: (column, at) for at, column in enumerate(groups.columns)}
    columns = zip(table.headers, table.columns, strict=True)
    identifiers = [cells for name, cells in columns if roles[name].role == DIRECT]
    known = [table.column(name) for name in masked if roles[name].kind in REPEATABLE]
    headers: list[str] = []
    cells: list[Sequence[object]] = []
    notes: list[str] = []
    pseudonyms = False
    for name, column in zip(table.headers, table.columns, strict=True):
        role = roles[name].role
        if role == DIRECT:
            if pseudonyms:
                notes.append(f"{name}: left out")
                continue
            pseudonyms = True
            notes.append(f"{name}: replaced by a pseudonym of the row")
            column = [f"R{number:07d}" for number in range(1, table.rows + 1)]  # noqa: PLW2901
        elif role == TEXT:
            column, note = _texts(name, column, identifiers, known, sanitise_text)  # noqa: PLW2901
            notes.append(note)
        elif name in masked:
            which, at = masked[name]
            column = _masked(which, column, groups.points[:, at], groups.group)  # noqa: PLW2901
        headers.append(name)
        cells.append(column)
    return Table(tuple(headers), tuple(cells)), tuple(notes)


def _masked(column: Column, cells: Sequence[object], points: Points, group: Rows) -> list[object]:
    """What each group says; a value of the column keeps the type its cells have."""
    own: dict[str, object] = {}
    if column.kind not in NUMERIC:
        for cell in dict.fromkeys(cells):
            own.setdefault(text_of(cell), cell)
    blanks = Counter(cell for cell in cells if not text_of(cell))
    blank = max(blanks, key=blanks.__getitem__, default=None)  # "?" where the table writes that
    said: list[object] = []
    known: dict[float, object] = {}
    for point in points.tolist():
        if point not in known:
            text = ANY if point == SUPPRESSED else column.scale.write(point)
            known[point] = own.get(text, text) if isinstance(text, str) else text
            if text is None:
                known[point] = blank
        said.append(known[point])
    table = np.empty(len(said), dtype=object)
    table[:] = said
    written: list[object] = table[group].tolist()
    return written


def _texts(
    name: str,
    cells: Sequence[object],
    identifiers: Sequence[Sequence[object]],
    known: Sequence[Sequence[object]],
    sanitise_text: Sanitise | None,
) -> tuple[list[object], str]:
    """Free text is never passed through: what cannot be sanitised is silenced."""
    if sanitise_text is None:
        return [ANY if text_of(cell) else None for cell in cells], f"{name}: free text silenced"
    clean: list[object] = []
    silenced = 0
    for at, cell in enumerate(cells):
        text = text_of(cell)
        done = sanitise_text(text) if text else ""
        silenced += done is None
        names = {word for column in identifiers for word in _words(text_of(column[at]))}
        names |= {value for column in known if len(value := text_of(column[at])) >= _LONG}
        clean.append(ANY if done is None else _without(done, names) or None)
    note = f"{name}: free text sanitised"
    return clean, note + (f", {silenced:,} cells silenced" if silenced else "")


def _words(identifier: str) -> set[str]:
    return {word for word in (identifier, *identifier.split()) if len(word) >= _SHORTEST}


def _without(text: str, words: set[str]) -> str:
    """The row itself says what its person is called; no detector is needed for that."""
    if not words:
        return text
    longest = sorted(words, key=lambda word: (-len(word), word))
    pattern = "|".join(re.escape(word) for word in longest)
    return re.sub(rf"(?<!\w)(?:{pattern})(?!\w)", REMOVED, text, flags=re.IGNORECASE)
