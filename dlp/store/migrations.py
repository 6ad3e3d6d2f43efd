"""Bring a database to the present schema, one recorded step at a time.

In: a database of any released version.  Out: the same rows under the present schema.

All missing steps and their records are one transaction: a crash leaves the old schema or the new
one, and a new database costs one flush of the disk.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import (
    Column,
    Connection,
    DefaultClause,
    Engine,
    Index,
    Integer,
    LargeBinary,
    String,
    Table,
    func,
    insert,
    inspect,
    literal,
    select,
    update,
)
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.schema import CreateIndex

from dlp.errors import StoreError
from dlp.store import schema
from dlp.store.database import Database, engine_of, unopened, writing
from dlp.store.schema import deliveries, metadata

# The table of states in which files were judged, with their whole records.

judged = Table(
    "judged",
    metadata,
    Column("server", String, primary_key=True),
    Column("folder", LargeBinary, primary_key=True),
    Column("name", LargeBinary, primary_key=True),
    Column("state", String(110), nullable=False),  # device, inode, size, mtime, ctime
    Column("young", Integer, nullable=False),  # it had just changed: only its hash can be trusted
    Column("sha256", String(64), nullable=False, index=True),
    Column("version", String(32), nullable=False),  # of what the verdict rests on
    Column("record", LargeBinary, nullable=False),
)


Step = Callable[[Connection], None]
ONLY_ONE = 0x646C70  # "dlp": the lock that keeps two starting servers apart


def catalogue(connection: Connection) -> None:
    tables = [schema.about, schema.files, schema.persons]
    schema.metadata.create_all(connection, tables=tables)


def guard(connection: Connection) -> None:
    tables = [schema.jobs, schema.intents, schema.allowed, schema.outbox, schema.ledger]
    schema.metadata.create_all(connection, tables=tables)


def review(connection: Connection) -> None:
    schema.metadata.create_all(connection, tables=list(schema.REVIEW_TABLES))
    for column in (schema.files.c.review, schema.files.c.review_until,
                   schema.persons.c.suppressed_until, schema.persons.c.identity):  # fmt: skip
        add_column(connection, column)
    for index in (*schema.FILE_INDEXES, *schema.PERSON_INDEXES):
        add_index(connection, index)
    fill_review(connection)


def add_column(connection: Connection, column: Column[Any]) -> None:
    """A new database has it from the first step on."""
    table = column.table.name
    if column.name in {known["name"] for known in inspect(connection).get_columns(table)}:
        return
    kind = column.type.compile(connection.dialect)
    default = column.server_default.arg if isinstance(column.server_default, DefaultClause) else ""
    connection.exec_driver_sql(
        f"ALTER TABLE {table} ADD COLUMN {column.name} {kind} NOT NULL DEFAULT '{default}'"
    )


def add_index(connection: Connection, index: Index) -> None:
    """The database knows whether it has it; SQLAlchemy would ask for every index of the table."""
    connection.execute(CreateIndex(index, if_not_exists=True))


def fill_review(connection: Connection) -> None:
    """What was judged before counts as judged on the day of the migration."""
    day = time.strftime("%Y-%m-%d", time.gmtime())
    files = schema.files
    stock = select(literal(day), files.c.container, func.count()).group_by(files.c.container)
    connection.execute(insert(schema.daily).from_select(["day", "container", "change"], stock))
    places = select(files.c.folder).distinct()
    connection.execute(insert(schema.folders).from_select(["path"], places))


def fleet(connection: Connection) -> None:
    """Rows of several servers side by side, and the states in which files were judged."""
    for column in (schema.files.c.server, schema.jobs.c.server):
        add_column(connection, column)
    if connection.dialect.name == "postgresql":
        # In a SQLite file, which one server has to itself, a path alone may stay unique.
        drop = "ALTER TABLE files DROP CONSTRAINT IF EXISTS files_path_key"
        connection.exec_driver_sql(drop)
    add_index(connection, schema.ONE_EACH)
    schema.metadata.create_all(connection, tables=[judged])


def notices(connection: Connection) -> None:
    schema.metadata.create_all(connection, tables=[deliveries])
    add_column(connection, schema.files.c.provisional)


def scopes(connection: Connection) -> None:
    """A dismissal says how far it reaches; those made before reached everywhere."""
    for column in (schema.suppressions.c.scope, schema.suppressions.c.place):
        add_column(connection, column)


def exposures(connection: Connection) -> None:
    """Who can read each file; until a sweep has looked, nobody but the owner is assumed."""
    columns = (*schema.EXPOSURE_COLUMNS, schema.folders.c.risk, schema.folders.c.surroundings,
               schema.identities.c.risk)  # fmt: skip
    for column in columns:
        add_column(connection, column)
    for index in (*schema.EXPOSURE_INDEXES, *schema.FOLDER_INDEXES, *schema.IDENTITY_INDEXES):
        add_index(connection, index)
    for name in schema.FORMER_INDEXES:
        connection.exec_driver_sql(f"DROP INDEX IF EXISTS {name}")
    files, persons = schema.files, schema.persons
    lost = func.sum(persons.c.identifiability * persons.c.sensitivity)
    counted = select(lost).where(persons.c.file == files.c.id, persons.c.suppressed_until == 0)
    harm = func.coalesce(counted.scalar_subquery(), files.c.privacy)
    connection.execute(update(files).values(harm=harm))
    connection.execute(update(files).values(risk=files.c.harm))
    connection.execute(update(schema.folders).values(stale=1))


def residence(connection: Connection) -> None:
    """State or country and minority of persons, for the worksheet of a breach."""
    for column in (schema.persons.c.area, schema.persons.c.minor):
        add_column(connection, column)


def traces(connection: Connection) -> None:
    """Tags of the people in each file; what was judged before has none until its next turn."""
    schema.metadata.create_all(connection, tables=[schema.traces])
    add_column(connection, schema.files.c.traced)


# Append only: a released step is never edited, moved or removed.
STEPS: tuple[Step, ...] = (
    catalogue, guard, review, fleet, notices, scopes, exposures, residence, traces,
)  # fmt: skip


def open_database(where: Path | str) -> Engine:
    """The database at its present schema; made, with mode 0600, when there is none."""
    try:
        engine = engine_of(where)
        migrate(engine)
    except (SQLAlchemyError, OSError) as error:
        place = str(where) if "://" not in str(where) else ""  # an address may hold a password
        raise unopened(place, error) from None
    return engine


def open_directly(where: Path | str) -> Database:
    return Database(open_database(where))


def migrate(engine: Engine, steps: Sequence[Step] = STEPS) -> None:
    with writing(engine) as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(select(func.pg_advisory_xact_lock(ONLY_ONE)))
        before = reached(connection, engine)
        for number, step in enumerate(steps[before:], start=before + 1):
            step(connection)
            row = {"number": number, "name": step.__name__, "at": time.time()}
            connection.execute(insert(schema.migrations).values(row))
            remember(connection, number)


def reached(connection: Connection, engine: Engine) -> int:
    """How far this database is; a newer one than ours is refused, never guessed at."""
    schema.metadata.create_all(connection, tables=[schema.migrations, schema.about])
    found = connection.execute(select(func.max(schema.migrations.c.number))).scalar() or 0
    written = schema.about.c.key == "version"
    stated = connection.execute(select(schema.about.c.value).where(written)).scalar()
    if max(found, int(stated or 0)) > schema.VERSION:
        raise StoreError(
            f"the database was written by a newer dlp (version {max(found, int(stated or 0))})",
            where=engine.url.database or "",
            fix="update dlp, or give another database",
        )
    return found


def remember(connection: Connection, number: int) -> None:
    changed = update(schema.about).where(schema.about.c.key == "version").values(value=str(number))
    if not connection.execute(changed).rowcount:
        connection.execute(insert(schema.about).values(key="version", value=str(number)))
