"""Pages of what was judged, a few rows at a time, each found by an index.

In: what to show and where the page before ended.  Out: rows; never the whole table.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Engine,
    Select,
    Table,
    and_,
    func,
    literal,
    or_,
    select,
    tuple_,
)

from dlp.store.catalogue import as_person
from dlp.store.database import Session
from dlp.store.exposed_files import is_orphaned, is_stale
from dlp.store.record_codec import reasons_of
from dlp.store.schema import (
    daily,
    decisions,
    files,
    folders,
    history,
    identities,
    intents,
    persons,
    suppressions,
    topics,
)

LAST_BYTE = b"\xff"
MOST_FOLDERS = 500
MOST_NAMED = 500

Row = dict[str, Any]


class Box(NamedTuple):
    """A level, as the bounds it stands for."""

    above: float
    upto: float
    of: str = "risk"  # the column, of files, folders and identities alike


class Cursor(NamedTuple):
    """Where a page ends: the sorted value and the number of its row."""

    value: Any
    id: int


@dataclass(frozen=True, slots=True)
class Asked:
    """One page of a listing."""

    sort: str
    descending: bool = True
    limit: int = 50
    after: Cursor | None = None
    before: Cursor | None = None
    containers: tuple[str, ...] = ()
    box: Box | None = None
    review: str = ""
    gap: str = ""  # a code, or "any"
    under: bytes = b""  # a folder with everything below it
    text: bytes = b""  # part of a name
    concepts: tuple[str, ...] | None = field(default=None)
    exposure: str = ""  # who can read it
    view: str = ""  # stale or orphaned
    accounts: frozenset[int] = frozenset()  # that exist, for the second
    stale_days: int = 365


class Page(NamedTuple):
    rows: list[dict[str, Any]]
    earlier: bool
    later: bool


FILE_SORTS = {
    "risk": files.c.risk, "privacy": files.c.privacy, "people": files.c.people,
    "readers": files.c.readers, "judged": files.c.judged_at, "size": files.c.size_bytes,
    "path": files.c.path,
}  # fmt: skip
FOLDER_SORTS = {
    "risk": folders.c.risk, "harm": folders.c.harm, "people": folders.c.people,
    "path": folders.c.path,
}  # fmt: skip
PERSON_SORTS = {
    "risk": identities.c.risk, "privacy": identities.c.privacy, "files": identities.c.files,
}  # fmt: skip


def file_page(engine: Engine, asked: Asked) -> Page:
    with engine.connect() as connection:
        where = file_filter(connection, asked)
        return paged(connection, files, FILE_SORTS[asked.sort], asked, where)


def listed(engine: Engine, asked: Asked) -> tuple[Page, int]:
    """A page and the number of all files that fit; what the filters cost is paid once."""
    with engine.connect() as connection:
        where = file_filter(connection, asked)
        query = select(func.count()).select_from(files).where(*where)
        total = connection.execute(query).scalar() or 0
        return paged(connection, files, FILE_SORTS[asked.sort], asked, where), total


def folder_page(engine: Engine, asked: Asked) -> Page:
    where: list[ColumnElement[bool]] = [folders.c.files > 0]
    if asked.under:
        where.append(beneath(folders.c.path, asked.under))
    if asked.text:
        where.append(holds(engine.dialect.name, folders.c.path, asked.text))
    where += box(folders, asked.box)
    with engine.connect() as connection:
        return paged(connection, folders, FOLDER_SORTS[asked.sort], asked, where)


def person_page(engine: Engine, asked: Asked) -> Page:
    where = box(identities, asked.box)
    with engine.connect() as connection:
        return paged(connection, identities, PERSON_SORTS[asked.sort], asked, where)


def paged(
    connection: Connection,
    table: Table,
    sort: Column[Any],
    asked: Asked,
    where: Sequence[ColumnElement[bool]],
) -> Page:
    """Rows after (or before) a cursor, in the wanted order, and whether there are more."""
    backwards = asked.before is not None
    down = asked.descending != backwards
    query: Select[Any] = select(table).where(*where)
    cursor = asked.before or asked.after
    if cursor is not None:
        here, there = tuple_(sort, table.c.id), tuple_(literal(cursor.value), literal(cursor.id))
        query = query.where(here < there if down else here > there)
    order = (sort.desc(), table.c.id.desc()) if down else (sort, table.c.id)
    found = connection.execute(query.order_by(*order).limit(asked.limit + 1)).mappings().all()
    rows = [dict(row) for row in found[: asked.limit]]
    more = len(found) > asked.limit
    if backwards:
        return Page(rows[::-1], more, later=True)
    return Page(rows, asked.after is not None, more)


def file_filter(connection: Connection, asked: Asked) -> list[ColumnElement[bool]]:
    where: list[ColumnElement[bool]] = box(files, asked.box)
    if asked.containers:
        where.append(files.c.container.in_(asked.containers))
    if asked.review:
        where.append(files.c.review == asked.review)
    if asked.gap:
        where.append(files.c.gaps.in_(combinations(connection, asked.gap)))
    if asked.under:
        where.append(in_folders(connection, asked.under))
    if asked.text:
        where.append(named(connection, asked.text))
    if asked.concepts is not None:
        about = select(topics.c.file).where(topics.c.concept.in_(asked.concepts))
        where.append(files.c.id.in_(about))
    if asked.exposure:
        where.append(files.c.exposure == asked.exposure)
    if asked.view == "stale":
        where.append(is_stale(time.time(), asked.stale_days))
    elif asked.view == "orphaned":
        where.append(is_orphaned(connection, asked.accounts))
    return where


def box(table: Table, one: Box | None) -> list[ColumnElement[bool]]:
    if one is None:
        return []
    return [table.c[one.of] > one.above, table.c[one.of] <= one.upto]


def combinations(connection: Connection, code: str) -> list[str]:
    """The few different texts in the column of gaps that hold a code."""
    known = connection.scalars(select(files.c.gaps).where(files.c.gaps > "").distinct())
    return [text for text in known if code in ("any", *text.split())]


def beneath(column: Column[Any], folder: bytes) -> ColumnElement[bool]:
    inside = folder.rstrip(b"/") + b"/"
    return or_(column == folder, and_(column >= inside, column < inside + LAST_BYTE))


def in_folders(connection: Connection, folder: bytes) -> ColumnElement[bool]:
    """By the names of a few folders, which an index finds; a large tree by where its paths lie."""
    known = select(folders.c.path).where(beneath(folders.c.path, folder)).limit(MOST_FOLDERS + 1)
    names = list(connection.scalars(known))
    if len(names) > MOST_FOLDERS:
        return beneath(files.c.path, folder)
    return files.c.folder.in_(names)


def named(connection: Connection, text: bytes) -> ColumnElement[bool]:
    """By number where few fit: the index of paths is read once, not a row for every file."""
    fits = holds(connection.dialect.name, files.c.path, text)
    found = list(connection.scalars(select(files.c.id).where(fits).limit(MOST_NAMED + 1)))
    return files.c.id.in_(found) if len(found) <= MOST_NAMED else fits


def holds(dialect: str, column: Column[Any], text: bytes) -> ColumnElement[bool]:
    needle = literal(text)
    if dialect == "postgresql":
        return func.position(needle.op("IN")(column)) > 0
    return func.instr(column, needle) > 0


def paths(engine: Engine) -> Iterator[tuple[int, bytes]]:
    """Every file on record, by number."""
    with engine.connect() as connection:
        for row in connection.execute(select(files.c.id, files.c.path)):
            yield row.id, bytes(row.path)


def one_file(engine: Engine, number: int) -> dict[str, Any] | None:
    """A file with its persons, its reasons and its earlier verdicts."""
    with engine.connect() as connection:
        row = connection.execute(select(files).where(files.c.id == number)).mappings().first()
        if row is None:
            return None
        found = dict(row)
        people = select(persons).where(persons.c.file == number)
        worst = (persons.c.identifiability * persons.c.sensitivity).desc()
        query = people.order_by(worst, persons.c.id).limit(100)
        found["persons"] = [as_person(p) for p in connection.execute(query).mappings()]
        found["why"] = reasons_of(Session(connection), row["server"], row["path"])
        past = select(history).where(history.c.path == found["path"])
        past = past.order_by(history.c.id.desc()).limit(20)
        found["history"] = [dict(h) for h in connection.execute(past).mappings()]
    return found


def files_of_identity(engine: Engine, name: str, limit: int = 50) -> list[dict[str, Any]]:
    """What one pseudonym appears in, the worst file first."""
    privacy = (persons.c.identifiability * persons.c.sensitivity).label("of_person")
    query = (
        select(files, privacy, persons.c.identifiability.label("p"),
               persons.c.sensitivity.label("s"), persons.c.burden)
        .join(persons, persons.c.file == files.c.id)
        .where(persons.c.identity == name)
        .order_by(privacy.desc(), files.c.id).limit(limit)
    )  # fmt: skip
    with engine.connect() as connection:
        return [dict(row) for row in connection.execute(query).mappings()]


def identity(engine: Engine, name: str) -> dict[str, Any] | None:
    with engine.connect() as connection:
        query = select(identities).where(identities.c.name == name)
        row = connection.execute(query).mappings().first()
        return dict(row) if row else None


def stock(engine: Engine) -> dict[str, int]:
    """Files by container, from the sums of the days: counting them all takes a page's time."""
    query = select(daily.c.container, func.sum(daily.c.change)).group_by(daily.c.container)
    with engine.connect() as connection:
        return {row[0]: int(row[1]) for row in connection.execute(query) if row[1]}


