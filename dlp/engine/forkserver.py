"""The process that forks workers: it holds the loaded knowledge, and nothing of the supervisor.

In: spawn and end requests from the supervisor.  Out: confined workers that share its memory.

Forking from here and not from the supervisor keeps workers free of its threads, locks, open
databases and keys, however long it has been running.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import os
import signal
import socket
import sys
import time
import traceback
from collections.abc import Callable
from typing import Any, NamedTuple, NoReturn, TypeVar

from dlp.decode.sandbox import die_with_parent, reap_strays_here, shed_descriptors
from dlp.engine.protocol import receive, send
from dlp.engine.worker import Analyse, Terms, silence_process, work
from dlp.errors import DlpError

# Kill and reap the workers of this process, and whatever they left behind.
#
# A process id stays valid until its parent has waited for it, so nothing else is ever hit.

# A killed process leaves at once unless the kernel holds it in a dead network mount.
REAP_SECONDS = 1.0
LEAVE_SECONDS = 0.1
STRAY_ROUNDS = 20


def end(pid: int, status: int | None, others: set[int]) -> int | None:
    """Kill a worker, or what is left of one whose status is known already."""
    kill(pid, alive=status is None)
    if status is None:
        status = reap(pid, REAP_SECONDS)
    end_strays(others)
    return status


def kill(pid: int, *, alive: bool = True) -> None:
    """The group of a worker and, unless its number may be another's by now, itself."""
    for strike in (os.killpg, os.kill) if alive else (os.killpg,):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            strike(pid, signal.SIGKILL)


def reap_gone(killed: set[int], workers: set[int]) -> None:
    """Forget those of the killed that are gone by now; `workers` are all of ours, these too."""
    gone = {pid for pid in killed if reap(pid, 0.0) is not None}
    if gone:
        killed -= gone
        workers -= gone
        end_strays(workers)


def reap(pid: int, seconds: float) -> int | None:
    deadline = time.monotonic() + seconds
    while True:
        try:
            gone, status = os.waitpid(pid, os.WNOHANG)
        except ChildProcessError:
            return None
        if gone:
            return status
        if time.monotonic() >= deadline:
            return None
        time.sleep(0.001)


def end_strays(workers: set[int]) -> None:
    """Whatever a worker forked falls to us when the worker dies; none of it may live on."""
    for _ in range(STRAY_ROUNDS):  # one killed late may have forked early
        strays = children_here() - workers
        if not strays:
            return
        for child in strays:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(child, signal.SIGKILL)
            reap(child, LEAVE_SECONDS)


def children_here() -> set[int]:
    own = os.getpid()
    try:
        with open(f"/proc/{own}/task/{own}/children", "rb") as listing:
            return {int(child) for child in listing.read().split()}
    except OSError:
        return set()  # only matters where the kernel has no seccomp either


T = TypeVar("T")
REPLY_SECONDS = 120.0  # warming up may load a model


# What loading and reading look at: places, languages, numbers of threads.
NEEDED = frozenset({
    "CREDENTIALS_DIRECTORY", "HOME", "LANG", "LANGUAGE", "PATH", "STATE_DIRECTORY",
    "TESSDATA_PREFIX", "TMPDIR", "TZ", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME",
    "XDG_STATE_HOME",
})  # fmt: skip
NEEDED_FAMILIES = ("DLP_", "LC_", "OMP_", "OPENBLAS_", "PYDANTIC_", "PYTHON")


class ForkserverLostError(Exception):
    """The process that makes workers is gone."""


class WorkerSpec(NamedTuple):
    """What its workers do and are held to, and how it loads what they need."""

    analyse: Analyse
    terms: Terms
    warm: Callable[[], None] | None
    supply: Callable[[str], None] | None


class DeferredSpec(NamedTuple):
    """A spec that arrives later (`send_order`); what every spec needs is loaded before."""

    load: Callable[[], None]
    spec_of: Callable[[dict[str, Any]], WorkerSpec]


