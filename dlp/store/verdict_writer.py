"""Take verdicts in, many in one transaction.

In: records.  Out: rows of the catalogue; the latest verdict of a file replaces the one before.

A person in them who was dismissed for one finding, one file, one folder or everywhere counts
nowhere until the date of the dismissal.
"""

from __future__ import annotations

import json
import os
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from operator import itemgetter
from typing import Any, NamedTuple, Self

from dlp.store.database import Database, Row, Session, insert_of, marks, pieces, update_of
from dlp.store.record_codec import body_of, concepts_of, tags_of
from dlp.table_slices import harm_in, people_in

BATCH = 200  # records a commit; one by one costs a disk flush each

PLAIN = ("size_bytes", "sha256", "container", "reason", "privacy", "identifiability",
         "sensitivity", "media_type", "rules_version")  # fmt: skip
# As an Exposures reader fills them; a record without says nothing of its readers.
SEEN = ("exposure", "readers", "owner", "modified_at", "accessed_at", "rights")
UNSEEN = {"exposure": "", "readers": 1, "owner": -1, "modified_at": 0.0, "accessed_at": 0.0,
          "rights": ""}  # fmt: skip
FILE = ("server", "path", "folder", "people", "gaps", "judged_at", "provisional", "review",
        "review_until", "harm", "risk", "traced", *SEEN, *PLAIN)  # fmt: skip
PERSON = ("person", "identifiability", "sensitivity", "prints", "bits", "burden",
          "suppressed_until", "identity", "area", "minor")  # fmt: skip
NOTED = ("container", "privacy", "people")  # what history tells of a file
OF_FILE, OF_PERSON, OF_NOTED = itemgetter(*FILE), itemgetter(*PERSON), itemgetter(*NOTED)

HARMLESS = """
SELECT fingerprint, scope, place, expires_at FROM suppressions WHERE expires_at > ?
"""
MOVED = """
INSERT INTO daily (day, container, change) VALUES (?, ?, ?)
ON CONFLICT (day, container) DO UPDATE SET change = daily.change + excluded.change
"""
# Also when two servers race for a folder. Sums are made later, of what is stale.
FOLDER = """
INSERT INTO folders (path, files, phi, unread, people, harm, privacy, stale)
VALUES (?, 0, 0, 0, 0, 0.0, 0.0, 1)
ON CONFLICT (path) DO UPDATE SET stale = 1
"""
FORGET = (
    "DELETE FROM persons WHERE file IN",
    "DELETE FROM details WHERE file IN",
    "DELETE FROM topics WHERE file IN",
    "DELETE FROM traces WHERE file IN",
)


