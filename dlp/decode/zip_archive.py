"""Read the directory and the members of a zip without trusting a number in it.

In: an open zip, whole or cut off, and limits.  Out: members as bytes or bounded streams.

What a zip says about itself is only a hint: sizes are counted while inflating, members that share
bytes are refused, and a file that lost its directory is read by the header before each member.
"""

from __future__ import annotations

import bz2
import lzma
import re
import struct
import time
import zlib
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import BinaryIO, NamedTuple, Protocol

from dlp.decode.contract import Budget, BudgetExceededError, Limits
from dlp.model import Gap, GapCode

# Inflate one member of a zip, every byte of it counted.

CHUNK = 1 << 16
TIME_SHARE = 0.8
RATIO_FREE_BYTES = 1_000_000  # small files may pack as well as they like
MAX_LZMA_DICTIONARY = 64 << 20

SEARCH_CHUNK = 1 << 20
STORED, DEFLATED, BZIP2, LZMA = 0, 8, 12, 14
LOCAL, CENTRAL, END, END64, LOCATOR64 = b"PK\3\4", b"PK\1\2", b"PK\5\6", b"PK\6\6", b"PK\6\7"
LOCAL_FIELDS = struct.Struct("<4s5H3I2H")
CENTRAL_FIELDS = struct.Struct("<4s6H3I5H2I")
END_FIELDS = struct.Struct("<4s4H2IH")
HEADERS = re.compile(re.escape(LOCAL))
UNKNOWN = 0xFFFFFFFF  # zip64 keeps the real value in the extra field


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


DESCRIPTOR_BYTES = 24  # sizes that follow the last member
LONG_EXTRA = 64  # bytes; the fields that archivers write are shorter


class GuardedZip:
    """A zip whose every inflated byte is counted; `intact` is false when its directory was lost."""

    def __init__(self, source: BinaryIO, budget: Budget) -> None:
        self._source = source
        self.budget = budget
        self._ratio = Ratio(source.seek(0, 2), budget.limits)
        self.comment = b""
        self._start = self._end = 0  # of the directory, of the archive
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
        """Give what lies in front of the archive, between members and directory, and behind."""
        first = min((entry.offset for entry in self.entries), default=0)
        length = self._source.seek(0, 2)
        last = max((span_end(self._source, entry) for entry in self.entries), default=first)
        between = (last, self._start) if self._start - last > DESCRIPTOR_BYTES else (0, 0)
        behind = (self._end or length, length)
        for where, (start, end) in (("front", (0, first)), ("inside", between), ("behind", behind)):
            self.budget.take_bytes(max(0, end - start), where)
            self._source.seek(start)
            content = self._source.read(max(0, end - start))
            if content.strip(b"\0\r\n\t "):
                yield where, content

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
        self._start = start
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


@dataclass(frozen=True, slots=True)
class Entry:
    number: int
    name: str = field(repr=False)  # names carry patients' names
    method: int
    encrypted: bool
    crc: int | None
    packed: int | None  # None: unknown, the stream itself says where it ends
    size: int
    offset: int
    comment: bytes = field(default=b"", repr=False)
    overlaps: bool = False

    @property
    def is_folder(self) -> bool:
        return self.name.endswith("/") and not self.size

    @property
    def where(self) -> str:
        return f"entry:{self.number}"


class Directory(NamedTuple):
    start: int
    size: int
    shift: int  # how far a file glued in front moved all offsets
    comment: bytes
    end: int  # where the archive ends; the file may go on


def find_directory(source: BinaryIO) -> Directory | None:
    length = source.seek(0, 2)
    tail_start = max(0, length - END_FIELDS.size - 0xFFFF)
    source.seek(tail_start)
    tail = source.read()
    at = tail.rfind(END)
    if at < 0 or len(tail) - at < END_FIELDS.size:
        return None
    *_, size, start, comment_length = END_FIELDS.unpack_from(tail, at)
    comment = tail[at + END_FIELDS.size :][:comment_length]
    end = tail_start + at
    if UNKNOWN in (size, start) or tail[max(0, at - 20) : at][:4] == LOCATOR64:
        wide = find_directory64(source, tail, at)
        if wide is None:
            return None
        end, size, start = wide
    # A file glued in front (a self-extractor) moves everything by its own length.
    shift = end - size - start
    if shift < 0 or start + shift > length:
        return None
    archive_end = tail_start + at + END_FIELDS.size + len(comment)
    return Directory(start + shift, size, shift, comment, archive_end)


def find_directory64(source: BinaryIO, tail: bytes, at: int) -> tuple[int, int, int] | None:
    locator = tail[max(0, at - 20) : at]
    if len(locator) < 20 or locator[:4] != LOCATOR64:
        return None
    where = int.from_bytes(locator[8:16], "little")
    if where >= 1 << 62:
        return None
    source.seek(where)
    record = source.read(56)
    if len(record) < 56 or record[:4] != END64:
        return None
    size, start = struct.unpack("<QQ", record[40:56])
    return where, size, start


