"""Cut a message into its parts where nothing is unusual about it.

In: the text of a message.  Out: what the parser of the standard library makes of it, or None.

That parser looks at every line, asks each open boundary about it, and compiles a pattern for each
boundary. Here the next boundary is looked for in the text. Whatever is rare is left to it: headers
that are none, messages inside messages, boundaries that are missing.
"""

from __future__ import annotations

import re
from email import policy
from email.message import Message

HEADER = re.compile(r"[!-9;-~]+:|[\t ]")
LINE_ENDS = ("\r\n", "\n")
MAX_LEVELS = 50  # beyond them nobody reads


class UnusualError(Exception):
    """Something that only the standard library reads as it does."""


def message_of(text: str) -> Message | None:
    """The message, with all of its parts; None if it is unusual."""
    returns = text.count("\r")
    if returns and returns != text.count("\r\n"):
        return None  # a line may end there as well
    try:
        return Cutter(text).message(None)
    except UnusualError:
        return None


class Boundary:
    """The line between the parts of a message, or behind the last of them."""

    __slots__ = ("line", "place")

    def __init__(self, line: str) -> None:
        self.line = line
        self.place = -1  # of the next; beyond the text if there is none in the part around


class Cutter:
    """Walks through a text; each place is looked at a few times, however parts are nested."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.place = 0
        self.open: list[Boundary] = []  # of the parts around, the innermost last

    def message(self, around: Message | None) -> Message:
        message: Message = Message(policy.compat32)
        if around is not None:
            around.attach(message)
        self.read_headers(message)
        kind = message.get_content_maintype()
        if kind == "multipart":
            self.read_parts(message)
        elif kind == "message":
            raise UnusualError
        else:
            text = self.up_to(self.next_boundary())
            message.set_payload(text if around is None else without_line_end(text))
        return message

    def read_headers(self, message: Message) -> None:
        text, lines = self.text, [""]
        while True:
            end = text.find("\n", self.place) + 1
            line = text[self.place : end]
            if line in LINE_ENDS:
                break
            # nothing is also what an end without a blank line looks like
            if not HEADER.match(line) or line.startswith("--"):
                raise UnusualError
            self.place = end
            if line[0] in " \t":
                lines.append(line)
            else:
                keep_header(message, lines)
                lines = [line]
        keep_header(message, lines)
        self.place = end

    def read_parts(self, message: Message) -> None:
        boundary = message.get_boundary()
        unread = boundary is None or "\n" in boundary
        deep = len(self.open) >= MAX_LEVELS
        if unread or deep or message.get_content_type() == "multipart/digest":
            raise UnusualError
        own = Boundary(f"--{boundary}")
        self.open.append(own)
        first = self.next_boundary()
        if first != own.place:
            raise UnusualError
        if first > self.place:
            message.preamble = without_line_end(self.up_to(first))
        last = self.is_last(own)
        if last:
            raise UnusualError
        while not last:
            if self.text.startswith(own.line, self.place):
                raise UnusualError  # a boundary behind a boundary
            self.message(message)
            if self.place != own.place:  # cut off, or the part around ends here
                self.open.pop()
                return
            last = self.is_last(own)
        self.open.pop()
        text = self.up_to(self.next_boundary())
        message.epilogue = without_line_end(text) if text and self.open else text
        if self.open and not text:
            message.epilogue = None

    def is_last(self, own: Boundary) -> bool:
        """Go behind the boundary at this place, and say whether parts follow."""
        behind = self.place + len(own.line)
        self.place = line_end(self.text, behind)
        return self.text.startswith("--", behind)

    def up_to(self, end: int) -> str:
        start, self.place = self.place, end
        return self.text[start:end]

    def next_boundary(self) -> int:
        """Where a line begins that ends this part; the end of the text if none does."""
        end = len(self.text)
        # The outer ones first: none is looked for beyond the end of the part around it.
        for boundary in self.open:
            if boundary.place < self.place:
                boundary.place = self.find(boundary.line, end)
            end = min(end, boundary.place)
        return end

    def find(self, line: str, end: int) -> int:
        """The place of the next boundary; beyond the text if there is none before the end."""
        text = self.text
        place = text.find(line, self.place, end)
        while place >= 0:
            behind = place + len(line)
            begins = place == 0 or text[place - 1] == "\n"
            if begins and is_bare(text, behind):
                return place
            place = text.find(line, place + 1, end)
        return len(text) + 1


def is_bare(text: str, behind: int) -> bool:
    """Whether nothing else stands on the line of a boundary."""
    if text.startswith("--", behind):
        behind += 2
    return not text[behind : line_end(text, behind)].strip(" \t").rstrip("\n").rstrip("\r")


def line_end(text: str, place: int) -> int:
    return text.find("\n", place) + 1 or len(text)


def keep_header(message: Message, lines: list[str]) -> None:
    if lines[0]:
        message.set_raw(*policy.compat32.header_source_parse(lines))
    elif len(lines) > 1:
        raise UnusualError  # it goes on with nothing


def without_line_end(text: str) -> str:
    """The end of the line before a boundary belongs to the boundary."""
    if text.endswith("\r\n"):
        return text[:-2]
    return text.removesuffix("\n")
