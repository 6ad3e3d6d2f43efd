"""Files outside the database that prove how far the ledger had come.

In: the number and the hash of the ledger's last record.  Out: sealed lines, and faults in them.

The anchor is a log: one line for each commit, each sealed together with the line before it, so
that no line can be removed, moved or repeated. The head is one small file that is replaced; kept
away from database and anchor, it shows when both are rolled back to an older state together.
"""

from __future__ import annotations

import fcntl
import hashlib
import hmac
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from dlp.errors import StoreError

CHUNK = 1 << 20
UNCHAINED = " ."  # how 0.1 ended a line: sealed by itself
CHAINED = " ;"
FIRST = "0" * 64


@dataclass(frozen=True, slots=True)
class Fault:
    number: int  # of the record; 0: of the whole
    what: str


class End(NamedTuple):
    """The last record of the ledger at some time."""

    number: int
    mac: str


def seal_of(key: bytes, *words: object) -> str:
    return hmac.new(key, " ".join(map(str, words)).encode(), hashlib.sha256).hexdigest()


class Anchor:
    """The append-only log of ends; reads on from where it read last."""

    def __init__(self, path: Path, key: bytes) -> None:
        self.path = path
        self._key = key
        self._forget()

    def _forget(self) -> None:
        self._offset = 0
        self._identity = (0, 0)
        self._rest = b""
        self._before = FIRST  # the seal of the last whole line
        self.is_chained = False
        self.ends: dict[int, str] = {}
        self.faults: list[Fault] = []

    @property
    def last(self) -> End | None:
        return End(*max(self.ends.items())) if self.ends else None

    def read(self) -> None:
        """Take in what was appended; a file that shrank or was replaced is read from its start."""
        try:
            fd = os.open(self.path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
        except OSError:
            lost = self.last
            self._forget()
            if lost:
                self.faults.append(Fault(0, "the anchor file is gone"))
            return
        try:
            self._read(fd)
        finally:
            os.close(fd)

    def _read(self, fd: int) -> None:
        seen = os.fstat(fd)
        identity = (seen.st_dev, seen.st_ino)
        if seen.st_size < self._offset or identity != self._identity:
            self._forget()
            self._identity = identity
        while chunk := os.pread(fd, CHUNK, self._offset):
            self._offset += len(chunk)
            *whole, self._rest = (self._rest + chunk).split(b"\n")
            for line in whole:
                self._take(line.decode("ascii", "replace"))
        # A line begins with the line feed, so the last one is whole although none follows it.
        if self._rest.endswith((UNCHAINED.encode(), CHAINED.encode())):
            self._take(self._rest.decode("ascii", "replace"))
            self._rest = b""

    def _take(self, line: str) -> None:
        ending = line[-2:]
        if ending not in {UNCHAINED, CHAINED}:
            return  # empty, or torn by a power cut
        number, mac, seal = (*line.split(" "), "", "", "")[:3]
        chained = ending == CHAINED
        words = ("anchor2", self._before, number, mac) if chained else ("anchor", number, mac)
        if not number.isdigit() or not hmac.compare_digest(
            seal.encode(), seal_of(self._key, *words).encode()
        ):
            self.faults.append(Fault(0, "the anchor file holds a line we did not write there"))
            return
        if self.is_chained and not chained:
            self.faults.append(Fault(0, "the anchor file goes on in an older form"))
            return
        self._before, self.is_chained = seal, chained
        self._witness(End(int(number), mac))

    def _witness(self, end: End) -> None:
        if self.ends.setdefault(end.number, end.mac) != end.mac:
            self.faults.append(Fault(end.number, "was witnessed twice with different contents"))
        elif end.number < max(self.ends):
            self.faults.append(Fault(end.number, "was witnessed again after a later record"))

    def append(self, end: End) -> None:
        """Add a line, synced, unless another process has witnessed this end already."""
        try:
            with self._locked() as fd:
                self._read(fd)
                if self.last and self.last.number >= end.number:
                    return
                seal = seal_of(self._key, "anchor2", self._before, *end)
                # The line feed comes first: a line torn by a power cut cannot swallow this one.
                os.write(fd, f"\n{end.number} {end.mac} {seal}{CHAINED}".encode())
                os.fsync(fd)
                self._read(fd)
        except OSError as error:
            raise StoreError(
                f"the ledger's anchor cannot be written: {error.strerror}",
                where=str(self.path),
                fix="check ledger.anchor and free space",
            ) from None

    @contextmanager
    def _locked(self) -> Iterator[int]:
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
        fd = os.open(self.path, flags, 0o600)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX)
            yield fd
        finally:
            os.close(fd)


class Head:
    """The one line that says how far the ledger had come when this machine last wrote to it."""

    def __init__(self, path: Path, key: bytes) -> None:
        self.path = path
        self._key = key

    def read(self) -> tuple[End | None, list[Fault]]:
        try:
            line = self.path.read_text("ascii", "replace")
        except OSError:
            return None, []
        end = parse_sealed(self._key, line)
        if end is None:
            return None, [Fault(0, "the head file holds something we did not write")]
        return end, []

    def write(self, end: End) -> None:
        """Replace the line, unless it is ahead already: an older state never overwrites it."""
        known, faults = self.read()
        if faults or (known and known.number >= end.number):
            return
        draft = self.path.with_name(f".{self.path.name}.{secrets.token_hex(4)}")
        try:
            fd = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
            try:
                os.write(fd, sealed(self._key, end).encode())
                os.fsync(fd)
            finally:
                os.close(fd)
            os.replace(draft, self.path)
        except OSError as error:
            draft.unlink(missing_ok=True)
            raise StoreError(
                f"the ledger's head file cannot be written: {error.strerror}",
                where=str(self.path),
                fix="check ledger.head and free space",
            ) from None


def sealed(key: bytes, end: End) -> str:
    return f"{end.number} {end.mac} {seal_of(key, 'head', *end)}"


def parse_sealed(key: bytes, line: str) -> End | None:
    number, mac, seal = (*line.split(" "), "", "", "")[:3]
    if not number.isdigit() or not hmac.compare_digest(
        seal.encode(), seal_of(key, "head", number, mac).encode()
    ):
        return None
    return End(int(number), mac)
