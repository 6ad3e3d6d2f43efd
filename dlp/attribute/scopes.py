"""The nested scopes around a place in the text of a part.

In: the structure of a text (dlp/text/reader.py).  Out: Scopes, which answer in which sentence,
block, group and message a position stands; all spans are half-open.

A block is a paragraph, a row, a list item, a form line. A group is a row or the form lines that
belong together. A message is one mail of a thread.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from dlp.model import FieldMap, Part
from dlp.text.reader import read_structure
from dlp.text.sentences import sentence_starts
from dlp.text.structure import BlockKind, Structure

COLUMNS = 2
HEADING = 40  # characters of a column's heading at most
BLANK_LINE = re.compile(r"\n[ \t\r]*\n")


class Span(NamedTuple):
    start: int
    end: int


class Scopes:
    """The scopes of one part."""

    __slots__ = ("_messages", "_sentences", "length", "structure", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.length = len(text)
        self.structure: Structure = read_structure(text)
        self._sentences: tuple[int, ...] | None = None
        starts, number = [0], 0
        for block in self.structure.blocks:
            if block.message != number:
                number = block.message
                starts.append(block.start)
        self._messages = tuple(starts)

    def sentence(self, position: int) -> Span:
        if self._sentences is None:
            self._sentences = sentence_starts(self.text)
        return self._around(self._sentences, position)

    def block(self, position: int) -> tuple[BlockKind | None, Span, Span]:
        """The kind of the block, its span, and that of its group."""
        block = self.structure.block_at(position)
        if block is None:
            start = self.text.rfind("\n", 0, position) + 1
            end = self.text.find("\n", position)
            line = Span(start, end if end >= 0 else self.length)
            return None, line, line
        span = Span(block.start, block.end)
        if block.record < 0 or block.kind is BlockKind.ROW:
            return block.kind, span, span
        return block.kind, span, self._group(position, block.record)

    def message(self, position: int) -> Span:
        return self._around(self._messages, position)

    def neighbourhood(self, block: Span, reach: int, telling: Sequence[int]) -> Span:
        """A block, the lines around it and the paragraphs before and behind that tell of somebody.

        `telling`: where names and health terms stand. A paragraph without any ends it, and so does
        `reach`; neutral text put before or behind a leak therefore changes nothing about it.
        """
        low, high = max(0, block.start - reach), min(self.length, block.end + reach)
        start, end = block
        blanks = [one.span() for one in BLANK_LINE.finditer(self.text, low, block.start)]
        until = block.start
        for blank_start, blank_end in reversed(blanks):
            if blank_end < block.start and not is_told(telling, blank_end, until):
                break
            start, until = blank_end, blank_start
        else:
            if not blanks or is_told(telling, low, until):
                start = low
        since = block.end
        for blank in BLANK_LINE.finditer(self.text, max(block.end - 1, block.start), high):
            if since > block.end and not is_told(telling, since, blank.start()):
                return Span(start, end)
            end, since = max(block.end, blank.start()), blank.end()
        if since == block.end or is_told(telling, since, high):
            end = high
        return Span(start, end)

    def _group(self, position: int, record: int) -> Span:
        blocks = self.structure.blocks
        low = high = self.structure.block_number(position)
        while low > 0 and blocks[low - 1].record == record:
            low -= 1
        while high + 1 < len(blocks) and blocks[high + 1].record == record:
            high += 1
        return Span(blocks[low].start, blocks[high].end)

    def _around(self, starts: tuple[int, ...], position: int) -> Span:
        index = bisect_right(starts, position) - 1
        end = starts[index + 1] if index + 1 < len(starts) else self.length
        return Span(starts[index], end)


def is_told(telling: Sequence[int], start: int, end: int) -> bool:
    at = bisect_left(telling, start)
    return at < len(telling) and telling[at] < end


def with_tables(part: Part) -> Part:
    """A part whose format has no fields, with those of the tables in its text."""
    if part.fields is not None:
        return part
    fields, record = FieldMap(), 0
    for table in read_structure(part.text).tables:
        labels = [part.text[start:end].strip() for start, end in table.header]
        if len(labels) < COLUMNS or max(map(len, labels)) > HEADING:
            continue
        for row in table.rows:
            if len(row) != len(labels):
                continue
            record += 1
            for label, (start, end) in zip(labels, row, strict=True):
                if label and start < end:
                    fields.add(label, start, end, record)
    return replace(part, fields=fields) if len(fields) else part
