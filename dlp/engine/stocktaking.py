"""Count what stands in the catalogue now, by share and level; for the gauges.

In: the database.  Out: numbers only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from sqlalchemy import ColumnElement, Engine, and_, case, func, select

from dlp.measure.levels import MANY, level_of
from dlp.store.schema import files


def files_by_level(engine: Engine, root: bytes, profile: str, server: str) -> Mapping[str, int]:
    """Files of one share by level of risk; one row per distinct figure leaves the database."""
    crowd = case(
        (files.c.people >= MANY[1], MANY[1]), (files.c.people >= MANY[0], MANY[0]), else_=1
    )
    query = (
        select(files.c.privacy, crowd.label("crowd"), func.count())
        .where(files.c.server == server, beneath(root))
        .group_by(files.c.privacy, crowd)
    )
    counts: Counter[str] = Counter()
    with engine.connect() as connection:
        for privacy, people, number in connection.execute(query):
            counts[level_of(privacy, people, profile)] += number
    return counts


def persons_exposed(engine: Engine, root: bytes, server: str) -> int:
    here = and_(files.c.server == server, beneath(root))
    query = select(func.sum(files.c.people)).where(here, files.c.container == "phi")
    with engine.connect() as connection:
        return int(connection.execute(query).scalar() or 0)


def beneath(root: bytes) -> ColumnElement[bool]:
    # "0" follows "/" in the order of bytes.
    return and_(files.c.path >= root + b"/", files.c.path < root + b"0")
