"""A SQLite file opened by its driver alone, without SQLAlchemy.

In: a path.  Out: a database at its present schema; a new one is made from cached statements.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from dlp.errors import StoreError
from dlp.modes import check_private, make_private
from dlp.prepared import prepared
from dlp.resources import PACKAGE
from dlp.store.sql_connection import Row

STATED_IN = ("schema.py", "migrations.py")

PATIENCE_SECONDS = 10  # for another process's transaction


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


class MadeSchema(NamedTuple):
    version: int
    steps: Sequence[str]  # names of migrations, in their order
    statements: Sequence[str]


def made_schema() -> MadeSchema:
    return MadeSchema(*prepared(b"schema " + key(), worked_out))


def key() -> bytes:
    return b"\n".join((PACKAGE / "store" / name).read_bytes() for name in STATED_IN)


def worked_out() -> MadeSchema:
    """What the migrations leave in an empty database."""
    from dlp.store.migrations import STEPS, open_database  # noqa: PLC0415 - all of SQLAlchemy
    from dlp.store.schema import VERSION  # noqa: PLC0415

    with TemporaryDirectory() as folder:
        engine = open_database(Path(folder) / "new.db")
        with engine.connect() as connection:
            made = "SELECT sql FROM sqlite_master WHERE type = 'table' ORDER BY rowid"
            statements = list(connection.exec_driver_sql(made).scalars())
            # SQLAlchemy makes those of a table in any order.
            made = "SELECT sql FROM sqlite_master WHERE type = 'index' AND sql > '' ORDER BY name"
            statements += connection.exec_driver_sql(made).scalars()
        engine.dispose()
    return MadeSchema(VERSION, [step.__name__ for step in STEPS], statements)


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
