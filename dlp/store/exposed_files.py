"""PHI by who can read it, by age and by owner: counts, and the conditions behind each view.

In: the catalogue, the accounts that exist.  Out: counts of files, conditions for listings.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import ColumnElement, Connection, Engine, and_, func, select

from dlp.access import REACHES
from dlp.store.schema import files

DAY = 86_400.0
VIEWS = ("stale", "orphaned")


@dataclass(frozen=True, slots=True)
class ExposedCounts:
    """Files with PHI of some part of the catalogue."""

    files: Mapping[str, int] = field(default_factory=dict)  # by who can read them
    people: Mapping[str, int] = field(default_factory=dict)  # told of in them, with repeats
    stale: int = 0
    orphaned: int = 0
    risk: float = 0.0


def looked_at() -> ColumnElement[bool]:
    return and_(files.c.container == "phi", files.c.exposure != "")


def is_stale(now: float, days: int) -> ColumnElement[bool]:
    """Neither changed nor opened for so long; file systems note opening once a day at most."""
    before = now - days * DAY
    return and_(looked_at(), files.c.modified_at < before, files.c.accessed_at < before)


def is_orphaned(connection: Connection, accounts: Collection[int]) -> ColumnElement[bool]:
    """Owned by a number that belongs to no account here."""
    owners = connection.scalars(select(files.c.owner).where(looked_at()).distinct())
    return and_(looked_at(), files.c.owner.in_(set(owners) - set(accounts)))


def exposed_counts(
    engine: Engine, accounts: Collection[int], now: float, days: int,
    here: ColumnElement[bool] | None = None,
) -> ExposedCounts:  # fmt: skip
    """`here`: of which files, where not of all."""
    within: list[Any] = [] if here is None else [here]
    number = select(func.count()).select_from(files)
    query = select(files.c.exposure, func.count(), func.sum(files.c.people), func.sum(files.c.risk))
    query = query.where(looked_at(), *within).group_by(files.c.exposure)
    with engine.connect() as connection:
        rows = connection.execute(query).all()
        stale = connection.execute(number.where(is_stale(now, days), *within)).scalar_one()
        lost = is_orphaned(connection, accounts)
        orphaned = connection.execute(number.where(lost, *within)).scalar_one()
    counts = {row[0]: (row[1], int(row[2] or 0)) for row in rows}
    return ExposedCounts(
        {reach: counts.get(reach, (0, 0))[0] for reach in REACHES},
        {reach: counts.get(reach, (0, 0))[1] for reach in REACHES},
        stale,
        orphaned,
        sum(float(row[3] or 0.0) for row in rows),
    )
