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
from functools import lru_cache
from typing import NamedTuple

from dlp.model import Field, Finding, Part
from dlp.text.answers import State, is_answer, state_of
from dlp.text.context import load_contexts
from dlp.text.instructions import EXAMPLE
from dlp.text.labels import ASKING
from dlp.text.reader import read_structure
from dlp.text.structure import Structure

RULE = "health-answer-column"
NEGATED, TEMPLATE = "negated", "template"
# A cue that asks ("any history of ...") is settled by the answer.
SETTLED = frozenset({"hypothetical", "general", "uncertain"})
LABEL_WORDS = 6  # a longer label is a question or an instruction
SAMPLE = 400  # cells of a column by which it is judged
WORDS = re.compile(r"[\W_]+|(?<=[a-z])(?=[A-Z])")
# "Asthma ..... No", "asthma (no)", "Cancer N  Stroke N": the answer stands behind the term.
NO = r"(?:no|n|none|nil|neg|negative|never)"
ENDED = r"(?=\s*(?:$|\n|[,;|)\]])|[ \t]{2,}|\t|\.(?:\s|$))"
DENIED = re.compile(
    rf"(?i:[ \t]*(?:\t|[ \t]{{2}}|[.…_:=?–-]+|[ \t][(\[])[ \t]*{NO}){ENDED}"
    rf"|[ \t](?:N|NO|No)(?=[ \t]{{2}}|\t|[ \t]*(?:\n|$))"
    rf"|[ \t](?:no|none|nil)(?=[ \t]*(?:[,;.|)]|\n|$))"
)
# "Ever treated for asthma or gout? No"; in a dialogue the answer stands behind who gives it.
ASKED = 160  # characters of a question behind the term
QUESTION_DENIED = re.compile(
    rf"[^?\n]{{0,{ASKED}}}\?\s*(?:[A-Z][\w .]{{0,20}}:\s*)?(?i:{NO}|nope|not that i know of)"
    rf"(?:{ENDED}|[.!])"
)
STRUCTURED = 16  # characters of a value that may hold labels and answers of its own
Find = Callable[[str], list[Finding]]


class Cell(NamedTuple):
    label: str
    start: int
    end: int


def assert_findings(part: Part, number: int, found: list[Finding], find: Find) -> list[Finding]:
    """The findings of one part as its structure means them; `find` reads a column's heading."""
    cells = []
    if part.fields and labels_stand_before(part):
        found = in_labelled_lines(part, found)
        # a label in plain words was found where it stands; "hasAsthma" was not
        cells = [cell for cell in map(cell_of, part.fields) if in_words(cell.label) != cell.label]
    elif part.fields:
        found = under_headings(part, found)
        cells = [*map(cell_of, part.fields)]
    elif found:
        structure = read_structure(part.text)
        found = [meant(one, state_in_text(structure, one.start)) for one in found]
        cells = cells_of(structure)
    found = [denied_behind(part.text, one) for one in found]
    taken = {one.start for one in found}
    answered = answered_cells(part.text, cells, find, number) if cells else []
    found = found + [one for one in answered if one.start not in taken]
    return [as_template(one, part.template) for one in found] if part.template else found


def state_in_text(structure: Structure, place: int) -> State | None:
    """What the text draws; a question about one person, with age or number, is no blank form."""
    state = structure.state_at(place)
    field = structure.field_at(place)
    if field is not None and EXAMPLE.match(structure.text, field.start, field.end):
        return State.UNANSWERED
    if state is not State.UNANSWERED:
        return state
    text = structure.text
    start, end = text.rfind("\n", 0, place) + 1, text.find("\n", place)
    return (
        None
        if load_contexts().speaks_of_one(text, start, end if end >= 0 else len(text))
        else state
    )


def cell_of(one: Field) -> Cell:
    return Cell(one.label, one.start, one.end)


@lru_cache(maxsize=4096)
def in_words(label: str) -> str:
    """A label taken apart: "hasAsthma", "has_asthma"."""
    return " ".join(WORDS.split(label)).strip()


def as_template(one: Finding, template: Sequence[tuple[int, int]]) -> Finding:
    return meant(one, State.UNANSWERED) if is_inside(one.start, template) else one


def under_headings(part: Part, found: list[Finding]) -> list[Finding]:
    """Findings of a table: what its headings name is stated by the cells, if at all."""
    if not found:
        return found
    start, end = heading_line(part)
    return [meant(one, State.UNANSWERED) if start <= one.start < end else one for one in found]


def meant(one: Finding, state: State | None) -> Finding:
    """A finding in text of which an answer says whether it holds."""
    if state is State.DENIED:
        return one._replace(context=one.context - SETTLED | {NEGATED})
    if state is State.UNANSWERED:
        return one._replace(context=one.context | {TEMPLATE})
    if state is State.STATED:
        return one._replace(context=one.context - SETTLED) if one.context & SETTLED else one
    return one


def denied_behind(text: str, one: Finding) -> Finding:
    """A finding, negated where the No to it stands right behind it or behind its question."""
    if NEGATED in one.context or TEMPLATE in one.context:
        return one
    if DENIED.match(text, one.end) or (
        "?" in text[one.end : one.end + ASKED] and QUESTION_DENIED.match(text, one.end)
    ):
        return meant(one, State.DENIED)
    return one


def is_inside(place: int, spans: Sequence[tuple[int, int]]) -> bool:
    number = bisect_right(spans, (place, 1 << 62)) - 1
    return number >= 0 and place < spans[number][1]


def labels_stand_before(part: Part) -> bool:
    """Whether the part's lines are `label: value`, as readers write forms, JSON and properties."""
    first = next(iter(part.fields or ()))
    return part.text.startswith(f"{first.label}: ", first.start - len(first.label) - 2)


def in_labelled_lines(part: Part, found: list[Finding]) -> list[Finding]:
    """Findings of `label: value` lines; a label holds as far as its value says so."""
    assert part.fields
    fields = sorted(part.fields, key=lambda one: one.start)
    ends = [one.end for one in fields]
    kept = []
    for one in found:
        number = bisect_right(ends, one.start)
        field = fields[number] if number < len(fields) else None
        if field is None:
            kept.append(one)
        elif one.start < field.start:
            kept.append(meant(one, label_state(part.text, field)))
        else:
            kept.append(meant(one, state_within(part.text, field, one.start)))
    return kept


def state_within(text: str, one: Field, place: int) -> State | None:
    """What a value says of a term in it: "N/A" is an answer, a note has a structure of its own."""
    value = text[one.start : one.end]
    state = state_of(value)
    if state is None and len(value) > STRUCTURED:
        state = structure_of(value).state_at(place - one.start)
    return state


@lru_cache(maxsize=16)
def structure_of(value: str) -> Structure:
    return read_structure(value)


def label_state(text: str, one: Field) -> State | None:
    """What a value says of its label; a question that is answered in words is a question."""
    state = state_of(text[one.start : one.end])
    asking = one.label.count(" ") > LABEL_WORDS or ASKING.search(one.label.lower())
    return State.UNANSWERED if state is None and asking else state


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
        terms = find(in_words(label))
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
