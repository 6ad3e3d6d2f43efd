"""What was judged: one row per file, one per person in it; no value, no excerpt.

In: records.  Out: rows to rank; the latest verdict of a file replaces the one before.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Self

from sqlalchemy import Connection, Engine, delete, insert, select

from dlp.keys import state_folder
from dlp.store.database import writing
from dlp.store.migrations import open_database
from dlp.store.schema import files, persons

BATCH = 200  # records a commit; one by one costs a disk flush each


def default_path() -> Path:
    return state_folder() / "catalogue.db"


class Catalogue:
    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._waiting: list[dict[str, Any]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.flush()
        self._engine.dispose()

    def add(self, record: dict[str, Any]) -> None:
        self._waiting.append(record)
        if len(self._waiting) >= BATCH:
            self.flush()

    def flush(self) -> None:
        if not self._waiting:
            return
        waiting, self._waiting = self._waiting, []
        with writing(self._engine) as connection:
            for record in waiting:
                write(connection, record)

    def files(self, *, top: int | None = None) -> Iterator[dict[str, Any]]:
        """Judged files, worst first."""
        order = (files.c.privacy.desc(), files.c.people.desc(), files.c.path)
        with self._engine.connect() as connection:
            for row in connection.execute(select(files).order_by(*order).limit(top)).mappings():
                yield dict(row)

    def persons(self) -> Iterator[dict[str, Any]]:
        """Every person in every file, with the file's path."""
        query = select(persons, files.c.path).join(files, persons.c.file == files.c.id)
        with self._engine.connect() as connection:
            for row in connection.execute(query.order_by(persons.c.id)).mappings():
                one = dict(row)
                one["prints"] = one["prints"].split()
                one["bits"] = json.loads(one["bits"])
                one["burden"] = json.loads(one["burden"])
                yield one

    def forget(self, paths: Iterable[bytes]) -> None:
        with writing(self._engine) as connection:
            for path in paths:
                connection.execute(delete(files).where(files.c.path == path))


def open_catalogue(where: Path | str | None = None) -> Catalogue:
    """A SQLite file (made with mode 0600), or a PostgreSQL address."""
    return Catalogue(open_database(where or default_path()))


def write(connection: Connection, record: dict[str, Any]) -> None:
    path = os.fsencode(record["path"])
    connection.execute(delete(files).where(files.c.path == path))
    row = {
        "path": path,
        "folder": os.path.dirname(path),
        "people": len(record["persons"]),
        "gaps": " ".join(sorted({gap["code"] for gap in record["gaps"]})),
        "judged_at": time.time(),
    }
    plain = ("size_bytes", "sha256", "container", "reason", "privacy", "identifiability",
             "sensitivity", "media_type", "rules_version")  # fmt: skip
    row |= {key: record[key] for key in plain}
    number = connection.execute(insert(files).values(row)).inserted_primary_key
    assert number is not None
    if record["persons"]:
        connection.execute(insert(persons), [as_row(p, number[0]) for p in record["persons"]])


def as_row(person: dict[str, Any], file: int) -> dict[str, Any]:
    return {
        "file": file,
        "person": person["id"],
        "identifiability": person["identifiability"],
        "sensitivity": person["sensitivity"],
        "prints": " ".join(person["fingerprints"]),
        "bits": json.dumps(person["bits"]),
        "burden": json.dumps(person["burden"]),
    }
