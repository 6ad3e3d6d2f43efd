"""Judge files on a Dask cluster: batches out, records back, whatever dies on the way.

In: Jobs, as the local engine takes them.  Out: one Done per job.

The client keeps what it has sent until the answer is here. A dead worker's batches go to another
worker; after a dead scheduler the client joins the next one at that address and sends again; a
dead client is started again and recalls from the catalogue whatever was committed.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import logging
import os
import queue
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError
from dataclasses import dataclass, replace
from typing import Any, BinaryIO

from distributed import Client, KilledWorker, WorkerPlugin, get_worker
from distributed.client import ClosedClientError

from dlp.acquire.file_identity import open_file
from dlp.assembly import Analysis
from dlp.config import Settings
from dlp.engine.forkserver import as_error, error_message
from dlp.engine.local_engine import LocalEngine, open_engine
from dlp.engine.protocol import LENGTH, Done, Job, pack, pack_ref, unpack, unpack_ref
from dlp.engine.verdict_version import Versions
from dlp.errors import ClusterError, ConfigError, DlpError
from dlp.keys import fingerprint_key
from dlp.model import Gap, GapCode
from dlp.resources import ourselves

# What runs inside a Dask worker: it starts the station there, once, and hands batches to it.

SAMPLE = 64  # entries of a root that tell one share from another
TRIES = 2

Message = dict[str, Any]


class StationLostError(Exception):
    """The station died with a batch in hand; the scheduler tries the batch again."""


class NodePlugin(WorkerPlugin):
    """A worker's plugin; it travels as the order alone and wakes up where it lands."""

    def __init__(self, name: str, order: Message) -> None:
        self.name = name
        self._order = order
        self._reset(1)

    def __getstate__(self) -> tuple[str, Message]:
        return self.name, self._order

    def __setstate__(self, state: tuple[str, Message]) -> None:
        self.name, self._order = state
        self._reset(1)

    def _reset(self, jobs: int) -> None:
        self._jobs = jobs
        self._turn = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def setup(self, worker: Any) -> None:
        self._jobs = worker.state.nthreads

    def teardown(self, worker: Any) -> None:  # noqa: ARG002 - the plugin's signature
        self._end()

    def judge(self, files: list[Message]) -> Message:
        """One batch at a time; its files keep all the workers of this machine's share busy."""
        with self._turn:
            if self._process is None:
                self._start()
            self._channel.sendall(pack({"files": files}))
            return self._receive()

    def _start(self) -> None:
        ours, theirs = socket.socketpair()
        command = [*ourselves("dlp.engine.dask_engine"), str(theirs.fileno())]
        self._process = subprocess.Popen(command, pass_fds=[theirs.fileno()])  # noqa: S603 - ourselves
        theirs.close()
        self._channel = ours
        self._source = ours.makefile("rb")
        self._channel.sendall(pack({**self._order, "jobs": self._jobs}))
        self._receive()

    def _receive(self) -> Message:
        try:
            reply = read_message(self._source)
        except OSError:
            reply = None
        if reply is None:
            self._end()
            raise StationLostError
        if "broken" in reply:
            self._end()
            raise as_error(**reply["broken"])
        return reply

    def _end(self) -> None:
        if self._process is not None:
            self._source.close()
            self._channel.close()  # the worker reads end of file and exits
            self._process.kill()
            self._process.wait()
            self._process = None


def judge_batch(plugin: str, files: list[Message]) -> Message:
    """The task."""
    node = get_worker().plugins[plugin]
    assert isinstance(node, NodePlugin)
    for _ in range(TRIES - 1):
        try:
            return node.judge(files)
        except (StationLostError, OSError):
            continue
    return node.judge(files)


