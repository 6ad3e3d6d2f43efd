"""In which state each file was judged, and its whole record: a rescan reads this, not the file.

In: records with the state and the hash of the content they are about.  Out: the same records.

No path and no value is in a stored record; findings are places, kinds and keyed fingerprints.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from sqlalchemy import (
    Column,
    Engine,
    Integer,
    LargeBinary,
    RowMapping,
    String,
    Table,
    and_,
    bindparam,
    delete,
    select,
)

from dlp.named import NamedTuple
from dlp.store.database import server_name, take_turns, writing
from dlp.store.details import as_json
from dlp.store.rows import insert_rows
from dlp.store.schema import files, metadata

judged = Table(
    "judged",
    metadata,
    Column("server", String, primary_key=True),
    Column("folder", LargeBinary, primary_key=True),
    Column("name", LargeBinary, primary_key=True),
    Column("state", String(110), nullable=False),  # device, inode, size, mtime, ctime
    Column("young", Integer, nullable=False),  # it had just changed: only its hash can be trusted
    Column("sha256", String(64), nullable=False, index=True),
    Column("version", String(32), nullable=False),  # of what the verdict rests on
    Column("record", LargeBinary, nullable=False),
)

PAGE = 1000  # rows read at once: a folder may hold a million files
SQUEEZE = 1  # level of compression: 1 takes a third of the time of 6 for a tenth more bytes
HEAD = struct.Struct("!I")
TOGETHER = 1 << 31  # in a head: what follows is its length as it was, and one stream holds all
LOCAL = ("path", "duplicate_of", "ms", "spent_ms")  # true of one scan only
MOST_WRITTEN = 200_000  # contents that a first scan keeps in mind, 30 MB; then it asks
COPIES = 20  # of one content that are looked at for a verdict to reuse


class Judged(NamedTuple):
    folder: bytes
    name: bytes
    state: str
    young: int
    sha256: str
    version: str
    record: bytes


COLUMNS = ("server", *Judged._fields)
KEY = ("server", "folder", "name")
# Asked for nearly every file that is judged; to put it together anew takes longer than to ask it.
SAME_CONTENT = (
    select(*(judged.c[name] for name in Judged._fields))
    .where(judged.c.sha256 == bindparam("sha256"))
    .limit(COPIES)
)


class StoredFindings(Sequence[dict[str, Any]]):
    """The findings of a stored record, read only if somebody looks: most outputs count them."""

    def __init__(self, packed: bytes, count: int, start: int = 0) -> None:
        self._packed = packed
        self._count = count
        self._start = start  # of the findings, in what was packed

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, index: Any) -> Any:
        return json.loads(self.as_json())[index]

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(json.loads(self.as_json()))

    @property
    def text(self) -> bytes:
        return zlib.decompress(self._packed)[self._start :]

    def as_json(self) -> str:
        return self.text.decode()


def pack(record: dict[str, Any]) -> bytes:
    """The record without its findings and behind it the findings, squeezed together."""
    findings = record["findings"]
    kept = {**record, "findings": len(findings)}
    for name in LOCAL:
        kept.pop(name, None)
    head = as_json(kept)
    told: bytes | None = getattr(findings, "text", None)  # JSON already, as json writes it
    text = json.dumps(findings).encode() if told is None else told
    return HEAD.pack(TOGETHER | len(head)) + zlib.compress(head + text, SQUEEZE)


def unpack(packed: bytes) -> dict[str, Any]:
    (length,) = HEAD.unpack_from(packed)
    if length & TOGETHER:
        start, rest = length ^ TOGETHER, packed[HEAD.size :]
        head = zlib.decompressobj().decompress(rest, start)
    else:  # by a version before: each on its own
        start, end = 0, HEAD.size + length
        head, rest = zlib.decompress(packed[HEAD.size : end]), packed[end:]
    record: dict[str, Any] = json.loads(head)
    record["findings"] = StoredFindings(rest, record["findings"], start)
    return record


class JudgedFiles:
    def __init__(self, engine: Engine, *, server: str = "") -> None:
        self._engine = engine
        self._server = server_name(engine, server)
        self._waiting: dict[tuple[bytes, bytes], Judged] = {}
        self._alike: dict[str, dict[tuple[bytes, bytes], None]] = {}  # of them, by their content
        self._written: set[str] | None = None  # all contents there can be; None: there are others
        self._asked = False
        self._gone: list[tuple[bytes, bytes]] = []

    def folder(self, folder: bytes) -> Iterator[Judged]:
        """What is known of one folder, by name, a page at a time."""
        if self._is_first():
            return
        after = b""
        here = and_(judged.c.server == self._server, judged.c.folder == folder)
        while True:
            query = select(judged).where(here, judged.c.name > after).order_by(judged.c.name)
            with self._engine.connect() as connection:
                rows = connection.execute(query.limit(PAGE)).mappings().all()
            for row in rows:
                yield as_judged(row)
            if len(rows) < PAGE:
                return
            after = rows[-1]["name"]

    def kept(self, folder: bytes) -> set[bytes]:
        """The paths of one folder that have a verdict in the catalogue; asked of known files."""
        if self._is_first():
            return set()
        query = select(files.c.path).where(files.c.server == self._server, files.c.folder == folder)
        with self._engine.connect() as connection:
            return set(connection.scalars(query))

    def same_content(self, sha256: str) -> list[Judged]:
        """Files of any server with these bytes; newly judged ones count too."""
        waiting = (self._waiting[place] for place in self._alike.get(sha256, ()))
        fresh = [row for row in waiting if row.sha256 == sha256]
        if self._is_first() and sha256 not in (self._written or ()):
            return fresh
        with self._engine.connect() as connection:
            rows = connection.execute(SAME_CONTENT, {"sha256": sha256})
            return fresh + [Judged(*row) for row in rows]

    def _is_first(self) -> bool:
        """In a first scan there is nothing but what that scan has written itself.

        If somebody else writes meanwhile, some file is judged once more than it had to be.
        """
        if not self._asked:
            self._asked = True
            with self._engine.connect() as connection:
                if connection.scalar(select(judged.c.name).limit(1)) is None:
                    self._written = set()
        return self._written is not None

    def folders_beneath(self, folder: bytes) -> set[bytes]:
        # "0" follows "/" in the order of bytes, so this range is exactly what lies beneath.
        root = folder.rstrip(b"/")
        beneath = and_(judged.c.folder >= root + b"/", judged.c.folder < root + b"0")
        query = select(judged.c.folder).distinct().where(judged.c.server == self._server, beneath)
        with self._engine.connect() as connection:
            return set(connection.scalars(query))

    def add(self, row: Judged) -> None:
        place = row.folder, row.name
        self._waiting[place] = row
        self._alike.setdefault(row.sha256, {})[place] = None

    def gone(self, folder: bytes, name: bytes) -> None:
        self._gone.append((folder, name))

    def gone_folders(self, folders: Collection[bytes]) -> None:
        with writing(self._engine) as connection:
            for folder in folders:
                lost = and_(judged.c.server == self._server, judged.c.folder == folder)
                connection.execute(delete(judged).where(lost))

    def flush(self) -> None:
        """Call it after the catalogue's: a state known without a verdict would hide a file."""
        if not (self._waiting or self._gone):
            return
        with writing(self._engine) as connection:
            take_turns(connection)
            for folder, name in self._gone:
                one = and_(judged.c.folder == folder, judged.c.name == name)
                connection.execute(delete(judged).where(judged.c.server == self._server, one))
            rows = [(self._server, *row) for row in self._waiting.values()]
            insert_rows(connection, judged, COLUMNS, rows, key=KEY)
        if self._written is not None:
            self._written.update(row.sha256 for row in self._waiting.values())
            if len(self._written) > MOST_WRITTEN:
                self._written = None
        self._waiting, self._alike, self._gone = {}, {}, []


def as_judged(row: RowMapping) -> Judged:
    return Judged(**{name: row[name] for name in Judged._fields})
