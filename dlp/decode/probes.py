"""Try the nine things a worker must never be able to do, from inside a real confined process.

In: Limits.  Out: one Probe per forbidden act: whether it was blocked, and by which error.
"""

from __future__ import annotations

import errno
import json
import mmap
import os
import socket
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from dlp.decode.contract import Limits
from dlp.decode.sandbox import confine, die_with_parent

THREE_GB = 3 << 30
EXEC = "execute"  # last, because success would leave nobody to tell


@dataclass(frozen=True, slots=True)
class Probe:
    name: str
    blocked: bool
    detail: str


@dataclass(frozen=True, slots=True)
class SelfTest:
    probes: tuple[Probe, ...]
    walls: dict[str, str]
    degraded: bool

    @property
    def passed(self) -> bool:
        return bool(self.probes) and all(probe.blocked for probe in self.probes)


def selftest(limits: Limits | None = None) -> tuple[Probe, ...]:
    """The nine probes alone."""
    return examine(limits or Limits()).probes


def examine(limits: Limits) -> SelfTest:
    """Fork, confine, try everything; a probe that gives no answer counts as not blocked."""
    reading, writing = os.pipe()
    parent = os.getpid()
    with tempfile.TemporaryDirectory(prefix="dlp-selftest-") as folder:
        victim = os.path.join(folder, "victim")
        with open(victim, "wb") as handle:
            handle.write(b"still here")
        child = os.fork()
        if child == 0:
            try:
                os.close(reading)
                die_with_parent(parent)
                _try_everything(writing, limits, folder)
            finally:
                os._exit(0)
        os.close(writing)
        with os.fdopen(reading, "rb") as answers:
            lines = [json.loads(line) for line in answers]
        os.waitpid(child, 0)
        unharmed = os.listdir(folder) == ["victim"] and os.path.getsize(victim) == 10
    return _read_answers(lines, unharmed=unharmed)


def _read_answers(lines: list[dict[str, Any]], *, unharmed: bool) -> SelfTest:
    greeting, *answers = lines or [{}]
    told = {answer["probe"]: answer["error"] for answer in answers}
    probes = []
    for name in (*(name for name, _ in acts("", 0)), EXEC):
        error = told.get(name, "")
        blocked = bool(error) and (unharmed or name not in ("write", "unlink"))
        probes.append(Probe(name, blocked, error or "not blocked"))
    walls = dict(greeting.get("walls") or {})
    return SelfTest(tuple(probes), walls, greeting.get("degraded") is not False)


def _try_everything(answers: int, limits: Limits, folder: str) -> None:
    confinement = confine(limits)
    _tell(answers, walls=confinement.as_record(), degraded=confinement.degraded)
    for name, act in acts(folder, os.getppid()):
        _tell(answers, probe=name, error=error_of(act))
    program = [sys.executable]
    _tell(answers, probe=EXEC, error=error_of(lambda: os.execv(program[0], program)))  # noqa: S606 - it must fail


def _tell(answers: int, **message: object) -> None:
    os.write(answers, json.dumps(message).encode() + b"\n")


def error_of(act: Callable[[], object]) -> str:
    """The name of the error that stopped the act; empty when nothing did."""
    try:
        act()
    except MemoryError:
        return "ENOMEM"
    except OSError as error:
        return errno.errorcode.get(error.errno or 0, type(error).__name__)
    return ""


def acts(folder: str, other: int) -> Iterator[tuple[str, Callable[[], object]]]:
    """Each forbidden act, harmless should it succeed; victims are the test's own."""
    victim = os.path.join(folder, "victim")

    def write() -> None:
        with open(os.path.join(folder, "written"), "wb") as target:
            target.write(b"x")
            target.flush()

    yield "read", lambda: os.open(__file__, os.O_RDONLY)
    yield "write", write
    yield "list", lambda: os.listdir("/")
    yield "socket", lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM).close()
    yield "unlink", lambda: os.unlink(victim)
    yield "signal", lambda: os.kill(other, 0)
    yield "allocate", lambda: mmap.mmap(-1, THREE_GB, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    yield "memory of others", lambda: os.open("/proc/1/mem", os.O_RDONLY)
