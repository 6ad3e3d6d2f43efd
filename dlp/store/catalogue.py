"""What was judged: one row per file, one per person in it; no value, no excerpt.

In: records.  Out: rows to rank; the latest verdict of a file replaces the one before.
"""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Self

from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    RowMapping,
    and_,
    delete,
    func,
    insert,
    select,
    update,
)

from dlp.keys import state_folder
from dlp.store.database import insert_new, server_name, take_turns, upsert, writing
from dlp.store.details import body_of, concepts_of
from dlp.store.migrations import open_database
from dlp.store.schema import (
    daily,
    details,
    files,
    folders,
    history,
    persons,
    suppressions,
    topics,
)

BATCH = 200  # records a commit; one by one costs a disk flush each


def default_path() -> Path:
    return state_folder() / "catalogue.db"


class Catalogue:
    def __init__(
        self, engine: Engine, *, clock: Callable[[], float] = time.time, server: str = ""
    ) -> None:
        """`server`: whose paths are written; reading is over all servers."""
        self._engine = engine
        self._clock = clock
        self.server = server_name(engine, server)
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
            batch = Batch(connection, self._clock(), self.server)
            for record in waiting:
                batch.write(record)
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


class Batch:
    """Verdicts written in one transaction, and the sums that go with them."""

    def __init__(self, connection: Connection, now: float, server: str = "") -> None:
        take_turns(connection)
        self._connection = connection
        self._now = now
        self._server = server
        self._moved: Counter[str] = Counter()  # by container
        self._folders: set[bytes] = set()
        harmless = select(suppressions.c.fingerprint, func.max(suppressions.c.expires_at))
        harmless = harmless.where(suppressions.c.expires_at > now)
        rows = connection.execute(harmless.group_by(suppressions.c.fingerprint))
        self._harmless: dict[str, float] = {row[0]: row[1] for row in rows}

    def write(self, record: dict[str, Any]) -> None:
        path = os.fsencode(record["path"])
        people = [self._person(person) for person in record["persons"]]
        row = self._row(path, record, people)
        number = self._file(path, row)
        if people:
            self._connection.execute(insert(persons), [{**p, "file": number} for p in people])
        self._connection.execute(insert(details).values(file=number, body=body_of(record)))
        if named := concepts_of(record):
            self._connection.execute(
                insert(topics), [{"concept": concept, "file": number} for concept in named]
            )

    def _person(self, person: dict[str, Any]) -> dict[str, Any]:
        until = [self._harmless.get(one, 0.0) for one in person["fingerprints"]]
        return {
            "person": person["id"],
            "identifiability": person["identifiability"],
            "sensitivity": person["sensitivity"],
            "prints": " ".join(person["fingerprints"]),
            "bits": json.dumps(person["bits"]),
            "burden": json.dumps(person["burden"]),
            "suppressed_until": max(until, default=0.0),
            "identity": "",
        }

    def _row(
        self, path: bytes, record: dict[str, Any], people: list[dict[str, Any]]
    ) -> dict[str, Any]:
        row = {
            "server": self._server,
            "path": path,
            "folder": os.path.dirname(path),
            "people": len(people),
            "gaps": " ".join(sorted({gap["code"] for gap in record["gaps"]})),
            "judged_at": self._now,
            "provisional": int(record.get("provisional", False)),
        }
        plain = ("size_bytes", "sha256", "container", "reason", "privacy", "identifiability",
                 "sensitivity", "media_type", "rules_version")  # fmt: skip
        row |= {key: record[key] for key in plain}
        if any(person["suppressed_until"] for person in people):
            row |= exposure(p for p in people if not p["suppressed_until"])
        return row

    def _file(self, path: bytes, row: dict[str, Any]) -> int:
        """Insert, or replace under the same number: links to a file outlive a second judgement."""
        found = self._connection.execute(select(files).where(self._is(path))).mappings()
        before = found.first()
        self._count(before, row)
        if before is None:
            key = self._connection.execute(insert(files).values(row)).inserted_primary_key
            assert key is not None
            return int(key[0])
        if row["sha256"] != before["sha256"]:
            row |= {"review": "open", "review_until": 0.0}  # a decision is about a content
        number = before["id"]
        self._connection.execute(update(files).where(files.c.id == number).values(row))
        for table in (persons, details, topics):
            self._connection.execute(delete(table).where(table.c.file == number))
        return int(number)

    def _count(self, before: RowMapping | None, row: dict[str, Any]) -> None:
        self._folders.add(row["folder"])
        if before is not None:
            self._moved[before["container"]] -= 1
        self._moved[row["container"]] += 1
        noted = ("container", "privacy", "people")
        if before is None or any(before[name] != row[name] for name in noted):
            kept = {name: row[name] for name in (*noted, "path", "rules_version")}
            self._connection.execute(insert(history).values(kept | {"at": self._now}))

    def _is(self, path: bytes) -> ColumnElement[bool]:
        return and_(files.c.server == self._server, files.c.path == path)

    def forget(self, path: bytes) -> None:
        found = select(files.c.id, files.c.container, files.c.folder).where(self._is(path))
        row = self._connection.execute(found).first()
        if row is not None:
            self._moved[row.container] -= 1
            self._folders.add(row.folder)
            self._connection.execute(delete(files).where(files.c.id == row.id))

    def sum_up(self, engine: Engine) -> None:
        day = time.strftime("%Y-%m-%d", time.gmtime(self._now))
        for container, change in self._moved.items():
            if change:
                add = upsert(engine, daily, ("day", "container"), add=("change",))
                row = {"day": day, "container": container, "change": change}
                self._connection.execute(add, row)
        if self._folders:
            places = [{"path": folder} for folder in self._folders]
            self._connection.execute(insert_new(engine, folders), places)
            stale = update(folders).where(folders.c.path.in_(self._folders)).values(stale=1)
            self._connection.execute(stale)


def exposure(people: Iterable[Any]) -> dict[str, Any]:
    """A file's score from the persons that count."""
    counted = list(people)
    if not counted:
        return {"people": 0, "privacy": 0.0, "identifiability": 0.0, "sensitivity": 0.0}
    worst = max(counted, key=lambda p: p["identifiability"] * p["sensitivity"])
    p, s = worst["identifiability"], worst["sensitivity"]
    return {"people": len(counted), "privacy": p * s, "identifiability": p, "sensitivity": s}


def as_person(row: RowMapping) -> dict[str, Any]:
    one = dict(row)
    one["prints"] = one["prints"].split()
    one["bits"] = json.loads(one["bits"])
    one["burden"] = json.loads(one["burden"])
    return one
