"""Know a file again: in the state in which it was judged, or by its content.

In: sightings from a walk.  Out: records as if judged now, at the price of one stat a file.

Trust is in five numbers: device, inode, size, mtime, ctime. A file that had changed within the
last minute when it was judged is hashed instead: two writes within one tick of the file system's
clock, or through a memory map before the kernel writes it back, look alike in those numbers.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from dlp.acquire.file_identity import as_seen, sha256_of
from dlp.acquire.walk import Sighting
from dlp.engine.exposures import Exposures, Seen
from dlp.engine.scan_batch import told_by_name
from dlp.engine.verdict_version import Versions, lasts
from dlp.model import FileRef
from dlp.report.record import Record, display
from dlp.store.database import Session
from dlp.store.judged_files import Judged, JudgedFiles
from dlp.store.record_codec import pack, unpack
from dlp.store.verdict_writer import SEEN

YOUNG_NS = 60_000_000_000  # the kernel writes a dirty page back after 30 s, and looks every 5


@dataclass(slots=True)
class Pending:
    """A file on its way to a record."""

    folder: bytes
    name: bytes
    state: str
    young: bool
    sighting: Sighting
    sha256: str = ""
    current: bool = False  # the stored row is as good as the one we would write
    other_rights: bool = False  # than when it was judged; the content is taken to be the same
    seen: Seen | None = None  # who could read it, as the catalogue has it with a verdict
    record: Record | None = None

    @property
    def path(self) -> bytes:
        return os.path.join(self.folder, self.name)


class KnownContent:
    def __init__(
        self,
        store: JudgedFiles,
        versions: Versions,
        *,
        rules_version: str,
        fresh: bool = False,
        clock: Callable[[], int] = time.time_ns,
    ) -> None:
        """`fresh`: recall nothing, and remember all that is judged."""
        self._store = store
        self._exposures: Exposures
        self._fresh = fresh
        self._versions = versions
        self._rules_version = rules_version
        self._clock = clock
        self._pending: dict[bytes, Pending] = {}
        self._folder: bytes | None = None
        self._kept: dict[bytes, Seen] = {}
        self._surrounded: dict[bytes, tuple[str, str]] = {}  # digests of folders: stored, present
        self._rows: Iterator[Judged] = iter(())
        self._next: Judged | None = None
        self._walked: set[bytes] = set()
        self._roots: dict[bytes, bytes] = {}

    def look_with(self, exposures: Exposures) -> None:
        """Called before a walk: by what it is found out who can read a file."""
        self._exposures = exposures

    def screen(self, sightings: Iterable[Sighting]) -> Iterator[Sighting]:
        """Look every sighting up by its state; that is kept until its record is remembered."""
        for sighting in sightings:
            ref = sighting.ref
            folder, name = self._place(sighting)
            self._enter(folder)
            young = ref.ctime_ns > self._clock() - YOUNG_NS
            pending = Pending(folder, name, state_of(ref), young, sighting)
            pending.seen = self._kept.get(pending.path) if self._kept else None
            self._pending[ref.path] = pending
            row = self._row_of(name, listed=bool(sighting.relative))
            if row is not None and not self._fresh:
                self._compare(pending, row)
            yield sighting
        self._leave()

    def _place(self, sighting: Sighting) -> tuple[bytes, bytes]:
        root = self._roots.get(sighting.root)
        if root is None:
            root = self._roots[sighting.root] = os.path.abspath(sighting.root)
        if not sighting.relative:
            return os.path.split(root)
        beneath, _, name = sighting.relative.rpartition(b"/")
        return os.path.join(root, beneath) if beneath else root, name

    def _enter(self, folder: bytes) -> None:
        if folder == self._folder:
            return
        self._leave()
        self._folder = folder
        self._kept = {path: dict(zip(SEEN, row, strict=True))
                      for path, row in self._store.kept(folder).items()}  # fmt: skip
        self._surrounded[folder] = (self._store.surroundings(folder), self._digest_of(folder))
        self._rows = self._store.folder(folder)
        self._next = next(self._rows, None)

    def _digest_of(self, folder: bytes) -> str:
        try:
            return self._exposures.around(folder).digest
        except OSError:
            return ""

    def exposure(self, path: bytes) -> Seen | None:
        """Who can read the file: as stored where nothing changed that it rests on."""
        pending = self._pending.get(path)
        if pending is None:
            return self._exposures.of(path)
        stored, present = self._surrounded[pending.folder]
        if pending.current and not pending.other_rights and stored == present and pending.seen:
            return pending.seen
        seen = self._exposures.of(pending.path)
        if pending.current and pending.seen and seen:
            self._store.rank_again(pending.path, seen)
        return seen

    def _leave(self) -> None:
        """What was known here and did not show up is gone; what cannot be listed costs a look."""
        if self._folder in self._walked:
            while self._next is not None:
                self._store.gone(self._next.folder, self._next.name)
                self._next = next(self._rows, None)
        self._folder = None

    def _row_of(self, name: bytes, *, listed: bool) -> Judged | None:
        """Walk and table are in the same order; a file named by itself says nothing of others."""
        assert self._folder is not None
        if listed:
            self._walked.add(self._folder)
        while self._next is not None and self._next.name < name:
            if listed:
                self._store.gone(self._next.folder, self._next.name)
            self._next = next(self._rows, None)
        if self._next is None or self._next.name != name:
            return None
        row, self._next = self._next, next(self._rows, None)
        return row

    def _compare(self, pending: Pending, row: Judged) -> None:
        if row.state != pending.state:
            if row.young or not self._only_rights_changed(pending, row):
                return
            pending.other_rights = True
        if row.young and self._hash(pending) != row.sha256:
            return
        pending.sha256 = row.sha256
        pending.record = self._valid(row)
        pending.current = pending.record is not None and not row.young

    def _only_rights_changed(self, pending: Pending, row: Judged) -> bool:
        """Whether nothing but the time of the change of rights is new, and the rights are.

        The stored state stays, so the next scan compares the content: one that was exchanged
        together with the rights is not missed for longer than that.
        """
        if pending.seen is None or not pending.seen["rights"]:
            return False
        if row.state.rpartition(":")[0] != pending.state.rpartition(":")[0]:
            return False
        seen = self._exposures.of(pending.path)
        return seen is not None and seen["rights"] != pending.seen["rights"]

    def _by_content(self, pending: Pending) -> None:
        digest = self._hash(pending)
        for row in self._store.same_content(digest) if digest else ():
            record = self._valid(row)
            if record is not None and same_for(pending.name, row.name):
                pending.record = record
                return

    def _valid(self, row: Judged) -> Record | None:
        """The stored record, if all that it rests on is as it was."""
        if row.version not in self._versions.present:
            return None
        record = unpack(row.record)
        return record if self._versions.behind(record) == row.version else None

    def _hash(self, pending: Pending) -> str:
        if not pending.sha256:
            pending.sha256 = content_hash(pending) or ""
        return pending.sha256

    def hash_of(self, sighting: Sighting) -> str | None:
        """The hash by which copies within one scan are found."""
        pending = self._pending.get(sighting.ref.path)
        # A first file of its size may have gone through long before the second is seen.
        pending = pending or Pending(b"", b"", state_of(sighting.ref), False, sighting)
        return self._hash(pending) or None

    def recall(self, sighting: Sighting) -> Record | None:
        """The file's record as if it were judged now; if there is none, it is about to be judged.

        Its content is read only here: a walk runs thousands of files ahead of the workers, which
        would wait while those are read.
        """
        pending = self._pending[sighting.ref.path]
        if self._fresh:
            self._hash(pending)
        elif pending.record is None:
            self._by_content(pending)
        record = pending.record
        if record is None:
            return None
        version = self._rules_version if record["rules_version"] else ""
        local: Record = {
            "path": display(sighting.ref.path),
            "duplicate_of": None,
            "ms": 0.0,
            "spent_ms": {},
        }
        return {**local, **record, "rules_version": version}

    def opened(self, before: FileRef, ref: FileRef) -> None:
        """How the file was when its worker got it: the hash must be of that very state."""
        pending = self._pending[before.path]
        if ref is not before and pending.state != state_of(ref):
            pending.sha256 = ""

    def remember(self, record: Record) -> bool:
        """Take the record in; returns whether it has to go into the catalogue."""
        pending = self._pending.pop(os.fsencode(record["path"]), None)
        if pending is None:
            return True  # nothing could be opened
        if pending.current:
            return pending.seen is None
        if pending.sha256 and lasts(record):
            # Twice the same hash around the judgement: then it was that content that was judged.
            young = pending.young
            if not young or content_hash(pending) == pending.sha256:
                self._store.add(self._row(pending, record))
        return True

    def _row(self, pending: Pending, record: Record) -> Judged:
        version = self._versions.behind(record)
        place = (pending.folder, pending.name, pending.state, int(pending.young))
        return Judged(*place, pending.sha256, version, pack(record))

    def finish(self, roots: Iterable[bytes]) -> None:
        """After a whole walk: folders that were not met any more are forgotten."""
        for root in roots:
            beneath = self._store.folders_beneath(os.path.abspath(root))
            self._store.gone_folders(beneath - self._walked)
        for folder in self._walked & self._surrounded.keys():
            stored, present = self._surrounded[folder]
            if stored != present:
                self._store.surrounded(folder, present)

    def stored(self, path: bytes) -> int | None:
        return self._store.stored(path)

    @property
    def waits(self) -> bool:
        return self._store.waits

    def flush(self) -> None:
        self._store.flush()

    def write(self, session: Session) -> None:
        self._store.write(session)


def state_of(ref: FileRef) -> str:
    return f"{ref.device}:{ref.inode}:{ref.size_bytes}:{ref.mtime_ns}:{ref.ctime_ns}"


def content_hash(pending: Pending) -> str | None:
    """The hash of the file in the state that was seen, or nothing."""
    ref = pending.sighting.ref
    try:
        fd = pending.sighting.open()
    except OSError:
        return None
    try:
        digest = sha256_of(fd, ref.size_bytes)
        return digest if state_of(as_seen(ref, os.fstat(fd))) == pending.state else None
    except OSError:
        return None
    finally:
        os.close(fd)


def same_for(name: bytes, other: bytes) -> bool:
    """Whether a verdict found under one name holds under another.

    The ending helps to tell the format, and the words of a name may say whom the file is about.
    """
    endings = {os.path.splitext(one)[1].lower() for one in (name, other)}
    return len(endings) == 1 and told_by_name(name) == told_by_name(other)
