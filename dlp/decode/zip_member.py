"""Inflate one member of a zip, every byte of it counted.

In: an open zip and what its directory says of a member.  Out: its bytes, piece by piece.
"""

from __future__ import annotations

import bz2
import lzma
import struct
import time
import zlib
from typing import BinaryIO, Protocol

from dlp.decode.contract import Budget, BudgetExceededError, Limits
from dlp.decode.zip_directory import BZIP2, DEFLATED, LOCAL, LOCAL_FIELDS, LZMA, STORED, Entry
from dlp.model import Gap, GapCode

CHUNK = 1 << 16
TIME_SHARE = 0.8
RATIO_FREE_BYTES = 1_000_000  # small files may pack as well as they like
MAX_LZMA_DICTIONARY = 64 << 20


class UnreadableError(Exception):
    """Carries the gap for one member, and what could be read of it before the damage."""

    def __init__(self, code: GapCode, where: str, partial: bytes = b"") -> None:
        self.gap = Gap(code, where)
        self.partial = partial
        super().__init__(code.value)


class Inflater(Protocol):
    @property
    def eof(self) -> bool: ...

    def decompress(self, data: bytes, max_length: int = ..., /) -> bytes: ...


class Ratio:
    """Inflated against packed bytes of one zip, and the time for all of it.

    Over the whole file, not per member: the white preview picture of one page packs 500 to 1.
    """

    def __init__(self, packed: int, limits: Limits) -> None:
        self.inflated = 0
        self._most = max(RATIO_FREE_BYTES, limits.max_ratio * packed)
        # What was read by then is given; whoever waits longer only kills us and gets nothing.
        self.deadline = time.monotonic() + TIME_SHARE * limits.wall_seconds

    @property
    def exceeded(self) -> bool:
        return self.inflated > self._most

    def allows(self, count: int) -> bool:
        """Whether so many more bytes are within the ratio, and there is time for them."""
        return self.inflated + count <= self._most and time.monotonic() <= self.deadline


class Member:
    """A member being inflated: read() never gives more than asked, and never past the budget."""

    def __init__(self, source: BinaryIO, entry: Entry, budget: Budget, ratio: Ratio) -> None:
        self._source, self._entry, self._budget, self._ratio = source, entry, budget, ratio
        source.seek(entry.offset)
        header = source.read(LOCAL_FIELDS.size)
        if len(header) < LOCAL_FIELDS.size or header[:4] != LOCAL:
            raise UnreadableError(GapCode.CORRUPT, entry.where)
        self._at = entry.offset + LOCAL_FIELDS.size + sum(struct.unpack("<2H", header[26:30]))
        self._left = entry.packed
        self._crc = 0
        self._tail = b""
        self._done = False
        self._inflater: Inflater | None = None
        if entry.method != STORED:
            self._inflater = self._make_inflater()
        elif self._left is None:
            raise UnreadableError(GapCode.CORRUPT, entry.where)

    def read(self, size: int = CHUNK) -> bytes:
        size = CHUNK if size is None or size < 0 else max(size, 1)
        data = self._step(size)
        self._crc = zlib.crc32(data, self._crc)
        if data:
            self._charge(len(data))
        elif self._entry.crc is not None and self._crc != self._entry.crc:
            raise UnreadableError(GapCode.CORRUPT, self._entry.where)
        return data

    def _step(self, size: int) -> bytes:
        if self._inflater is None:
            return self._packed(size)
        while not self._done:
            try:
                data = self._inflate(self._inflater, size)
            except (zlib.error, OSError, EOFError, lzma.LZMAError, ValueError):
                raise UnreadableError(GapCode.CORRUPT, self._entry.where) from None
            self._done = self._inflater.eof
            if data:
                return data
        return b""

    def _inflate(self, inflater: Inflater, size: int) -> bytes:
        waiting = self._tail or not getattr(inflater, "needs_input", True)
        fed = self._tail if waiting else self._packed(CHUNK)
        data = inflater.decompress(fed, size)
        self._tail = getattr(inflater, "unconsumed_tail", b"")
        if not data and not fed and not inflater.eof:
            raise EOFError  # the member ends before its own end mark
        return data

    def _packed(self, size: int) -> bytes:
        if self._left is not None:
            size = min(size, self._left)
        self._source.seek(self._at)
        data = self._source.read(size)
        self._at += len(data)
        if self._left is not None:
            if size and not data:
                raise UnreadableError(GapCode.CORRUPT, self._entry.where)
            self._left -= len(data)
        return data

    def _charge(self, count: int) -> None:
        where = self._entry.where
        self._budget.take_bytes(count, where)
        self._ratio.inflated += count
        if self._ratio.exceeded:
            raise BudgetExceededError(GapCode.TOO_LARGE, where)
        if time.monotonic() > self._ratio.deadline:
            raise BudgetExceededError(GapCode.TIMEOUT, where)

    def _make_inflater(self) -> Inflater:
        if self._entry.method == DEFLATED:
            return zlib.decompressobj(-zlib.MAX_WBITS)
        if self._entry.method == BZIP2:
            return bz2.BZ2Decompressor()
        if self._entry.method == LZMA:
            return lzma_inflater(self._packed(9), self._entry.where)
        raise UnreadableError(GapCode.UNSUPPORTED, self._entry.where)


def lzma_inflater(head: bytes, where: str) -> Inflater:
    """Zip puts a version, a length and five property bytes in front of a raw LZMA stream."""
    if len(head) < 9 or head[2:4] != b"\5\0" or head[4] >= 225:
        raise UnreadableError(GapCode.CORRUPT, where)
    dictionary = int.from_bytes(head[5:9], "little")
    if dictionary > MAX_LZMA_DICTIONARY:
        raise UnreadableError(GapCode.TOO_LARGE, where)
    rest, lc = divmod(head[4], 9)
    pb, lp = divmod(rest, 5)
    chain = [{"id": lzma.FILTER_LZMA1, "dict_size": dictionary, "lc": lc, "lp": lp, "pb": pb}]
    try:
        return lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=chain)
    except (lzma.LZMAError, ValueError):
        raise UnreadableError(GapCode.CORRUPT, where) from None
