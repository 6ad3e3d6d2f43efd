"""What a format module and the reader promise each other.

In: nothing.  Out: Embedded, Limits, Budget and the Extractor signature.

A format is one module in dlp/decode/formats/ with two names:

    MEDIA_TYPES = frozenset({"message/rfc822"})
    def extract(source: BinaryIO, limits: Limits) -> Iterator[Item]: ...

`source` is seekable, at 0, and may hold anything at all. An extractor yields what it reads as it
reads it, so that a later failure loses only what comes after. It never writes, never opens paths.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import BinaryIO

from dlp.model import Gap, GapCode, Part

PIECE_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds for one file with everything inside it."""

    max_text_chars: int = 64_000_000
    max_inflated_bytes: int = 256_000_000  # after decompression, over all nesting
    max_ratio: int = 200  # inflated : packed, asked only after the first MB
    max_entries: int = 20_000
    max_depth: int = 8
    wall_seconds: float = 60.0
    memory_bytes: int = 512_000_000
    extra_encodings: tuple[str, ...] = ()  # codecs to try where bytes look like no text: "cp037"


@dataclass(frozen=True, slots=True)
class Embedded:
    """A file inside a file; it goes through the same door with the same budget."""

    locator: str
    name: str = field(repr=False)  # names carry patients' names
    data: bytes = field(repr=False)
    media_type: str = ""  # what the container claims; content decides


@dataclass(frozen=True, slots=True)
class Title:
    """What the file says it is called."""

    text: str = field(repr=False)


Item = Part | Embedded | Gap | Title
Extractor = Callable[[BinaryIO, Limits], Iterator[Item]]


def at_most(source: BinaryIO, size_bytes: int) -> bytes:
    """Read no more than this, in pieces: `read(n)` sets n bytes aside for the smallest file."""
    pieces: list[bytes] = []
    while size_bytes > 0 and (piece := source.read(min(size_bytes, PIECE_BYTES))):
        pieces.append(piece)
        size_bytes -= len(piece)
    return b"".join(pieces)


class BudgetExceededError(Exception):
    """Carries the gap that replaces whatever was not read."""

    def __init__(self, code: GapCode, where: str) -> None:
        self.gap = Gap(code, where)
        super().__init__(code.value)


class Budget:
    """Counts what one file costs, over all nesting; raises instead of growing."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.inflated = 0
        self.characters = 0
        self.entries = 0

    def take_bytes(self, count: int, where: str) -> None:
        self.inflated += count
        if self.inflated > self.limits.max_inflated_bytes:
            raise BudgetExceededError(GapCode.TOO_LARGE, where)

    def take_text(self, count: int, where: str) -> None:
        self.characters += count
        if self.characters > self.limits.max_text_chars:
            raise BudgetExceededError(GapCode.TOO_LARGE, where)

    def take_entry(self, where: str) -> None:
        self.entries += 1
        if self.entries > self.limits.max_entries:
            raise BudgetExceededError(GapCode.TOO_LARGE, where)
