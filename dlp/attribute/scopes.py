"""Cut the text of a part into nested scopes: messages, blocks and sentences.

In: text.  Out: Scopes, which answer where a position stands; all offsets are half-open.

A block is a paragraph, a row, a list item, a form line. A message is one mail of a thread or one
turn of a chat. Wrapped prose stays one block: a line that reaches the margin goes on.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple

from dlp.text.sentences import sentence_starts

MARGIN = 50  # characters; a shorter line ends its paragraph
# What opens a line of its own: a list item, a time, a label, a table cell, a quoted line.
OPENING = re.compile(
    r"[ \t]*(?:[-*•·▪◦–—☐☒☑✓✗|>#]|\(?[0-9]{1,2}[.):]|\[.{0,3}\]|[A-Z][\w /&'().-]{0,40}?(?::|\.{4,}|\t))"
)
# A line that begins another message: mail headers of a quoted message, separators, chat stamps.
MESSAGE = re.compile(
    r"(?m)^[ \t>*]*(?:-{2,} ?(?:original|forwarded)\b.*|begin forwarded message.*|_{20,}[ \t]*"
    r"|on .{4,80} wrote:?[ \t]*|from:[^\n]*\n(?=[ \t>*]*(?:sent|date|to|subject|cc)\b[^\n]{0,4}:))",
    re.IGNORECASE,
)


class Span(NamedTuple):
    start: int
    end: int


class Scopes:
    """The scopes of one part, each kind as a sorted list of starts."""

    __slots__ = ("blocks", "length", "messages", "sentences", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.length = len(text)
        self.sentences = sentence_starts(text)
        self.blocks = block_starts(text)
        self.messages = message_starts(text)

    def sentence(self, position: int) -> Span:
        return self._around(self.sentences, position)

    def block(self, position: int) -> Span:
        return self._around(self.blocks, position)

    def message(self, position: int) -> Span:
        return self._around(self.messages, position)

    def _around(self, starts: tuple[int, ...], position: int) -> Span:
        index = bisect_right(starts, position) - 1
        end = starts[index + 1] if index + 1 < len(starts) else self.length
        return Span(starts[index], end)


def block_starts(text: str) -> tuple[int, ...]:
    starts = [0]
    line = 0
    while (end := text.find("\n", line)) >= 0:
        short = end - line < MARGIN
        line = end + 1
        if short or OPENING.match(text, line):
            starts.append(line)
    if len(starts) > 1 and starts[-1] >= len(text):
        starts.pop()
    return tuple(starts)


def message_starts(text: str) -> tuple[int, ...]:
    found = {0}
    if "rom:" in text or "ROM:" in text or "wrote" in text or "essage" in text or "____" in text:
        found.update(match.start() for match in MESSAGE.finditer(text))
    return tuple(sorted(found))
