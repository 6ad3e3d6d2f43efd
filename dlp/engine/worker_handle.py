"""The supervisor's view of one worker.

In: a process id and a socket.  Out: jobs sent, answers checked, deaths explained.
"""

from __future__ import annotations

import os
import signal
import socket
import time
from dataclasses import dataclass, field, replace
from operator import itemgetter
from typing import Any

from dlp.acquire.file_identity import change_since
from dlp.engine.forkserver import Forkserver
from dlp.engine.protocol import Assignment, Done, Inbox, ProtocolError, pack_ref, send
from dlp.errors import IsolationError
from dlp.model import CONTAINER_RANK, FileRef, Gap, GapCode
from dlp.report.record import display

WHERE_CHARACTERS = 200
NAME_CHARACTERS = 100
MOST_MISSING = 9  # of them, by one worker: there are no more
MOST_SUPPLIED = 20  # things loaded on demand; a worker that wants more is no longer ours


TROUBLE = frozenset(
    code.value for code in (GapCode.CORRUPT, GapCode.INTERNAL, GapCode.TIMEOUT, GapCode.TOO_DEEP)
)
MEMORY = ":memory"  # how a reader's gap ends when memory was what it missing


@dataclass(eq=False)
class Member:
    pid: int
    channel: socket.socket
    forkserver: Forkserver
    max_output_bytes: int
    inbox: Inbox = field(init=False)
    assignment: Assignment | None = None
    gone: bool = False  # it took nothing any more
    files_done: int = 0
    confined: bool = False  # it has said so
    degraded: bool = True
    walls: dict[str, str] = field(default_factory=dict)
    first_peak: int = 0

    has: frozenset[str] = frozenset()  # what its forkserver had loaded on demand
    missing: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.has = self.forkserver.supplied
        self.inbox = Inbox(self.max_output_bytes)

    def give(self, assignment: Assignment) -> bool:
        """Hand over a file; False when the worker is gone or its socket is full."""
        assignment.tries += 1
        assignment.started = time.monotonic()
        self.assignment = assignment
        try:
            send(self.channel, pack_ref(assignment.ref), assignment.fd)
        except OSError:
            self.gone = True
        return not self.gone

    def set_aside(self) -> Assignment:
        """The file that it cannot read without a resource; the try does not count."""
        assignment, self.assignment = self.assignment, None
        assert assignment is not None
        assignment.tries -= 1
        return assignment

    def take_back(self) -> Assignment | None:
        """What it had and has not read, once it is gone; the file is not the cause of its end."""
        assignment, self.assignment = self.assignment, None
        if assignment is not None:
            assignment.tries -= 1
            assignment.close()
        return assignment

    def finish(self, record: dict[str, Any] | None, gap: Gap | None) -> Done:
        """Take its file back."""
        assignment, self.assignment = self.assignment, None
        assert assignment is not None
        self.files_done += 1
        gap = change_since(assignment.ref, assignment.fd) or gap
        os.close(assignment.fd)
        ms = (time.monotonic() - assignment.started) * 1000
        done = Done(assignment.ref, record, gap, ms, assignment.job)
        return compared(assignment.first, done) if assignment.first else done

    def read_greeting(self, message: dict[str, Any]) -> None:
        walls, peak = message.get("walls"), message.get("peak")
        if not isinstance(walls, dict) or not isinstance(peak, int):
            raise ProtocolError("a greeting of the wrong shape")
        if message.get("accepted") is not True:
            raise IsolationError(
                "the sandbox cannot be set up, so no file is opened",
                fix="run: dlp doctor; a kernel with Landlock (5.13) or seccomp is needed",
            )
        self.confined = True
        self.degraded = message.get("degraded") is not False
        self.walls = {str(name): str(state) for name, state in walls.items()}
        self.first_peak = peak

    def missing_resource(self, message: dict[str, Any]) -> str:
        """The name of what it needs for its file and was not given; empty when it has all."""
        if "missing" not in message:
            return ""
        name = message["missing"]
        if not isinstance(name, str) or not 0 < len(name) <= NAME_CHARACTERS:
            raise ProtocolError("it lacks nothing that has a name")
        self.missing.add(name)
        if name in self.has or len(self.has) > MOST_SUPPLIED or len(self.missing) > MOST_MISSING:
            raise ProtocolError("it lacks what it was given, or too much")
        return name

    @staticmethod
    def read_answer(message: dict[str, Any]) -> tuple[dict[str, Any] | None, Gap | None, int]:
        """Take an answer apart; anything unexpected means the worker is no longer ours."""
        record, stated, peak = message.get("record"), message.get("gap"), message.get("peak")
        if type(peak) is not int or not (record is None or isinstance(record, dict)):
            raise ProtocolError("an answer of the wrong shape")
        if stated is None:
            if record is None:
                raise ProtocolError("neither record nor gap")
            return record, None, peak
        if not isinstance(stated, list) or len(stated) != 2 or not isinstance(stated[1], str):
            raise ProtocolError("not a gap")
        try:
            return record, Gap(GapCode(stated[0]), stated[1][:WHERE_CHARACTERS]), peak
        except (TypeError, ValueError) as error:
            raise ProtocolError("not a gap") from error


