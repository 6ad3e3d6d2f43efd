"""SQL that is handed to a driver as it stands, in words that SQLite and PostgreSQL share.

In: where a database is.  Out: rows, and transactions that write.

What a scan says to its catalogue is a dozen statements. To import the library that puts statements
together takes longer than to write down what was found in a thousand files.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Protocol

Row = tuple[Any, ...]


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
    from dlp.store.migrations import open_database  # noqa: PLC0415 - as above
    from dlp.store.sqlalchemy_connection import Served  # noqa: PLC0415

    return Served(open_database(where))