def looks_of(root: bytes) -> str:
    """What a share looks like from here, so that two machines can tell whether they see one."""
    try:
        if not os.path.isdir(root):
            seen = os.stat(root)
            return f"{seen.st_size}:{seen.st_mtime_ns}"
        with os.scandir(root) as entries:
            names = sorted(entries, key=lambda entry: entry.name)[:SAMPLE]
            looks = [(e.name, e.stat(follow_symlinks=False).st_mtime_ns // 10**9) for e in names]
    except OSError:
        return ""
    return hashlib.sha256(repr(looks).encode("utf-8", "surrogateescape")).hexdigest()


log = logging.getLogger(__name__)

BATCH_FILES = 100
BATCH_BYTES = 64_000_000  # a few large files are a batch, so that none takes minutes
AHEAD = 2  # batches a thread may have waiting, so that it never waits
RETRIES = 3
CONNECT_SECONDS = 10
LOOK_SECONDS = 1.0
LEAVE_SECONDS = 2
COMPARE_SECONDS = 30.0  # workers come and go; how often they are asked what they see
REJOIN_SECONDS = 600.0
# How a scheduler that goes shows itself, whatever was being asked of it. The client gives up by
# itself after some seconds, and while our own output waits nobody here would notice.
LOST = (OSError, TimeoutError, CancelledError, ClosedClientError)


@dataclass(slots=True)
class Batch:
    jobs: list[Job]
    size_bytes: int = 0
    future: Any = None


class ClusterEngine:
    def __init__(
        self,
        address: str,
        order: Message,
        roots: Sequence[bytes],
        *,
        rejoin_seconds: float = REJOIN_SECONDS,
        batch_files: int = BATCH_FILES,
    ) -> None:
        self._address = address
        self._order = order
        self._roots = [os.path.abspath(root) for root in roots]
        self._rejoin_seconds = rejoin_seconds
        self._batch_files = batch_files
        self._plugin = f"dlp-{order['version'][:12]}"
        self._client: Any = None
        self._numbers = itertools.count()
        self._open = Batch([])
        self._sent: dict[int, Batch] = {}
        self._answered: queue.SimpleQueue[int] = queue.SimpleQueue()
        self._done: list[Done] = []
        self._workers: list[str] = []
        self._threads = 1
        self._compare_at = 0.0
        self.walls: dict[str, str] = {}
        self.degraded: bool | None = None
        self.resent = 0

    @property
    def in_flight(self) -> int:
        sent = sum(len(batch.jobs) for batch in self._sent.values())
        return sent + len(self._open.jobs) + len(self._done)

    @property
    def room(self) -> int:
        most = (AHEAD * self._threads + 1) * self._batch_files
        return max(0, most - self.in_flight)

    def submit(self, job: Job) -> None:
        if self._client is None:
            self._join()
        self._open.jobs.append(job)
        self._open.size_bytes += job.ref.size_bytes
        if len(self._open.jobs) >= self._batch_files or self._open.size_bytes >= BATCH_BYTES:
            self._send_open()

    def results(self, timeout: float | None = 0.0) -> list[Done]:
        """Wait until something is done, at most `timeout` seconds; None: as long as it takes."""
        if timeout is None:
            self._send_open()
        until = None if timeout is None else time.monotonic() + timeout
        while not self._done and self._sent:
            wait = LOOK_SECONDS if until is None else max(0.0, until - time.monotonic())
            try:
                self._take(
                    self._answered.get(timeout=min(wait, LOOK_SECONDS) or None, block=wait > 0)
                )
            except queue.Empty:
                self._look_after()
                if until is not None and time.monotonic() >= until:
                    break
        done, self._done = self._done, []
        return done

    def close(self) -> None:
        if self._client is not None:
            self._leave()

    def _send_open(self) -> None:
        batch, self._open = self._open, Batch([])
        if batch.jobs:
            self._send(batch)

    def _send(self, batch: Batch) -> None:
        number = next(self._numbers)
        self._sent[number] = batch
        files = [pack_file(job) for job in batch.jobs]
        try:
            batch.future = self._client.submit(
                judge_batch, self._plugin, files, key=f"{self._plugin}-{os.getpid()}-{number}",
                pure=False, retries=RETRIES, workers=self._workers,
            )  # fmt: skip
        except LOST:
            return  # it is sent again when the client has reconnected
        batch.future.add_done_callback(lambda _: self._answered.put(number))

    def _take(self, number: int) -> None:
        batch = self._sent.get(number)
        if batch is None or batch.future is None:
            return  # the answer came already, by another way
        reply, error = answer_of(batch.future)
        if reply is not None:
            del self._sent[number]
            self.walls, self.degraded = reply["walls"], reply["degraded"]
            self._done += [as_done(batch.jobs[one["number"]], one) for one in reply["done"]]
        elif error is not None:
            del self._sent[number]
            self._mend(batch, error)
        else:
            self._rejoin()  # cancelled or lost: the scheduler forgot us

    def _mend(self, batch: Batch, error: BaseException) -> None:
        """A batch that ended several workers is halved until the file that does it stands alone."""
        if isinstance(error, DlpError):
            raise error
        if not isinstance(error, KilledWorker) and len(batch.jobs) == 1:
            raise ClusterError(
                f"a worker failed: {type(error).__name__}",
                where=self._address,
                fix="look at the worker's log; every worker needs this release of dlp",
            ) from None  # the original text may hold a path
        if len(batch.jobs) == 1:
            gap = Gap(GapCode.INTERNAL, "worker:lost")
            self._done.append(Done(batch.jobs[0].ref, None, gap, 0.0, batch.jobs[0]))
            return
        half = len(batch.jobs) // 2
        for jobs in (batch.jobs[:half], batch.jobs[half:]):
            self._send(Batch(jobs))

    def _look_after(self) -> None:
        if self._client.status not in {"running", "connecting"} or self._scheduler_gone():
            self._rejoin()
        elif time.monotonic() >= self._compare_at:
            self._compare_workers()

    def _compare_workers(self) -> None:
        """Workers come and go; when all whom we sent to are gone, the new ones get the work."""
        before = set(self._workers)
        try:
            self._choose_workers()
        except (ClusterError, *LOST):
            # Nobody there just now, or a top folder that changes as it is compared: ask again.
            self._compare_at = time.monotonic() + LOOK_SECONDS
            return
        if before.isdisjoint(self._workers):
            self._send_again()

    def _scheduler_gone(self) -> bool:
        comm = self._client.scheduler_comm
        return comm is None or comm.comm.closed()

    def _rejoin(self) -> None:
        """Connect to the scheduler now at the address; send again what was not answered."""
        log.warning("the scheduler is gone; waiting for it to come back")
        self._leave()
        self._join()
        self._send_again()

    def _send_again(self) -> None:
        waiting = list(self._sent.values())
        self._sent = {}
        self._answered = queue.SimpleQueue()
        self.resent += len(waiting)
        for batch in waiting:
            self._send(Batch(batch.jobs))

    def _join(self) -> None:
        until = time.monotonic() + self._rejoin_seconds
        while True:
            try:
                self._client = connect(self._address)
                self._client.register_plugin(NodePlugin(self._plugin, self._order))
                self._choose_workers()
            except (ClusterError, *LOST) as error:
                self._leave()
                if time.monotonic() >= until:
                    raise joining_failed(error, self._address) from None
                time.sleep(LOOK_SECONDS)
            else:
                return

    def _choose_workers(self) -> None:
        """Host affinity: a file goes only where the share looks as it does from here."""
        ours = [looks_of(root) for root in self._roots]
        seen = self._client.run(looks_of_all, self._roots, on_error="return")
        self._workers = [who for who, faces in seen.items() if faces == ours]
        if not self._workers:
            raise ClusterError(
                f"none of {len(seen)} workers sees the share as it is here", where=self._address,
                fix="mount it under the same path there, or start a worker on this machine",
            )  # fmt: skip
        threads = self._client.nthreads()
        self._threads = sum(threads.get(who, 0) for who in self._workers) or 1
        self._compare_at = time.monotonic() + COMPARE_SECONDS

    def _leave(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            with contextlib.suppress(*LOST, AssertionError):  # it is slow to go: not our concern
                client.close(timeout=LEAVE_SECONDS)


def answer_of(future: Any) -> tuple[Message | None, BaseException | None]:
    """What a batch came to, or why it failed; neither, when its scheduler went with the answer."""
    try:
        if future.status == "finished":
            return future.result(), None  # fetched only now: a scheduler may go in between
        if future.status == "error":
            return None, future.exception()
    except LOST:
        log.warning("an answer was lost on its way")
    return None, None


def connect(address: str) -> Any:
    """TLS files come from Dask's own settings, as for scheduler and workers."""
    # It reports every lost connection with a traceback; we say it once, in words.
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    make: Any = Client
    return make(address, timeout=CONNECT_SECONDS, set_as_default=False)


def looks_of_all(roots: Sequence[bytes]) -> list[str]:
    return [looks_of(root) for root in roots]


def joining_failed(error: Exception, address: str) -> ClusterError:
    if isinstance(error, ClusterError):
        return error
    return ClusterError(
        f"the scheduler cannot be reached: {type(error).__name__}", where=address,
        fix="start it (dask scheduler), check the address and the TLS settings, then run again: "
        "what was judged is not judged twice",
    )  # fmt: skip


def as_done(job: Job, stated: Message) -> Done:
    gap = Gap(GapCode(stated["gap"][0]), stated["gap"][1]) if stated["gap"] else None
    # Device numbers are each machine's own.
    ref = replace(unpack_ref(stated["ref"]), device=job.ref.device)
    return Done(ref, stated["record"], gap, stated["ms"], job)


def read_message(source: BinaryIO) -> Message | None:
    """One whole message; None once the other side has gone."""
    head = source.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    body = source.read(LENGTH.unpack(head)[0])
    return unpack(body) if len(body) == LENGTH.unpack(head)[0] else None


def serve(channel: socket.socket) -> None:
    with channel, channel.makefile("rb") as source:
        order = read_message(source)
        if order is None:
            return
        try:
            engine = prepare(order)
        except DlpError as error:
            channel.sendall(pack(error_message(error)))
            return
        with engine:
            channel.sendall(pack({"ready": True}))
            while (batch := read_message(source)) is not None:
                try:
                    done = list(judge(engine, batch["files"]))
                except DlpError as error:
                    channel.sendall(pack(error_message(error)))
                    return
                reply = {"done": done, "walls": engine.walls, "degraded": engine.degraded}
                channel.sendall(pack(reply))


def prepare(order: Message) -> LocalEngine:
    settings = Settings.model_validate(order["settings"])
    key = fingerprint_key(settings.keys.fingerprint)
    # A verdict must not depend on which machine it was found.
    if Versions(settings, full=order["full"], key=key).deep != order["version"]:
        raise ConfigError(
            "this machine has other rules, knowledge, programs or another fingerprint key",
            where=socket.gethostname(),
            fix="install the same release, rules and keys.fingerprint file on every machine",
        )
    analysis = Analysis(settings, full=order["full"], values=order["values"], masks=order["masks"])
    return open_engine(analysis, settings, jobs=order["jobs"])


def judge(engine: LocalEngine, files: list[Message]) -> Iterator[Message]:
    jobs = [job_of(file) for file in files]
    numbers = {id(job): number for number, job in enumerate(jobs)}
    for done in engine.run(jobs):
        yield {"number": numbers[id(done.job)], **pack_done(done)}


def pack_done(done: Done) -> Message:
    gap = [done.gap.code.value, done.gap.where] if done.gap else None
    return {"record": done.record, "gap": gap, "ms": done.ms, "ref": pack_ref(done.ref)}


def pack_file(job: Job) -> Message:
    assert job.place is not None
    root, relative = job.place
    place = {
        "root": os.path.abspath(root).decode("latin-1"),
        "relative": relative.decode("latin-1"),
    }
    return {"ref": pack_ref(job.ref), **place}


def job_of(file: Message) -> Job:
    root, relative = file["root"].encode("latin-1"), file["relative"].encode("latin-1")
    return Job(unpack_ref(file["ref"]), lambda: open_file(root, relative), (root, relative))


if __name__ == "__main__":
    os.set_inheritable(int(sys.argv[1]), False)
    serve(socket.socket(fileno=int(sys.argv[1])))
