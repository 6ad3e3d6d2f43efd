"""Kill and reap the workers of this process, and whatever they left behind.

In: process ids of children.  Out: their wait status; none of them, and none of theirs, lives on.

A process id stays valid until its parent has waited for it, so nothing else is ever hit.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time

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