def trend(engine: Engine) -> list[tuple[str, dict[str, int]]]:
    """Files by container at the end of each day on which something changed."""
    with engine.connect() as connection:
        rows = connection.execute(select(daily).order_by(daily.c.day)).all()
    running: dict[str, int] = {}
    days: dict[str, dict[str, int]] = {}
    for day, container, change in rows:
        running[container] = running.get(container, 0) + change
        days[day] = dict(running)
    return list(days.items())


def gaps(engine: Engine) -> dict[str, int]:
    """Files that were not read in full, by what stood in the way."""
    query = select(files.c.gaps, func.count()).where(files.c.gaps > "").group_by(files.c.gaps)
    counts: dict[str, int] = {}
    with engine.connect() as connection:
        for text, number in connection.execute(query):
            for code in text.split():
                counts[code] = counts.get(code, 0) + number
    return counts


def unread(engine: Engine) -> int:
    with engine.connect() as connection:
        query = select(func.count()).select_from(files).where(files.c.gaps > "")
        return connection.execute(query).scalar() or 0


def backlog(engine: Engine) -> dict[str, int]:
    """PHI by state of review."""
    phi = select(func.count()).select_from(files).where(files.c.container == "phi")
    with engine.connect() as connection:
        return {
            state: connection.execute(phi.where(files.c.review == state)).scalar() or 0
            for state in ("open", "confirmed", "accepted", "cleared")
        }


