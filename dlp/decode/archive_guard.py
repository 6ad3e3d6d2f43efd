"""Read the members of a zip without trusting a number in it.

In: an open zip, whole or cut off, and limits.  Out: members as bytes or bounded streams.

What a zip says about itself is only a hint: sizes are counted while inflating, members that share
bytes are refused, and a file that lost its directory is read by the header before each member.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from typing import BinaryIO

from dlp.decode.contract import Budget, Limits
from dlp.decode.zip_directory import (
    CENTRAL,
    DEFLATED,
    LOCAL,
    LOCAL_FIELDS,
    STORED,
    Entry,
    find_directory,
    find_headers,
    mark_overlaps,
    parse_central,
    parse_local,
    unlisted,
)
from dlp.decode.zip_member import CHUNK, Member, Ratio, UnreadableError
from dlp.model import Gap, GapCode

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
