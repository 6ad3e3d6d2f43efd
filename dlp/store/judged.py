"""In which state each file was judged, and its whole record: a rescan reads this, not the file.

In: records with the state and the hash of the content they are about.  Out: the same records.

No path and no value is in a stored record; findings are places, kinds and keyed fingerprints.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Collection, Iterator, Sequence
from typing import Any, NamedTuple

from dlp.store.details import as_json
from dlp.store.direct import Direct
from dlp.store.rows import insert_of

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


KEY = ("server", "folder", "name")
PUT = insert_of("judged", ("server", *Judged._fields), KEY)
SELECT = "SELECT folder, name, state, young, sha256, version, record FROM judged"  # as above
# In the order of the index, a page at a time.
IN_FOLDER = f"{SELECT} WHERE server = ? AND judged.folder = ? AND name > ? ORDER BY name LIMIT ?"
SAME_CONTENT = f"{SELECT} WHERE sha256 = ? LIMIT ?"
ANY = "SELECT name FROM judged LIMIT 1"
KEPT = "SELECT path FROM files WHERE server = ? AND folder = ?"
BENEATH = "SELECT DISTINCT folder FROM judged WHERE server = ? AND folder >= ? AND folder < ?"
FORGET = "DELETE FROM judged WHERE server = ? AND folder = ? AND name = ?"
FORGET_FOLDER = "DELETE FROM judged WHERE server = ? AND folder = ?"


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
    def __init__(self, database: Direct, *, server: str = "") -> None:
        self._database = database
        self._server = database.server_name(server)
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
        while True:
            rows = self._database.ask(IN_FOLDER, (self._server, folder, after, PAGE))
            yield from map(Judged._make, rows)
            if len(rows) < PAGE:
                return
            after = Judged._make(rows[-1]).name

    def kept(self, folder: bytes) -> set[bytes]:
        """The paths of one folder that have a verdict in the catalogue; asked of known files."""
        if self._is_first():
            return set()
        return {path for (path,) in self._database.ask(KEPT, (self._server, folder))}

    def same_content(self, sha256: str) -> list[Judged]:
        """Files of any server with these bytes; newly judged ones count too."""
        waiting = (self._waiting[place] for place in self._alike.get(sha256, ()))
        fresh = [row for row in waiting if row.sha256 == sha256]
        if self._is_first() and sha256 not in (self._written or ()):
            return fresh
        rows = self._database.ask(SAME_CONTENT, (sha256, COPIES))
        return fresh + [Judged._make(row) for row in rows]

    def _is_first(self) -> bool:
        """In a first scan there is nothing but what that scan has written itself.

        If somebody else writes meanwhile, some file is judged once more than it had to be.
        """
        if not self._asked:
            self._asked = True
            if not self._database.ask(ANY):
                self._written = set()
        return self._written is not None

    def folders_beneath(self, folder: bytes) -> set[bytes]:
        # "0" follows "/" in the order of bytes, so this range is exactly what lies beneath.
        root = folder.rstrip(b"/")
        rows = self._database.ask(BENEATH, (self._server, root + b"/", root + b"0"))
        return {found for (found,) in rows}

    def add(self, row: Judged) -> None:
        place = row.folder, row.name
        self._waiting[place] = row
        self._alike.setdefault(row.sha256, {})[place] = None

    def gone(self, folder: bytes, name: bytes) -> None:
        self._gone.append((folder, name))

    def gone_folders(self, folders: Collection[bytes]) -> None:
        if not folders:
            return
        with self._database.writing() as session:
            session.tell(FORGET_FOLDER, [(self._server, folder) for folder in folders])

    def flush(self) -> None:
        """Call it after the catalogue's: a state known without a verdict would hide a file."""
        if not (self._waiting or self._gone):
            return
        with self._database.writing() as session:
            session.take_turns()
            session.tell(FORGET, [(self._server, *place) for place in self._gone])
            session.tell(PUT, [(self._server, *row) for row in self._waiting.values()])
        if self._written is not None:
            self._written.update(row.sha256 for row in self._waiting.values())
            if len(self._written) > MOST_WRITTEN:
                self._written = None
        self._waiting, self._alike, self._gone = {}, {}, []
