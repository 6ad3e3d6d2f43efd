"""Read the structure of a text in one pass over its lines.

In: the text of a part.  Out: Structure.

A line is the beginning of a message, a row of a table or dump, a line of a form (boxes, labelled
fields, a question with its answer), a list item, a heading, or part of a paragraph, tried in this
order. A form's printed instructions are marked unanswered: they state nothing of anybody.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import lru_cache

import re2

from dlp.text import boxes, tables
from dlp.text.answers import State, state_of
from dlp.text.boxes import answered_in_line
from dlp.text.field_labels import names_field
from dlp.text.instructions import NOTICE, is_instruction
from dlp.text.labels import (
    ASKING,
    BULLET,
    DENIAL_LABEL,
    LabelSpan,
    is_caption,
    labels_in_line,
    leader_in_line,
)
from dlp.text.structure import (
    Block,
    BlockKind,
    LabelledField,
    Section,
    StateSpan,
    Structure,
    Table,
)

# Past this length a text has no structure: a dump of that size is read by its own fields, and
# four million characters are a thousand pages.
LONGEST = 4_000_000
SHORT = 8_000  # characters of a part whose structure is kept with those of many others
LONGEST_WRAPPED = 160  # characters
MARGIN = 56  # characters; a shorter line ends its paragraph
THREAD = re.compile(
    r"[> ]*(?:-{2,}\s*(?:original|forwarded|ursprüngliche|mensaje|message)\b.*"
    r"|begin forwarded message:?"
    r"|on\b.{6,120}\bwrote:|am\b.{6,80}\bschrieb.*:|le\b.{6,80}\ba écrit\s?:"
    r"|el\b.{6,80}\bescribió:)\s*",
    re.IGNORECASE,
)
THREAD_ENDS = ":eE"  # of a message, of somebody who wrote; or there is a rule of hyphens before it
MAIL_HEAD = re.compile(
    r"[> ]*\**(?:from|sent|to|cc|subject|date|von|de|para|an|betreff|asunto)\**:\s?", re.IGNORECASE
)
CHAT = re.compile(
    r"(?:\[?\(?(?:\d{1,4}[./-]\d{1,2}[./-]\d{1,4},?\s+)?\d{1,2}[:.]\d\d(?:[:.]\d\d)?(?:\s?[ap]\.?m\.?)?\)?\]?)"
    r"\s*[-–]?\s*(?P<speaker>[^:\n\[\]]{1,40}):\s",
    re.IGNORECASE,
)
# Two blanks behind a full stop are prose. The blank comes first, which `re` skips to.
COLUMN_HINT = re.compile(r"[ \t](?:(?<=[^\s.!?] ) +\S|(?<=\S )  +\S|(?<=\S\t))")
# A letter or two that stand alone, as a box would; the set comes first, which `re` skips to.
BARE_HINT = re.compile(r"[_xXoO✓✔](?:(?<=_)|(?<!\S.)[xXoO✓✔]{0,2} )")
# Without any of these a line is prose, a list item, a caption or a heading.
SIGNS = re.compile(r"[:=|_…\t>*#]")
LIST_ITEM = re.compile(rf"[ \t>]*{BULLET}\S")
ITEM_SIGNS = frozenset(".)")
RULED, BOLD_ENDS = "=-~*_", "*_:"  # last characters of such lines
UNDERLINE = re.compile(r"[ \t]*(?:={3,}|-{3,}|~{3,}|\*{3,}|_{5,})[ \t]*")
HASHES = re.compile(r"#{1,6}\s+\S")
BOLD_LINE = re.compile(r"(?:\*\*|__)[^*_\n]{2,80}(?:\*\*|__):?")
LONGEST_HEADING = 70
ENDS_SENTENCE = ".!?;"
FORM_WORDS = re2.compile(
    r"(?i)\b(?:(?:this form|the (?:completed )?form|office use only|omb no|form \d[\w-]*|rev\. \d"
    r"|print clearly|block capitals|privacy notice|burden statement|attach (?:original|extra)"
    r"|mandatory exclusions|required for entry)\b|instructions:)"
)
FORM_TITLE = re.compile(
    r"\b(?:questionnaire|application|form|certification|certificate|registration|statement of)\b",
    re.IGNORECASE,
)
LONGEST_TITLE = 100
FORM_LINES = 3  # blanks, boxes and printed answers from which on a text is a form


def read_structure(text: str) -> Structure:
    """The structure of a text; the stages need that of the same parts, one after the other."""
    return _of_short(text) if len(text) <= SHORT else _of_long(text)


def read_afresh(text: str) -> Structure:
    """The same without a cache."""
    reader = LineReader(text, min(len(text), LONGEST))
    reader.read()
    fields = sorted(reader.fields, key=lambda one: (one.start, one.end))
    states = apart(reader.states)
    return Structure(
        text,
        tuple(reader.sections()),
        tuple(reader.blocks),
        tuple(fields),
        tuple(reader.questions),
        tuple(reader.tables),
        states,
        reader.is_form,
        [block.start for block in reader.blocks],
        [one.start for one in fields],
        [span.start for span in states],
    )


# Two caches bound the memory: a document has many short parts, or a few long ones.
_of_short = lru_cache(maxsize=256)(read_afresh)
_of_long = lru_cache(maxsize=4)(read_afresh)


def apart(spans: Sequence[StateSpan]) -> tuple[StateSpan, ...]:
    """The spans without overlap: an inner one counts inside, an outer one around it."""
    found: list[StateSpan] = []
    open_spans: list[StateSpan] = []
    place = 0

    def close_until(limit: int) -> None:
        nonlocal place
        while open_spans and open_spans[-1].end <= limit:
            span = open_spans.pop()
            if place < span.end:
                found.append(StateSpan(place, span.end, span.state))
                place = span.end
        if open_spans and place < limit:
            found.append(StateSpan(place, limit, open_spans[-1].state))
        place = max(place, limit)

    for span in sorted(spans, key=lambda one: (one.start, -one.end)):
        close_until(span.start)
        open_spans.append(span)
    close_until(max((span.end for span in spans), default=0))
    return tuple(found)


class LineReader:
    """Collects blocks, fields, boxes and tables from the lines of one text."""

    def __init__(self, text: str, end: int) -> None:
        self.text = text
        self.lines = lines_of(text, end)  # blank lines are empty spans
        self.blocks: list[Block] = []
        self.fields: list[LabelledField] = []
        self.questions: list[boxes.Question] = []
        self.tables: list[Table] = []
        self.states: list[StateSpan] = []
        self._headings: list[tuple[int, int, int]] = []  # section start, heading span
        self._message = 0
        self._depth = 0  # of quoting
        self._record = 0
        self._labels: set[str] = set()  # of the record so far: a repeated one begins the next
        self._open = False  # the last block goes on with the next plain line
        self._form_lines = 0  # boxes and blanks
        self._weak_lines = 0  # captions, labels without a value, bare answers
        self.is_form = False
        self._has_boxes = boxes.may_hold_boxes(text)
        self._has_dumps = tables.may_hold_dumps(text)
        # where a box may stand: a bracket or a sign, or a letter that stands alone
        self._signs = [hit.start() for hit in BARE_HINT.finditer(text, 0, end)]
        if self._has_boxes:
            brackets = [hit.start() for hit in boxes.OPENING.finditer(text, 0, end)]
            self._signs = sorted([*self._signs, *brackets])
        # a text with longer lines has its paragraphs on one line each
        self._is_wrapped = max((b - a for a, b in self.lines), default=0) <= LONGEST_WRAPPED
        self._group: list[boxes.Question] = []  # box lines that share one question

    def read(self) -> None:
        number = 0
        while number < len(self.lines):
            start, end = self.lines[number]
            if start == end:
                self._open = False
                self._close_group()
                number += 1
                continue
            number = self._read_line(number, start, end)
        self._close_group()
        self.is_form = self._looks_like_form()
        if self.is_form:
            self._mark_instructions()

    def _looks_like_form(self) -> bool:
        """Three boxes or blanks, or some with the printed words of a form and bare answers.

        Clinical notes have bare answers too ("Allergies: none"), so these never suffice.
        """
        if self._form_lines >= FORM_LINES:
            return True
        starts = [block.start for block in self.blocks]
        words = (hit.start() for hit in FORM_WORDS.finditer(self.text))
        printed = len({bisect_right(starts, start) for start in words})
        title = self.text[: self.blocks[0].end] if self.blocks else ""
        printed += len(title) <= LONGEST_TITLE and FORM_TITLE.search(title) is not None
        return printed > 0 and self._form_lines + printed + self._weak_lines // 2 >= FORM_LINES

    def _read_line(self, number: int, start: int, end: int) -> int:
        """Read one line, or the lines of a table; the number of the next line to read."""
        line = self.text[start:end]
        if "," in line and ", " not in line and (after := self._read_commas(number, line)):
            return after
        may_hold_boxes = self._may_hold_boxes(start, end)
        if not (self._depth or self._has_dumps or may_hold_boxes) and is_prose(line):
            self._close_group()
            if not self._read_answer(number, start, end, line):
                self._read_plain(number, start, end, line)
            return number + 1
        self._follow_messages(number, line)
        if "|" in line and (after := self._read_bars(number)):
            return after
        if self._has_dumps and (after := self._read_dump(number)):
            return after
        if (
            ("  " in line or "\t" in line)
            and COLUMN_HINT.search(line)
            and (after := self._read_columns(number))
        ):
            return after
        if may_hold_boxes and self._read_boxes(number, start, end):
            return number + 1
        self._close_group()
        if (line[-1] in THREAD_ENDS or "--" in line) and THREAD.fullmatch(line):
            self._message += 1
            self._add(BlockKind.MESSAGE_START, start, end)
        elif not self._read_fields(number, start, end, line):
            self._read_plain(number, start, end, line)
        return number + 1

    def _may_hold_boxes(self, start: int, end: int) -> bool:
        place = bisect_left(self._signs, start)
        return place < len(self._signs) and self._signs[place] < end

    # messages

    def _follow_messages(self, number: int, line: str) -> None:
        """A thread's next message begins at its head or where the depth of quoting changes."""
        depth = len(line) - len(line.lstrip("> ")) if line[0] == ">" else 0
        depth = line[:depth].count(">")
        if depth != self._depth:
            self._depth = depth
            self._message += 1
            self._open = False
        elif (
            ":" in line[:6]
            and line[:6].lower().lstrip("*> ").startswith(("from:", "von:", "de:"))
            and self.blocks
        ):
            below = [self.text[a:b] for a, b in self.lines[number + 1 : number + 4]]
            if sum(MAIL_HEAD.match(other) is not None for other in below) >= 2:
                self._message += 1
                self._open = False

    # blocks

    def _add(self, kind: BlockKind, start: int, end: int, record: int = -1) -> None:
        if kind is BlockKind.HEADING:
            self._headings.append((start, start, end))
        elif not self._headings:
            self._headings.append((0, start, start))
        self.blocks.append(Block(kind, start, end, len(self._headings) - 1, self._message, record))
        self._open = False

    def _extend(self, end: int) -> None:
        kind, start, _, section, message, record = self.blocks[-1]
        self.blocks[-1] = Block(kind, start, end, section, message, record)

    def sections(self) -> list[Section]:
        ends = [start for start, _, _ in self._headings[1:]]
        ends.append(self.lines[-1][1] if self.lines else 0)
        return [
            Section(start, end, *heading)
            for (start, *heading), end in zip(self._headings, ends, strict=False)
        ]

    def _read_plain(self, number: int, start: int, end: int, line: str) -> None:
        """A heading, a list item, the next line of a paragraph, or a paragraph's first."""
        if line[-1] in RULED and UNDERLINE.fullmatch(line):
            self._open = False
            return
        if (
            (line[0] == "#" and HASHES.match(line))
            or (line[-1] in BOLD_ENDS and BOLD_LINE.fullmatch(line.strip()))
            or self._is_heading(number, line)
        ):
            self._add(BlockKind.HEADING, start, end)
            return
        # a letter is the sign of an item only before a full stop or a bracket
        may_be_item = not line[0].isalpha() or line[1:2] in ITEM_SIGNS
        is_item = may_be_item and LIST_ITEM.match(line) is not None
        if self._open and not is_item and self._goes_on(start, line):
            self._extend(end)
        else:
            self._add(BlockKind.LIST_ITEM if is_item else BlockKind.PARAGRAPH, start, end)
        self._open = True

    def _goes_on(self, start: int, line: str) -> bool:
        """Whether a line continues the block before it: that one ran to the margin."""
        before = self.blocks[-1]
        last = self.text.rfind("\n", before.start, start - 1) + 1 or before.start
        first = line.lstrip("> \t")[:1]
        long_before = self._is_wrapped and start - 1 - last >= MARGIN
        return long_before or (first.islower() and self.text[before.end - 1] not in ENDS_SENTENCE)

    def _is_heading(self, number: int, line: str) -> bool:
        bare = line.strip(" \t:*")
        if not 2 < len(bare) <= LONGEST_HEADING or bare[-1] in ".;,!?":
            return False
        if number + 1 < len(self.lines):
            start, end = self.lines[number + 1]
            if (
                start < end
                and self.text[end - 1] in RULED
                and UNDERLINE.fullmatch(self.text, start, end)
            ):
                return True
        if (
            bare.isupper()
            and bare.count(" ") < 8
            and not bare[0].isdigit()
            and sum(map(str.isalpha, bare)) > 3
        ):
            below = self.lines[number + 1] if number + 1 < len(self.lines) else (0, 0)
            return not self.text[slice(*below)].isupper()
        return line.rstrip().endswith(":") and bare.count(" ") < 8

    # tables

    def _read_bars(self, number: int) -> int:
        """Rows of bars from this line on; two cells are a label and its value."""
        text, ruled, place = self.text, False, number
        rows: list[tuple[int, int, list[tables.Span]]] = []
        if len(tables.bar_cells(text, *self.lines[number])) < 2:
            return 0
        while place < len(self.lines):
            start, end = self.lines[place]
            line = text[start:end]
            edged = line.count("|") > 1 or line.strip().startswith("|")
            if "|" not in line or not (edged or rows or self._heads_bars(number)):
                break
            if tables.is_rule(line):
                ruled = ruled or len(rows) == 1
            else:
                rows.append((start, end, tables.bar_cells(text, start, end)))
            place += 1
        if not rows:
            return 0
        self._keep_rows(rows, ruled=ruled)
        return place

    def _heads_bars(self, number: int) -> bool:
        """`Patient | Diagnosis`: one bar parts cells only between headings."""
        cells = self.text[slice(*self.lines[number])].split("|")
        return len(cells) == 2 and all(map(names_field, cells))

    def _read_commas(self, number: int, line: str) -> int:
        """Rows of cells between commas, below headings that are all labels of fields."""
        if line[-1] == "," and '"' not in line:  # an empty heading: prose that goes on
            return 0
        text = self.text
        rows: list[tuple[int, int, list[tables.Span]]] = []
        for start, end in self.lines[number:]:
            cells = tables.comma_cells(text, start, end) if start < end else []
            if not rows and not all(names_field(text[slice(*cell)]) for cell in cells):
                return 0
            if len(cells) < 2 or (rows and len(cells) != len(rows[0][2])):
                break
            rows.append((start, end, cells))
        if len(rows) < 2:
            return 0
        self._keep_rows(rows, ruled=True)
        return number + len(rows)

    def _read_columns(self, number: int) -> int:
        """Aligned columns from this line on: three rows of three cells, or labels and values."""
        text, rows, place, tabs = self.text, [], number, False
        while place < len(self.lines):
            start, end = self.lines[place]
            if start == end:
                break
            line = text[start:end]
            has_tabs = "\t" in line
            if place == number:
                tabs = has_tabs
            elif has_tabs != tabs or (self._has_boxes and boxes.may_hold_boxes(line)):
                break
            cells = (tables.tab_cells if tabs else tables.aligned_cells)(text, start, end)
            if len(cells) < 2 or (not tabs and is_ruled_field(text, cells)):
                break
            if place == number and self._holds_labels_or_boxes(start, end, cells):
                return 0
            rows.append((start, end, cells))
            place += 1
            if (
                place - number == 1
                and len(cells) == 2
                and not tabs
                and not self._aligned_below(place, cells)
            ):
                break
        if not rows:
            return 0
        if max(len(cells) for _, _, cells in rows) >= 3 and len(rows) >= 2:
            self._keep_rows(rows, ruled=False)
            return place
        return self._read_two_columns(number, rows, tabs=tabs)

    def _aligned_below(self, place: int, cells: list[tables.Span]) -> bool:
        """Whether the next line has its second cell in the same column."""
        if place >= len(self.lines) or not cells:
            return False
        start, end = self.lines[place]
        below = tables.aligned_cells(self.text, start, end)
        here = self.lines[place - 1][0]
        return len(below) == 2 and below[1][0] - start == cells[1][0] - here

    def _holds_labels_or_boxes(self, start: int, end: int, cells: list[tables.Span]) -> bool:
        """`Name: Tom   Born: 1970` and lines of boxes are no table, though blanks part them."""
        line = self.text[start:end]
        may_hold_boxes = self._has_boxes and self._may_hold_boxes(start, end)
        if may_hold_boxes and boxes.boxes_of_line(self.text, start, end):
            return True
        colons = sum(
            self.text[slice(*cell)].rstrip().endswith(":") or ": " in self.text[slice(*cell)]
            for cell in cells
        )
        return (
            colons * 2 >= len(cells)
            or LIST_ITEM.match(line) is not None
            or bool(boxes.bare_signs(self.text, start, end))
        )

    def _read_two_columns(
        self, number: int, rows: list[tuple[int, int, list[tables.Span]]], *, tabs: bool
    ) -> int:
        """Label and value side by side: of two lines or more, or under a usual caption."""
        cells = rows[0][2]
        if len(cells) != 2:
            return 0
        kept = [row for row in rows if len(row[2]) == 2]
        if len(kept) == len(rows) > 1 and tables.heads(
            self.text, cells, [row[2] for row in rows[1:20]], ruled=False
        ):
            self._keep_rows(rows, ruled=True)
            return number + len(rows)
        known = is_caption(self.text[slice(*cells[0])])
        if (
            len(rows) < 2
            and not known
            and not tabs
            and state_of(self.text[slice(*cells[1])]) is None
        ):
            return 0
        if len(kept) < len(rows):
            kept = rows[:1]
        for row_start, row_end, (label, value) in kept:
            if self._read_boxes(number, row_start, row_end):
                continue
            self._keep_fields([LabelSpan(*label, *value)], row_start, row_end)
        return number + len(kept)

    def _keep_rows(self, rows: list[tuple[int, int, list[tables.Span]]], *, ruled: bool) -> None:
        """A table with headings, or labels and values where each row has two cells."""
        text = self.text
        cells = [row for _, _, row in rows]
        has_head = len(rows) > 1 and tables.heads(text, cells[0], cells[1:20], ruled=ruled)
        if not has_head and max(map(len, cells)) == 2:
            for start, end, row in rows:
                if len(row) != 2:
                    self._add(BlockKind.ROW, start, end)
                elif not self._read_boxes(-1, start, end):
                    self._keep_fields([LabelSpan(*row[0], *row[1])], start, end)
            return
        header = tuple(cells[0]) if has_head else ()
        self._mark_header(header)
        for number, (start, end, row) in enumerate(rows):
            self._record += 1
            self._add(BlockKind.ROW, start, end, self._record)
            if number or not has_head:
                self._keep_cells(header, row)
        self.tables.append(
            Table(rows[0][0], rows[-1][1], header, tuple(map(tuple, cells[has_head:])))
        )
        self._labels.clear()

    def _mark_header(self, header: Sequence[tables.Span]) -> None:
        """A heading names what its cells may say; by itself it states nothing."""
        self.states += [StateSpan(*cell, State.UNANSWERED) for cell in header if cell[0] < cell[1]]

    def _keep_cells(self, header: Sequence[tables.Span], row: Sequence[tables.Span]) -> None:
        for column, (start, end) in enumerate(row):
            label = header[column] if column < len(header) else (start, start)
            state = state_of(self.text[start:end]) if column < len(header) else None
            self.fields.append(LabelledField(*label, start, end, state, self._record))

    def _read_dump(self, number: int) -> int:
        """INSERT and COPY statements: one record for each row, labelled by the columns."""
        text = self.text
        start, last = self.lines[number][0], self.lines[-1][1]
        if hit := tables.COPY.match(text, start, last):
            return self._read_copy(number, hit)
        hit = tables.INSERT.match(text, start, last)
        if hit is None:
            return 0
        columns = tables.columns_of_insert(text, hit)
        if hit["columns"]:
            self._mark_header(columns)
        place, rows = hit.end(), []
        for row, end in tables.sql_rows(text, place, last):
            self._record += 1
            self._add(BlockKind.ROW, row[0][0], end, self._record)
            self._keep_cells(columns, row)
            rows.append(tuple(row))
            place = end
        if not rows:
            return 0
        self.tables.append(Table(hit.start(), place, tuple(columns), tuple(rows)))
        return self._line_after(number, place)

    def _read_copy(self, number: int, hit: re.Match[str]) -> int:
        columns = tables.sql_columns(self.text, hit.start("columns"), hit.end("columns"))
        self._mark_header(columns)
        rows: list[tuple[tables.Span, ...]] = []
        for start, end in self.lines[number + 1 :]:
            if self.text.startswith("\\.", start) or start == end:
                break
            self._record += 1
            self._add(BlockKind.ROW, start, end, self._record)
            rows.append(tuple(tables.tab_cells(self.text, start, end)))
            self._keep_cells(columns, rows[-1])
        after = number + 1 + len(rows)
        self.tables.append(
            Table(hit.start(), self.lines[after - 1][1], tuple(columns), tuple(rows))
        )
        return min(after + 1, len(self.lines))

    def _line_after(self, number: int, offset: int) -> int:
        while number < len(self.lines) and self.lines[number][1] <= offset:
            number += 1
        return number + 1 if number < len(self.lines) and self.lines[number][0] < offset else number

    # boxes

    def _read_boxes(self, number: int, start: int, end: int) -> bool:
        question = boxes.boxes_of_line(self.text, start, end)
        if question is None:
            return False
        text, items = self.text, question.items
        if is_task(text, start, items):
            return False
        self._form_lines += 1
        self._record_of_line()
        if boxes.is_yes_no(text, items):
            if question.start == question.end:
                question = boxes.Question(*self._question_above(), items)
            elif number > 0:
                question = question._replace(start=self._question_start(question))
            if question.start < question.end:
                state = boxes.answer_of(text, items)
                value = items[0].sign_start, items[-1].end
                self.fields.append(
                    LabelledField(question.start, question.end, *value, state, self._record)
                )
                self.states.append(StateSpan(question.start, max(end, question.end), state))
        elif question.start < question.end or not self._group:
            self._close_group()
            self._group = [question]
        else:
            self._group.append(question)
        self.questions.append(question)
        self._add(BlockKind.FORM_LINE, start, end, self._record)
        return True

    def _question_above(self) -> tuple[int, int]:
        """The block before a line that holds nothing but the boxes for Yes and No."""
        if self.blocks and self.blocks[-1].kind in {
            BlockKind.PARAGRAPH,
            BlockKind.LIST_ITEM,
            BlockKind.HEADING,
        }:
            return self.blocks[-1].start, self.blocks[-1].end
        return 0, 0

    def _question_start(self, question: boxes.Question) -> int:
        """A question that began on the lines before: those ran to the margin without an end."""
        if (
            self.blocks
            and self._open
            and self.blocks[-1].kind in {BlockKind.PARAGRAPH, BlockKind.LIST_ITEM}
        ):
            before = self.blocks[-1]
            if self.text[before.end - 1] not in ".:;!?" and question.start - before.end < 40:
                return before.start
        return question.start

    def _close_group(self) -> None:
        """The items of a list to tick, once all its lines are known."""
        if not self._group:
            return
        items = tuple(item for question in self._group for item in question.items)
        head = self._group[0]
        if head.start < head.end:
            self.states.append(StateSpan(head.start, head.end, State.UNANSWERED))
        for item, state in zip(items, boxes.item_states(self.text, items), strict=True):
            first, last = min(item.start, item.sign_start), max(item.end, item.sign_end)
            self.states.append(StateSpan(first, last, state))
            self.fields.append(
                LabelledField(
                    item.start, item.end, item.sign_start, item.sign_end, state, self._record
                )
            )
        self._group = []

    # labelled fields

    def _read_fields(self, number: int, start: int, end: int, line: str) -> bool:
        text = self.text
        if (line[0].isdigit() or line[0] in "[(") and (hit := CHAT.match(text, start, end)):
            self._message += 1
            self._record += 1
            self.fields.append(
                LabelledField(*hit.span("speaker"), hit.end(), end, None, self._record)
            )
            self._add(BlockKind.PARAGRAPH, start, end, self._record)
            self._open = True
            return True
        spans = labels_in_line(text, start, end) if ":" in line or "=" in line else []
        if not spans and ("..." in line or "___" in line or "…" in line):
            leader = leader_in_line(text, start, end)
            spans = [leader] if leader else []
        if not spans:
            return self._read_answer(number, start, end, line)
        if (
            spans[-1].start == spans[-1].end
            and ":" in line
            and self._value_is_below(number, spans[-1])
        ):
            return False
        self._keep_fields(spans, start, end)
        return True

    def _read_answer(self, number: int, start: int, end: int, line: str) -> bool:
        """A question with its answer, or a caption above its value."""
        answered = answered_in_line(self.text, start, end, line)
        if answered is None:
            return self._read_stacked(number, start, end, line)
        if (
            answered.start == answered.end
            and ":" in line
            and self._value_is_below(number, answered)
        ):
            return False
        self._keep_fields([answered], start, end)
        return True

    def _value_is_below(self, number: int, span: LabelSpan) -> bool:
        """Whether a label without a value heads the text below, rather than wait for an answer."""
        below = self.lines[number + 1] if number + 1 < len(self.lines) else (0, 0)
        if below[0] == below[1]:
            below = self.lines[number + 2] if number + 2 < len(self.lines) else (0, 0)
            if below[0] == below[1]:
                return False
        line = self.text[slice(*below)]
        if (
            labels_in_line(self.text, *below)
            or is_caption(line)
            or (self._may_hold_boxes(*below) and boxes.boxes_of_line(self.text, *below))
        ):
            return False
        if state_of(line) is State.UNANSWERED or UNDERLINE.fullmatch(line):
            return False
        label_end = span.label_end
        self.fields.append(
            LabelledField(span.label_start, label_end, *below, state_of(line), self._record)
        )
        return True

    def _read_stacked(self, number: int, start: int, end: int, line: str) -> bool:
        """A caption above its value."""
        if not is_caption(line):
            return False
        self._weak_lines += 1
        if number + 1 >= len(self.lines):
            return False
        below = self.lines[number + 1]
        if (
            below[0] == below[1]
            or is_caption(self.text[slice(*below)])
            or ":" in self.text[slice(*below)]
        ):
            return False
        label = tables.stripped(self.text, start, end)
        if self._is_heading(number, line):
            return False
        self._keep_fields([LabelSpan(*label, *tables.stripped(self.text, *below))], start, end)
        return True

    def _record_of_line(self) -> None:
        """Lines of a form belong to one record until a blank line and a new label."""
        last = self.blocks[-1] if self.blocks else None
        if last is None or last.record < 0:
            self._record += 1
            self._labels.clear()

    def _keep_fields(self, spans: Sequence[LabelSpan], start: int, end: int) -> None:
        text = self.text
        self._record_of_line()
        for one in spans:
            label = text[one.label_start : one.label_end].lower()
            if label in self._labels:
                self._record += 1
                self._labels.clear()
            self._labels.add(label)
            state = state_of(text[one.start : one.end])
            if state is State.UNANSWERED and text[one.label_end : one.end].strip(" \t:*|"):
                self._form_lines += 1
            else:
                self._weak_lines += state is not None
            self.fields.append(LabelledField(*one, state, self._record))
            self._mark_field(one, label, state)
        self._add(BlockKind.FORM_LINE, start, end, self._record)
        self._open = len(spans) == 1 and end - start >= MARGIN

    def _mark_field(self, one: LabelSpan, label: str, state: State | None) -> None:
        if state is State.DENIED:
            end = first_clause(self.text, one.start, one.end)
            self.states.append(StateSpan(one.label_start, end, state))
        elif state is not None:
            self.states.append(StateSpan(one.label_start, max(one.end, one.label_end), state))
        elif DENIAL_LABEL.fullmatch(label.strip()):
            self.states.append(StateSpan(one.start, one.end, State.DENIED))
        elif ASKING.search(label):
            self.states.append(StateSpan(one.label_start, one.label_end, State.UNANSWERED))

    def _mark_instructions(self) -> None:
        """The title and the paragraphs of a form that tell its reader what to do."""
        for number, block in enumerate(self.blocks):
            if block.kind in {BlockKind.ROW, BlockKind.MESSAGE_START}:
                continue
            text = self.text[block.start : block.end]
            if block.kind is BlockKind.FORM_LINE and not NOTICE.match(text):
                continue
            if block.kind is BlockKind.HEADING or not number or is_instruction(text):
                self.states.append(StateSpan(block.start, block.end, State.UNANSWERED))


