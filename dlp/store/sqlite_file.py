"""A SQLite file, spoken to by its driver alone.

In: a path.  Out: a database at its present schema, for whoever has few things to say to it.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from dlp.errors import StoreError
from dlp.modes import check_private, make_private
from dlp.store.made_schema import MadeSchema, made_schema
from dlp.store.sql_connection import Row
from dlp.store.sqlite_settings import prepare, refused, unopened


class SqliteFile:
    """Both a database and the one session it can have at a time."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self._path = str(path)
        self._connection = connection

    def server_name(self, configured: str) -> str:  # noqa: ARG002 - of a shared database only
        """None: a file belongs to one machine, whatever that is called today."""
        return ""

    def ask(self, sql: str, values: Sequence[Any] = ()) -> list[Row]:
        try:
            return self._connection.execute(sql, values).fetchall()
        except sqlite3.Error as error:
            raise self._trouble(error) from None  # its own text may hold the row

    def tell(self, sql: str, rows: Sequence[Row]) -> None:
        try:
            self._connection.executemany(sql, rows)
        except sqlite3.Error as error:
            raise self._trouble(error) from None

    def _trouble(self, error: sqlite3.Error) -> StoreError:
        return refused(self._path, getattr(error, "sqlite_errorname", type(error).__name__))

    def take_turns(self) -> None:
        """Writers do so by themselves."""

    @contextmanager
    def writing(self) -> Iterator[SqliteFile]:
        # A reader that turns writer half-way is refused at once instead of waiting its turn.
        self.ask("BEGIN IMMEDIATE")
        try:
            yield self
            self.ask("COMMIT")
        finally:
            if self._connection.in_transaction:
                self.ask("ROLLBACK")

    def dispose(self) -> None:
        self._connection.close()


def open_file(path: Path) -> SqliteFile:
    """Made, with mode 0600, when there is none; an old one is brought to the present schema."""
    try:
        make_private(path)
        check_private(path, "database")
        connection = connected(path)
        if not is_present(connection, made_schema()):
            connection.close()
            from dlp.store.migrations import open_database  # noqa: PLC0415 - all of SQLAlchemy

            open_database(path).dispose()
            connection = connected(path)
    except (sqlite3.Error, OSError) as error:
        raise unopened(str(path), error) from None
    return SqliteFile(path, connection)


def connected(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(os.path.abspath(path))
    prepare(connection)
    return connection


def is_present(connection: sqlite3.Connection, schema: MadeSchema) -> bool:
    """Whether all is as this version wants it; an empty file is made so."""
    found = reached(connection)
    if found is None:
        make(connection, schema)
        found = reached(connection)
    return found == schema.version


def reached(connection: sqlite3.Connection) -> int | None:
    """How far a database is: 0 if that is for others to tell, None if there is nothing in it."""
    names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    if not {"migrations", "about"} <= names:
        return 0 if names else None
    (done,) = connection.execute("SELECT max(number) FROM migrations").fetchone()
    stated = connection.execute("SELECT value FROM about WHERE key = 'version'").fetchone()
    return done if done and stated == (str(done),) else 0


def make(connection: sqlite3.Connection, schema: MadeSchema) -> None:
    """All of it or nothing, unless somebody else was quicker."""
    connection.execute("BEGIN IMMEDIATE")
    with connection:  # commits, or takes all of it back
        if reached(connection) is not None:
            return
        for statement in schema.statements:
            connection.execute(statement)
        done = "INSERT INTO migrations (number, name, at) VALUES (?, ?, ?)"
        for number, name in enumerate(schema.steps, start=1):
            connection.execute(done, (number, name, time.time()))
        stated = "INSERT INTO about (key, value) VALUES ('version', ?)"
        connection.execute(stated, (str(schema.version),))
