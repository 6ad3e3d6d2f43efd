"""In which state each file was judged, and its whole record: a rescan reads this, not the file.

In: records with the state and the hash of the content they are about.  Out: the same records.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

from dlp.store.database import AT_ONCE, Database, Row, Session, insert_of
from dlp.store.record_codec import keep_findings, sum_of
from dlp.store.verdict_writer import SEEN, rank_again

PAGE = 1000  # rows read at once: a folder may hold a million files
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
KEPT = f"SELECT path, {', '.join(SEEN)} FROM files WHERE server = ? AND folder = ?"  # noqa: S608
SURROUNDINGS = "SELECT surroundings FROM folders WHERE path = ?"
SURROUNDED = "UPDATE folders SET surroundings = ? WHERE path = ?"
BENEATH = "SELECT DISTINCT folder FROM judged WHERE server = ? AND folder >= ? AND folder < ?"
FORGET = "DELETE FROM judged WHERE server = ? AND folder = ? AND name = ?"
NAMES = "SELECT name FROM judged WHERE server = ? AND folder = ?"


class JudgedFiles:
    def __init__(self, database: Database, *, server: str = "") -> None:
        self._database = database
        self._server = database.server_name(server)
        self._waiting: dict[tuple[bytes, bytes], Judged] = {}
        self._alike: dict[str, dict[tuple[bytes, bytes], None]] = {}  # of them, by their content
        self._written: set[str] | None = None  # all contents there can be; None: there are others
        self._asked = False
        self._gone: list[tuple[bytes, bytes]] = []
        self._seen: dict[bytes, Mapping[str, Any]] = {}
        self._surrounded: dict[bytes, str] = {}

    def folder(self, folder: bytes) -> Iterator[Judged]:
        """What is known of one folder, by name, a page at a time."""
        if self._is_first():
            return
        after = b""
        while True:
            rows = self._database.query(IN_FOLDER, (self._server, folder, after, PAGE))
            yield from map(Judged._make, rows)
            if len(rows) < PAGE:
                return
            after = Judged._make(rows[-1]).name

    def kept(self, folder: bytes) -> dict[bytes, Row]:
        """Files of one folder that have a verdict in the catalogue, with who could read each."""
        if self._is_first():
            return {}
        rows = self._database.query(KEPT, (self._server, folder))
        return {bytes(row[0]): row[1:] for row in rows}

    def surroundings(self, folder: bytes) -> str:
        """The digest under which the readers of its files were last counted."""
        rows = () if self._is_first() else self._database.query(SURROUNDINGS, (folder,))
        return str(rows[0][0]) if rows else ""

    def rank_again(self, path: bytes, seen: Mapping[str, Any]) -> None:
        self._seen[path] = seen

    def surrounded(self, folder: bytes, digest: str) -> None:
        """Called when all files of the folder were looked at."""
        self._surrounded[folder] = digest

    def same_content(self, sha256: str) -> list[Judged]:
        """Files of any server with these bytes; newly judged ones count too."""
        waiting = (self._waiting[place] for place in self._alike.get(sha256, ()))
        fresh = [row for row in waiting if row.sha256 == sha256]
        if self._is_first() and sha256 not in (self._written or ()):
            return fresh
        rows = self._database.query(SAME_CONTENT, (sha256, COPIES))
        return fresh + [Judged._make(row) for row in rows]

    def _is_first(self) -> bool:
        """In a first scan there is nothing but what that scan has written itself.

        If somebody else writes meanwhile, some file is judged once more than it had to be.
        """
        if not self._asked:
            self._asked = True
            if not self._database.query(ANY):
                self._written = set()
        return self._written is not None

    def folders_beneath(self, folder: bytes) -> set[bytes]:
        # "0" follows "/" in the order of bytes, so this range is exactly what lies beneath.
        root = folder.rstrip(b"/")
        rows = self._database.query(BENEATH, (self._server, root + b"/", root + b"0"))
        return {found for (found,) in rows}

    def add(self, row: Judged) -> None:
        place = row.folder, row.name
        self._waiting[place] = row
        self._alike.setdefault(row.sha256, {})[place] = None

    def gone(self, folder: bytes, name: bytes) -> None:
        self._gone.append((folder, name))
        if len(self._gone) >= AT_ONCE:
            gone, self._gone = self._gone, []
            self._forget_all(gone)

    def gone_folders(self, folders: Collection[bytes]) -> None:
        def names(folder: bytes) -> list[Row]:
            return self._database.query(NAMES, (self._server, folder))

        self._forget_all((folder, name) for folder in folders for (name,) in names(folder))

    def _forget_all(self, places: Iterable[tuple[bytes, bytes]]) -> None:
        """A few at a time: other writers would lose their patience."""
        left = iter(places)
        while some := list(islice(left, AT_ONCE)):
            with self._database.writing() as session:
                self._forget(session, some)

    def _forget(self, session: Session, places: Sequence[tuple[bytes, bytes]]) -> None:
        session.take_turns()
        for folder, name in places:
            keep_findings(session, self._server, os.path.join(folder, name))
        session.execute_many(FORGET, [(self._server, *place) for place in places])

    def stored(self, path: bytes) -> int | None:
        """The sum of a record that waits to be written."""
        row = self._waiting.get(os.path.split(path))
        return None if row is None else sum_of(row.record)

    @property
    def waits(self) -> bool:
        return bool(self._waiting or self._gone or self._seen or self._surrounded)

    def flush(self) -> None:
        """Call it after the catalogue's: a state known without a verdict would hide a file."""
        if self.waits:
            with self._database.writing() as session:
                self.write(session)

    def write(self, session: Session) -> None:
        self._forget(session, self._gone)
        session.execute_many(PUT, [(self._server, *row) for row in self._waiting.values()])
        if self._written is not None:
            self._written.update(row.sha256 for row in self._waiting.values())
            if len(self._written) > MOST_WRITTEN:
                self._written = None
        rank_again(session, self._server, self._seen)
        session.execute_many(SURROUNDED, [(d, folder) for folder, d in self._surrounded.items()])
        self._waiting, self._alike, self._gone = {}, {}, []
        self._seen, self._surrounded = {}, {}
