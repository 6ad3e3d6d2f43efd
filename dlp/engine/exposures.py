"""Who can read each file, as the file system says it now; content is never read.

In: paths beneath some roots, settings.  Out: columns of the catalogue for each file, and a digest
for each folder that changes with everything above it, the share's definition and the accounts.
"""

from __future__ import annotations

import os
import stat
from collections import deque
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, select, update

from dlp.access import REACHES, Exposure, Rights, Surroundings, digest_of
from dlp.acquire.access_control import rights_of
from dlp.acquire.share_definitions import read_accounts, read_shares
from dlp.config import Settings
from dlp.measure.exposure import exposure_of
from dlp.store.database import Session, server_name, writing
from dlp.store.schema import files, folders
from dlp.store.verdict_writer import rank_again

LEAST_PEOPLE = 100  # an organisation whose accounts nobody lists here
MOST_FOLDERS = 20_000  # in memory
AT_ONCE = 500  # files ranked again in one transaction

Seen = dict[str, Any]


class Exposures:
    def __init__(self, settings: Settings, roots: Iterable[bytes]) -> None:
        """`roots`: what lies above them, or above the share they lie in, is not asked."""
        self._settings = settings
        shares = [os.fsencode(share.path).rstrip(b"/") for share in settings.share]
        self._roots = set(shares)
        for root in map(os.path.abspath, roots):
            if not any(is_within(root, share) for share in shares):
                self._roots.add(root.rstrip(b"/") or b"/")
        self.refresh()

    def refresh(self) -> None:
        """Read accounts and shares again, and forget what rested on them."""
        wanted = self._settings.exposure
        accounts = read_accounts()
        shares = read_shares(Path(wanted.smb_conf) if wanted.smb_conf else None)
        people = wanted.people or max(accounts.logins, LEAST_PEOPLE)
        self._common = (shares, accounts, people, wanted.sizes)
        self._digest = digest_of((shares, accounts.digest, people, sorted(wanted.sizes.items())))
        self._around: dict[bytes, Surroundings] = {}
        self._known: dict[tuple[Rights, str], Exposure] = {}

    def around(self, folder: bytes) -> Surroundings:
        """What counts for every file of a folder alike."""
        found = self._around.get(folder)
        if found is None:
            if len(self._around) >= MOST_FOLDERS:
                self._around.clear()
            found = self._around[folder] = self._look(folder)
        return found

    def _look(self, folder: bytes) -> Surroundings:
        shares, accounts, people, sizes = self._common
        above = os.path.dirname(folder)
        top = folder in self._roots or above == folder
        before, digest = ((), self._digest) if top else self._above(above)
        own = rights_of(folder)
        real = os.path.realpath(folder) if shares else folder
        holding = tuple(share for share in shares if is_within(real, share.path))
        return Surroundings((*before, own), holding, accounts, people, sizes,
                            digest_of((digest, own, holding)))  # fmt: skip

    def _above(self, folder: bytes) -> tuple[tuple[Rights, ...], str]:
        around = self.around(folder)
        return around.above, around.digest

    def of(self, path: bytes) -> Seen | None:
        """None where the file cannot be looked at: it left, or a folder above it did."""
        try:
            seen = os.lstat(path)
            if not stat.S_ISREG(seen.st_mode):
                return None
            around, own = self.around(os.path.dirname(path)), rights_of(path, seen)
        except OSError:
            return None
        found = self._known.get((own, around.digest))
        if found is None:
            if len(self._known) >= MOST_FOLDERS:
                self._known.clear()
            found = self._known[own, around.digest] = exposure_of(own, around)
        return {
            "exposure": found.reach.value,
            "readers": found.readers,
            "owner": seen.st_uid,
            "modified_at": seen.st_mtime,
            "accessed_at": seen.st_atime,
            "rights": own.digest,
        }

    def notes(self) -> list[str]:
        """Settings of shares that could let fewer people in and are not taken into account."""
        return [f"[{share.name}] {note}" for share in self._common[0] for note in share.notes]


def is_within(path: bytes, top: bytes) -> bool:
    return path == top or path.startswith(top.rstrip(b"/") + b"/")


def widest(reaches: Collection[str]) -> str:
    return max(reaches, key=REACHES.index, default="")


class Ranking:
    """Keeps the places of files true while a daemon runs: rights change without their content."""

    def __init__(self, exposures: Exposures, database: Engine, server: str = "") -> None:
        self.exposures = exposures
        self._database = database
        self._server = server_name(database, server)
        self._waiting: deque[tuple[bytes, str]] = deque()  # folders whose surroundings changed
        self._left: deque[bytes] = deque()  # files of the first of them

    def entered(self, folder: bytes, *, top: bool) -> None:
        """A sweep lists a folder; at the top of a share everything is looked up anew."""
        if top:
            self.exposures.refresh()
        try:
            digest = self.exposures.around(folder).digest
        except OSError:
            return
        query = select(folders.c.surroundings).where(folders.c.path == folder)
        with self._database.connect() as connection:
            known = connection.execute(query).scalar()
        if known is not None and known != digest:
            self._waiting.append((folder, digest))

    @property
    def waits(self) -> bool:
        return bool(self._waiting)

    def turn(self) -> None:
        """Some files of a folder that is waiting."""
        if not self._waiting:
            return
        folder, digest = self._waiting[0]
        if not self._left:
            query = select(files.c.path).where(files.c.server == self._server,
                                               files.c.folder == folder)  # fmt: skip
            with self._database.connect() as connection:
                self._left.extend(bytes(path) for path in connection.scalars(query))
        some = [self._left.popleft() for _ in range(min(AT_ONCE, len(self._left)))]
        self._write(some)
        if not self._left:
            self._waiting.popleft()
            place = folders.c.path == folder
            with writing(self._database) as connection:
                connection.execute(update(folders).where(place).values(surroundings=digest))

    def _write(self, paths: Iterable[bytes]) -> None:
        seen = {path: one for path in paths if (one := self.exposures.of(path)) is not None}
        if seen:
            with writing(self._database) as connection:
                rank_again(Session(connection), self._server, seen)

    def only_rights_changed(self, path: bytes) -> bool:
        """Whether the catalogue knows the file with other rights; then it ranks by the new ones.

        The row of its state stays: the next sweep finds a changed file and reads it, so content
        that was exchanged together with the rights is not missed for longer than that.
        """
        query = select(files.c.rights).where(files.c.server == self._server, files.c.path == path)
        with self._database.connect() as connection:
            known = connection.execute(query).scalar()
        seen = self.exposures.of(path)
        if not known or seen is None or seen["rights"] == known:
            return False
        self._write([path])
        return True
