"""What was judged: one row per file, one per person in it; no value, no excerpt.

In: records.  Out: rows to rank; the latest verdict of a file replaces the one before.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Self

from sqlalchemy import Engine, RowMapping, select

from dlp.store.batch import Batch
from dlp.store.database import server_name, writing
from dlp.store.details import body_of
from dlp.store.glimpse import default_path
from dlp.store.migrations import open_database
from dlp.store.schema import files, persons

BATCH = 200  # records a commit; one by one costs a disk flush each


class Catalogue:
    def __init__(
        self, engine: Engine, *, clock: Callable[[], float] = time.time, server: str = ""
    ) -> None:
        """`server`: whose paths are written; reading is over all servers."""
        self._engine = engine
        self._clock = clock
        self.server = server_name(engine, server)
        self._waiting: list[tuple[dict[str, Any], bytes]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.flush()
        self._engine.dispose()

    def add(self, record: dict[str, Any]) -> None:
        # Now, not with the rest: workers wait while many are written, and so do other writers.
        self._waiting.append((record, body_of(record)))
        if len(self._waiting) >= BATCH:
            self.flush()

    def flush(self) -> None:
        if not self._waiting:
            return
        waiting, self._waiting = self._waiting, []
        with writing(self._engine) as connection:
            batch = Batch(connection, self._clock(), self.server)
            batch.write(waiting)
            batch.sum_up(self._engine)

    def files(self, *, top: int | None = None) -> Iterator[dict[str, Any]]:
        """Judged files, worst first."""
        order = (files.c.privacy.desc(), files.c.people.desc(), files.c.path)
        with self._engine.connect() as connection:
            for row in connection.execute(select(files).order_by(*order).limit(top)).mappings():
                yield dict(row)

    def persons(self) -> Iterator[dict[str, Any]]:
        """Every person in every file whom no suppression covers, with the file's path."""
        query = select(persons, files.c.path, files.c.server)
        query = query.join(files, persons.c.file == files.c.id)
        query = query.where(persons.c.suppressed_until <= self._clock()).order_by(persons.c.id)
        with self._engine.connect() as connection:
            for row in connection.execute(query).mappings():
                yield as_person(row)

    def forget(self, paths: Iterable[bytes]) -> None:
        with writing(self._engine) as connection:
            batch = Batch(connection, self._clock(), self.server)
            for path in paths:
                batch.forget(path)
            batch.sum_up(self._engine)


def open_catalogue(where: Path | str | None = None, *, server: str = "") -> Catalogue:
    """A SQLite file (made with mode 0600), or a PostgreSQL address."""
    return Catalogue(open_database(where or default_path()), server=server)


def as_person(row: RowMapping) -> dict[str, Any]:
    one = dict(row)
    one["prints"] = one["prints"].split()
    one["bits"] = json.loads(one["bits"])
    one["burden"] = json.loads(one["burden"])
    return one
