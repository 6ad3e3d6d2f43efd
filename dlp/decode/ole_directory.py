"""Open an OLE compound file in which nothing is wrong, quickly.

In: an open compound file.  Out: its folders, streams and their bytes; None at the first oddity.

olefile reads what is damaged, tells what it met, and takes a microsecond for each sector and a
dozen calls for each entry. Here everything that it would find fault with ends the reading, and
whoever asked turns to it; what is read is what it would give.
"""

from __future__ import annotations

import struct
import sys
from array import array
from typing import BinaryIO

MARK = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
HEADER = struct.Struct("<8s16s6H10L")
HEADER_BYTES = 512
ENTRY = struct.Struct("<64sHBBIII16sIQQIII")
SECTOR_BYTES = {3: 512, 4: 4096}  # by version
MINI_BYTES, CUTOFF = 64, 4096  # streams below the cutoff lie in sectors of 64 bytes
FREE, END = 0xFFFFFFFF, 0xFFFFFFFE
NOTHING = 0xFFFFFFFF  # no entry
NOT_SECTORS = frozenset({FREE, END, 0xFFFFFFFD, 0xFFFFFFFC})
FOLDER, STREAM, ROOT = 1, 2, 5
MOST_LEVELS = 60  # of the trees in the directory; olefile decides what is too deep
Path = tuple[str, ...]


class OddError(Exception):
    """Something that olefile would remark on, or refuse."""


def opened(source: BinaryIO) -> OleDirectory | None:
    try:
        return OleDirectory(source)
    except (OddError, struct.error, OverflowError):
        return None


