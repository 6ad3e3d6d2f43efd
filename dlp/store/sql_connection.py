"""SQL that is handed to a driver as it stands, in words that SQLite and PostgreSQL share.

In: where a database is.  Out: rows, and transactions that write.

What a scan says to its catalogue is a dozen statements. To import the library that puts statements
together takes longer than to write down what was found in a thousand files.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Protocol

Row = tuple[Any, ...]

AT_ONCE = 500  # SQLite bounds the variables of a statement, and writers wait for each other


class Session(Protocol):
    """One transaction. Values stand as question marks in what is said."""

    def ask(self, sql: str, values: Sequence[Any] = ()) -> list[Row]: ...

    def tell(self, sql: str, rows: Sequence[Row]) -> None:
        """The same statement for every row."""

    def take_turns(self) -> None:
        """Wait for other writers where rows could be locked crosswise."""


class Direct(Protocol):
    def server_name(self, configured: str) -> str:
        """The name under which our rows stand."""

    def ask(self, sql: str, values: Sequence[Any] = ()) -> list[Row]:
        """Read, in a transaction that ends with the answer."""

    def writing(self) -> AbstractContextManager[Session]:
        """One transaction that writes: committed whole, or not at all."""

    def dispose(self) -> None: ...


def open_directly(where: Path | str) -> Direct:
    """The database at its present schema; a SQLite file needs nothing of SQLAlchemy."""
    if "://" not in str(where):
        from dlp.store.sqlite_file import open_file  # noqa: PLC0415 - one of both is needed

        return open_file(Path(where))
    from dlp.store.database import Served  # noqa: PLC0415
    from dlp.store.migrations import open_database  # noqa: PLC0415 - as above

    return Served(open_database(where))


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
