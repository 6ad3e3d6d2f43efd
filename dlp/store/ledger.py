"""Who did what, when and why: append-only, chained by a keyed hash, witnessed outside.

In: events.  Out: rows whose every change shows; a cut end shows against the anchor file.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import Connection, Engine, RowMapping, insert, select, text

from dlp.errors import StoreError
from dlp.store.schema import ledger

FIELDS = ("number", "at", "who", "what", "item", "why")
GENESIS = "0" * 64


@dataclass(frozen=True, slots=True)
class Fault:
    number: int  # of the record; 0: of the whole
    what: str


class Ledger:
    def __init__(self, engine: Engine, key: bytes, anchor: Path) -> None:
        self._engine = engine
        self._key = key
        self._anchor = anchor
        self._anchored = 0

    def append(
        self, connection: Connection, *, who: str, what: str, item: str = "", why: str = ""
    ) -> None:
        """Add a record in the caller's transaction, so that deed and record are one."""
        if connection.dialect.name == "postgresql":
            connection.execute(text("LOCK TABLE ledger IN EXCLUSIVE MODE"))
        last = connection.execute(select(ledger).order_by(ledger.c.number.desc()).limit(1))
        row = last.mappings().first()
        record = {
            "number": row["number"] + 1 if row else 1,
            "at": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "who": who,
            "what": what,
            "item": item,
            "why": why,
        }
        record["mac"] = self._mac(row["mac"] if row else GENESIS, record)
        connection.execute(insert(ledger).values(record))

    def _mac(self, before: str, record: dict[str, object] | RowMapping) -> str:
        body = json.dumps([before, *(record[name] for name in FIELDS)], ensure_ascii=True)
        return hmac.new(self._key, body.encode(), hashlib.sha256).hexdigest()

    def anchor(self) -> None:
        """After the commit: witness the present end in the anchor file, synced."""
        with self._engine.connect() as connection:
            query = select(ledger.c.number, ledger.c.mac).order_by(ledger.c.number.desc()).limit(1)
            row = connection.execute(query).first()
        if row is None or row.number <= self._anchored:
            return
        # The newline comes first, so that a line torn by a power cut cannot swallow this one.
        line = f"\n{row.number} {row.mac} {self._seal(row.number, row.mac)} ."
        try:
            flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
            fd = os.open(self._anchor, flags, 0o600)
            try:
                os.write(fd, line.encode())
                os.fsync(fd)
            finally:
                os.close(fd)
        except OSError as error:
            raise StoreError(
                f"the ledger's anchor cannot be written: {error.strerror}",
                where=str(self._anchor),
                fix="check ledger.anchor and free space",
            ) from None
        self._anchored = row.number

    def _seal(self, number: int, mac: str) -> str:
        body = f"anchor {number} {mac}".encode()
        return hmac.new(self._key, body, hashlib.sha256).hexdigest()

    def verify(self) -> list[Fault]:
        """Every place where the ledger is not what was written; empty: it is whole."""
        anchors, faults = self._anchors()
        before, expected = GENESIS, 1
        for row in self._rows():
            number = row["number"]
            if number != expected:
                faults.append(Fault(expected, f"missing up to record {number - 1}"))
            if not hmac.compare_digest(row["mac"], self._mac(before, row)):
                faults.append(Fault(number, "does not follow from the record before it"))
            witnessed = anchors.get(number, row["mac"])
            if witnessed != row["mac"]:
                faults.append(Fault(number, "differs from what the anchor file witnessed"))
            before, expected = row["mac"], number + 1
        reached = expected - 1
        if anchors and max(anchors) > reached:
            faults.append(Fault(reached + 1, f"cut off; {max(anchors)} records were witnessed"))
        if reached and not anchors:
            faults.append(Fault(0, "no anchor: a cut end would not show"))
        return faults

    def _rows(self) -> Iterator[RowMapping]:
        with self._engine.connect() as connection:
            yield from connection.execute(select(ledger).order_by(ledger.c.number)).mappings()

    def records(self, item: str = "") -> list[dict[str, object]]:
        query = select(ledger).order_by(ledger.c.number)
        if item:
            query = query.where(ledger.c.item == item)
        with self._engine.connect() as connection:
            return [dict(row) for row in connection.execute(query).mappings()]

    def _anchors(self) -> tuple[dict[int, str], list[Fault]]:
        """Witnessed ends. A torn line is a crash, anything else wrong is a fault."""
        try:
            lines = self._anchor.read_text("ascii", "replace").split("\n")
        except OSError:
            return {}, []
        found: dict[int, str] = {}
        faults = []
        for line in lines:
            if not line.endswith(" ."):
                continue  # empty, or torn
            number, mac, seal = (*line.split(" "), "", "", "")[:3]
            if not number.isdigit() or not hmac.compare_digest(
                seal.encode(), self._seal(int(number), mac).encode()
            ):
                faults.append(Fault(0, "the anchor file holds a line we did not write"))
                continue
            found[int(number)] = mac
        return found, faults
