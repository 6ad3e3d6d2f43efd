"""Open the one database: SQLite on a local disk, or PostgreSQL for several servers.

In: a path or an address.  Out: an engine whose commits survive a power cut.
"""

from __future__ import annotations

import functools
import socket
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Dialect, Engine, Table, create_engine, event, func, select
from sqlalchemy.dialects import sqlite as sqlite_dialect
from sqlalchemy.exc import SQLAlchemyError

from dlp.errors import StoreError
from dlp.private_files import check_private, make_private

PATIENCE_SECONDS = 10  # for another process's transaction
# How a database that is locked, full or gone shows, whatever part of it was asked.
OUTAGE = (StoreError, SQLAlchemyError, sqlite3.Error)
AT_ONCE = 500  # SQLite bounds the variables of a statement, and writers wait for each other
Row = tuple[Any, ...]
WRITERS = 0x646C71  # the lock under which verdicts are written, one batch after the other


def engine_of(where: Path | str) -> Engine:
    place = str(where)
    return server(place) if "://" in place else sqlite(Path(place))


def server(address: str) -> Engine:
    """PostgreSQL by psycopg 3, whatever short form of the address is given."""
    scheme, rest = address.split("://", 1)
    if scheme in {"postgres", "postgresql"}:
        scheme = "postgresql+psycopg"
    # A pooled connection may have died with the server it led to: ask before it is used.
    return create_engine(f"{scheme}://{rest}", pool_pre_ping=True)


def sqlite(path: Path) -> Engine:
    make_private(path)
    check_private(path, "database")
    engine = create_engine(URL.create("sqlite", database=str(path)))  # "?" and "%" are names too

    @event.listens_for(engine, "connect")
    def pragmas(connection: Any, _: Any) -> None:
        prepare(connection)

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        # A reader that turns writer half-way is refused at once instead of waiting its turn.
        writes = connection.get_execution_options().get("writes")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


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
    fix = "check free space, the owner of the file, and that it is a database"
    return StoreError(f"the database cannot be written: {kind}", where=where, fix=fix)


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """One transaction that writes: committed whole, or not at all."""
    try:
        with engine.execution_options(writes=True).begin() as connection:
            yield connection
    except SQLAlchemyError as error:
        raise trouble(engine, error) from None  # the original text holds the row


def trouble(engine: Engine, error: SQLAlchemyError) -> StoreError:
    """What an operator can do about a database that refuses."""
    url, kind = engine.url, type(error).__name__
    # SQLITE_BUSY, SQLITE_FULL …: the name tells the cause and holds nothing of the row.
    kind = getattr(getattr(error, "orig", None), "sqlite_errorname", kind)
    if engine.dialect.name == "sqlite":
        return refused(url.database or "", kind)
    where = f"{url.host or 'the local socket'}:{url.port or 5432}/{url.database or ''}"
    fix = "check that the server runs, the name of the database, and the user's rights"
    return StoreError(f"the database server refuses: {kind}", where=where, fix=fix)


def server_name(engine: Engine, configured: str = "") -> str:
    """The name under which our rows stand in a database that several servers share.

    A SQLite file belongs to one machine, whatever that is called today.
    """
    if engine.dialect.name != "postgresql":
        return ""
    return configured or socket.gethostname()


def take_turns(connection: Connection) -> None:
    """Let the writers of a shared database follow each other: rows locked crosswise would stop."""
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(WRITERS)))


def insert_into(dialect: Dialect, table: Table) -> Any:
    """The dialect's own INSERT, which knows what to do about a key that is there already."""
    if dialect.name == "postgresql":
        from sqlalchemy.dialects import postgresql  # noqa: PLC0415 - a fifth of all SQLAlchemy

        return postgresql.insert(table)
    return sqlite_dialect.insert(table)


def insert_new(engine: Engine, table: Table) -> Any:
    """Insert rows, passing by those whose key is there already, also when two servers race."""
    return insert_into(engine.dialect, table).on_conflict_do_nothing()


class Session:
    """One transaction. Values stand as question marks in the statements."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._marks = "%s" if connection.dialect.name == "postgresql" else "?"

    def query(self, sql: str, values: Sequence[Any] = ()) -> list[Row]:
        found = self._connection.exec_driver_sql(self._marked(sql), tuple(values))
        return [tuple(row) for row in found] if found.returns_rows else []

    def execute_many(self, sql: str, rows: Sequence[Row]) -> None:
        """The same statement for every row."""
        if rows:
            self._connection.exec_driver_sql(self._marked(sql), list(rows))

    def take_turns(self) -> None:
        take_turns(self._connection)

    def _marked(self, sql: str) -> str:
        return sql.replace("?", self._marks)


class Database:
    """Plain SQL in words that SQLite and PostgreSQL share."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def server_name(self, configured: str) -> str:
        return server_name(self._engine, configured)

    def query(self, sql: str, values: Sequence[Any] = ()) -> list[Row]:
        with self._engine.connect() as connection:
            return Session(connection).query(sql, values)

    @contextmanager
    def writing(self) -> Iterator[Session]:
        with writing(self._engine) as connection:
            yield Session(connection)

    def dispose(self) -> None:
        self._engine.dispose()


@functools.lru_cache(maxsize=32)
def insert_of(table: str, names: tuple[str, ...], key: tuple[str, ...] = ()) -> str:
    """`key`: rows that have it already get the new values."""
    put = f"INSERT INTO {table} ({', '.join(names)}) VALUES ({marks(len(names))})"  # noqa: S608 - names are ours
    if not key:
        return put
    changes = ", ".join(f"{name} = excluded.{name}" for name in names if name not in key)
    return f"{put} ON CONFLICT ({', '.join(key)}) DO UPDATE SET {changes}"


@functools.lru_cache(maxsize=32)
def update_of(table: str, names: tuple[str, ...], key: str) -> str:
    changes = ", ".join(f"{name} = ?" for name in names)
    return f"UPDATE {table} SET {changes} WHERE {key} = ?"  # noqa: S608 - names are ours


def marks(count: int) -> str:
    return ", ".join("?" * count)


def pieces(values: Sequence[Any]) -> Iterator[Sequence[Any]]:
    for start in range(0, len(values), AT_ONCE):
        yield values[start : start + AT_ONCE]
