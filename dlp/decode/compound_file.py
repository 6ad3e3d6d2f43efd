"""Read the folders and streams of an OLE compound file.

In: an open compound file.  Out: its folders, streams and their bytes.
"""

from __future__ import annotations

import struct
from typing import BinaryIO

import olefile

from dlp.decode.contract import Budget

Path = tuple[str, ...]

# What olefile raises on damaged files, found by fuzzing it.
OLE_ERRORS = (
    OSError, ValueError, IndexError, KeyError, AttributeError, TypeError, struct.error,
    OverflowError, AssertionError, UnicodeError,
)  # fmt: skip


class DamagedError(Exception):
    """The file is no compound file, or too broken to list."""


class Compound:
    """The whole file; remembers whether any stream could not be read to its end."""

    def __init__(self, source: BinaryIO, budget: Budget) -> None:
        self.budget = budget
        self._unread = False
        length = source.seek(0, 2)
        source.seek(0)
        try:
            self._ole = olefile.OleFileIO(source, raise_defects=olefile.DEFECT_FATAL)
            self._streams = by_folder(self._ole.listdir())
            self._storages = by_folder(self._ole.listdir(streams=False, storages=True))
        except OLE_ERRORS:
            raise DamagedError from None
        self._bound_sizes(length)

    @property
    def damaged(self) -> bool:
        """Whether a stream was unreadable or olefile met something it only tolerates."""
        return self._unread or bool(self._ole.parsing_issues)

    def _bound_sizes(self, length: int) -> None:
        """Limit each stream to the length of the file: a cyclic chain would fill the memory."""
        for entry in self._ole.direntries:
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
        try:
            content: bytes = self._ole.openstream(list(path)).read()
        except OLE_ERRORS:
            self._unread = True
            return b""
        self.budget.take_bytes(len(content), where)
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
