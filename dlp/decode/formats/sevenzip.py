"""Read 7z archives into memory, counted.

In: an open .7z.  Out: names as text, each member as a file to read next.
"""

from __future__ import annotations

import io
import lzma
import struct
import zlib
from collections.abc import Iterator
from typing import BinaryIO

import py7zr
from py7zr.io import MemIO, Py7zIO, WriterFactory
from py7zr.properties import get_memory_limit

from dlp.decode.contract import BudgetExceededError, Embedded, Item, Limits
from dlp.model import Gap, GapCode, Part

MEDIA_TYPES = frozenset({"application/x-7z-compressed"})
BROKEN = (py7zr.exceptions.ArchiveError, lzma.LZMAError, zlib.error, OSError, EOFError, ValueError,
          TypeError, KeyError, IndexError, AttributeError, AssertionError, OverflowError,
          struct.error, NotImplementedError)  # fmt: skip
RATIO_FREE_BYTES = 1_000_000
HEADER_PLACE, HEADER_BYTES = 12, 32  # where the place of the last header is told, and from where


class Counted(Py7zIO):
    """One member's bytes; counts against the whole archive."""

    def __init__(self, store: MemberStore, name: str) -> None:
        self.name = name
        self._store = store
        self._bytes = io.BytesIO()

    def write(self, s: bytes | bytearray) -> int:
        self._store.charge(len(s))
        return self._bytes.write(s)

    def read(self, size: int | None = None) -> bytes:
        return self._bytes.read(size)

    def seek(self, offset: int, whence: int = 0) -> int:
        return self._bytes.seek(offset, whence)

    def flush(self) -> None:
        pass

    def size(self) -> int:
        return self._bytes.getbuffer().nbytes

    def take(self) -> bytes:
        data = self._bytes.getvalue()
        self._bytes = io.BytesIO()
        return data


class MemberStore(WriterFactory):
    def __init__(self, packed: int, limits: Limits) -> None:
        self.members: list[Counted] = []
        self._packed, self._limits = packed, limits
        self._inflated = 0

    def create(self, filename: str) -> Counted:
        if len(self.members) >= self._limits.max_entries:
            raise BudgetExceededError(GapCode.TOO_LARGE, "entries")
        self.members.append(Counted(self, filename))
        return self.members[-1]

    def charge(self, count: int) -> None:
        self._inflated += count
        thin = self._inflated > self._limits.max_ratio * self._packed
        if self._inflated > self._limits.max_inflated_bytes or (
            thin and self._inflated > RATIO_FREE_BYTES
        ):
            raise BudgetExceededError(GapCode.TOO_LARGE, "entries")


def unpack(archive: py7zr.SevenZipFile, source: BinaryIO, store: MemberStore) -> None:
    """Call the worker below extract(), which asks the file system where each name would land."""
    for member in archive.files:
        kept = not (member.is_directory or member.is_symlink or member.is_socket)
        target = MemIO(member.filename, store) if kept else None
        archive.worker.register_filelike(member.id, target)
    archive.worker.extract(source, None, parallel=False)


def extract(source: BinaryIO, limits: Limits) -> Iterator[Item]:
    packed = source.seek(0, io.SEEK_END)
    source.seek(0)
    store = MemberStore(packed, limits)
    gap: Gap | None = None
    try:
        with py7zr.SevenZipFile(source) as archive:
            yield Part("names", "\n".join(archive.getnames()[: limits.max_entries]))
            if archive.needs_password():
                yield Gap(GapCode.ENCRYPTED, "entries")
                return
            unpack(archive, source, store)
    except py7zr.exceptions.PasswordRequired:
        gap = Gap(GapCode.ENCRYPTED, "entries")
    except BudgetExceededError as error:
        gap = error.gap
    except BROKEN:
        gap = Gap(GapCode.CORRUPT, "entries")
    for number, member in enumerate(store.members, 1):
        if data := member.take():
            yield Embedded(f"entry:{number}", member.name, data)
    if gap:
        yield gap
    source.seek(HEADER_PLACE)
    place, size = struct.unpack("<QQ", source.read(16).ljust(16, b"\0"))
    source.seek(min(packed, HEADER_BYTES + place + size))
    if rest := source.read(limits.max_inflated_bytes).strip(b"\0"):
        yield Embedded("behind", "", rest)


def preload() -> None:
    # It imports psutil when the first archive comes.
    get_memory_limit()  # type: ignore[no-untyped-call]  # py7zr types only its front door