class OleDirectory:
    """Names by folder, in the order of names, and where each stream lies."""

    def __init__(self, source: BinaryIO) -> None:
        self._source = source
        self.length = source.seek(0, 2)
        source.seek(0)
        header = source.read(HEADER_BYTES)
        first_entry, self._mini_table = self._read_header(header)
        self._table = self._read_table(header)
        self._entries = self._chain(first_entry)
        self._loaded: set[int] = {0}
        self._starts = {first_entry} - NOT_SECTORS
        self._mini_starts: set[int] = set()
        if self._mini_table[1]:
            self._claim(self._mini_table[0], self._starts)
        self.streams: dict[Path, list[str]] = {}
        self.folders: dict[Path, list[str]] = {}
        self._places: dict[Path, tuple[int, int]] = {}
        self._mini: tuple[bytes, array[int]] | None = None
        _, kind, _, _, child, start, size = self._entry(0)
        if kind != ROOT:
            raise OddError
        self._root = start, size
        self._list((), child, 0)

    def names(self) -> set[str]:
        """What lies at the top, in small letters."""
        return {name.lower() for name in (*self.streams[()], *self.folders[()])}

    def read(self, path: Path) -> bytes | None:
        """A stream; None where olefile would find fault with it."""
        try:
            start, size = self._places[path]
            if size >= CUTOFF:
                return self._sectors(start, size)
            return self._mini_sectors(start, size)
        except (OddError, KeyError):
            return None

    def _read_header(self, header: bytes) -> tuple[int, tuple[int, int]]:
        (mark, kind, _, version, order, shift, mini_shift, reserved, reserved_too, folders, _,
         first_entry, transaction, cutoff, mini, minis, _, tables,
         ) = HEADER.unpack_from(header)  # fmt: skip
        self._size = SECTOR_BYTES.get(version, 0)
        sound = (
            len(header) == HEADER_BYTES
            and mark == MARK
            and kind == bytes(16)
            and order == 0xFFFE
            and shift < 16
            and 1 << shift == self._size
            and mini_shift == 6
            and not (reserved or reserved_too or transaction)
            and cutoff == CUTOFF
            and not tables  # files of more than seven megabytes list them elsewhere
            and not (folders and self._size == 512)
        )
        if not sound:
            raise OddError
        return first_entry, (mini, minis)

    def _read_table(self, header: bytes) -> array[int]:
        """Which sector follows which."""
        pieces: list[bytes] = []
        for sector in numbers(header[76:]):
            if sector in (END, FREE):
                break
            self._source.seek(self._size * (sector + 1))
            piece = self._source.read(self._size)
            if len(piece) != self._size:
                raise OddError
            pieces.append(piece)
        return numbers(b"".join(pieces))[: max(0, -(-self.length // self._size) - 1)]

    def _chain(self, sector: int) -> bytes:
        """All of a chain whose length nobody states."""
        table = self._table
        pieces: list[bytes] = []
        while sector != END:
            if sector >= len(table) or len(pieces) >= len(table):
                raise OddError
            pieces.append(self._run(sector, 1))
            sector = table[sector]
        return b"".join(pieces)

    def _run(self, sector: int, count: int) -> bytes:
        self._source.seek(self._size * (sector + 1))
        data = self._source.read(self._size * count)
        if len(data) != self._size * count:
            raise OddError
        return data

    def _sectors(self, start: int, size: int) -> bytes:
        if not size:
            if start != END:
                raise OddError
            return b""
        table, sector = self._table, start
        wanted = -(-size // self._size)
        if wanted > len(table):
            raise OddError
        pieces: list[bytes] = []
        while wanted:
            if sector >= len(table):
                raise OddError
            first, following = sector, table[sector]
            wanted -= 1
            while wanted and following == sector + 1 and following < len(table):
                sector, following = following, table[following]
                wanted -= 1
            pieces.append(self._run(first, sector - first + 1))
            sector = following
        return b"".join(pieces)[:size] if len(pieces) > 1 else pieces[0][:size]

    def _mini_sectors(self, start: int, size: int) -> bytes:
        content, table = self._mini or self._read_mini()
        if not size:
            if start != END:
                raise OddError
            return b""
        wanted = -(-size // MINI_BYTES)
        if wanted > len(table):
            raise OddError
        pieces: list[bytes] = []
        sector = start
        for _ in range(wanted):
            if sector >= len(table):
                raise OddError
            piece = content[MINI_BYTES * sector : MINI_BYTES * (sector + 1)]
            if len(piece) != MINI_BYTES:
                raise OddError
            pieces.append(piece)
            sector = table[sector]
        return b"".join(pieces)[:size]

    def _read_mini(self) -> tuple[bytes, array[int]]:
        start, count = self._mini_table
        places = -(-self._root[1] // MINI_BYTES)
        if places * 4 > count * self._size:
            raise OddError
        table = numbers(self._sectors(start, count * self._size))[:places]
        self._mini = self._sectors(*self._root), table
        return self._mini

    def _entry(self, number: int) -> tuple[str, int, int, int, int, int, int]:
        (name, length, kind, _, left, right, child, _, _, _, _, start, size, above) = (
            ENTRY.unpack_from(self._entries, number * ENTRY.size)
        )
        if length > 64:
            raise OddError
        if self._size != 512:
            size += above << 32
        elif above not in (0, 0xFFFFFFFF):
            raise OddError
        if size > self.length or (kind == FOLDER and size):
            raise OddError
        if kind != FOLDER and size:
            small = kind == STREAM and size < CUTOFF
            self._claim(start, self._mini_starts if small else self._starts)
        return (
            name[: length - 2].decode("utf-16-le", "replace"),
            kind,
            left,
            right,
            child,
            start,
            size,
        )

    def _claim(self, start: int, taken: set[int]) -> None:
        """No two streams begin in the same place."""
        if taken is self._starts and start in NOT_SECTORS:
            return
        if start in taken:
            raise OddError
        taken.add(start)

    def _list(self, at: Path, child: int, level: int) -> None:
        """What a folder holds, and the folders in it."""
        found: dict[str, tuple[str, int, int, int, int]] = {}
        self._gather(child, found, level)
        streams, folders = [], []
        for name, kind, below, start, size in sorted(found.values()):
            path = (*at, name)
            if kind == STREAM:
                streams.append(name)
                self._places[path] = start, size
            else:
                folders.append(name)
                self._list(path, below, level + 2)
        self.streams[at], self.folders[at] = streams, folders

    def _gather(
        self, number: int, found: dict[str, tuple[str, int, int, int, int]], level: int
    ) -> None:
        if number == NOTHING:
            return
        known = number in self._loaded or number >= len(self._entries) // ENTRY.size
        if known or level > MOST_LEVELS:
            raise OddError
        self._loaded.add(number)
        name, kind, left, right, child, start, size = self._entry(number)
        if kind not in (FOLDER, STREAM) or (kind == STREAM and child != NOTHING):
            raise OddError
        self._gather(left, found, level + 1)
        if found.setdefault(name.lower(), (name, kind, child, start, size))[0] is not name:
            raise OddError
        self._gather(right, found, level + 1)


def numbers(content: bytes) -> array[int]:
    found = array("I", content)
    if sys.byteorder == "big":
        found.byteswap()
    return found