class Verdicts:
    def __init__(
        self, database: Database, *, clock: Callable[[], float] = time.time, server: str = ""
    ) -> None:
        """`server`: whose paths are written."""
        self._database = database
        self._clock = clock
        self.server = database.server_name(server)
        self._waiting: list[tuple[dict[str, Any], bytes]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.flush()
        self._database.dispose()

    def add(self, record: dict[str, Any]) -> None:
        self.take(record)
        if len(self._waiting) >= BATCH:
            self.flush()

    def take(self, record: dict[str, Any], stored: int | None = None) -> None:
        """Have it wait for somebody to write it; `stored`: as in details.body_of."""
        # Now, not with the rest: workers wait while many are written, and so do other writers.
        self._waiting.append((record, body_of(record, stored)))

    @property
    def waits(self) -> bool:
        return bool(self._waiting)

    def flush(self) -> None:
        if self._waiting:
            with self._database.writing() as session:
                self.write(session)

    def write(self, session: Session) -> None:
        waiting, self._waiting = self._waiting, []
        batch = Batch(session, self._clock(), self.server)
        batch.write(waiting)
        batch.sum_up()

    def forget(self, paths: Iterable[bytes]) -> None:
        with self._database.writing() as session:
            batch = Batch(session, self._clock(), self.server)
            for path in paths:
                batch.forget(path)
            batch.sum_up()


class Known(NamedTuple):
    """A file as it stands in the catalogue."""

    path: bytes
    id: int
    sha256: str
    review: str
    review_until: float
    container: str
    privacy: float
    people: int

    @property
    def noted(self) -> Row:
        return self.container, self.privacy, self.people


KNOWN = """
SELECT path, id, sha256, review, review_until, container, privacy, people FROM files
WHERE server = ? AND path IN
"""


class Batch:
    def __init__(self, session: Session, now: float, server: str = "") -> None:
        session.take_turns()
        self._session = session
        self._now = now
        self._server = server
        self._moved: Counter[str] = Counter()  # by container
        self._folders: set[bytes] = set()
        rows = session.query(HARMLESS, (now,))
        self._harmless = Marks(Mark(one, scope, bytes(at), end) for one, scope, at, end in rows)

    def write(self, judged: Iterable[tuple[dict[str, Any], bytes]]) -> None:
        """Records and their details; the latest of several of one file counts."""
        latest, bodies = {}, {}
        for record, body in judged:
            path = os.fsencode(record["path"])
            latest[path], bodies[path] = record, body
        if not latest:
            return
        people = {path: [self._person(p, path) for p in r["persons"]] for path, r in latest.items()}
        rows = {path: self._row(path, r, people[path]) for path, r in latest.items()}
        before = self._before(list(rows))
        self._count(rows, before)
        numbers = self._files(rows, before)
        self._put("persons", ("file", *PERSON), [
            (numbers[path], *OF_PERSON(person))
            for path, group in people.items() for person in group
        ])  # fmt: skip
        self._put("details", ("file", "body"), [
            (numbers[path], body) for path, body in bodies.items()
        ])  # fmt: skip
        self._put("topics", ("concept", "file"), [
            (concept, numbers[path])
            for path, record in latest.items() for concept in concepts_of(record)
        ])  # fmt: skip
        self._put("traces", ("tag", "file"), [
            (tag, numbers[path])
            for path, record in latest.items() for tag in tags_of(record) if tag
        ])  # fmt: skip

    def _put(self, table: str, names: tuple[str, ...], rows: list[Row]) -> None:
        self._session.execute_many(insert_of(table, names), rows)

    def _person(self, person: dict[str, Any], path: bytes) -> dict[str, Any]:
        return {
            "person": person["id"],
            "identifiability": person["identifiability"],
            # the columns multiply to what is expected to be lost
            "sensitivity": person["sensitivity"] * person.get("chance", 1.0),
            "prints": " ".join(person["fingerprints"]),
            "bits": json.dumps(person["bits"]),
            "burden": json.dumps(person["burden"]),
            "suppressed_until": self._harmless.harmless_until(person["fingerprints"], path),
            "identity": "",
            "area": person.get("area", ""),
            "minor": int(person.get("minor", False)),
        }

    def _row(
        self, path: bytes, record: dict[str, Any], people: list[dict[str, Any]]
    ) -> dict[str, Any]:
        row: dict[str, Any] = {
            "server": self._server,
            "path": path,
            "folder": os.path.dirname(path),
            "people": people_in(record),
            "gaps": " ".join(sorted({gap["code"] for gap in record["gaps"]})),
            "judged_at": self._now,
            "provisional": int(record.get("provisional", False)),
            "review": "open",
            "review_until": 0.0,
            "traced": 2 if 0 in tags_of(record) else 1,
        }
        row |= {key: record[key] for key in PLAIN} | {"harm": harm_in(record)}
        row |= record.get("exposure") or UNSEEN
        if any(person["suppressed_until"] for person in people):
            row |= score_of(p for p in people if not p["suppressed_until"])
        row["risk"] = row["harm"] * row["readers"]
        return row

    def _before(self, paths: Sequence[bytes]) -> dict[bytes, Known]:
        found: dict[bytes, Known] = {}
        for some in pieces(paths):
            rows = self._session.query(f"{KNOWN} ({marks(len(some))})", (self._server, *some))
            found |= {row[0]: Known(*row) for row in rows}
        return found

    def _files(
        self, rows: Mapping[bytes, dict[str, Any]], before: Mapping[bytes, Known]
    ) -> dict[bytes, int]:
        """Insert, or replace under the same number: links to a file outlive a second judgement."""
        for path, known in before.items():
            if rows[path]["sha256"] == known.sha256:  # a decision is about a content
                rows[path].update(review=known.review, review_until=known.review_until)
        again = [(*OF_FILE(rows[path]), known.id) for path, known in before.items()]
        self._session.execute_many(update_of("files", FILE, "id"), again)
        for some in pieces([known.id for known in before.values()]):
            for forget in FORGET:
                self._session.query(f"{forget} ({marks(len(some))})", some)
        new = [path for path in rows if path not in before]
        self._put("files", FILE, [OF_FILE(rows[path]) for path in new])
        return {path: known.id for path, known in {**before, **self._before(new)}.items()}

    def _count(self, rows: Mapping[bytes, dict[str, Any]], before: Mapping[bytes, Known]) -> None:
        changed = []
        for path, row in rows.items():
            known, noted = before.get(path), OF_NOTED(row)
            self._folders.add(row["folder"])
            self._moved[row["container"]] += 1
            if known is not None:
                self._moved[known.container] -= 1
            if known is None or known.noted != noted:
                changed.append((path, self._now, *noted, row["rules_version"]))
        self._put("history", ("path", "at", *NOTED, "rules_version"), changed)

    def forget(self, path: bytes) -> None:
        for known in self._before([path]).values():
            self._moved[known.container] -= 1
            self._folders.add(os.path.dirname(path))
            self._session.query("DELETE FROM files WHERE id = ?", (known.id,))

    def sum_up(self) -> None:
        day = time.strftime("%Y-%m-%d", time.gmtime(self._now))
        moved = ((container, change) for container, change in self._moved.items() if change)
        self._session.execute_many(MOVED, [(day, *one) for one in moved])
        self._session.execute_many(FOLDER, [(folder,) for folder in self._folders])


def score_of(people: Iterable[Any]) -> dict[str, Any]:
    """A file's score from the persons that count."""
    counted = list(people)
    if not counted:
        return {"people": 0, "harm": 0.0, "privacy": 0.0, "identifiability": 0.0,
                "sensitivity": 0.0}  # fmt: skip
    losses = [p["identifiability"] * p["sensitivity"] for p in counted]
    worst = counted[losses.index(max(losses))]
    p, s = worst["identifiability"], worst["sensitivity"]
    return {"people": len(counted), "harm": sum(losses), "privacy": p * s, "identifiability": p,
            "sensitivity": s}  # fmt: skip


RANK_AGAIN = f"""
UPDATE files SET {", ".join(f"{name} = ?" for name in SEEN)}, risk = harm * ?
WHERE server = ? AND path = ?
"""  # noqa: S608 - constant text


def rank_again(session: Session, server: str, seen: Mapping[bytes, Mapping[str, Any]]) -> None:
    """Other rights, the same content: the files' places change, and the sums of their folders."""
    rows = [(*(one[name] for name in SEEN), one["readers"], server, path)
            for path, one in seen.items()]  # fmt: skip
    session.execute_many(RANK_AGAIN, rows)
    session.execute_many(FOLDER, [(folder,) for folder in {*map(os.path.dirname, seen)}])


ANYONE = "any:00000000"  # the mark of a file that was dismissed as a whole


class Scope(StrEnum):
    FINDING = "finding"  # this person in this file
    FILE = "file"  # everybody in this file
    FOLDER = "folder"  # this person beneath this folder
    PERSON = "person"  # this person everywhere, now and later: officers only


class Mark(NamedTuple):
    fingerprint: str
    scope: str
    place: bytes  # the file or the folder; empty: everywhere
    expires_at: float

    def covers(self, path: bytes) -> bool:
        if self.scope == Scope.PERSON:
            return True
        if self.scope == Scope.FOLDER:
            return path.startswith(self.place.rstrip(b"/") + b"/")
        return path == self.place


def place_of(scope: Scope, path: bytes) -> bytes:
    """Where a dismissal made on the page of this file counts."""
    if scope is Scope.PERSON:
        return b""
    return path.rpartition(b"/")[0] if scope is Scope.FOLDER else path


class Marks:
    """The marks in force, by fingerprint."""

    def __init__(self, marks: Iterable[Mark]) -> None:
        self._known: dict[str, list[Mark]] = defaultdict(list)
        for mark in marks:
            self._known[mark.fingerprint].append(mark)

    def harmless_until(self, prints: Sequence[str], path: bytes) -> float:
        """0: this person counts in this file."""
        if not self._known:
            return 0.0
        ends = (
            mark.expires_at
            for one in (*prints, ANYONE)
            for mark in self._known.get(one, ())
            if mark.covers(path)
        )
        return max(ends, default=0.0)
