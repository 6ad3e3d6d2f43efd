"""Read one compressed stream: gzip, bzip2, xz, lzma, zlib; a tar inside is read as it unpacks.

In: an open compressed file.  Out: the file inside, or the members of the tar inside.
"""

from __future__ import annotations

import bz2
import io
import lzma
import zlib
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO

from dlp.decode import identify
from dlp.decode.contract import BudgetExceededError, Embedded, Item, Limits
from dlp.decode.formats import tar
from dlp.model import Gap, GapCode

# Decompress a stream with every byte counted.

CHUNK = 65_536
RATIO_FREE_BYTES = 1_000_000  # small files may pack as well as they like
MAX_LZMA_MEMORY = 96 << 20
MAKERS: dict[str, Callable[[], Any]] = {
    "application/gzip": lambda: zlib.decompressobj(31),
    "application/zlib": lambda: zlib.decompressobj(15),
    "application/x-bzip2": bz2.BZ2Decompressor,
    "application/x-xz": lambda: lzma.LZMADecompressor(memlimit=MAX_LZMA_MEMORY),
    "application/x-lzma": lambda: lzma.LZMADecompressor(memlimit=MAX_LZMA_MEMORY),
}
DAMAGE = (zlib.error, lzma.LZMAError, OSError, EOFError, ValueError)


class Inflating(io.RawIOBase):
    """Reads through several members put one after another; `damaged` says why it stopped early."""

    def __init__(self, source: BinaryIO, media_type: str, limits: Limits) -> None:
        self._source, self._make, self._limits = source, MAKERS[media_type], limits
        self._inflater = self._make()
        self._fed = b""
        self._packed = self._inflated = 0
        self.damaged = False

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        """Up to `size` bytes; like a file, short only at the end."""
        wanted = CHUNK if size is None or size < 0 else size
        pieces = []
        while wanted > 0 and (piece := self._step(wanted)):
            pieces.append(piece)
            wanted -= len(piece)
        return b"".join(pieces)

    def _step(self, size: int) -> bytes:
        while not self.damaged:
            if self._inflater.eof and not self._next_member():
                return b""
            if not self._fed and getattr(self._inflater, "needs_input", True):
                self._fed = self._source.read(CHUNK)
                self._packed += len(self._fed)
                if not self._fed:
                    self.damaged = True  # it ends before its own end mark
                    return b""
            try:
                data = bytes(self._inflater.decompress(self._fed, size))
            except DAMAGE:
                self.damaged = True
                return b""
            self._fed = getattr(self._inflater, "unconsumed_tail", b"")
            if data:
                self._charge(len(data))
                return data
        return b""

    def _next_member(self) -> bool:
        rest = (self._inflater.unused_data + self._fed) or self._source.read(CHUNK)
        self._packed += 0 if self._inflater.unused_data else len(rest)
        rest = rest.lstrip(b"\0")  # writers pad to whole blocks
        if not rest:
            return False
        self._inflater, self._fed = self._make(), rest
        return True

    def _charge(self, count: int) -> None:
        self._inflated += count
        too_thin = self._inflated > self._limits.max_ratio * max(1, self._packed)
        if self._inflated > self._limits.max_inflated_bytes or (
            too_thin and self._inflated > RATIO_FREE_BYTES
        ):
            raise BudgetExceededError(GapCode.TOO_LARGE, "content")


MEDIA_TYPES = frozenset(
    {
        "application/gzip",
        "application/x-bzip2",
        "application/x-xz",
        "application/x-lzma",
        "application/zlib",
    }
)
HEADER_BYTES = 66_000
SHORT_EXTRA = 32  # of other programs: sizes of blocks and the like
MAX_CONTENT = 72_000_000  # held in memory while it is read
MARKS = ((b"\x1f\x8b", "application/gzip"), (b"BZh", "application/x-bzip2"),
         (b"\xfd7zXZ", "application/x-xz"), (b"]\0\0", "application/x-lzma"))  # fmt: skip


def extract(source: BinaryIO, limits: Limits) -> Iterator[Item]:
    mark = source.read(6)
    source.seek(0)
    media_type = next((kind for start, kind in MARKS if mark.startswith(start)), "application/zlib")
    name, more = gzip_header(source) if media_type == "application/gzip" else ("", b"")
    if more:
        yield Embedded("header", "", more)
    stream = Inflating(source, media_type, limits)
    head = stream.read(512)
    if len(head) == 512 and (head[257:262] == b"ustar" or identify.is_old_tar(head)):
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


def gzip_header(source: BinaryIO) -> tuple[str, bytes]:
    """The original file name, and what else was written before the content."""
    head = source.read(HEADER_BYTES)
    source.seek(0)
    flags, place, more = (head[3] if len(head) >= 10 else 0), 10, b""
    if flags & 4:
        place += 2 + int.from_bytes(head[10:12], "little")
        more = head[16:place] if place > 16 + SHORT_EXTRA else b""
    name = b""
    if flags & 8:
        name, _, _ = head[place:].partition(b"\0")
        place += len(name) + 1
    if flags & 16:
        more += b"\n" + head[place:].partition(b"\0")[0]
    return name.decode("latin-1"), more.strip()


class Rejoined(io.RawIOBase):
    """A stream whose first bytes were read already."""

    def __init__(self, head: bytes, rest: Inflating) -> None:
        self._head, self._rest = head, rest

    def read(self, size: int = -1) -> bytes:
        if not self._head:
            return self._rest.read(size)
        taken, self._head = self._head[:size], self._head[size:]
        return taken if len(taken) == size else taken + self._rest.read(size - len(taken))
