"""A database by way of SQLAlchemy, for what is said in plain SQL.

In: an Engine, of PostgreSQL or of SQLite.  Out: rows, and transactions that write.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, Engine

from dlp.store.database import server_name, take_turns, writing
from dlp.store.sql_connection import Row


class ServedSession:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._marks = "%s" if connection.dialect.name == "postgresql" else "?"

    def ask(self, sql: str, values: Sequence[Any] = ()) -> list[Row]:
        found = self._connection.exec_driver_sql(self._marked(sql), tuple(values))
        return [tuple(row) for row in found] if found.returns_rows else []

    def tell(self, sql: str, rows: Sequence[Row]) -> None:
        if rows:
            self._connection.exec_driver_sql(self._marked(sql), list(rows))

    def take_turns(self) -> None:
        take_turns(self._connection)

    def _marked(self, sql: str) -> str:
        return sql.replace("?", self._marks)


class Served:
    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def server_name(self, configured: str) -> str:
        return server_name(self._engine, configured)

    def ask(self, sql: str, values: Sequence[Any] = ()) -> list[Row]:
        with self._engine.connect() as connection:
            return ServedSession(connection).ask(sql, values)

    @contextmanager
    def writing(self) -> Iterator[ServedSession]:
        with writing(self._engine) as connection:
            yield ServedSession(connection)

    def dispose(self) -> None:
        self._engine.dispose()
