"""Open OLE compound files, whole or damaged, as folders of streams.

In: an open compound file.  Out: Storage values that list and read what lies in them.
"""

from __future__ import annotations

import struct
from typing import BinaryIO

import olefile

from dlp.decode.contract import Budget

# What olefile raises on damaged files, found by fuzzing it.
OLE_ERRORS = (
    OSError, ValueError, IndexError, KeyError, AttributeError, TypeError, struct.error,
    OverflowError, AssertionError, UnicodeError,
)  # fmt: skip
Path = tuple[str, ...]


class DamagedError(Exception):
    """The file is no compound file, or too broken to list."""


class Compound:
    """The whole file; remembers whether any stream could not be read to its end."""

    def __init__(self, source: BinaryIO, budget: Budget) -> None:
        self.budget = budget
        self._unread = False
        try:
            source.seek(0)
            self._ole = olefile.OleFileIO(source, raise_defects=olefile.DEFECT_FATAL)
            self._streams: list[Path] = [tuple(path) for path in self._ole.listdir()]
            self._storages: list[Path] = [
                tuple(path) for path in self._ole.listdir(streams=False, storages=True)
            ]
        except OLE_ERRORS:
            raise DamagedError from None
        self._bound_sizes(source.seek(0, 2))

    @property
    def damaged(self) -> bool:
        """Whether a stream was unreadable or olefile met something it only tolerates."""
        return self._unread or bool(self._ole.parsing_issues)

    def _bound_sizes(self, length: int) -> None:
        """No stream is longer than the file: a chain that bites its tail would fill the memory."""
        for entry in self._ole.direntries:
            if entry is not None and entry.size > length:
                entry.size = length
                self._unread = True

    def streams(self, at: Path) -> list[str]:
        return [path[-1] for path in self._streams if path[:-1] == at]

    def storages(self, at: Path) -> list[str]:
        return [path[-1] for path in self._storages if path[:-1] == at]

    def read(self, path: Path, where: str) -> bytes:
        """Read a stream as far as it goes."""
        self.budget.take_entry(where)
        try:
            stream = self._ole.openstream(list(path))
            content: bytes = stream.read()
        except OLE_ERRORS:
            self._unread = True
            return b""
        self.budget.take_bytes(len(content), where)
        return content


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
