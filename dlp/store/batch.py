"""Write many verdicts in one transaction, with the sums that go with them.

In: records, their details.  Out: rows of files, persons, reasons, topics, history; counts of a day.

Everything of one kind is written at once: row by row a verdict costs two milliseconds of processor
time, together a quarter of one.
"""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    Table,
    and_,
    bindparam,
    delete,
    func,
    insert,
    select,
    update,
)

from dlp.store.database import insert_new, take_turns, upsert
from dlp.store.details import concepts_of
from dlp.store.rows import Row, insert_rows
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

AT_ONCE = 500  # SQLite bounds the variables of a statement
PLAIN = ("size_bytes", "sha256", "container", "reason", "privacy", "identifiability",
         "sensitivity", "media_type", "rules_version")  # fmt: skip
NOTED = ("container", "privacy", "people")  # what history tells of a file
PERSON = ("file", "person", "identifiability", "sensitivity", "prints", "bits", "burden",
          "suppressed_until", "identity")  # fmt: skip
KNOWN = (files.c.id, files.c.path, files.c.sha256, files.c.review, files.c.review_until,
         files.c.folder, *(files.c[name] for name in NOTED))  # fmt: skip


class Batch:
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

    def write(self, judged: Iterable[tuple[dict[str, Any], bytes]]) -> None:
        """Records and their details; the latest of several of one file counts."""
        latest, bodies = {}, {}
        for record, body in judged:
            path = os.fsencode(record["path"])
            latest[path], bodies[path] = record, body
        if not latest:
            return
        people = {path: [self._person(p) for p in r["persons"]] for path, r in latest.items()}
        rows = {path: self._row(path, r, people[path]) for path, r in latest.items()}
        before = self._before(list(rows))
        self._count(rows, before)
        numbers = self._files(rows, before)
        self._all(persons, PERSON, [
            (numbers[path], *(person[name] for name in PERSON[1:]))
            for path, group in people.items() for person in group
        ])  # fmt: skip
        self._all(details, ("file", "body"), [
            (numbers[path], body) for path, body in bodies.items()
        ])  # fmt: skip
        self._all(topics, ("concept", "file"), [
            (concept, numbers[path])
            for path, record in latest.items() for concept in concepts_of(record)
        ])  # fmt: skip

    def _all(self, table: Table, names: tuple[str, ...], rows: list[Row]) -> None:
        insert_rows(self._connection, table, names, rows)

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
            "review": "open",
            "review_until": 0.0,
        }
        row |= {key: record[key] for key in PLAIN}
        if any(person["suppressed_until"] for person in people):
            row |= exposure(p for p in people if not p["suppressed_until"])
        return row

    def _before(self, paths: Sequence[bytes]) -> dict[bytes, Mapping[str, Any]]:
        found: dict[bytes, Mapping[str, Any]] = {}
        for some in pieces(paths):
            query = select(*KNOWN).where(files.c.server == self._server, files.c.path.in_(some))
            found |= {row["path"]: row for row in self._connection.execute(query).mappings()}
        return found

    def _files(
        self, rows: Mapping[bytes, dict[str, Any]], before: Mapping[bytes, Mapping[str, Any]]
    ) -> dict[bytes, int]:
        """Insert, or replace under the same number: links to a file outlive a second judgement."""
        numbers = {path: int(row["id"]) for path, row in before.items()}
        fresh = [row for path, row in rows.items() if path not in before]
        if fresh:
            made = insert(files).returning(files.c.path, files.c.id)
            numbers |= {row[0]: row[1] for row in self._connection.execute(made, fresh)}
        again = []
        for path, known in before.items():
            row = rows[path]
            if row["sha256"] == known["sha256"]:  # a decision is about a content
                row |= {"review": known["review"], "review_until": known["review_until"]}
            again.append({**row, "number": known["id"]})
        if again:
            change = update(files).where(files.c.id == bindparam("number"))
            values: dict[str, Any] = {n: bindparam(n) for n in again[0] if n != "number"}
            self._connection.execute(change.values(values), again)
        for some in pieces([row["number"] for row in again]):
            for table in (persons, details, topics):
                self._connection.execute(delete(table).where(table.c.file.in_(some)))
        return numbers

    def _count(
        self, rows: Mapping[bytes, dict[str, Any]], before: Mapping[bytes, Mapping[str, Any]]
    ) -> None:
        told = []
        for path, row in rows.items():
            known = before.get(path)
            self._folders.add(row["folder"])
            self._moved[row["container"]] += 1
            if known is not None:
                self._moved[known["container"]] -= 1
            if known is None or any(known[name] != row[name] for name in NOTED):
                noted = (row[name] for name in NOTED)
                told.append((path, self._now, *noted, row["rules_version"]))
        self._all(history, ("path", "at", *NOTED, "rules_version"), told)

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
        moved = [
            {"day": day, "container": container, "change": change}
            for container, change in self._moved.items() if change
        ]  # fmt: skip
        if moved:
            add = upsert(engine, daily, ("day", "container"), add=("change",))
            self._connection.execute(add, moved)
        if self._folders:
            places = [{"path": folder} for folder in self._folders]
            self._connection.execute(insert_new(engine, folders), places)
            for some in pieces(list(self._folders)):
                stale = update(folders).where(folders.c.path.in_(some)).values(stale=1)
                self._connection.execute(stale)


def exposure(people: Iterable[Any]) -> dict[str, Any]:
    """A file's score from the persons that count."""
    counted = list(people)
    if not counted:
        return {"people": 0, "privacy": 0.0, "identifiability": 0.0, "sensitivity": 0.0}
    worst = max(counted, key=lambda p: p["identifiability"] * p["sensitivity"])
    p, s = worst["identifiability"], worst["sensitivity"]
    return {"people": len(counted), "privacy": p * s, "identifiability": p, "sensitivity": s}


def pieces(values: Sequence[Any]) -> Iterator[Sequence[Any]]:
    for start in range(0, len(values), AT_ONCE):
        yield values[start : start + AT_ONCE]