class Forkserver:
    """The supervisor's handle on it."""

    def __init__(self, spec: WorkerSpec | DeferredSpec) -> None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        parent = os.getpid()
        self.pid = os.fork()
        if self.pid == 0:
            _never_return(lambda: _serve(theirs, parent, spec))
        theirs.close()
        self._channel = ours
        self.supplied: frozenset[str] = frozenset()
        self._wanted: list[str] = []  # asked for and not yet loaded, in order
        self._channel.settimeout(REPLY_SECONDS)

    def send_order(self, order: dict[str, Any]) -> None:
        """Send what was awaited; a process that is gone already is noticed by `until_ready`."""
        with contextlib.suppress(OSError):
            send(self._channel, order)

    def until_ready(self) -> None:
        """Wait until it has loaded what all workers need; asked once."""
        try:
            self._ask(None)
        except (DlpError, ForkserverLostError):
            self.close()
            raise

    def spawn(self) -> tuple[int, socket.socket]:
        """A new worker: its process id and our end of its socket."""
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            pid = self._ask({"spawn": True}, theirs.fileno())["pid"]
        except ForkserverLostError:
            ours.close()
            raise
        finally:
            theirs.close()
        ours.setblocking(False)
        return pid, ours

    def fileno(self) -> int:
        """Readable when something that was wanted is loaded, or when the process is gone."""
        return self._channel.fileno()

    def want(self, name: str) -> None:
        """Begin to load what the first workers do without; those forked after it have it."""
        if name in self.supplied or name in self._wanted:
            return
        try:
            send(self._channel, {"supply": name})
        except OSError as error:
            raise ForkserverLostError from error
        self._wanted.append(name)

    @property
    def loading(self) -> bool:
        return bool(self._wanted)

    def read_reply(self) -> None:
        """Read that something is loaded; raises when the process is gone."""
        self._reply()
        if self._wanted:
            self.supplied |= {self._wanted.pop(0)}

    def end(self, pid: int, *, leaving: bool = False) -> int | None:
        """Kill a worker with all its offspring; its wait status, None if it will not leave.

        A worker that is `leaving` by itself gets a moment, so that its status tells why.
        """
        status = self._ask({"end": pid, "leaving": leaving})["status"]
        return None if status is None else int(status)

    def release(self, pid: int) -> None:
        """Have an idle worker killed; nobody waits until it is gone."""
        try:
            send(self._channel, {"release": pid})
        except OSError as error:
            raise ForkserverLostError from error

    def close(self) -> None:
        if self._channel.fileno() < 0:
            return  # its number may be somebody else's by now
        self._channel.close()
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(self.pid, 0)

    def _ask(self, message: dict[str, Any] | None, fd: int | None = None) -> dict[str, Any]:
        while self._wanted:  # it answers in order
            self.read_reply()
        try:
            if message is not None:
                send(self._channel, message, fd)
        except OSError as error:
            raise ForkserverLostError from error
        return self._reply()

    def _reply(self) -> dict[str, Any]:
        try:
            reply = receive(self._channel)
        except OSError as error:
            raise ForkserverLostError from error
        if reply is None:
            raise ForkserverLostError
        if "broken" in reply[0]:
            raise as_error(**reply[0]["broken"])
        return reply[0]


def error_message(error: DlpError) -> dict[str, Any]:
    """An error of ours, for the process whose command it stops."""
    said = {"code": error.code, "what": error.what, "where": error.where, "fix": error.fix}
    return {"broken": said}


def as_error(code: str, what: str, where: str, fix: str) -> DlpError:
    """Our own error again, in the process whose command it stops."""
    kinds = [DlpError]
    for kind in kinds:
        kinds += kind.__subclasses__()
    kind = next((kind for kind in kinds if kind.code == code), DlpError)
    return kind(what, where=where, fix=fix)


def _never_return(body: Callable[[], NoReturn]) -> NoReturn:
    """Run a child's life; no exception of it may unwind into the code that forked it."""
    try:
        body()
    finally:
        # Printed only while warming up, when no file is involved; later stderr is /dev/null.
        traceback.print_exc()
        sys.stderr.flush()
        os._exit(1)


def _serve(channel: socket.socket, parent: int, awaited: WorkerSpec | DeferredSpec) -> NoReturn:
    os.setpgid(0, 0)  # a Ctrl-C in the terminal is the supervisor's to answer
    signal.set_wakeup_fd(-1)
    die_with_parent(parent)
    reap_strays_here()
    shed_descriptors(keep=channel.fileno())
    scrub_environment()
    spec = _load(channel, functools.partial(_warmed, channel, awaited))
    silence_process()
    os.chdir("/")  # where the supervisor was started says something about its owner
    send(channel, {"ready": True})
    workers: set[int] = set()
    leaving: set[int] = set()
    while (request := receive(channel)) is not None:
        message, fd = request
        reap_gone(leaving, workers)
        if fd is not None:
            pid = _fork_worker(channel, fd, spec)
            workers.add(pid)
            send(channel, {"pid": pid})
        elif "supply" in message:
            assert spec.supply
            _load(channel, functools.partial(spec.supply, message["supply"]))
            send(channel, {"ready": True})
        elif "release" in message:
            kill(message["release"])
            leaving.add(message["release"])
        else:
            pid = message["end"]
            workers.discard(pid)
            status = reap(pid, LEAVE_SECONDS) if message["leaving"] else None
            send(channel, {"status": end(pid, status, workers)})
    os._exit(0)


def scrub_environment() -> None:
    """Passwords and tokens of the supervisor are nothing to a process that reads hostile files."""
    for name in os.environ.keys() - NEEDED:
        if not name.startswith(NEEDED_FAMILIES):
            del os.environ[name]


def _warmed(channel: socket.socket, awaited: WorkerSpec | DeferredSpec) -> WorkerSpec:
    if isinstance(awaited, WorkerSpec):
        return warmed(awaited)
    awaited.load()
    order = receive(channel)
    if order is None:
        os._exit(0)
    return warmed(awaited.spec_of(order[0]))


def warmed(spec: WorkerSpec) -> WorkerSpec:
    if spec.warm is not None:
        spec.warm()
    return spec


def _load(channel: socket.socket, what: Callable[[], T]) -> T:
    gc.disable()  # all that is loaded stays; looking through it again and again takes a tenth
    try:
        loaded = what()
    except DlpError as error:
        send(channel, error_message(error))
        os._exit(1)
    # Without it the first collection in every worker would touch, and so copy, every page. What
    # loading left behind in cycles stays too: half a megabyte, for a twentieth of the start.
    gc.freeze()
    gc.enable()
    return loaded


def _fork_worker(channel: socket.socket, fd: int, spec: WorkerSpec) -> int:
    parent = os.getpid()
    pid = os.fork()
    if pid == 0:
        channel.close()
        os.setpgid(0, 0)
        die_with_parent(parent)
        line = socket.socket(fileno=fd)
        _never_return(lambda: work(line, spec.analyse, spec.terms))
    os.close(fd)
    return pid
