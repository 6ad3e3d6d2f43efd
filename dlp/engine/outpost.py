"""What runs inside a Dask worker: it starts the station there, once, and hands batches to it.

In: an order (settings, versions) when the worker joins; then batches.  Out: what the station says.
"""

from __future__ import annotations

import hashlib
import os
import socket
import subprocess
import threading
from typing import Any

from distributed import WorkerPlugin, get_worker

from dlp.engine.nursery import as_error
from dlp.engine.protocol import pack
from dlp.engine.station import Message, read_message
from dlp.resources import ourselves

SAMPLE = 64  # entries of a root that tell one share from another
TRIES = 2


class StationLostError(Exception):
    """The station died with a batch in hand; the scheduler tries the batch again."""


class Outpost(WorkerPlugin):
    """A worker's plugin; it travels as the order alone and wakes up where it lands."""

    def __init__(self, name: str, order: Message) -> None:
        self.name = name
        self._order = order
        self._wake(1)

    def __getstate__(self) -> tuple[str, Message]:
        return self.name, self._order

    def __setstate__(self, state: tuple[str, Message]) -> None:
        self.name, self._order = state
        self._wake(1)

    def _wake(self, jobs: int) -> None:
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
            return self._hear()

    def _start(self) -> None:
        ours, theirs = socket.socketpair()
        command = [*ourselves("dlp.engine.station"), str(theirs.fileno())]
        self._process = subprocess.Popen(command, pass_fds=[theirs.fileno()])  # noqa: S603 - ourselves
        theirs.close()
        self._channel = ours
        self._source = ours.makefile("rb")
        self._channel.sendall(pack({**self._order, "jobs": self._jobs}))
        self._hear()

    def _hear(self) -> Message:
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
            self._channel.close()  # it hears that and leaves
            self._process.kill()
            self._process.wait()
            self._process = None


def judge_batch(plugin: str, files: list[Message]) -> Message:
    """The task."""
    outpost = get_worker().plugins[plugin]
    assert isinstance(outpost, Outpost)
    for _ in range(TRIES - 1):
        try:
            return outpost.judge(files)
        except (StationLostError, OSError):
            continue
    return outpost.judge(files)


def face_of(root: bytes) -> str:
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
