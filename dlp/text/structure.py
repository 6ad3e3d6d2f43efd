"""The structure of a text: sections, blocks, labelled fields, tables, boxes, states.

In: nothing; `dlp.text.reader.read_structure` fills these types.  Out: Structure and its parts.

Every span is a pair of offsets into the text of one part. Labelled fields and boxes carry a state
(stated, denied, unanswered), and `state_at` says for any place whether it states a fact at all.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from dlp.text.answers import State
from dlp.text.boxes import Question


class BlockKind(StrEnum):
    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST_ITEM = "list_item"
    ROW = "row"  # of a table in the text, or of a dump
    FORM_LINE = "form_line"  # one or more labelled fields, or boxes
    MESSAGE_START = "message_start"  # "-----Original Message-----", "On ... wrote:"


class Section(NamedTuple):
    """From one heading to the next; the first has no heading where the text begins without one."""

    start: int
    end: int
    heading_start: int
    heading_end: int


class Block(NamedTuple):
    kind: BlockKind
    start: int
    end: int
    section: int  # index into Structure.sections
    message: int  # messages of a thread are counted from 0; quoted text is a message of its own
    record: int  # rows and groups of form lines that belong together share it; -1 for others


class LabelledField(NamedTuple):
    """A label and its value. In a table the label is the column's heading.

    `state` is what the value says of the label: "HIV: No" is denied, "HIV: ____" unanswered,
    "HIV: Yes" stated. None where the value is free text ("Diagnosis: asthma").
    """

    label_start: int
    label_end: int
    start: int
    end: int
    state: State | None
    record: int


class Table(NamedTuple):
    start: int
    end: int
    header: tuple[tuple[int, int], ...]  # spans of the headings; () where the table has none
    rows: tuple[tuple[tuple[int, int], ...], ...]  # spans of the cells, without the header


class StateSpan(NamedTuple):
    """A ticked, denied or unanswered item; printed instructions of a form count as unanswered."""

    start: int
    end: int
    state: State


@dataclass(frozen=True, slots=True)
class Structure:
    """What the lines of a text are; sequences are in order of their place in the text."""

    text: str = field(repr=False)
    sections: Sequence[Section] = ()
    blocks: Sequence[Block] = ()
    fields: Sequence[LabelledField] = ()
    questions: Sequence[Question] = ()  # of check boxes
    tables: Sequence[Table] = ()
    states: Sequence[StateSpan] = ()  # they do not overlap
    is_form: bool = False  # several blanks, boxes or printed answers
    _block_starts: Sequence[int] = field(default=(), repr=False)
    _field_starts: Sequence[int] = field(default=(), repr=False)
    _state_starts: Sequence[int] = field(default=(), repr=False)

    def block_at(self, offset: int) -> Block | None:
        """The block that holds an offset."""
        number = bisect_right(self._block_starts, offset) - 1
        if number < 0 or offset >= self.blocks[number].end:
            return None
        return self.blocks[number]

    def block_number(self, offset: int) -> int:
        """The index of the last block that begins at or before an offset; -1 where none does."""
        return bisect_right(self._block_starts, offset) - 1

    def field_at(self, offset: int) -> LabelledField | None:
        """The field whose value holds an offset."""
        number = bisect_right(self._field_starts, offset) - 1
        if number < 0 or offset >= self.fields[number].end:
            return None
        return self.fields[number]

    def state_at(self, start: int) -> State | None:
        """STATED, DENIED or UNANSWERED by a box or an answer; None for all other text."""
        number = bisect_right(self._state_starts, start) - 1
        if number < 0:
            return None
        span = self.states[number]
        return span.state if start < span.end else None

    def label_of(self, one: LabelledField) -> str:
        return self.text[one.label_start : one.label_end]
