"""Notices awaiting delivery: ids and levels, never names or values; retries by channel.

In: events.  Out: one delivery per event and channel that wants it, in the same commit.
"""

from __future__ import annotations

import os
import secrets
import socket
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sqlalchemy import (
    Connection,
    Engine,
    RowMapping,
    and_,
    delete,
    func,
    insert,
    or_,
    select,
    update,
)

from dlp.notice import Notice, Parcel
from dlp.store.database import writing
from dlp.store.schema import deliveries, outbox

AT_ONCE = 500
KEEP_SECONDS = 30 * 86_400.0  # what was sent can be looked up for a while
OVERFLOW = "more"  # the event that stands for all that a full queue could not keep

Wants = Callable[[str, str, str], bool]  # event, share, level

LEASE_SECONDS = 600.0


class Outbox:
    def __init__(self, engine: Engine, *, clock: Callable[[], float] = time.time) -> None:
        self._engine = engine
        self._clock = clock

    def add(self, *, event: str, item: str, share: str, level: str = "") -> None:
        """Once, however often it happens before a notice is sent."""
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
            marked = update(outbox).where(outbox.c.id.in_([row["id"] for row in rows]))
            connection.execute(marked.values(sent_at=self._clock()))
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
        """Delete what was delivered everywhere long ago."""
        before = self._clock() - KEEP_SECONDS
        with writing(self._engine) as connection:
            connection.execute(delete(outbox).where(outbox.c.sent_at < before))
            connection.execute(delete(deliveries).where(deliveries.c.sent_at < before))


def first(connection: Connection, most: int) -> list[dict[str, Any]]:
    query = select(outbox).where(outbox.c.sent_at.is_(None)).order_by(outbox.c.id).limit(most)
    found = connection.execute(query.with_for_update(skip_locked=True))
    return [dict(row) for row in found.mappings()]


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
