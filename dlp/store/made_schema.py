"""What a new SQLite file holds once every migration has run, cached as statements.

In: nothing.  Out: the statements that make it, tied to the very text of schema and migrations.

A scan with a new catalogue, or a present one, needs nothing of SQLAlchemy then.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from dlp.prepared import prepared
from dlp.resources import PACKAGE

STATED_IN = ("schema.py", "schema_notices.py", "migrations.py")


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
