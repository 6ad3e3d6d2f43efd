"""Stay out of the way of the people who use the file server.

In: settings.  Out: lower priorities for this process and its children; whether a sweep may start.
"""

from __future__ import annotations

import ctypes
import os
import platform
from collections.abc import Sequence
from datetime import datetime, time

# ioprio_set has no wrapper in libc; its number differs by machine.
IOPRIO_SET = {"x86_64": 251, "aarch64": 30, "riscv64": 30}
WHO_PROCESS = 1
BEST_EFFORT, IDLE = 2, 3
CLASS_SHIFT = 13
LOWEST = 7


def be_gentle(nice: int, *, idle_io: bool) -> None:
    """Give way to everybody else, on the processor and on the disk; children inherit it."""
    if nice:
        os.nice(max(0, nice - os.nice(0)))
    number = IOPRIO_SET.get(platform.machine())
    if number is not None:
        priority = (IDLE << CLASS_SHIFT) if idle_io else (BEST_EFFORT << CLASS_SHIFT) | LOWEST
        ctypes.CDLL(None).syscall(number, WHO_PROCESS, 0, priority)  # refused: only less polite


def within(hours: Sequence[str], moment: datetime) -> bool:
    """Whether a moment lies in one of the spans "HH:MM-HH:MM"; a span may run past midnight."""
    if not hours:
        return True
    now = moment.time()
    for span in hours:
        start, _, end = span.partition("-")
        first, last = time.fromisoformat(start.strip()), time.fromisoformat(end.strip())
        inside = first <= now < last if first <= last else now >= first or now < last
        if inside:
            return True
    return False
