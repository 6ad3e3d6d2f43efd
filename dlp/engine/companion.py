"""The guard's handle on a process beside it: the one that sends notifications, or the console.

In: the command that starts it.  Out: a child that is there as long as the guard is.

A process of its own with a fresh start: it inherits no descriptor and no thread, and whatever
kills it leaves the guard alone.
"""

from __future__ import annotations

import logging
import subprocess
from collections.abc import Sequence

log = logging.getLogger(__name__)

FIRST_WAIT, LONGEST_WAIT = 1.0, 60.0
STOP_SECONDS = 10.0


class Companion:
    def __init__(self, name: str, command: Sequence[str]) -> None:
        """An empty command: not wanted here."""
        self._name = name
        self._command = list(command)
        self._child: subprocess.Popen[bytes] | None = None
        self._next_start = 0.0
        self._wait = FIRST_WAIT

    def turn(self, now: float) -> None:
        """Start it, or start it again; one that fails at once is left alone for a while."""
        if not self._command:
            return
        if self._child is not None and self._child.poll() is None:
            if now >= self._next_start:
                self._wait = FIRST_WAIT
            return
        if self._child is not None:
            log.warning("the %s ended with status %d", self._name, self._child.returncode)
            self._hang_up()
        if now >= self._next_start:
            self._next_start = now + self._wait
            self._wait = min(2 * self._wait, LONGEST_WAIT)
            # Its standard input ends when we do, however we end.
            self._child = subprocess.Popen(self._command, stdin=subprocess.PIPE)  # noqa: S603 - ours

    def close(self) -> None:
        if self._child is None:
            return
        self._child.terminate()
        try:
            self._child.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._child.kill()
            self._child.wait()
        self._hang_up()

    def _hang_up(self) -> None:
        assert self._child is not None
        assert self._child.stdin is not None
        self._child.stdin.close()
        self._child = None
