"""What was judged: one row per file, one per person in it; no value, no excerpt.

In: records.  Out: rows to rank; the latest verdict of a file replaces the one before.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, RowMapping, select

from dlp.store.catalogue_probe import default_path
from dlp.store.database import Database
from dlp.store.migrations import open_database
from dlp.store.schema import files, persons
from dlp.store.verdict_writer import Verdicts


class Catalogue(Verdicts):
    def __init__(
        self, engine: Engine, *, clock: Callable[[], float] = time.time, server: str = ""
    ) -> None:
        """`server`: whose paths are written; reading is over all servers."""
        super().__init__(Database(engine), clock=clock, server=server)
        self._engine = engine

    def files(self, *, top: int | None = None) -> Iterator[dict[str, Any]]:
        """Judged files, worst first."""
        order = (files.c.risk.desc(), files.c.privacy.desc(), files.c.people.desc(), files.c.path)
        with self._engine.connect() as connection:
            for row in connection.execute(select(files).order_by(*order).limit(top)).mappings():
                yield dict(row)

    def persons(self) -> Iterator[dict[str, Any]]:
        """Every person in every file whom no suppression covers, with the file's path."""
        query = select(persons, files.c.path, files.c.server, files.c.readers,
                       files.c.exposure, files.c.container)  # fmt: skip
        query = query.join(files, persons.c.file == files.c.id)
        query = query.where(persons.c.suppressed_until <= self._clock()).order_by(persons.c.id)
        with self._engine.connect() as connection:
            for row in connection.execute(query).mappings():
                yield as_person(row)


def open_catalogue(where: Path | str | None = None, *, server: str = "") -> Catalogue:
    """A SQLite file (made with mode 0600), or a PostgreSQL address."""
    return Catalogue(open_database(where or default_path()), server=server)


def as_person(row: RowMapping) -> dict[str, Any]:
    one = dict(row)
    one["prints"] = one["prints"].split()
    one["bits"] = json.loads(one["bits"])
    one["burden"] = json.loads(one["burden"])
    return one
