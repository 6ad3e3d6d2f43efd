"""What people are to be told, kept until it was told: ids and levels, never names or values.

In: events.  Out: rows to send, each at least once.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import Engine, insert, select, update

from dlp.store.database import writing
from dlp.store.schema import outbox


class Outbox:
    def __init__(self, engine: Engine, *, clock: Callable[[], float] = time.time) -> None:
        self._engine = engine
        self._clock = clock

    def add(self, *, event: str, item: str, share: str, level: str = "") -> None:
        row = {"event": event, "item": item, "share": share, "level": level, "at": self._clock()}
        with writing(self._engine) as connection:
            connection.execute(insert(outbox).values(row))

    def waiting(self, most: int = 100) -> list[dict[str, Any]]:
        query = select(outbox).where(outbox.c.sent_at.is_(None)).order_by(outbox.c.id).limit(most)
        with self._engine.connect() as connection:
            return [dict(row) for row in connection.execute(query).mappings()]

    def sent(self, ids: Sequence[int]) -> None:
        with writing(self._engine) as connection:
            told = update(outbox).where(outbox.c.id.in_(ids))
            connection.execute(told.values(sent_at=self._clock()))
