"""How a SQLite file is opened, whoever opens it, and what to say when it refuses.

In: a connection of the driver.  Out: one whose commits survive a power cut; a StoreError.
"""

from __future__ import annotations

import sqlite3
import time

from dlp.errors import StoreError

PATIENCE_SECONDS = 10  # for another process's transaction


def prepare(connection: sqlite3.Connection) -> None:
    connection.isolation_level = None  # the driver would leave CREATE TABLE outside
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout={PATIENCE_SECONDS * 1000}")
    use_write_ahead_log(cursor)
    cursor.execute("PRAGMA synchronous=FULL")  # NORMAL loses acknowledged rows on a power cut
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.close()


def use_write_ahead_log(cursor: sqlite3.Cursor) -> None:
    """Turn the file to WAL, also when several processes open a new file at once.

    They all hold the read lock that each of the others must see gone, so SQLite refuses one
    without letting it wait; the refused one asks again when another has turned the file.
    """
    until = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            cursor.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(0.01)
        else:
            return


def unopened(where: str, error: Exception) -> StoreError:
    return StoreError(
        f"the database cannot be opened: {type(error).__name__}",
        where=where,
        fix="check that the folder exists and belongs to you, or give another place",
    )


def refused(where: str, kind: str) -> StoreError:
    """`kind`: SQLITE_BUSY, SQLITE_FULL …: a cause, and nothing of the row."""
    fix = "check free space and the owner of the file"
    return StoreError(f"the database cannot be written: {kind}", where=where, fix=fix)