def parse_central(directory: bytes, at: int, number: int, shift: int) -> tuple[Entry, int] | None:
    if len(directory) - at < CENTRAL_FIELDS.size:
        return None
    (_, _, _, flags, method, _, _, crc, packed, size, name_length, extra_length, comment_length,
     _, _, _, offset) = CENTRAL_FIELDS.unpack_from(directory, at)  # fmt: skip
    name_at = at + CENTRAL_FIELDS.size
    extra_at = name_at + name_length
    comment_at = extra_at + extra_length
    end = comment_at + comment_length
    if UNKNOWN in (size, packed, offset):
        size, packed, offset = widen(directory[extra_at:comment_at], size, packed, offset)
    name = decode_name(directory[name_at:extra_at], flags)
    comment = directory[comment_at:end]
    if extra_length > LONG_EXTRA:
        comment += b" " + directory[extra_at + 4 : comment_at]
    entry = Entry(number, name, method, bool(flags & 1), crc, packed, size, offset + shift, comment)
    return entry, end


def widen(extra: bytes, size: int, packed: int, offset: int) -> tuple[int, int, int]:
    """Replace each value that is marked unknown by the next one of the zip64 field."""
    at = 0
    while at + 4 <= len(extra):
        kind, length = struct.unpack_from("<2H", extra, at)
        if kind == 1:
            values = extra[at + 4 : at + 4 + length // 8 * 8]
            wide = (value for (value,) in struct.iter_unpack("<Q", values[: len(values) // 8 * 8]))
            size, packed, offset = (
                next(wide, value) if value == UNKNOWN else value for value in (size, packed, offset)
            )
            break
        at += 4 + length
    return size, packed, offset


def mark_overlaps(entries: list[Entry], directory_start: int) -> tuple[Entry, ...]:
    """Find members that claim the same bytes: only a bomb needs that."""
    order = sorted(entries, key=lambda entry: entry.offset)
    overlapping: set[int] = set()
    for position, entry in enumerate(order):
        end = entry.offset + LOCAL_FIELDS.size + (entry.packed or 0)
        following = order[position + 1].offset if position + 1 < len(order) else directory_start
        if end > following:
            overlapping.add(entry.number)
    if not overlapping:
        return tuple(entries)
    return tuple(replace(entry, overlaps=entry.number in overlapping) for entry in entries)


def unlisted(source: BinaryIO, listed: list[Entry], limit: int) -> Iterator[Entry]:
    """Give members that lie in the file but not in its directory: leftovers and hiding places."""
    by_offset = {entry.offset: entry for entry in listed}
    offsets: list[int] = []
    met: list[Entry] = []  # whose ends are asked for only where something else is found
    end = 0
    number = len(listed)
    for offset in find_headers(source):
        if offset in by_offset:
            met.append(by_offset[offset])
            continue
        offsets = offsets or sorted(by_offset)
        before = bisect_right(offsets, offset) - 1
        if before >= 0:
            met.append(by_offset[offsets[before]])
        end = max(end, *(span_end(source, entry) for entry in met)) if met else end
        met.clear()
        if offset < end or number >= limit:
            continue  # part of a listed member: a zip stored inside
        entry = parse_local(source, offset, number + 1)
        if entry is not None:
            number += 1
            end = span_end(source, entry)
            yield entry


def span_end(source: BinaryIO, entry: Entry) -> int:
    source.seek(entry.offset + 26)
    lengths = source.read(4)
    names = sum(struct.unpack("<2H", lengths)) if len(lengths) == 4 else 0
    return entry.offset + LOCAL_FIELDS.size + names + (entry.packed or 0)


def find_headers(source: BinaryIO) -> Iterator[int]:
    """Give the offset of everything that looks like the header in front of a member."""
    position, carried = 0, b""
    while True:
        source.seek(position)
        block = source.read(SEARCH_CHUNK)
        if not block:
            return
        window = carried + block
        for hit in HEADERS.finditer(window):
            yield position - len(carried) + hit.start()
        carried = window[-3:]
        position += len(block)


def parse_local(source: BinaryIO, offset: int, number: int) -> Entry | None:
    source.seek(offset)
    head = source.read(LOCAL_FIELDS.size)
    if len(head) < LOCAL_FIELDS.size:
        return None
    _, _, flags, method, _, _, crc, packed, size, name_length, _ = LOCAL_FIELDS.unpack(head)
    if method not in {STORED, DEFLATED, BZIP2, LZMA} or name_length > 1024:
        return None
    name = decode_name(source.read(name_length), flags)
    if flags & 8:  # sizes follow the data, so only the stream knows
        return Entry(number, name, method, bool(flags & 1), None, None, size, offset)
    return Entry(number, name, method, bool(flags & 1), crc, packed, size, offset)


def decode_name(raw: bytes, flags: int) -> str:
    if flags & 0x800:
        return raw.decode("utf-8", "replace")
    try:
        return raw.decode("utf-8")  # many writers forget the flag; by chance nothing else decodes
    except UnicodeDecodeError:
        return raw.decode("cp437")
