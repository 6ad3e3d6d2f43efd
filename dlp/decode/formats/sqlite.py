"""Read SQLite databases: every row of every table, each cell labelled by its column.

In: an open database.  Out: one part a table; cells that hold files are read next.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from typing import Any, BinaryIO

from dlp.decode.contract import Embedded, Item, Limits
from dlp.decode.labelled import LabelledText
from dlp.model import Gap, GapCode, Part

MEDIA_TYPES = frozenset({"application/vnd.sqlite3"})
MAX_BYTES = 96_000_000  # the copy SQLite works on is in memory
BROKEN = (sqlite3.Error, sqlite3.Warning, OverflowError, UnicodeError)
SMALL_BLOB = 16
STEPS = 100_000  # of its virtual machine, between two looks at the clock


def extract(source: BinaryIO, limits: Limits) -> Iterator[Item]:
    data = source.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        yield Gap(GapCode.TOO_LARGE, "body")
        return
    if data[18:20] == b"\2\2":
        # Write-ahead mode needs a second file; what is in this one reads the same without.
        data = data[:18] + b"\1\1" + data[20:]
    page_bytes = int.from_bytes(data[16:18], "big") * (65_536 if data[16:18] == b"\0\1" else 1)
    if len(data) < page_bytes * int.from_bytes(data[28:32], "big"):
        yield Gap(GapCode.CORRUPT, "end")  # SQLite itself takes a missing page for an empty one
    deadline = time.monotonic() + limits.wall_seconds
    with closing(sqlite3.connect(":memory:")) as database:
        database.text_factory = lambda raw: raw.decode("utf-8", "replace")
        try:
            database.deserialize(data)
            del data  # SQLite has its own copy now
            database.execute("PRAGMA trusted_schema = OFF")
            database.set_progress_handler(lambda: time.monotonic() > deadline, STEPS)
            yield from tables(database, limits)
        except BROKEN:
            yield Gap(GapCode.CORRUPT, "body")


def tables(database: sqlite3.Connection, limits: Limits) -> Iterator[Item]:
    schema = database.execute("SELECT type, name, sql FROM sqlite_master").fetchmany(
        limits.max_entries
    )
    yield Part("schema", "\n".join(sql for _, _, sql in schema if isinstance(sql, str)))
    real = [name for kind, name, sql in schema if kind == "table" and is_plain(sql)]
    for number, name in enumerate(real, 1):
        where = f"table:{number}"
        lines = LabelledText(where, limits)
        try:
            yield from rows(database, str(name), lines)
        except BROKEN:
            yield Gap(GapCode.CORRUPT, where)
        yield from lines.items()


def is_plain(sql: Any) -> bool:
    """Virtual tables run code of an extension; their content sits in plain tables beside them."""
    return not (isinstance(sql, str) and sql.lstrip().upper().startswith("CREATE VIRTUAL"))


def rows(database: sqlite3.Connection, name: str, lines: LabelledText) -> Iterator[Item]:
    quoted = name.replace('"', '""')
    cursor = database.execute(f'SELECT * FROM "{quoted}"')  # noqa: S608 - a name cannot be bound
    columns = [str(column[0]) for column in cursor.description]
    files = 0
    for record, row in enumerate(cursor):
        for column, value in zip(columns, row, strict=True):
            if value is None or value == "":
                continue
            if isinstance(value, bytes) and len(value) > SMALL_BLOB:
                files += 1
                yield Embedded(f"{lines.locator}/file:{files}", "", value)
            else:
                text = value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
                lines.write(f"{column}: ")
                lines.add_value(column, text, record)
                lines.write("; ")
        lines.write("\n")
        if lines.full:
            return
