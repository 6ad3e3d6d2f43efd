"""Tell the service manager how the daemon is, over its socket.

In: NOTIFY_SOCKET and WATCHDOG_USEC of the environment.  Out: one datagram per state.
"""

from __future__ import annotations

import contextlib
import os
import socket
import time

PINGS_PER_WATCHDOG = 3
RELOAD_USEC = 300_000_000


class Notifier:
    """Silent when no service manager listens."""

    def __init__(self) -> None:
        self._address = os.environ.get("NOTIFY_SOCKET", "")
        if self._address.startswith("@"):
            self._address = "\0" + self._address[1:]
        self._patience = int(os.environ.get("WATCHDOG_USEC") or 0)
        self._every = self._patience / 1e6 / PINGS_PER_WATCHDOG
        self._next = 0.0

    def ready(self, status: str) -> None:
        usual = f"\nWATCHDOG_USEC={self._patience}" if self._patience else ""
        self._send(f"READY=1\nSTATUS={status}{usual}")

    def reloading(self) -> None:
        """New workers load all the knowledge meanwhile, and nothing else goes on here."""
        longer = f"\nWATCHDOG_USEC={self._patience + RELOAD_USEC}" if self._patience else ""
        self._send(f"RELOADING=1\nMONOTONIC_USEC={time.monotonic_ns() // 1000}{longer}")

    def stopping(self) -> None:
        self._send("STOPPING=1")

    def status(self, text: str) -> None:
        self._send(f"STATUS={text}")

    def alive(self, now: float) -> None:
        """Called from the loop that does the work, so that a hung loop is noticed."""
        if self._every and now >= self._next:
            self._next = now + self._every
            self._send("WATCHDOG=1")

    def _send(self, text: str) -> None:
        if not self._address:
            return
        with (
            socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as line,
            contextlib.suppress(OSError),  # a manager that went away is no reason to stop
        ):
            line.sendto(text.encode(), self._address)
