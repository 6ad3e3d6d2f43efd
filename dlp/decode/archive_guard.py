"""Read the members of a zip without trusting a number in it.

In: an open zip, whole or cut off, and limits.  Out: members as bytes or bounded streams.

What a zip says about itself is only a hint: sizes are counted while inflating, members that share
bytes are refused, and a file that lost its directory is read by the header before each member.
"""

from __future__ import annotations

import bz2
import lzma
import struct
import time
import zlib
from collections.abc import Iterator
from typing import BinaryIO, Protocol

from dlp.decode.contract import Budget, BudgetExceededError, Limits
from dlp.decode.zip_directory import (
    BZIP2,
    CENTRAL,
    DEFLATED,
    LOCAL,
    LOCAL_FIELDS,
    LZMA,
    STORED,
    Entry,
    find_directory,
    find_headers,
    mark_overlaps,
    parse_central,
    parse_local,
    unlisted,
)
from dlp.model import Gap, GapCode

# Inflate one member of a zip, every byte of it counted.

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
        # What was read by then is returned: past the deadline the supervisor kills the worker.
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


__all__ = ["GuardedZip", "Member", "UnreadableError", "open_guarded"]

SMALL_MEMBER = 1 << 20  # bytes packed and unpacked: inflated at one go
LENGTHS = struct.Struct("<2H")


class GuardedZip:
    """A zip whose every inflated byte is counted; `intact` is false when its directory was lost."""

    def __init__(self, source: BinaryIO, budget: Budget) -> None:
        self._source = source
        self.budget = budget
        self._ratio = Ratio(source.seek(0, 2), budget.limits)
        self.comment = b""
        self._end = 0
        self.gaps: list[Gap] = []
        listed = self._read_directory()
        self.intact = listed is not None
        if listed is None:
            self.gaps.append(Gap(GapCode.CORRUPT, "zip:directory"))
            listed = self._read_headers()
        self.entries = listed
        self._by_name = {entry.name: entry for entry in self.entries}

    def names(self) -> list[str]:
        return [entry.name for entry in self.entries]

    def around(self) -> Iterator[tuple[str, bytes]]:
        """Give what lies in front of the archive and behind it."""
        first = min((entry.offset for entry in self.entries), default=0)
        length = self._source.seek(0, 2)
        for where, start, end in (("front", 0, first), ("behind", self._end or length, length)):
            self.budget.take_bytes(max(0, end - start), where)
            self._source.seek(start)
            content = self._source.read(max(0, end - start))
            if content.strip(b"\0\r\n\t "):
                yield where, content

    def whole(self, entry: Entry) -> bytes | None:
        """A small member at one go; None where anything is in doubt.

        Then nothing is counted: it is to be read in pieces, which finds out what is wrong, and how
        much of it can be had.
        """
        if entry.packed is None or entry.encrypted or entry.overlaps:
            return None
        most = max(entry.size, entry.packed)
        budget = self.budget
        if (
            most > SMALL_MEMBER
            or budget.entries >= budget.limits.max_entries
            or budget.inflated + most > budget.limits.max_inflated_bytes
            or not self._ratio.allows(most)
        ):
            return None
        content = self._unpacked(entry)
        if content is None or zlib.crc32(content) != entry.crc:
            return None
        budget.entries += 1
        budget.inflated += len(content)
        self._ratio.inflated += len(content)
        return content

    def _unpacked(self, entry: Entry) -> bytes | None:
        """What lies behind the header of a member, if it ends where the directory says."""
        source, packed = self._source, entry.packed or 0
        source.seek(entry.offset)
        header = source.read(LOCAL_FIELDS.size)
        if len(header) < LOCAL_FIELDS.size or header[:4] != LOCAL:
            return None
        name, extra = LENGTHS.unpack_from(header, 26)
        if name or extra:
            source.seek(entry.offset + LOCAL_FIELDS.size + name + extra)
        data = source.read(packed)
        if len(data) != packed:
            return None
        if entry.method == STORED:
            return data
        if entry.method != DEFLATED:
            return None
        inflater = zlib.decompressobj(-zlib.MAX_WBITS)
        try:
            content = inflater.decompress(data, entry.size + 1)  # 0 would mean: all there is
        except zlib.error:
            return None
        return content if inflater.eof and len(content) <= entry.size else None

    def read(self, member: str | Entry) -> bytes:
        """Inflate one member; a name that occurs twice means the last, so prefer entries."""
        stream = self.open(member)
        pieces: list[bytes] = []
        try:
            while piece := stream.read(CHUNK):
                pieces.append(piece)
        except UnreadableError as error:
            error.partial = b"".join(pieces)
            raise
        return b"".join(pieces)

    def open(self, member: str | Entry) -> Member:
        entry = member if isinstance(member, Entry) else self._by_name[member]
        self.budget.take_entry(entry.where)
        if entry.encrypted:
            raise UnreadableError(GapCode.ENCRYPTED, entry.where)
        if entry.overlaps:
            raise UnreadableError(GapCode.CORRUPT, entry.where)
        return Member(self._source, entry, self.budget, self._ratio)

    def _read_directory(self) -> tuple[Entry, ...] | None:
        found = find_directory(self._source)
        if found is None:
            return None
        start, size, shift, self.comment, self._end = found
        self._source.seek(start)
        # A listed member costs about a hundred bytes, so the limit bounds this read as well.
        directory = self._source.read(min(size, self.budget.limits.max_entries * 1024))
        entries: list[Entry] = []
        position = 0
        while directory[position : position + 4] == CENTRAL:
            if len(entries) >= self.budget.limits.max_entries:
                self.gaps.append(Gap(GapCode.TOO_LARGE, "zip:directory"))
                break
            read = parse_central(directory, position, len(entries) + 1, shift)
            if read is None:
                return None
            entry, position = read
            entries.append(entry)
        if not entries and size:
            return None
        hidden = unlisted(self._source, entries, self.budget.limits.max_entries)
        return mark_overlaps(entries, start) + tuple(hidden)

    def _read_headers(self) -> tuple[Entry, ...]:
        entries: list[Entry] = []
        for offset in find_headers(self._source):
            if len(entries) >= self.budget.limits.max_entries:
                self.gaps.append(Gap(GapCode.TOO_LARGE, "zip:directory"))
                break
            entry = parse_local(self._source, offset, len(entries) + 1)
            if entry is not None:
                entries.append(entry)
        return tuple(entries)


def open_guarded(source: BinaryIO, limits: Limits, budget: Budget | None = None) -> GuardedZip:
    """Open a zip whose reading is counted against the budget; a cut-off zip opens as well."""
    return GuardedZip(source, budget or Budget(limits))