def exposed(engine: Engine) -> int:
    """How many people at least one file says something grave of."""
    with engine.connect() as connection:
        query = select(func.count()).select_from(identities).where(identities.c.privacy > 0)
        return connection.execute(query).scalar() or 0


class Standing:
    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def judged_since(self, at: float) -> Iterator[Row]:
        """Files whose verdict is new or changed, latest first."""
        query = select(history).where(history.c.at >= at).order_by(history.c.at.desc())
        yield from self._rows(query)

    def decisions(self, since: float = 0.0) -> list[Row]:
        query = select(decisions).where(decisions.c.at >= since).order_by(decisions.c.at)
        return list(self._rows(query))

    def suppressions(self) -> list[Row]:
        return list(self._rows(select(suppressions).order_by(suppressions.c.made_at)))

    def actions(self, since: float = 0.0) -> list[Row]:
        query = select(intents).where(intents.c.changed_at >= since)
        return list(self._rows(query.order_by(intents.c.created_at)))

    def accepted(self) -> list[Row]:
        """Files whose risk somebody accepted."""
        query = select(files).where(files.c.review == "accepted").order_by(files.c.path)
        return list(self._rows(query))

    def _rows(self, query: Any) -> Iterator[Row]:
        with self._engine.connect() as connection:
            for row in connection.execute(query).mappings():
                yield dict(row)
