"""Sums that a page must not compute: folders by their harm, persons over all files.

In: folders marked as stale; groups of linked persons.  Out: rows of `folders` and `identities`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Engine, bindparam, case, delete, func, insert, select, update

from dlp.store.database import writing
from dlp.store.schema import files, folders, identities, persons

AT_ONCE = 400  # folders a transaction: writers wait for no more than that


def stale_folders(engine: Engine) -> list[bytes]:
    with engine.connect() as connection:
        return list(connection.scalars(select(folders.c.path).where(folders.c.stale == 1)))


def refresh_folders(engine: Engine) -> int:
    """A folder's harm is the sum, over the people in it, of the worst that is said of each."""
    waiting = stale_folders(engine)
    for start in range(0, len(waiting), AT_ONCE):
        some = waiting[start : start + AT_ONCE]
        with writing(engine) as connection:
            sums: dict[bytes, dict[str, Any]] = {path: dict(EMPTY) for path in some}
            for row in connection.execute(counted(some)).mappings():
                sums[row["folder"]] |= {k: row[k] for k in ("files", "phi", "unread")}
            for row in connection.execute(exposed(some)).mappings():
                sums[row["folder"]] |= {k: row[k] for k in SUMMED}
            for path, values in sums.items():
                change = update(folders).where(folders.c.path == path)
                connection.execute(change.values(**values, stale=0))
    return len(waiting)


SUMMED = ("people", "harm", "privacy", "risk")
EMPTY = {"files": 0, "phi": 0, "unread": 0, "people": 0, "harm": 0.0, "privacy": 0.0,
         "risk": 0.0}  # fmt: skip


def counted(some: Sequence[bytes]) -> Any:
    c = files.c
    return (
        select(
            c.folder,
            func.count().label("files"),
            func.sum(case((c.container == "phi", 1), else_=0)).label("phi"),
            func.sum(case((c.gaps > "", 1), else_=0)).label("unread"),
        )
        .where(c.folder.in_(some))
        .group_by(c.folder)
    )


def exposed(some: Sequence[bytes]) -> Any:
    loss = persons.c.identifiability * persons.c.sensitivity
    worst = func.max(loss).label("worst")
    risk = func.max(loss * files.c.readers).label("risk")
    each = (
        select(files.c.folder, persons.c.person, worst, risk)
        .join(persons, persons.c.file == files.c.id)
        .where(files.c.folder.in_(some), persons.c.suppressed_until == 0)
        .group_by(files.c.folder, persons.c.person)
        .subquery()
    )
    return select(
        each.c.folder,
        func.count().label("people"),
        func.sum(each.c.worst).label("harm"),
        func.max(each.c.worst).label("privacy"),
        func.sum(each.c.risk).label("risk"),
    ).group_by(each.c.folder)


def replace_identities(
    engine: Engine, rows: Iterable[Mapping[str, Any]], members: Mapping[str, Sequence[int]]
) -> None:
    """The people of all files anew, in one transaction; `members` are rows of `persons`."""
    kept = [dict(row) for row in rows]
    with writing(engine) as connection:
        connection.execute(delete(identities))
        connection.execute(update(persons).where(persons.c.identity > "").values(identity=""))
        if kept:
            connection.execute(insert(identities), kept)
        named = [{"who": name, "row": row} for name, group in members.items() for row in group]
        if named:
            change = update(persons).where(persons.c.id == bindparam("row"))
            connection.execute(change.values(identity=bindparam("who")), named)


def learn_sizes(engine: Engine) -> None:
    """Let the database count its own tables: it then sorts by the index a page needs."""
    with writing(engine) as connection:
        connection.exec_driver_sql("ANALYZE")
    engine.dispose()  # SQLite reads what it learnt when a connection opens


def state_of_persons(engine: Engine) -> tuple[int, int, float]:
    """Changes whenever persons come, go, are suppressed or weigh another value."""
    c = persons.c
    query = select(func.count(), func.max(c.id), func.sum(c.suppressed_until + c.sensitivity))
    with engine.connect() as connection:
        count, last, weight = connection.execute(query).one()
    return count or 0, last or 0, float(weight or 0)
