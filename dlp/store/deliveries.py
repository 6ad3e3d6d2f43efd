"""Notices on their way to each channel: claimed, attempted, sent, or tried again later.

In: deliveries that the outbox made.  Out: parcels; each goes out until somebody took it.

A parcel's id and content are committed before its first attempt. After a crash between the
attempt and the word that it arrived, the same parcel goes out again under the same id.
"""

from __future__ import annotations

import os
import secrets
import socket
import time
from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import Connection, Engine, RowMapping, and_, func, or_, select, update

from dlp.notice import Notice, Parcel
from dlp.store.database import writing
from dlp.store.schema_notices import deliveries

LEASE_SECONDS = 600.0


class Deliveries:
    def __init__(self, engine: Engine, *, clock: Callable[[], float] = time.time) -> None:
        self._engine = engine
        self._clock = clock
        self.holder = f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}"

    def recover(self) -> None:
        """At start: what a dead sender of this host had in hand waits again."""
        ours = deliveries.c.holder.startswith(f"{socket.gethostname()}:", autoescape=True)
        with writing(self._engine) as connection:
            dead = update(deliveries).where(ours, deliveries.c.sent_at.is_(None))
            connection.execute(dead.values(holder=""))

    def claim(self, channel: str, *, most: int = 1, gather_seconds: float = 0.0) -> Parcel | None:
        """The next parcel of a channel, now ours; nothing when none is due."""
        now = self._clock()
        with writing(self._engine) as connection:
            rows = self._due(connection, channel, now, most, gather_seconds)
            if not rows:
                return None
            batch = rows[0]["batch"] or secrets.token_hex(16)
            ours = deliveries.c.id.in_([row["id"] for row in rows])
            held = {"batch": batch, "holder": self.holder, "lease_until": now + LEASE_SECONDS}
            connection.execute(
                update(deliveries).where(ours).values(**held, tries=deliveries.c.tries + 1)
            )
        return Parcel(batch, channel, tuple(map(as_notice, rows)), rows[0]["tries"] + 1)

    def _due(
        self, connection: Connection, channel: str, now: float, most: int, gather_seconds: float
    ) -> Sequence[RowMapping]:
        free = or_(deliveries.c.holder == "", deliveries.c.lease_until < now)
        due = and_(
            deliveries.c.channel == channel,
            deliveries.c.sent_at.is_(None),
            deliveries.c.not_before <= now,
            free,
        )
        query = select(deliveries).where(due).with_for_update(skip_locked=True)
        # What was attempted before goes first, as the parcel it was.
        begun = query.where(deliveries.c.batch != "").order_by(deliveries.c.id).limit(1)
        if (one := connection.execute(begun).mappings().first()) is not None:
            same = select(deliveries).where(deliveries.c.batch == one["batch"])
            return connection.execute(same.order_by(deliveries.c.id)).mappings().all()
        fresh = query.where(deliveries.c.batch == "").order_by(deliveries.c.id).limit(most)
        rows = connection.execute(fresh).mappings().all()
        waits = bool(rows) and len(rows) < most and rows[0]["at"] > now - gather_seconds
        return [] if waits else rows

    def sent(self, parcel: Parcel) -> None:
        self._change(parcel, sent_at=self._clock(), holder="", trouble="")

    def failed(self, parcel: Parcel, trouble: str, *, wait_seconds: float) -> None:
        until = self._clock() + wait_seconds
        self._change(parcel, holder="", trouble=trouble, not_before=until)

    def _change(self, parcel: Parcel, **values: Any) -> None:
        with writing(self._engine) as connection:
            ours = and_(deliveries.c.batch == parcel.id, deliveries.c.holder == self.holder)
            connection.execute(update(deliveries).where(ours).values(**values))

    def counts(self) -> dict[str, int]:
        """How many notices wait, by channel."""
        query = select(deliveries.c.channel, func.count()).where(deliveries.c.sent_at.is_(None))
        with self._engine.connect() as connection:
            rows = connection.execute(query.group_by(deliveries.c.channel))
            return {row[0]: row[1] for row in rows}


def as_notice(row: RowMapping) -> Notice:
    names = ("event", "item", "share", "level", "at", "count")
    return Notice(id=row["notice"], **{name: row[name] for name in names})
