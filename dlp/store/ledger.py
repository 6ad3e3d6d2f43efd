"""Who did what, when and why: append-only, chained by a keyed hash, witnessed outside.

In: events.  Out: rows whose every change shows; a cut end shows against four witnesses.

The witnesses are a sealed copy of the end in the database, the anchor file, the head file, and the
journal, in which every finished action must have its record. Nothing is appended to a ledger that
is behind any of them, so that a cut end cannot grow over.
"""

from __future__ import annotations

import fcntl
import hashlib
import hmac
import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import Connection, Engine, RowMapping, and_, delete, func, insert, select, text

from dlp.config import Settings
from dlp.errors import LedgerError, StoreError
from dlp.keys import state_folder
from dlp.private_files import write_whole
from dlp.store.schema import about, intents, ledger

FIELDS = ("number", "at", "who", "what", "item", "why")
END = "ledger"  # the row of `about` with the sealed end
CONTINUED = "continued after loss"
LOST = re.compile(r"records (\d+) to (\d+) lost")
# States that are reached only together with a record, and the words of these records.
ACTED = ("quarantined", "replaced", "rebuilt")
RECORDED = (
    (("done", "restoring", "restored", "purging", "purged"), ACTED),
    (("restored",), ("restored",)),
    (("purged",), ("purged",)),
)
LOOKED = "looked for a person"  # how the record of a search for somebody begins
FIX = "`dlp ledger verify` shows what is missing, `dlp ledger continue` goes on after a known loss"

CHUNK = 1 << 20
UNCHAINED = " ."  # how 0.1 ended a line: sealed by itself
CHAINED = " ;"
FIRST = "0" * 64


class Loss(NamedTuple):
    """Records that a person has declared lost, and when."""

    numbers: frozenset[int]
    at: float


