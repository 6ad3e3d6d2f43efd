"""Read the folders and streams of an OLE compound file.

In: an open compound file.  Out: its folders, streams and their bytes.

`OleDirectory` reads files without faults, much faster than olefile; at the first fault `Compound`
falls back to olefile, which reads damaged files. Both give the same.
"""

from __future__ import annotations

import struct
import sys
from array import array
from typing import BinaryIO

import olefile

from dlp.decode.contract import Budget

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

# What olefile raises on damaged files, found by fuzzing it.
OLE_ERRORS = (
    OSError, ValueError, IndexError, KeyError, AttributeError, TypeError, struct.error,
    OverflowError, AssertionError, UnicodeError,
)  # fmt: skip


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


class DamagedError(Exception):
    """The file is no compound file, or too broken to list."""


class Compound:
    """The whole file; remembers whether any stream could not be read to its end."""

    def __init__(self, source: BinaryIO, budget: Budget) -> None:
        self.budget = budget
        self._source = source
        self._unread = False
        self._ole: olefile.OleFileIO | None = None
        self._sound = opened(source)
        if self._sound is not None:
            self._streams, self._storages = self._sound.streams, self._sound.folders
            return
        try:
            self._ole = self._tolerant()
            self._streams = by_folder(self._ole.listdir())
            self._storages = by_folder(self._ole.listdir(streams=False, storages=True))
        except OLE_ERRORS:
            raise DamagedError from None
        self._bound_sizes(source.seek(0, 2))

    @property
    def damaged(self) -> bool:
        """Whether a stream was unreadable or olefile met something it only tolerates."""
        return self._unread or (self._ole is not None and bool(self._ole.parsing_issues))

    def _tolerant(self) -> olefile.OleFileIO:
        self._source.seek(0)
        return olefile.OleFileIO(self._source, raise_defects=olefile.DEFECT_FATAL)

    def _bound_sizes(self, length: int) -> None:
        """No stream is longer than the file: a chain that bites its tail would fill the memory."""
        for entry in self._ole.direntries if self._ole else ():
            if entry is not None and entry.size > length:
                entry.size = length
                self._unread = True

    def streams(self, at: Path) -> list[str]:
        return self._streams.get(at, [])

    def storages(self, at: Path) -> list[str]:
        return self._storages.get(at, [])

    def read(self, path: Path, where: str) -> bytes:
        """Read a stream as far as it goes."""
        self.budget.take_entry(where)
        content = self._sound.read(path) if self._sound is not None else None
        if content is None:
            content = self._read_tolerantly(path)
        if content is None:
            self._unread = True
            return b""
        self.budget.take_bytes(len(content), where)
        return content

    def _read_tolerantly(self, path: Path) -> bytes | None:
        """A directory in which nothing is wrong may list streams in which something is."""
        self._sound = None
        try:
            if self._ole is None:
                self._ole = self._tolerant()
            content: bytes = self._ole.openstream(list(path)).read()
        except OLE_ERRORS:
            return None
        return content


def by_folder(paths: list[list[str]]) -> dict[Path, list[str]]:
    found: dict[Path, list[str]] = {}
    for *folder, name in paths:
        found.setdefault(tuple(folder), []).append(name)
    return found


class Storage:
    """One folder of a compound file: the root, or an object inside."""

    def __init__(self, compound: Compound, path: Path = (), where: str = "") -> None:
        self.compound = compound
        self.path = path
        self.where = where  # locator prefix: "" or "object:2/"
        self.names = compound.streams(path)
        self.folders = compound.storages(path)
        self._exact = {name.lower(): name for name in self.names}

    def __contains__(self, name: str) -> bool:
        return name.lower() in self._exact

    def read(self, name: str) -> bytes:
        exact = self._exact.get(name.lower())
        if exact is None:
            return b""
        return self.compound.read((*self.path, exact), self.where or "body")

    def inside(self, folder: str, where: str) -> Storage:
        return Storage(self.compound, (*self.path, folder), where)
