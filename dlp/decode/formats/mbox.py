"""Read mailboxes: messages one after another, each behind a "From " line.

In: an open mbox.  Out: each message as a file of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from dlp.decode.contract import Embedded, Item, Limits
from dlp.model import Gap, GapCode

MEDIA_TYPES = frozenset({"application/mbox"})
LINE = 65_536  # a longer line comes in pieces; only its first piece can start a message
MAX_MESSAGE = 40_000_000


def extract(source: BinaryIO, limits: Limits) -> Iterator[Item]:
    number, lines, size, blank, at_start = 0, [b""], 0, True, True
    while line := source.readline(LINE):
        if blank and at_start and line.startswith(b"From "):
            if any(lines):
                number += 1
                yield from message(number, lines, size)
            lines, size = [], 0
        elif size < MAX_MESSAGE:
            # ">From " is how a writer escapes the mark inside a text
            lines.append(line[1:] if at_start and line.startswith(b">From ") else line)
            size += len(line)
        else:
            size += len(line)
        blank = at_start and not line.strip()
        at_start = line.endswith(b"\n")
        if number > limits.max_entries:
            yield Gap(GapCode.TOO_LARGE, "messages")
            return
    if any(lines):
        yield from message(number + 1, lines, size)


def message(number: int, lines: list[bytes], size: int) -> Iterator[Item]:
    where = f"message:{number}"
    yield Embedded(where, "", b"".join(lines), "message/rfc822")
    if size > MAX_MESSAGE:
        yield Gap(GapCode.TOO_LARGE, where)
