"""Read SQLite databases: every row of every table, each cell labelled by its column.

In: an open database.  Out: one part a table; cells that hold files are read next.
"""

from __future__ import annotations

import re
import sqlite3
import struct
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
SMALLEST_PAGE = 512
BRANCHES, LEAVES = frozenset({2, 5}), frozenset({10, 13})  # kinds of pages that hold rows
WORDS = re.compile(rb"[\x20-\x7e\x80-\xff\t\r\n]{8,}")
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
    if free := unlisted(data, page_bytes):
        yield Embedded("unlisted", "", free)
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


def unlisted(data: bytes, page_bytes: int) -> bytes:
    """Words that lie where no row is: deleted rows, free pages, and behind the last page."""
    if page_bytes < SMALLEST_PAGE:
        return b""
    last = page_bytes * int.from_bytes(data[28:32], "big")
    free = [data[last:]] if last else []
    pages = set(free_pages(data, page_bytes))
    whole = min(last or len(data), len(data)) // page_bytes
    for number in range(1, whole + 1):
        page = data[(number - 1) * page_bytes : number * page_bytes]
        if number in pages:
            free.append(page)
        elif page[100 if number == 1 else 0] in BRANCHES | LEAVES:
            free.extend(unused(page, 100 if number == 1 else 0))
    return b"\n".join(run for room in free for run in WORDS.findall(room))


def free_pages(data: bytes, page_bytes: int) -> Iterator[int]:
    """The numbers in the chain of free pages; a chain that runs in a circle ends."""
    trunk, met = int.from_bytes(data[32:36], "big"), set[int]()
    while trunk and trunk not in met:
        met.add(trunk)
        page = data[(trunk - 1) * page_bytes : trunk * page_bytes]
        count = min(int.from_bytes(page[4:8], "big"), len(page) // 4 - 2)
        yield from struct.unpack_from(f">{max(0, count)}I", page, 8) if len(page) > 8 else ()
        yield trunk
        trunk = int.from_bytes(page[:4], "big")


def unused(page: bytes, start: int) -> Iterator[bytes]:
    """Between the list of cells and the first cell, and the blocks that rows have left."""
    block, cells, first = struct.unpack_from(">HHH", page, start + 1)
    head = 12 if page[start] in BRANCHES else 8
    yield page[start + head + 2 * cells : first or len(page)]
    while block and block + 4 <= len(page):
        following, size = struct.unpack_from(">HH", page, block)
        yield page[block + 4 : block + size]
        block = following if following > block else 0


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
