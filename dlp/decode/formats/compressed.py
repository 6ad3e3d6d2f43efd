"""Read one compressed stream: gzip, bzip2, xz, lzma, zlib; a tar inside is read as it unpacks.

In: an open compressed file.  Out: the file inside, or the members of the tar inside.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import BinaryIO

from dlp.decode import signatures
from dlp.decode.contract import BudgetExceededError, Embedded, Item, Limits
from dlp.decode.formats import tar
from dlp.decode.inflating import Inflating
from dlp.model import Gap, GapCode

MEDIA_TYPES = frozenset(
    {
        "application/gzip",
        "application/x-bzip2",
        "application/x-xz",
        "application/x-lzma",
        "application/zlib",
    }
)
MAX_CONTENT = 72_000_000  # held in memory while it is read
MARKS = ((b"\x1f\x8b", "application/gzip"), (b"BZh", "application/x-bzip2"),
         (b"\xfd7zXZ", "application/x-xz"), (b"]\0\0", "application/x-lzma"))  # fmt: skip


def extract(source: BinaryIO, limits: Limits) -> Iterator[Item]:
    mark = source.read(6)
    source.seek(0)
    media_type = next((kind for start, kind in MARKS if mark.startswith(start)), "application/zlib")
    name = gzip_name(source) if media_type == "application/gzip" else ""
    stream = Inflating(source, media_type, limits)
    head = stream.read(512)
    if len(head) == 512 and (head[257:262] == b"ustar" or signatures.is_old_tar(head)):
        yield from tar.members(Rejoined(head, stream), limits)
    else:
        yield from content(head, stream, name)
    if stream.damaged:
        yield Gap(GapCode.CORRUPT, "content")


def content(head: bytes, stream: Inflating, name: str) -> Iterator[Item]:
    whole = io.BytesIO()  # pieces in a list would leave the heap full of holes of their size
    size = whole.write(head)
    try:
        while size <= MAX_CONTENT and (piece := stream.read(65_536)):
            size += whole.write(piece)
    except BudgetExceededError as error:
        yield error.gap
    if size > MAX_CONTENT:
        yield Gap(GapCode.TOO_LARGE, "content")
    if size:
        yield Embedded("content", name, whole.getvalue())  # the same bytes, not a copy


def gzip_name(source: BinaryIO) -> str:
    """The original file name, if the header kept it."""
    head = source.read(1024)
    source.seek(0)
    if len(head) < 10 or not head[3] & 8:
        return ""
    start = 10 + (2 + int.from_bytes(head[10:12], "little") if head[3] & 4 else 0)
    return head[start : head.find(b"\0", start)].decode("latin-1")


class Rejoined(io.RawIOBase):
    """A stream whose first bytes were read already."""

    def __init__(self, head: bytes, rest: Inflating) -> None:
        self._head, self._rest = head, rest

    def read(self, size: int = -1) -> bytes:
        if not self._head:
            return self._rest.read(size)
        taken, self._head = self._head[:size], self._head[size:]
        return taken if len(taken) == size else taken + self._rest.read(size - len(taken))
