"""Count what stands in the catalogue, the queue and the vault now; for the gauges.

In: the database.  Out: numbers only.

Each count is one query that leaves a handful of rows; those over the catalogue read all of it, so
the caller takes its time between two of them.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, Integer, and_, case, cast, func, select
from sqlalchemy.engine import Engine

from dlp.intent import OPEN, State
from dlp.measure.levels import BOUNDS, LEVELS, MANY, PAPER
from dlp.store.backlog import REFUSED
from dlp.store.schema import files, intents, jobs, ledger, outbox, persons
from dlp.store.schema_notices import deliveries


@dataclass(frozen=True, slots=True)
class Shelf:
    """What the catalogue holds of one share."""

    containers: Mapping[str, int]
    levels: Mapping[str, int]
    persons: int
    undecided: int  # PHI that nobody has decided about
    undecided_since: float


@dataclass(frozen=True, slots=True)
class Hold:
    """What the journal, the outbox and the ledger hold."""

    kept: Mapping[tuple[str, str], int]  # share and moving, blocked, refused or kept
    kept_bytes: int
    review_oldest: float
    messages: int
    message_oldest: float
    records: int


@dataclass(frozen=True, slots=True)
class Line:
    """The queue: how much of it there is, and since when the first has waited."""

    states: Mapping[str, int]
    oldest: float


def shelf_of(engine: Engine, root: bytes, profile: str, server: str = "") -> Shelf:
    level = level_number(profile).label("level")
    here = and_(files.c.server == server, beneath(root))
    query = (
        select(files.c.container, level, files.c.review, func.count(), func.min(files.c.judged_at))
        .where(here)
        .group_by(files.c.container, level, files.c.review)
    )
    containers: Counter[str] = Counter()
    levels: Counter[str] = Counter()
    undecided, since = 0, []
    with engine.connect() as connection:
        for container, number, review, count, earliest in connection.execute(query):
            containers[container] += count
            levels[LEVELS[number]] += count
            if (container, review) == ("phi", "open"):
                undecided += count
                since.append(earliest)
        people = exposed(connection, here)
    return Shelf(containers, levels, people, undecided, min(since, default=0.0))


def exposed(connection: Connection, here: ColumnElement[bool]) -> int:
    """Different persons in files that are PHI, without those declared harmless."""
    somebody = func.coalesce(func.nullif(persons.c.identity, ""), persons.c.person)
    query = (
        select(func.count(somebody.distinct()))
        .join(files, persons.c.file == files.c.id)
        .where(here, files.c.container == "phi", persons.c.suppressed_until <= time.time())
    )
    return int(connection.execute(query).scalar() or 0)


def level_number(profile: str) -> ColumnElement[int]:
    """`measure.levels.level_of`, said in SQL: no row per file leaves the database."""
    if profile == "geng2011":
        return case((files.c.privacy > PAPER, LEVELS.index("high")), else_=0)
    steps = [cast(files.c.privacy > bound, Integer) for bound in BOUNDS]
    steps += [cast(files.c.people >= many, Integer) for many in MANY]
    height: ColumnElement[int] = sum(steps[1:], start=steps[0])
    top = len(LEVELS) - 1
    return case((files.c.privacy <= 0, 0), (height > top, top), else_=height)


def line_of(engine: Engine, states: Collection[str], server: str = "") -> Line:
    """By state, each from its index: the rows of judged files outnumber the rest."""
    ours = jobs.c.server == server
    number = select(func.count()).select_from(jobs)
    with engine.connect() as connection:
        counts = {
            state: connection.execute(number.where(ours, jobs.c.state == state)).scalar_one()
            for state in states
        }
        judged = jobs.c.trouble.startswith(REFUSED)  # it waits to be acted on, not to be read
        oldest = select(func.min(jobs.c.queued_at)).where(ours, jobs.c.state == "waiting", ~judged)
        return Line(counts, connection.execute(oldest).scalar() or 0.0)


def hold_of(engine: Engine, channels: Collection[str] = ()) -> Hold:
    with engine.connect() as connection:
        kept, kept_bytes, review = quarantined(connection)
        messages, message_oldest = unsent(connection, channels) if channels else (0, 0.0)
        kept = {**kept, **refused(connection)}
        records = connection.execute(select(func.max(ledger.c.number))).scalar() or 0
    return Hold(kept, kept_bytes, review, messages, message_oldest, records)


def refused(connection: Connection) -> Mapping[tuple[str, str], int]:
    """Files that are still where they were although the policy wants them taken."""
    query = select(jobs.c.share, func.count()).where(
        jobs.c.state.in_(["waiting", "leased"]), jobs.c.trouble.startswith(REFUSED)
    )
    rows = connection.execute(query.group_by(jobs.c.share))
    return {(share, "refused"): count for share, count in rows}


def unsent(connection: Connection, channels: Collection[str]) -> tuple[int, float]:
    """Events that no channel was offered yet, and those on their way; since when the first."""
    offered = select(func.count(), func.min(outbox.c.at)).where(outbox.c.sent_at.is_(None))
    under_way = select(func.count(), func.min(deliveries.c.at)).where(
        deliveries.c.channel.in_(channels), deliveries.c.sent_at.is_(None)
    )
    rows = [connection.execute(query).one() for query in (offered, under_way)]
    return sum(row[0] for row in rows), min((row[1] for row in rows if row[0]), default=0.0)


def quarantined(connection: Connection) -> tuple[Mapping[tuple[str, str], int], int, float]:
    """Files under way or kept; what was restored, purged or came to nothing is history."""
    present = [*(state.value for state in OPEN), State.DONE.value]
    done = intents.c.state == State.DONE.value
    word = case(
        (and_(done, intents.c.action == "quarantine"), "kept"),
        (done, "original"),  # of a file sanitised in place: nobody has to decide
        (intents.c.trouble != "", "blocked"),
        else_="moving",
    ).label("word")
    query = (
        select(
            intents.c.share,
            word,
            func.count(),
            func.sum(intents.c.size_bytes),
            func.min(intents.c.created_at),
        )
        .where(intents.c.state.in_(present))
        .group_by(intents.c.share, word)
    )
    rows = connection.execute(query).all()
    counts = {(share, word): count for share, word, count, _, _ in rows}
    size = sum(int(each) for _, word, _, each, _ in rows if word in {"kept", "original"})
    oldest = min((since for _, word, _, _, since in rows if word == "kept"), default=0.0)
    return counts, size, oldest


def beneath(root: bytes) -> ColumnElement[bool]:
    # "0" follows "/" in the order of bytes.
    folder = root.rstrip(b"/")
    return and_(files.c.path >= folder + b"/", files.c.path < folder + b"0")
