"""Scan a finite set of files: skip what is known, judge the rest, give every copy its verdict.

A copy is a file with the same bytes whose name tells the same: "scan.pdf" and "Ada Hale.pdf" are
judged apart, because a name is evidence of its own.

In: sightings from a walk.  Out: records in the order they are ready.
"""

from __future__ import annotations

import os
import re
from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from dlp.acquire.walk import Sighting
from dlp.model import FileRef
from dlp.report.record import Record, display

REMEMBERED = 50_000  # records kept for copies still to come, and no more of them than hold
REMEMBERED_FINDINGS = 200_000  # so many findings: half a kilobyte each, about 100 MB at most
AHEAD = 2000  # files seen ahead: half a megabyte, and a twentieth of a second of walking
LARGE = 100_000  # bytes: one worker reads them for a twentieth of a second, if they are text
TEXTUAL = (b".txt", b".csv", b".html", b".htm", b".xml", b".json", b".md", b".log")
WORDS = re.compile(r"[^\W\d_]{2,}")
PICTURED = (b".pdf", b".png", b".jpg", b".jpeg", b".tif", b".tiff", b".bmp", b".gif", b".webp")


@dataclass(slots=True)
class Copies:
    """Same content, same verdict, without a second analysis; every copy is a leak of its own."""

    hash_file: Callable[[Sighting], str | None]
    _first_of_size: dict[int, Sighting | None] = field(default_factory=dict)  # None: hashed
    _first_of_hash: dict[tuple[str, str], bytes] = field(default_factory=dict)  # and what is told
    _records: OrderedDict[bytes, Record] = field(default_factory=OrderedDict)
    _findings: int = 0  # in those records
    _pending: set[bytes] = field(default_factory=set)
    _waiting: dict[bytes, list[FileRef]] = field(default_factory=lambda: defaultdict(list))

    def original_of(self, sighting: Sighting) -> bytes | None:
        """The earlier file with the same bytes. Only files of equal size are ever hashed here."""
        size, path = sighting.ref.size_bytes, sighting.ref.path
        if not size or size not in self._first_of_size:
            self._first_of_size[size] = sighting
            self._pending.add(path)
            return None
        if (first := self._first_of_size[size]) is not None:
            self._first_of_size[size] = None
            if (digest := self.hash_file(first)) is not None:
                self._first_of_hash.setdefault(
                    (digest, told_by_name(first.ref.path)), first.ref.path
                )
        digest = self.hash_file(sighting)
        told = (digest or "", told_by_name(path))
        original = self._first_of_hash.setdefault(told, path) if digest else path
        if original != path and (original in self._pending or original in self._records):
            return original
        self._pending.add(path)
        return None

    def wait_for(self, original: bytes, ref: FileRef) -> Record | None:
        """The copy's record if the original is judged already; else it comes with the original."""
        if original in self._records:
            return as_copy(self._records[original], ref)
        self._waiting[original].append(ref)
        return None

    def judged(self, path: bytes, record: Record) -> list[Record]:
        """Take a file's record, and give those of the copies that waited for it."""
        self._pending.discard(path)
        if (before := self._records.pop(path, None)) is not None:
            self._findings -= findings_in(before)
        self._records[path] = record
        self._findings += findings_in(record)
        while len(self._records) > REMEMBERED or self._findings > REMEMBERED_FINDINGS:
            self._findings -= findings_in(self._records.popitem(last=False)[1])
        return [as_copy(record, ref) for ref in self._waiting.pop(path, ())]


def told_by_name(path: bytes) -> str:
    """What a file's own name can add to its content: all of it, unless it holds no words."""
    stem = os.path.splitext(os.path.basename(path))[0].decode("utf-8", "replace")
    return stem.casefold() if WORDS.search(stem) else ""


def findings_in(record: Record) -> int:
    found = record.get("findings", ())
    return 0 if hasattr(found, "packed") else len(found)  # stored ones are small


def as_copy(record: Record, ref: FileRef) -> Record:
    return {**record, "path": display(ref.path), "duplicate_of": record["path"], "ms": 0.0}


def never(*_: object) -> bool:
    return False


def expensive_first(
    sightings: Iterable[Sighting],
    ahead: int = AHEAD,
    *,
    only_easy: Callable[[], bool] = never,
) -> Iterator[Sighting]:
    """Of the files seen ahead, what may take seconds comes first, and short texts come last.

    A scanned page that comes last would keep one worker busy while the others are idle. Each kind
    keeps its order. Before all, short texts for as long as workers can read `only_easy` files: what
    these need is loaded first.
    """
    expensive: deque[Sighting] = deque()
    plain: deque[Sighting] = deque()
    easy: deque[Sighting] = deque()

    def put(sighting: Sighting) -> None:
        kind = expensive if is_expensive(sighting.ref) else easy if is_easy(sighting.ref) else plain
        kind.append(sighting)

    sightings = iter(sightings)
    for sighting in sightings:
        put(sighting)
        if len(expensive) + len(plain) + len(easy) > ahead:
            break
    while easy and only_easy():
        yield easy.popleft()
    for sighting in sightings:
        put(sighting)
        yield (expensive or plain or easy).popleft()
    yield from expensive
    yield from plain
    yield from easy


def is_easy(ref: FileRef) -> bool:
    """Whether it is very likely plain text, and not much of it."""
    return ref.size_bytes < LARGE and ref.path[-5:].lower().endswith(TEXTUAL)


def is_expensive(ref: FileRef) -> bool:
    """Whether pictures may have to be read, or much text."""
    return ref.size_bytes > LARGE or ref.path[-6:].lower().endswith(PICTURED)


def judge_all(
    sightings: Iterable[Sighting],
    judge: Callable[[Iterator[Sighting]], Iterable[tuple[FileRef, Record]]],
    copies: Copies,
) -> Iterator[Record]:
    """Feed the judge only what is new; interleave its answers with those of copies."""
    ready: list[Record] = []

    def fresh() -> Iterator[Sighting]:
        for sighting in sightings:
            original = copies.original_of(sighting)
            if original is None:
                yield sighting
            elif (record := copies.wait_for(original, sighting.ref)) is not None:
                ready.append(record)

    for ref, record in judge(fresh()):
        waited = copies.judged(ref.path, record)
        yield record
        yield from waited
        while ready:
            yield ready.pop()
    yield from ready