def is_prose(line: str) -> bool:
    """Whether no sign of a message, table or label stands in a line."""
    return (
        line[0].isalpha()
        and SIGNS.search(line) is None
        and "  " not in line
        and "..." not in line
        and line[:5].lower() != "begin"  # of "begin forwarded message"
    )


def lines_of(text: str, end: int) -> list[tuple[int, int]]:
    """Spans of the lines without the blanks at their ends."""
    lines, place = [], 0
    for line in text[:end].replace("\f", "\n").replace("\v", "\n").split("\n"):
        bare = len(line.rstrip())
        lines.append((place, place + bare))
        place += len(line) + 1
    return lines


def first_clause(text: str, start: int, end: int) -> int:
    """Where a denial ends inside its value: "No, but asthma as a child"."""
    for sign in (". ", "; ", ", but", " but ", " except", " apart from"):
        found = text.find(sign, start, end)
        if found >= 0:
            end = found
    return end


def is_ruled_field(text: str, cells: Sequence[tables.Span]) -> bool:
    """A line of leaders or blanks to write on is a field, not a row."""
    return any(set(text[slice(*cell)]) <= set("._…- ") for cell in cells)


def is_task(text: str, start: int, items: Sequence[boxes.BoxItem]) -> bool:
    """An entry of a to-do list: what it names stands, done or not."""
    if len(items) != 1 or text[start : start + 40].lstrip()[:1] not in "-*":
        return False
    return text.count(" ", items[0].start, items[0].end) >= 4