class Ledger:
    def __init__(self, engine: Engine, key: bytes, anchor: Path, head: Path | None = None) -> None:
        """`head`: the file that shows a rollback of database and anchor; None: there is none."""
        self._engine = engine
        self._key = key
        self._anchor = Anchor(anchor, key)
        self._head = Head(head, key) if head else None
        self._anchored = 0  # what this process has witnessed or seen witnessed

    def append(
        self, connection: Connection, *, who: str, what: str, item: str = "", why: str = ""
    ) -> None:
        """Add a record in the caller's transaction, so that deed and record are one."""
        self.check_end(connection)
        last = self._last(connection)
        if not self._sealed_end(connection):
            self._begin(last)
        self._add(connection, last, last.number + 1, (who, what, item, why))

    def _begin(self, last: End) -> None:
        """Make the witnesses before the first record that needs them: a crash leaves them there."""
        self._anchor.append(last)
        if self._head:
            self._head.write(last)

    def check_end(self, connection: Connection) -> None:
        """Refuse to go on behind a witness: new records would grow over the ones that are lost."""
        if connection.dialect.name == "postgresql":
            connection.execute(text("LOCK TABLE ledger IN EXCLUSIVE MODE"))
        for witness, end in self._witnesses(connection):
            if not end.number:
                continue
            row = select(ledger.c.mac).where(ledger.c.number == end.number)
            if connection.execute(row).scalar() != end.mac:
                raise LedgerError(f"the ledger is behind its {witness}", fix=FIX)

    def is_behind(self, connection: Connection) -> bool:
        try:
            self.check_end(connection)
        except LedgerError:
            return True
        return False

    def _witnesses(self, connection: Connection) -> Iterator[tuple[str, End]]:
        self._anchor.read()
        anchored = self._anchor.last
        head = self._head.read()[0] if self._head else None
        sealed_end = parse_sealed(self._key, self._sealed_end(connection))
        if self._head and head is None and sealed_end:
            place = str(self._head.path)
            raise LedgerError("the ledger's head file is gone or not ours", where=place, fix=FIX)
        least = max(self._anchored, head.number if head else 0)  # the head is written after it
        if (anchored is None and sealed_end) or (anchored and anchored.number < least):
            place = str(self._anchor.path)
            raise LedgerError("the ledger's anchor file lost lines", where=place, fix=FIX)
        for witness, end in (("anchor", anchored), ("head", head), ("sealed end", sealed_end)):
            if end:
                yield witness, end

    @staticmethod
    def _sealed_end(connection: Connection) -> str:
        query = select(about.c.value).where(about.c.key == END)
        return connection.execute(query).scalar() or ""

    @staticmethod
    def _last(connection: Connection) -> End:
        query = select(ledger.c.number, ledger.c.mac).order_by(ledger.c.number.desc()).limit(1)
        row = connection.execute(query).first()
        return End(row.number, row.mac) if row else End(0, FIRST)

    def _add(
        self, connection: Connection, last: End, number: int, words: tuple[str, str, str, str]
    ) -> None:
        at = datetime.now(UTC).isoformat(timespec="milliseconds")
        record: dict[str, object] = dict(zip(FIELDS, (number, at, *words), strict=True))
        mac = self._mac(last.mac, record)
        connection.execute(insert(ledger).values(record | {"mac": mac}))
        connection.execute(delete(about).where(about.c.key == END))
        end = sealed(self._key, End(number, mac))
        connection.execute(insert(about).values(key=END, value=end))

    def _mac(self, before: str, record: dict[str, object] | RowMapping) -> str:
        body = json.dumps([before, *(record[name] for name in FIELDS)], ensure_ascii=True)
        return hmac.new(self._key, body.encode(), hashlib.sha256).hexdigest()

    def proceed(self, connection: Connection, *, who: str, why: str) -> None:
        """After a loss that a person has looked into: number on behind every witness."""
        if connection.dialect.name == "postgresql":
            connection.execute(text("LOCK TABLE ledger IN EXCLUSIVE MODE"))
        last = self._last(connection)
        self._anchor.read()
        ends = [*self._anchor.ends]
        if self._head and (head := self._head.read()[0]):
            ends.append(head.number)
        if end := parse_sealed(self._key, self._sealed_end(connection)):
            ends.append(end.number)
        reached = max(ends, default=last.number)
        self._anchored = 0
        said = f"records {last.number + 1} to {reached} lost: {why}"
        self._add(connection, last, max(reached, last.number) + 1, (who, CONTINUED, "", said))

    def anchor(self) -> None:
        """After the commit: witness the present end outside the database, synced."""
        with self._engine.connect() as connection:
            end = self._last(connection)
        if end.number <= self._anchored:
            return
        self._anchor.append(end)
        if self._head:
            self._head.write(end)
        self._anchored = end.number

    def verify(self) -> list[Fault]:
        """Every place where the ledger is not what was written; empty: it is whole."""
        anchor = Anchor(self._anchor.path, self._key)  # from its first line
        anchor.read()
        faults = list(anchor.faults)
        with self._engine.connect() as connection:
            rows = connection.execute(select(ledger).order_by(ledger.c.number)).mappings()
            last, loss = self._chain(rows, anchor.ends, faults)
            faults += self._ends(connection, last, anchor, loss)
            faults += unrecorded(connection, loss.at)
        return faults

    def _chain(
        self, rows: Iterator[RowMapping], witnessed: dict[int, str], faults: list[Fault]
    ) -> tuple[End, Loss]:
        """Follow the records; gives the last one and what a person has declared lost."""
        last, loss = End(0, FIRST), Loss(frozenset(), 0.0)
        for row in rows:
            number = row["number"]
            gap = range(last.number + 1, number)
            if hmac.compare_digest(row["mac"], self._mac(last.mac, row)):
                if row["what"] == CONTINUED and declared(row) == gap:
                    at = datetime.fromisoformat(row["at"]).timestamp()
                    loss = Loss(loss.numbers.union(gap), at)
                elif gap:
                    faults.append(Fault(gap[0], f"missing up to record {number - 1}"))
            else:
                faults.append(Fault(number, "does not follow from the record before it"))
            if witnessed.get(number, row["mac"]) != row["mac"]:
                faults.append(Fault(number, "differs from what the anchor file witnessed"))
            last = End(number, row["mac"])
        return last, loss

    def _ends(
        self, connection: Connection, last: End, anchor: Anchor, loss: Loss
    ) -> Iterator[Fault]:
        """The last record against each witness of the end."""
        head, wrong = self._head.read() if self._head else (None, [])
        yield from wrong
        line = self._sealed_end(connection)
        inside = parse_sealed(self._key, line)
        if line and inside is None:
            yield Fault(0, "the sealed end in the database is not ours")
        elif inside and inside != last:
            yield Fault(last.number + 1, f"cut off; record {inside.number} was the last")
        elif last.number and not line and anchor.is_chained:
            yield Fault(0, "the sealed end is gone from the database")
        if anchor.last and anchor.last.number > last.number:
            many = anchor.last.number
            yield Fault(last.number + 1, f"cut off; {many} records were witnessed")
        if last.number and not anchor.ends:
            yield Fault(0, "no anchor: a cut end would not show")
        if head and anchor.last and head.number > anchor.last.number:
            yield Fault(head.number, "the anchor file lost the line of this record")
        if (
            head
            and head.number
            and head.number not in loss.numbers
            and self._mac_of(connection, head.number) != head.mac
        ):
            yield Fault(head.number, "rolled back: the head file has seen this record")
        if self._head and head is None and not wrong and line:
            yield Fault(0, "no head file: a rollback would not show")

    @staticmethod
    def _mac_of(connection: Connection, number: int) -> str:
        query = select(ledger.c.mac).where(ledger.c.number == number)
        return connection.execute(query).scalar() or ""

    def records(self, item: str = "") -> list[dict[str, object]]:
        query = select(ledger).order_by(ledger.c.number)
        if item:
            query = query.where(ledger.c.item == item)
        with self._engine.connect() as connection:
            return [dict(row) for row in connection.execute(query).mappings()]


