"""What people are to be told, kept until it was told: ids and levels, never names or values.

In: events.  Out: one delivery per event and channel that wants it, in the same commit.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Engine, and_, delete, func, insert, select, update

from dlp.store.database import writing
from dlp.store.schema import outbox
from dlp.store.schema_notices import deliveries

AT_ONCE = 500
KEEP_SECONDS = 30 * 86_400.0  # what was told is looked up for a while, not for ever
OVERFLOW = "more"  # the event that stands for all that a full queue could not keep

Wants = Callable[[str, str, str], bool]  # event, share, level


class Outbox:
    def __init__(self, engine: Engine, *, clock: Callable[[], float] = time.time) -> None:
        self._engine = engine
        self._clock = clock

    def add(self, *, event: str, item: str, share: str, level: str = "") -> None:
        """Once, however often it happens before anybody could be told."""
        same = and_(
            outbox.c.sent_at.is_(None),
            outbox.c.event == event,
            outbox.c.item == item,
            outbox.c.share == share,
            outbox.c.level == level,
        )
        row = {"event": event, "item": item, "share": share, "level": level, "at": self._clock()}
        with writing(self._engine) as connection:
            if connection.execute(select(outbox.c.id).where(same).limit(1)).first() is None:
                connection.execute(insert(outbox).values(row))

    def waiting(self, most: int = AT_ONCE) -> list[dict[str, Any]]:
        """Events that no channel was offered yet."""
        with self._engine.connect() as connection:
            return first(connection, most)

    def spread(self, channels: Mapping[str, Wants], *, most_waiting: int) -> int:
        """Hand waiting events to the channels that want them; says how many events there were."""
        with writing(self._engine) as connection:
            rows = first(connection, AT_ONCE)
            if not rows:
                return 0
            for row in rows:
                row["notice"] = secrets.token_hex(16)
            for channel, wants in channels.items():
                wanted = [r for r in rows if wants(r["event"], r["share"], r["level"])]
                self._hand_over(connection, channel, wanted, most_waiting)
            told = update(outbox).where(outbox.c.id.in_([row["id"] for row in rows]))
            connection.execute(told.values(sent_at=self._clock()))
        return len(rows)

    def _hand_over(
        self, connection: Connection, channel: str, rows: Sequence[dict[str, Any]], most: int
    ) -> None:
        unsent = and_(deliveries.c.channel == channel, deliveries.c.sent_at.is_(None))
        number = connection.execute(select(func.count()).where(unsent)).scalar() or 0
        room = max(0, most - number)
        copied = ("notice", "event", "item", "share", "level", "at")
        kept = [{name: row[name] for name in copied} | {"channel": channel} for row in rows[:room]]
        if kept:
            connection.execute(insert(deliveries), kept)
        if beyond := len(rows) - len(kept):
            # Only one whose content no attempt has fixed may still grow.
            open_ = and_(unsent, deliveries.c.event == OVERFLOW, deliveries.c.batch == "")
            grow = update(deliveries).where(open_).values(count=deliveries.c.count + beyond)
            if not connection.execute(grow).rowcount:
                one = insert(deliveries).values(
                    channel=channel,
                    notice=secrets.token_hex(16),
                    event=OVERFLOW,
                    item="",
                    share="",
                    count=beyond,
                    at=self._clock(),
                )
                connection.execute(one)

    def prune(self) -> None:
        """Forget what everybody concerned was told long ago."""
        before = self._clock() - KEEP_SECONDS
        with writing(self._engine) as connection:
            connection.execute(delete(outbox).where(outbox.c.sent_at < before))
            connection.execute(delete(deliveries).where(deliveries.c.sent_at < before))


def first(connection: Connection, most: int) -> list[dict[str, Any]]:
    query = select(outbox).where(outbox.c.sent_at.is_(None)).order_by(outbox.c.id).limit(most)
    found = connection.execute(query.with_for_update(skip_locked=True))
    return [dict(row) for row in found.mappings()]
