"""The journal: an action is on disk before the share changes, and so is each step after it.

In: intents and the states they reach.  Out: what to finish or undo after a crash.
"""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import Any

from sqlalchemy import Connection, Engine, RowMapping, delete, func, insert, select, update

from dlp.errors import StoreError
from dlp.intent import OPEN, Intent, State
from dlp.store.database import insert_new, writing
from dlp.store.ledger import Ledger
from dlp.store.schema import about, allowed, intents, outbox

STOPPED = "stopped"  # why the breaker stopped acting; absent: it acts


class Journal:
    def __init__(
        self,
        engine: Engine,
        ledger: Ledger,
        *,
        who: str = "daemon",
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._engine = engine
        self._ledger = ledger
        self._who = who
        self._clock = clock

    def begin(self, intent: Intent) -> None:
        now = self._clock()
        row = as_row(intent) | {"created_at": intent.created_at or now, "changed_at": now}
        with writing(self._engine) as connection:
            self._ledger.check_end(connection)  # what cannot be recorded later is not begun
            connection.execute(insert(intents).values(row))

    def move(
        self, item: str, state: State, *, what: str = "", allow: Sequence[str] = (), **changes: Any
    ) -> Intent:
        for name in changes.keys() & {"inode", "new_inode", "device"}:
            changes[name] = str(changes[name])
        values = changes | {"state": state.value, "changed_at": self._clock()}
        values.setdefault("trouble", "")
        with writing(self._engine) as connection:
            connection.execute(update(intents).where(intents.c.id == item).values(values))
            found = one(connection, item)
            for sha256 in allow:
                self._allow(connection, found, sha256)
            if what:
                self._record(connection, what, found)
        if what:
            self._ledger.anchor()
        return found

    def _record(self, connection: Connection, what: str, found: Intent, why: str = "") -> None:
        why = why or found.why
        self._ledger.append(connection, who=self._who, what=what, item=found.id, why=why)
        row = {"event": what, "item": found.id, "share": found.share, "at": self._clock()}
        connection.execute(insert(outbox).values(row))

    def _allow(self, connection: Connection, found: Intent, sha256: str) -> None:
        row = {"share": found.share, "sha256": sha256, "item": found.id, "at": self._clock()}
        connection.execute(insert_new(self._engine, allowed).values(row))

    def trouble(self, item: str, code: str) -> None:
        values = {"trouble": code, "tries": intents.c.tries + 1, "changed_at": self._clock()}
        with writing(self._engine) as connection:
            known = one(connection, item).trouble
            connection.execute(update(intents).where(intents.c.id == item).values(values))
            if known != code:  # said once, not at every try
                self._record(connection, "blocked", one(connection, item), code)
        self._ledger.anchor()

    def get(self, item: str) -> Intent:
        with self._engine.connect() as connection:
            return one(connection, item)

    def open_items(self, share: str) -> list[Intent]:
        return self.items(share=share, states=tuple(OPEN))

    def items(self, *, share: str = "", states: Sequence[State] = ()) -> list[Intent]:
        query = select(intents).order_by(intents.c.created_at, intents.c.id)
        if share:
            query = query.where(intents.c.share == share)
        if states:
            query = query.where(intents.c.state.in_([state.value for state in states]))
        with self._engine.connect() as connection:
            return [as_intent(row) for row in connection.execute(query).mappings()]

    def is_allowed(self, share: str, sha256: str) -> bool:
        known = (allowed.c.share == share) & (allowed.c.sha256 == sha256)
        with self._engine.connect() as connection:
            return connection.execute(select(allowed.c.item).where(known)).first() is not None

    def set_hold(self, item: str, reason: str) -> None:
        """Keep an item whatever its age; an empty reason lifts the hold."""
        with writing(self._engine) as connection:
            found = one(connection, item)
            connection.execute(
                update(intents).where(intents.c.id == item).values(legal_hold=reason)
            )
            self._record(connection, "held by law" if reason else "hold lifted", found, reason)
        self._ledger.anchor()

    def acted_since(self, since: float) -> list[float]:
        """When actions began: the breaker counts them across restarts."""
        query = select(intents.c.created_at).where(intents.c.created_at >= since)
        with self._engine.connect() as connection:
            return sorted(connection.scalars(query))

    def counts(self) -> dict[str, int]:
        with self._engine.connect() as connection:
            rows = connection.execute(select(intents.c.state, func.count()).group_by("state"))
            return {row[0]: row[1] for row in rows}

    def stop(self, reason: str) -> None:
        """Remember that acting stopped: a restart must not start it again."""
        with writing(self._engine) as connection:
            connection.execute(delete(about).where(about.c.key == STOPPED))
            connection.execute(insert(about).values(key=STOPPED, value=reason))
            self._ledger.append(connection, who=self._who, what="stopped acting", why=reason)
            row = {"event": "stopped", "item": "", "share": "", "at": self._clock()}
            connection.execute(insert(outbox).values(row))
        self._ledger.anchor()

    def stopped(self) -> str:
        with self._engine.connect() as connection:
            query = select(about.c.value).where(about.c.key == STOPPED)
            return connection.execute(query).scalar() or ""

    def resume(self, why: str) -> None:
        with writing(self._engine) as connection:
            connection.execute(delete(about).where(about.c.key == STOPPED))
            self._ledger.append(connection, who=self._who, what="resumed acting", why=why)
        self._ledger.anchor()


def one(connection: Connection, item: str) -> Intent:
    row = connection.execute(select(intents).where(intents.c.id == item)).mappings().first()
    if row is None:
        raise StoreError(f"no item {item[:32]}", fix="`dlp quarantine list` shows the ids")
    return as_intent(row)


def as_row(intent: Intent) -> dict[str, Any]:
    row = {field.name: getattr(intent, field.name) for field in fields(intent)}
    row["links"] = json.dumps([base64.b64encode(link).decode() for link in intent.links])
    return row | {name: str(row[name]) for name in ("device", "inode", "new_inode", "state")}


def as_intent(row: RowMapping) -> Intent:
    values = dict(row)
    values["links"] = tuple(base64.b64decode(link) for link in json.loads(row["links"]))
    values["state"] = State(row["state"])
    numbers = ("device", "inode", "new_inode")
    return Intent(**values | {name: int(row[name] or 0) for name in numbers})