def open_ledger(settings: Settings, engine: Engine, key: bytes) -> Ledger:
    """The ledger with its witnesses where the settings put them."""
    return Ledger(engine, key, *witness_files(settings))


def witness_files(settings: Settings) -> tuple[Path, Path]:
    """The anchor and the head file."""
    named = settings.ledger
    anchor = Path(named.anchor or state_folder() / "ledger.anchor")
    return anchor, Path(named.head or anchor.with_suffix(".head"))


def declared(row: RowMapping) -> range:
    """The numbers that a record of a loss names."""
    said = LOST.match(row["why"])
    return range(int(said[1]), int(said[2]) + 1) if said else range(0)


def unrecorded(connection: Connection, since: float) -> Iterator[Fault]:
    """The journal as a witness: each finished action has its record, each record its action."""
    for states, words in RECORDED:
        recorded = select(ledger.c.item).where(ledger.c.what.in_(words))
        bare = and_(intents.c.state.in_(states), intents.c.id.not_in(recorded))
        query = select(func.count()).select_from(intents).where(bare, intents.c.changed_at > since)
        if count := connection.execute(query).scalar_one():
            yield Fault(0, f"{count} actions of the journal have no record: {', '.join(words)}")
    gone = and_(ledger.c.what.in_(ACTED), ledger.c.item.not_in(select(intents.c.id)))
    if count := connection.execute(select(func.count()).where(gone)).scalar_one():
        yield Fault(0, f"{count} recorded actions are gone from the journal")


@dataclass(frozen=True, slots=True)
class Fault:
    number: int  # of the record; 0: of the whole
    what: str


class End(NamedTuple):
    """The last record of the ledger at some time."""

    number: int
    mac: str


def seal_of(key: bytes, *words: object) -> str:
    return hmac.new(key, " ".join(map(str, words)).encode(), hashlib.sha256).hexdigest()


