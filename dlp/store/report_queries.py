"""What reports ask of the store beside files and people: history, reviews, exceptions, actions.

In: an engine, a period.  Out: rows; nothing is written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from sqlalchemy import Engine, func, select

from dlp.store.schema import daily, decisions, files, history, intents, suppressions

Row = dict[str, Any]


class Standing:
    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def stock(self) -> list[tuple[str, Mapping[str, int]]]:
        """Files in each container at the end of every day on which something changed."""
        query = select(daily.c.day, daily.c.container, daily.c.change).order_by(daily.c.day)
        sums: Counter[str] = Counter()
        days: dict[str, Mapping[str, int]] = {}
        with self._engine.connect() as connection:
            for day, container, change in connection.execute(query):
                sums[container] += change
                days[day] = dict(sums)
        return list(days.items())

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

    def reviews(self) -> dict[str, int]:
        """How many leaks stand in each state of review."""
        query = select(files.c.review, func.count()).where(files.c.container == "phi")
        with self._engine.connect() as connection:
            rows = connection.execute(query.group_by(files.c.review)).all()
        return {str(state): int(count) for state, count in rows}

    def _rows(self, query: Any) -> Iterator[Row]:
        with self._engine.connect() as connection:
            for row in connection.execute(query).mappings():
                yield dict(row)
