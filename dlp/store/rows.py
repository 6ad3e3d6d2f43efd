"""The SQL of many rows: put in, put in or replaced, looked for by one of many values.

In: names of tables and columns, ours and never a file's.  Out: SQL that SQLite and PostgreSQL read.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from typing import Any

AT_ONCE = 500  # SQLite bounds the variables of a statement, and writers wait for each other


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
