"""What forms, check boxes and Yes/No columns say about the health terms in them.

In: a part and its health findings.  Out: the findings with the contexts that the structure gives,
and one finding for each cell that answers its column's heading with Yes.

A ticked box or a Yes states its label; an unticked one or a No makes it negated. A blank, a
question without an answer, a table's heading and the printed text of a form are template.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from dlp.model import Finding, Part
from dlp.text.answers import State, is_answer, state_of
from dlp.text.reader import read_structure
from dlp.text.structure import Structure

RULE = "health-answer-column"
NEGATED, TEMPLATE = "negated", "template"
# A cue that asks ("any history of ...") is settled by the answer.
SETTLED = frozenset({"hypothetical", "general", "uncertain"})
SAMPLE = 400  # cells of a column by which it is judged
WORDS = re.compile(r"[\W_]+|(?<=[a-z])(?=[A-Z])")
Find = Callable[[str], list[Finding]]


class Cell(NamedTuple):
    label: str
    start: int
    end: int


def assert_findings(part: Part, number: int, found: list[Finding], find: Find) -> list[Finding]:
    """The findings of one part as its structure means them; `find` reads a column's heading."""
    cells = table_cells(part)
    if cells is None:
        structure = read_structure(part.text) if found else None
        if structure is not None:
            found = [with_state(one, structure, part.template) for one in found]
            cells = cells_of(structure)
    elif found:
        head = heading_line(part)
        found = [as_heading(one) if head[0] <= one.start < head[1] else one for one in found]
    if not cells:
        return found
    taken = {one.start for one in found}
    return found + [
        one for one in answered_cells(part.text, cells, find, number) if one.start not in taken
    ]


def with_state(one: Finding, structure: Structure, template: Sequence[tuple[int, int]]) -> Finding:
    state = structure.state_at(one.start)
    if state is State.DENIED:
        return one._replace(context=one.context - SETTLED | {NEGATED})
    if state is State.UNANSWERED:
        return one._replace(context=one.context | {TEMPLATE})
    if state is State.STATED:
        return one._replace(context=one.context - SETTLED) if one.context & SETTLED else one
    if template and is_inside(one.start, template):
        return one._replace(context=one.context | {TEMPLATE})
    return one


def is_inside(place: int, spans: Sequence[tuple[int, int]]) -> bool:
    number = bisect_right(spans, (place, 1 << 62)) - 1
    return number >= 0 and place < spans[number][1]


def as_heading(one: Finding) -> Finding:
    return one._replace(context=one.context | {TEMPLATE})


def table_cells(part: Part) -> list[Cell] | None:
    """The cells of a part that is a table; None where its labels stand before the values."""
    if not part.fields:
        return None
    first = next(iter(part.fields))
    if part.text.startswith(f"{first.label}: ", first.start - len(first.label) - 2):
        return None
    return [Cell(label, start, end) for label, start, end, _ in part.fields]


def cells_of(structure: Structure) -> list[Cell]:
    """The cells under headings of the tables and dumps inside a text."""
    text = structure.text
    return [
        Cell(text[slice(*label)], *cell)
        for table in structure.tables
        for row in table.rows
        for label, cell in zip(table.header, row, strict=False)
        if cell[0] < cell[1]
    ]


def heading_line(part: Part) -> tuple[int, int]:
    """The line before the first cell."""
    assert part.fields
    end = min(part.fields.arrays[1][0], len(part.text))
    end = part.text.rfind("\n", 0, end) + 1
    return part.text.rfind("\n", 0, max(0, end - 1)) + 1, end


def answered_cells(text: str, cells: Iterable[Cell], find: Find, part: int) -> list[Finding]:
    """Findings at the cells that say Yes under a heading which names an illness or a drug."""
    columns: dict[str, list[Cell]] = {}
    for cell in cells:
        columns.setdefault(cell.label, []).append(cell)
    found = []
    for label, column in columns.items():
        if not is_answer_column(text, column):
            continue
        terms = find(" ".join(WORDS.split(label)))
        if not terms:
            continue
        term = terms[0]
        found += [
            term._replace(
                rule_id=RULE, part=part, start=cell.start, end=cell.end, context=frozenset()
            )
            for cell in column
            if state_of(text[cell.start : cell.end]) is State.STATED
        ]
    return found


def is_answer_column(text: str, column: Sequence[Cell]) -> bool:
    values = [text[cell.start : cell.end] for cell in column[:SAMPLE]]
    return all(map(is_answer, values)) and any(
        state_of(value) in {State.STATED, State.DENIED} for value in values
    )