UNSETTLED = frozenset({GapCode.TIMEOUT.value, GapCode.CHANGED.value, GapCode.VANISHED.value})
DIFFERS = Gap(GapCode.INTERNAL, "worker:second reading differs")


def compared(first: Done, second: Done) -> Done:
    """One result of two readings: the worse one, and a gap where they differ.

    A worker that was taken over by one file may say what it likes of the files after it; a fresh
    worker that reads one of them again does not know what it said.
    """
    assert first.record is not None
    if second.ref != first.ref:
        return first  # the file changed between the two
    codes = codes_of(first.record, first.gap) | codes_of(second.record, second.gap)
    if not UNSETTLED.isdisjoint(codes):
        return first
    if second.record is not None and judgement_of(first.record) == judgement_of(second.record):
        return replace(first, second="same")
    told = [one.record for one in (first, second) if one.record is not None]
    worst = max(told, key=lambda record: (CONTAINER_RANK[record["container"]], record["privacy"]))
    gap = {"code": DIFFERS.code.value, "where": DIFFERS.where}
    return replace(first, record={**worst, "gaps": [*worst["gaps"], gap]}, second="different")


def judgement_of(record: dict[str, Any]) -> tuple[Any, ...]:
    """What two workers that read the same bytes by the same rules must agree on."""
    places = itemgetter("kind", "part", "start", "end")
    findings = sorted(places(one) for one in record["findings"])
    gaps = sorted((one["code"], one["where"]) for one in record["gaps"])
    prints = sorted(sorted(one["fingerprints"]) for one in record["persons"])
    return record["container"], round(record["privacy"], 6), findings, gaps, prints


def is_of(record: dict[str, Any] | None, ref: FileRef) -> bool:
    """Whether a record is of the file it answers for: a worker speaks of no other."""
    return record is None or "path" not in record or record["path"] == display(ref.path)


def cause_of_death(status: int | None) -> Gap:
    """Say why a worker ended, from its wait status."""
    if status is None:
        return Gap(GapCode.INTERNAL, "worker:lost")
    if not os.WIFSIGNALED(status):
        return Gap(GapCode.INTERNAL, f"worker:exit {os.waitstatus_to_exitcode(status)}")
    number = os.WTERMSIG(status)
    if number == signal.SIGXCPU:
        return Gap(GapCode.TIMEOUT, "worker:cpu")
    if number == signal.SIGALRM:
        return Gap(GapCode.TIMEOUT, "worker:wall")
    if number == signal.SIGKILL:
        # Not by us: the kernel ran out of memory and chose this process.
        return Gap(GapCode.TOO_LARGE, "worker:memory")
    # Real-time signals have numbers only.
    known = number in set(signal.Signals)
    name = signal.Signals(number).name if known else f"signal {number}"
    return Gap(GapCode.INTERNAL, f"worker:{name}")


def end_of(cause: Gap) -> str:
    """In one word, for the metrics, why a worker had to be replaced."""
    words = {"wall": "timeout", "cpu": "timeout", "memory": "memory", "output": "output"}
    return words.get(cause.where.removeprefix("worker:"), "crash")


def troubled(record: dict[str, Any] | None, gap: Gap | None) -> bool:
    """Whether a parser met something it could not take: that is where one is exploited.

    The worker may no longer be ours, and must not see the next file.
    """
    return not codes_of(record, gap).isdisjoint(TROUBLE)


def codes_of(record: dict[str, Any] | None, gap: Gap | None) -> set[str]:
    """The gaps of a file in one word each."""
    codes = {gap.code.value} if gap is not None else set()
    gaps = record.get("gaps") if record else None
    if isinstance(gaps, list):
        codes |= {str(one["code"]) for one in gaps if isinstance(one, dict) and "code" in one}
    return codes


def ran_out_of_memory(record: dict[str, Any] | None, gap: Gap | None) -> bool:
    """Whether the worker, or a reader inside it, met the memory limit."""
    if gap is not None and gap.where == "worker:memory":
        return True
    gaps = record.get("gaps") if record else None
    if not gaps:
        return False
    return isinstance(gaps, list) and any(
        isinstance(one, dict) and str(one.get("where", "")).endswith(MEMORY) for one in gaps
    )
