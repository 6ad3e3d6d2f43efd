"""Write many rows of one table with one statement, handed to the driver as they are.

In: rows in the order of the columns they name.  Out: rows in the database.

SQLAlchemy looks at every value of every row it is given; what comes here is strings, numbers and
bytes already, which every driver takes.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Dialect, Table, insert

from dlp.store.database import insert_into

Row = tuple[Any, ...]


def insert_rows(
    connection: Connection,
    table: Table,
    names: tuple[str, ...],
    rows: Sequence[Row],
    *,
    key: tuple[str, ...] = (),
) -> None:
    """`key`: rows that have it already get the new values."""
    if not rows:
        return
    text, order = statement(connection.dialect, table, names, key)
    if order is None:  # values are found by their names
        named = [dict(zip(names, row, strict=True)) for row in rows]
        connection.exec_driver_sql(text, named)
        return
    if order != names:
        raise ValueError(f"columns of {table.name} in another order: {names}")
    connection.exec_driver_sql(text, list(rows))


@functools.lru_cache(maxsize=32)
def statement(
    dialect: Dialect, table: Table, names: tuple[str, ...], key: tuple[str, ...]
) -> tuple[str, tuple[str, ...] | None]:
    """SQL, and in which order it takes its values; inline: no row is asked for its number."""
    put = insert_or_replace(dialect, table, names, key) if key else insert(table).inline()
    compiled = put.compile(dialect=dialect, column_keys=list(names))
    order = compiled.positiontup
    return str(compiled), tuple(order) if order else None


def insert_or_replace(
    dialect: Dialect, table: Table, names: tuple[str, ...], key: tuple[str, ...]
) -> Any:
    """Insert rows, or give those that have their key the new values."""
    put = insert_into(dialect, table)
    changes = {name: put.excluded[name] for name in names if name not in key}
    return put.on_conflict_do_update(index_elements=list(key), set_=changes)
