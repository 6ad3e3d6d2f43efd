"""Open the one database: SQLite on a local disk, or PostgreSQL for several servers.

In: a path or an address.  Out: an engine whose commits survive a power cut.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, Table, create_engine, event
from sqlalchemy.dialects import postgresql
from sqlalchemy.dialects import sqlite as sqlite_dialect
from sqlalchemy.exc import SQLAlchemyError

from dlp.errors import StoreError
from dlp.modes import check_private


def engine_of(where: Path | str) -> Engine:
    place = str(where)
    return create_engine(place) if "://" in place else sqlite(Path(place))


def sqlite(path: Path) -> Engine:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    check_private(path, "database")
    engine = create_engine(f"sqlite:///{path}")

    @event.listens_for(engine, "connect")
    def pragmas(connection: Any, _: Any) -> None:
        connection.isolation_level = None  # the driver would leave CREATE TABLE outside
        cursor = connection.cursor()
        cursor.execute("PRAGMA busy_timeout=10000")
        cursor.execute("PRAGMA journal_mode=WAL")
        cursor.execute("PRAGMA synchronous=FULL")  # NORMAL loses acknowledged rows on a power cut
        cursor.execute("PRAGMA foreign_keys=ON")
        cursor.close()

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        # A reader that turns writer half-way is refused at once instead of waiting its turn.
        writes = connection.get_execution_options().get("writes")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """One transaction that writes: committed whole, or not at all."""
    try:
        with engine.execution_options(writes=True).begin() as connection:
            yield connection
    except SQLAlchemyError as error:
        raise StoreError(
            f"the database cannot be written: {type(error).__name__}",
            where=engine.url.database or "",
            fix="check free space and the owner of the file",
        ) from None  # the original text holds the row


def insert_new(engine: Engine, table: Table) -> Any:
    """Insert rows, passing by those whose key is there already, also when two servers race."""
    dialect = postgresql if engine.dialect.name == "postgresql" else sqlite_dialect
    return dialect.insert(table).on_conflict_do_nothing()


def upsert(engine: Engine, table: Table, key: tuple[str, ...], add: tuple[str, ...]) -> Any:
    """Insert a row, or add its numbers to the one that has the key."""
    dialect = postgresql if engine.dialect.name == "postgresql" else sqlite_dialect
    query = dialect.insert(table)
    return query.on_conflict_do_update(
        index_elements=list(key),
        set_={name: table.c[name] + query.excluded[name] for name in add},
    )
