"""Decompress a stream with every byte counted.

In: an open gzip, bzip2, xz, lzma or zlib file.  Out: a readable stream that stops at the limits.
"""

from __future__ import annotations

import bz2
import io
import lzma
import zlib
from collections.abc import Callable
from typing import Any, BinaryIO

from dlp.decode.contract import BudgetExceededError, Limits
from dlp.model import GapCode

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
