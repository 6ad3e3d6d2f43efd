"""Scan a finite set of paths: walk, recall what is known, judge the rest, one record a file.

In: Settings, paths.  Out: records, as they are ready.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Protocol

from dlp.acquire.file_identity import LastFolder, sha256_of
from dlp.acquire.walk import Sighting, Tally, Walk, identity_of
from dlp.engine.exposures import Exposures
from dlp.engine.forkserver import Forkserver
from dlp.engine.local_engine import Done, Job, LocalEngine
from dlp.engine.scan_batch import Copies, expensive_first, judge_all, never
from dlp.engine.worker import Sandbox
from dlp.engine.worker_settings import SOON, Order, Ordered, limits_of, order_of
from dlp.errors import ConfigError
from dlp.lazy_resources import lazy_registry
from dlp.model import FileRef
from dlp.report.record import Record, unread_record
from dlp.report.record_validation import is_fit

if TYPE_CHECKING:
    from dlp.config import Settings
    from dlp.engine.unchanged_files import KnownContent
    from dlp.engine.verdict_version import Program, Versions
    from dlp.store.database import Database

CLUSTER = "dask:"
READ_SECONDS = 0.002  # between two reads of results while the walk goes on


class Judging(Protocol):
    """Whatever takes jobs and gives them back done: the processes here, or a cluster."""

    degraded: bool | None
    walls: dict[str, str]

    @property
    def room(self) -> int: ...

    @property
    def in_flight(self) -> int: ...

    def submit(self, job: Job) -> None: ...

    def results(self, timeout: float | None = 0.0) -> list[Done]: ...

    def close(self) -> None: ...


class Scan:
    """Walk, judge, and give every file exactly one record."""

    def __init__(
        self,
        settings: Settings,
        *,
        jobs: int | None = None,
        full: bool = False,
        values: bool = False,
        masks: bool = False,
        profile: str | None = None,
        engine: str = "local",
        forkserver: Forkserver | None = None,
    ) -> None:
        """`forkserver` is one that was forked ahead, for the first walk."""
        if profile:
            triage = settings.triage.model_copy(update={"rules": profile})
            settings = settings.model_copy(update={"triage": triage})
        self.settings = settings
        self._jobs = jobs or settings.jobs
        self._full = full
        self._shows = {"values": values, "masks": masks}
        self._forkserver = forkserver
        self._where = engine
        self._tally = Tally()
        self.known: KnownContent | None = None  # without it every file is judged
        self.weak_walls: list[str] = []  # of the sandbox, known after a scan
        self.disputed = 0  # files that two workers judged differently
        if forkserver is not None:
            forkserver.send_order(self._order())  # it loads while a catalogue is opened

    @property
    def skipped(self) -> int:
        return self._tally.links

    def records(self, paths: Sequence[bytes]) -> Iterator[Record]:
        own = (identity_of(path) for path in self.settings.acquire.exclude)
        walk = Walk(
            exclude=frozenset(identity for identity in own if identity),
            cross_mounts=not self.settings.acquire.one_filesystem,
            tally=self._tally,
            folder=(folder := LastFolder()),
        )
        self._exposures = Exposures(self.settings, paths)
        if self.known is not None:
            self.known.look_with(self._exposures)
        all_anew = self.known is None or self._forkserver is not None
        engine = self._engine(paths)
        try:
            if self.known is None and isinstance(engine, LocalEngine):
                engine.begin()  # every file is judged: the walk and the loading go side by side
            unopenable: list[Record] = []
            sightings = self._openable(walk(paths), unopenable)
            only_easy: Callable[[], bool] = never
            if all_anew and isinstance(engine, LocalEngine):
                only_easy = engine.reads_plain_text_only
            known = self.known
            if known is not None:
                sightings = known.screen(sightings)
            copies = Copies(known.hash_of if known is not None else hash_of)
            ordered = expensive_first(sightings, only_easy=only_easy)
            for record in judge_all(ordered, judge_with(engine, known), copies):
                yield self._with_exposure(record)
                while unopenable:
                    yield self._with_exposure(unopenable.pop())
            yield from map(self._with_exposure, unopenable)
            if known is not None:
                known.finish(paths)
            if engine.degraded:
                weak = (wall for wall, state in engine.walls.items() if state != "applied")
                self.weak_walls = sorted(weak)
            if isinstance(engine, LocalEngine):
                self.disputed = engine.readings["different"]
        finally:
            engine.close()
            folder.close()

    def _with_exposure(self, record: Record) -> Record:
        path = os.fsencode(record["path"])
        look = self.known.exposure if self.known is not None else self._exposures.of
        return {**record, "exposure": look(path)}

    def _engine(self, paths: Sequence[bytes]) -> Judging:
        if self._where.startswith(CLUSTER):
            return self._cluster(self._where.removeprefix(CLUSTER), paths)
        if self._where != "local":
            raise ConfigError(
                f"no engine {self._where}",
                where="--engine",
                fix="use local or dask:tcp://HOST:8786",
            )
        forkserver, self._forkserver = self._forkserver, None
        analysis = Ordered(self._order())
        return LocalEngine(
            analysis,
            jobs=self._jobs,
            limits=limits_of(self.settings),
            files_per_worker=self.settings.engine.files_per_worker,
            warm=analysis.warm,
            supply=lazy_registry().supply,
            fit=is_fit,
            sandbox=Sandbox(self.settings.engine.sandbox),
            second_readings=self.settings.engine.second_readings,
            forkserver=forkserver,
            soon=SOON,
        )

    def _order(self) -> Order:
        how = {"full": self._full, **self._shows}
        return order_of(self.settings, **{name: bool(one) for name, one in how.items()})

    def _cluster(self, address: str, paths: Sequence[bytes]) -> Judging:
        try:
            from dlp.engine.dask_engine import ClusterEngine  # noqa: PLC0415 - an extra, and heavy
        except ModuleNotFoundError as error:
            raise ConfigError(
                "the cluster needs Dask", where="--engine", fix="pip install 'phi-share-dlp[dask]'"
            ) from error
        order = {
            "settings": self.settings.model_dump(mode="json"),
            "full": bool(self._full),
            "version": self._versions().deep,
            **{name: bool(shown) for name, shown in self._shows.items()},
        }
        return ClusterEngine(address, order, paths)

    def _versions(self, program: Program | None = None) -> Versions:
        # As below: only a scan with a catalogue, or on a cluster, needs versions.
        from dlp.engine.verdict_version import Versions  # noqa: PLC0415
        from dlp.keys import fingerprint_key  # noqa: PLC0415

        key = fingerprint_key(self.settings.keys.fingerprint)
        return Versions(self.settings, full=bool(self._full), key=key, program=program)

    def know_again(
        self,
        database: Database,
        *,
        server: str = "",
        fresh: bool = False,
        program: Program | None = None,
    ) -> None:
        """Take verdicts of unchanged files from the database, and put new ones there."""
        # A tenth of the start-up, and nothing to a scan that keeps no catalogue.
        from dlp.engine.unchanged_files import KnownContent  # noqa: PLC0415
        from dlp.engine.verdict_version import verdict_version  # noqa: PLC0415
        from dlp.store.judged_files import JudgedFiles  # noqa: PLC0415

        versions = self._versions(program)
        _ = versions.present  # now, and not when a first verdict rests on rules of long ago
        self.known = KnownContent(
            JudgedFiles(database, server=server),
            versions,
            rules_version=verdict_version(self.settings),
            fresh=fresh,
        )

    @staticmethod
    def _openable(sightings: Iterable[Sighting], unopenable: list[Record]) -> Iterator[Sighting]:
        for sighting in sightings:
            if sighting.gap is None:
                yield sighting
            else:
                unopenable.append(unread_record(sighting.ref.path, sighting.gap, 0.0))


def judge_with(
    engine: Judging, known: KnownContent | None = None
) -> Callable[[Iterator[Sighting]], Iterator[tuple[FileRef, Record]]]:
    """Recall what is known; the engine starts when the first file has to be judged."""

    last_read = 0.0

    def finished_now(timeout: float | None) -> Iterator[tuple[FileRef, Record]]:
        nonlocal last_read
        last_read = time.monotonic()
        for done in engine.results(timeout):
            if known is not None:
                known.opened(done.job.ref, done.ref)
            yield done.job.ref, finished(done)

    def judge(sightings: Iterator[Sighting]) -> Iterator[tuple[FileRef, Record]]:
        for sighting in sightings:
            record = known.recall(sighting) if known is not None else None
            if record is not None:
                yield sighting.ref, record
            else:
                while not engine.room:
                    yield from finished_now(None)
                engine.submit(job_of(sighting))
            if engine.in_flight and time.monotonic() > last_read + READ_SECONDS:
                yield from finished_now(0.0)
        while engine.in_flight:
            yield from finished_now(None)

    return judge


def job_of(sighting: Sighting) -> Job:
    return Job(sighting.ref, sighting.open, (sighting.root, sighting.relative))


def finished(done: Done) -> Record:
    if done.record is None:
        assert done.gap
        return unread_record(done.ref.path, done.gap, done.ms, size_bytes=done.ref.size_bytes)
    if done.gap is None:
        return done.record
    gap = {"code": done.gap.code.value, "where": done.gap.where}
    return {**done.record, "gaps": [*done.record["gaps"], gap]}


def hash_of(sighting: Sighting) -> str | None:
    """The content's hash, or nothing when the file cannot be read just now."""
    try:
        fd = sighting.open()
    except OSError:
        return None
    try:
        return sha256_of(fd)
    except OSError:
        return None
    finally:
        os.close(fd)
