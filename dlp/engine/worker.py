"""One confined worker: takes an open file, gives back a record, again and again.

In: a socket to the supervisor, the analysis to run.  Out: records or gaps; never a word elsewhere.
"""

from __future__ import annotations

import contextlib
import faulthandler
import gc
import io
import logging
import math
import os
import resource
import signal
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, BinaryIO, NoReturn

from dlp.decode.contract import Limits
from dlp.decode.sandbox import Confinement, confine, guarded
from dlp.engine.protocol import pack, receive, send, unpack_ref
from dlp.lazy_resources import NotLoadedError
from dlp.model import FileRef, Gap, GapCode

Analyse = Callable[[FileRef, BinaryIO], dict[str, Any]]
# The supervisor's clock decides; this is for when it is busy elsewhere.
BACKSTOP_SECONDS = 0.5
MAX_OUTPUT_BYTES = 32_000_000
# A file makes thousands of small objects and hardly a cycle: looking for cycles every 700 of them,
# as Python does by default, takes 3 to 5 % of the time and finds nothing.
OBJECTS_BETWEEN_COLLECTIONS = 20_000


class Sandbox(StrEnum):
    """How much of the sandbox has to stand before a worker touches a file."""

    STRICT = "strict"  # every wall
    STANDARD = "standard"  # at least one of the two that shut the file system; the rest reported
    RELAXED = "relaxed"  # limits only, for a kernel that has neither

    def accepts(self, confinement: Confinement) -> bool:
        if self is Sandbox.STRICT:
            return not confinement.degraded
        return self is Sandbox.RELAXED or not confinement.open_to_files


@dataclass(frozen=True, slots=True)
class Terms:
    """What every worker of an engine is held to."""

    limits: Limits
    max_output_bytes: int
    sandbox: Sandbox = Sandbox.STANDARD


def work(channel: socket.socket, analyse: Analyse, terms: Terms) -> NoReturn:
    """Serve until the supervisor hangs up. Runs in a fresh fork and never returns."""
    silence_process()
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS, 20, 20)
    statm = os.open("/proc/self/statm", os.O_RDONLY)  # no path opens once the walls stand
    confinement = confine(terms.limits)
    accepted = terms.sandbox.accepts(confinement)
    greeting = {
        "accepted": accepted,
        "degraded": confinement.degraded,
        "walls": confinement.as_record(),
        "peak": private_bytes(statm),
    }
    send(channel, greeting)
    if not accepted:
        os._exit(3)
    clock = Clock(terms.limits.wall_seconds)
    while (job := receive(channel)) is not None:
        message, fd = job
        if fd is None:
            break
        clock.start()
        packed = answer(unpack_ref(message), fd, analyse, terms, statm)
        clock.stop()
        channel.sendall(packed)
    os._exit(0)


def answer(ref: FileRef, fd: int, analyse: Analyse, terms: Terms, statm: int) -> bytes:
    """Analyse one file and pack what came of it."""

    def read_one() -> dict[str, Any]:
        # with a size, or Python asks whether a file is a terminal
        with os.fdopen(fd, "rb", io.DEFAULT_BUFFER_SIZE) as source:
            return analyse(ref, source)

    try:
        record, gap = guarded(read_one)
    except NotLoadedError as error:
        return pack({"missing": error.name})
    peak = private_bytes(statm)
    reply: dict[str, Any] = {"record": record, "gap": gap and [gap.code, gap.where], "peak": peak}
    packed, unfit = guarded(lambda: pack(reply))
    if packed is not None and len(packed) > terms.max_output_bytes:
        unfit = Gap(GapCode.TOO_LARGE, "worker:output")
    if packed is None or unfit:
        unfit = unfit or Gap(GapCode.INTERNAL, "worker:record")
        packed = pack({"record": None, "gap": [unfit.code, unfit.where], "peak": peak})
    return packed


def private_bytes(statm: int) -> int:
    """The writable memory the process holds now, which is what its limit counts.

    Its resident peak would not do: a fork starts with its parent's, and the kernel may take idle
    pages back at any time.
    """
    return int(os.pread(statm, 256, 0).split()[5]) * resource.getpagesize()


class Clock:
    """Lets the kernel end this process when a file has had its time, whatever the code does."""

    def __init__(self, wall_seconds: float) -> None:
        self._seconds = wall_seconds + BACKSTOP_SECONDS
        _, self._hard = resource.getrlimit(resource.RLIMIT_CPU)
        self._limit = 0  # whole seconds: hundreds of files have the same

    def start(self) -> None:
        limit = math.ceil(time.process_time() + self._seconds)
        if limit != self._limit:
            with contextlib.suppress(ValueError, OSError):
                resource.setrlimit(resource.RLIMIT_CPU, (limit, self._hard))
            self._limit = limit
        signal.setitimer(signal.ITIMER_REAL, self._seconds)

    def stop(self) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)


def silence_process() -> None:
    """Leave no way for a value to reach a terminal or a log from here."""
    faulthandler.disable()
    logging.disable(logging.CRITICAL)
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)
    os.close(null)
    for number in (signal.SIGALRM, signal.SIGXCPU, signal.SIGPIPE):
        signal.signal(number, signal.SIG_DFL)
    # A service manager signals the whole group; the supervisor alone decides when work ends.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