class Anchor:
    """The append-only log of ends; reads on from where it read last."""

    def __init__(self, path: Path, key: bytes) -> None:
        self.path = path
        self._key = key
        self._forget()

    def _forget(self) -> None:
        self._offset = 0
        self._identity = (0, 0)
        self._rest = b""
        self._before = FIRST  # the seal of the last whole line
        self.is_chained = False
        self.ends: dict[int, str] = {}
        self.faults: list[Fault] = []

    @property
    def last(self) -> End | None:
        return End(*max(self.ends.items())) if self.ends else None

    def read(self) -> None:
        """Take in what was appended; a file that shrank or was replaced is read from its start."""
        try:
            fd = os.open(self.path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
        except OSError:
            lost = self.last
            self._forget()
            if lost:
                self.faults.append(Fault(0, "the anchor file is gone"))
            return
        try:
            self._read(fd)
        finally:
            os.close(fd)

    def _read(self, fd: int) -> None:
        seen = os.fstat(fd)
        identity = (seen.st_dev, seen.st_ino)
        if seen.st_size < self._offset or identity != self._identity:
            self._forget()
            self._identity = identity
        while chunk := os.pread(fd, CHUNK, self._offset):
            self._offset += len(chunk)
            *whole, self._rest = (self._rest + chunk).split(b"\n")
            for line in whole:
                self._take(line.decode("ascii", "replace"))
        # A line begins with the line feed, so the last one is whole although none follows it.
        if self._rest.endswith((UNCHAINED.encode(), CHAINED.encode())):
            self._take(self._rest.decode("ascii", "replace"))
            self._rest = b""

    def _take(self, line: str) -> None:
        ending = line[-2:]
        if ending not in {UNCHAINED, CHAINED}:
            return  # empty, or torn by a power cut
        number, mac, seal = (*line.split(" "), "", "", "")[:3]
        chained = ending == CHAINED
        words = ("anchor2", self._before, number, mac) if chained else ("anchor", number, mac)
        if not number.isdigit() or not hmac.compare_digest(
            seal.encode(), seal_of(self._key, *words).encode()
        ):
            self.faults.append(Fault(0, "the anchor file holds a line we did not write there"))
            return
        if self.is_chained and not chained:
            self.faults.append(Fault(0, "the anchor file goes on in an older form"))
            return
        self._before, self.is_chained = seal, chained
        self._witness(End(int(number), mac))

    def _witness(self, end: End) -> None:
        if self.ends.setdefault(end.number, end.mac) != end.mac:
            self.faults.append(Fault(end.number, "was witnessed twice with different contents"))
        elif end.number < max(self.ends):
            self.faults.append(Fault(end.number, "was witnessed again after a later record"))

    def append(self, end: End) -> None:
        """Add a line, synced, unless another process has witnessed this end already."""
        try:
            with self._locked() as fd:
                self._read(fd)
                if self.last and self.last.number >= end.number:
                    return
                seal = seal_of(self._key, "anchor2", self._before, *end)
                # The line feed comes first: a line torn by a power cut cannot swallow this one.
                os.write(fd, f"\n{end.number} {end.mac} {seal}{CHAINED}".encode())
                os.fsync(fd)
                self._read(fd)
        except OSError as error:
            raise StoreError(
                f"the ledger's anchor cannot be written: {error.strerror}",
                where=str(self.path),
                fix="check ledger.anchor and free space",
            ) from None

    @contextmanager
    def _locked(self) -> Iterator[int]:
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
        fd = os.open(self.path, flags, 0o600)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX)
            yield fd
        finally:
            os.close(fd)


class Head:
    """The one line that says how far the ledger had come when this machine last wrote to it."""

    def __init__(self, path: Path, key: bytes) -> None:
        self.path = path
        self._key = key

    def read(self) -> tuple[End | None, list[Fault]]:
        try:
            line = self.path.read_text("ascii", "replace")
        except OSError:
            return None, []
        end = parse_sealed(self._key, line)
        if end is None:
            return None, [Fault(0, "the head file holds something we did not write")]
        return end, []

    def write(self, end: End) -> None:
        """Replace the line, unless it is ahead already: an older state never overwrites it."""
        known, faults = self.read()
        if faults or (known and known.number >= end.number):
            return
        try:
            write_whole(self.path, sealed(self._key, end).encode())
        except OSError as error:
            raise StoreError(
                f"the ledger's head file cannot be written: {error.strerror}",
                where=str(self.path),
                fix="check ledger.head and free space",
            ) from None


def sealed(key: bytes, end: End) -> str:
    return f"{end.number} {end.mac} {seal_of(key, 'head', *end)}"


def parse_sealed(key: bytes, line: str) -> End | None:
    number, mac, seal = (*line.split(" "), "", "", "")[:3]
    if not number.isdigit() or not hmac.compare_digest(
        seal.encode(), seal_of(key, "head", number, mac).encode()
    ):
        return None
    return End(int(number), mac)
