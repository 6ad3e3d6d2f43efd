"""Remember in which state every file was judged, across restarts.

In: change keys of judged files.  Out: whether a file is still in the state that was judged.

A file that waits for its verdict is simply not in here yet: whatever a crash loses, the next
sweep finds again.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Container, Iterator
from pathlib import Path
from typing import NamedTuple

from dlp.errors import StoreError
from dlp.model import FileRef
from dlp.private_files import make_private

TABLES = """
CREATE TABLE IF NOT EXISTS known (
  share TEXT NOT NULL, folder BLOB NOT NULL, name BLOB NOT NULL,
  device INTEGER NOT NULL, inode INTEGER NOT NULL, size_bytes INTEGER NOT NULL,
  mtime_ns INTEGER NOT NULL, ctime_ns INTEGER NOT NULL, version TEXT NOT NULL,
  PRIMARY KEY (share, folder, name)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS shares (
  share TEXT PRIMARY KEY, device INTEGER NOT NULL, swept_at REAL NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS policies (
  share TEXT PRIMARY KEY, digest TEXT NOT NULL
) WITHOUT ROWID;
"""
PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=10000")
LEFT = ""  # in place of a version: no rules hold for what is gone
SIGN_BIT, WRAP = 1 << 63, 1 << 64


class Key(NamedTuple):
    """What differs when a file changed; ctime because size and mtime can be put back."""

    device: int
    inode: int
    size_bytes: int
    mtime_ns: int
    ctime_ns: int


class Row(NamedTuple):
    key: Key
    version: str  # of all that the verdict rests on

    def stands(self, key: Key, versions: Container[str]) -> bool:
        """Whether the file is as it was judged, by rules that still hold."""
        return self.key == key and self.version in versions


def key_of(ref: FileRef) -> Key:
    # SQLite's integers are signed; some file systems number inodes with all 64 bits.
    numbers = (ref.device, ref.inode, ref.size_bytes, ref.mtime_ns, ref.ctime_ns)
    return Key(*(number - WRAP if number >= SIGN_BIT else number for number in numbers))


class Known:
    def __init__(self, path: Path) -> None:
        self._path = path
        self._left: list[tuple[str, bytes, bytes]] = []
        try:
            make_private(path)
            self._connection = sqlite3.connect(path, isolation_level=None)
            for pragma in PRAGMAS:
                self._connection.execute(f"PRAGMA {pragma}")
            self._connection.executescript(TABLES)
        except (OSError, sqlite3.Error) as error:
            raise StoreError(
                f"the table of known files cannot be opened: {type(error).__name__}",
                where=str(path),
                fix="check that the folder exists, belongs to the service and has space",
            ) from None

    def close(self) -> None:
        self.commit()
        self._connection.close()

    def commit(self) -> None:
        if self._connection.in_transaction:
            self._run("COMMIT")

    def folder(self, share: str, folder: bytes) -> dict[bytes, Row]:
        """Every known file of one directory: one question a directory, not one a file."""
        rows = self._run(
            "SELECT name, device, inode, size_bytes, mtime_ns, ctime_ns, version"
            " FROM known WHERE share = ? AND folder = ?",
            share, folder,
        )  # fmt: skip
        return {row[0]: Row(Key(*row[1:6]), row[6]) for row in rows}

    def file(self, share: str, relative: bytes) -> Row | None:
        folder, name = split(relative)
        row = self._run(
            "SELECT device, inode, size_bytes, mtime_ns, ctime_ns, version"
            " FROM known WHERE share = ? AND folder = ? AND name = ?",
            share, folder, name,
        ).fetchone()  # fmt: skip
        return Row(Key(*row[:5]), row[5]) if row else None

    def judged(self, share: str, relative: bytes, key: Key, version: str) -> None:
        self._begin()
        values = (share, *split(relative), *key, version)
        self._run("INSERT OR REPLACE INTO known VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", *values)

    def doubt(self, share: str, relative: bytes) -> bool:
        """Count one file as judged no longer; False when it was not known."""
        self._begin()
        leave = "UPDATE known SET version = ? WHERE share = ? AND folder = ? AND name = ?"
        return self._run(leave, LEFT, share, *split(relative)).rowcount > 0

    def gone(self, share: str, relative: bytes) -> bool:
        """The same for one that left.

        Its row stays until `bury`: whatever a crash cuts off, the next sweep meets it again.
        """
        was_known = self.doubt(share, relative)
        if was_known:
            self._left.append((share, *split(relative)))
        return was_known

    def bury(self) -> None:
        """The verdicts of what is gone are forgotten everywhere: the rows may go as well."""
        self._begin()
        for place in self._left:
            self._run(
                "DELETE FROM known WHERE version = ? AND share = ? AND folder = ? AND name = ?",
                LEFT, *place,
            )  # fmt: skip
        self._left = []

    def gone_beneath(self, share: str, folder: bytes) -> list[bytes]:
        """A directory left with everything in it; the files that were known there."""
        # "0" follows "/" in the order of bytes, so this range is exactly what lies beneath.
        scope = (share, folder, folder + b"/", folder + b"0")
        where = "share = ? AND (folder = ? OR (folder >= ? AND folder < ?))"
        rows = self._run(f"SELECT folder, name FROM known WHERE {where}", *scope).fetchall()  # noqa: S608 - constant text
        self._begin()
        self._run(f"UPDATE known SET version = '{LEFT}' WHERE {where}", *scope)  # noqa: S608 - constant text
        self._left += [(share, *row) for row in rows]
        return [join(*row) for row in rows]

    def folders(self, share: str) -> Iterator[bytes]:
        yield from (
            row[0] for row in self._run("SELECT DISTINCT folder FROM known WHERE share = ?", share)
        )

    def count(self, share: str) -> int:
        rows = self._run("SELECT count(*) FROM known WHERE share = ?", share)
        return int(rows.fetchone()[0])

    def device_of(self, share: str) -> int | None:
        """The device the share lay on when it was last seen."""
        row = self._run("SELECT device FROM shares WHERE share = ?", share).fetchone()
        return int(row[0]) if row else None

    def swept(self, share: str, device: int, at: float) -> None:
        self._begin()
        self._run("INSERT OR REPLACE INTO shares VALUES (?, ?, ?)", share, device, at)

    def swept_at(self, share: str) -> float:
        """When the last complete sweep ended; 0 for never."""
        row = self._run("SELECT swept_at FROM shares WHERE share = ?", share).fetchone()
        return float(row[0]) if row else 0.0

    def policy_changed(self, share: str, digest: str) -> bool:
        """Whether another policy stood here, or none; from now on this one does."""
        row = self._run("SELECT digest FROM policies WHERE share = ?", share).fetchone()
        if row is not None and row[0] == digest:
            return False
        self._begin()
        self._run("INSERT OR REPLACE INTO policies VALUES (?, ?)", share, digest)
        return True

    def _begin(self) -> None:
        if not self._connection.in_transaction:
            self._run("BEGIN")

    def _run(self, statement: str, *values: str | bytes | float) -> sqlite3.Cursor:
        try:
            return self._connection.execute(statement, values)
        except sqlite3.Error as error:
            raise StoreError(
                f"the table of known files cannot be used: {type(error).__name__}",
                where=str(self._path),
                fix="check free space and the owner of the file",
            ) from None  # the original text may hold a name


def split(relative: bytes) -> tuple[bytes, bytes]:
    folder, _, name = relative.rpartition(b"/")
    return folder, name


def join(folder: bytes, name: bytes) -> bytes:
    return folder + b"/" + name if folder else name
