"""Signals as something to select on; handlers do nothing but remember.

In: signals.  Out: a readable descriptor, and a word to whoever listens.
"""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable
from types import FrameType
from typing import Self

SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


class Bell:
    def __init__(self, tell: Callable[[int], None]) -> None:
        self._tell = tell

    def __enter__(self) -> Self:
        self._in, self._out = socket.socketpair()
        self._in.setblocking(False)
        self._out.setblocking(False)
        self._former_fd = signal.set_wakeup_fd(self._out.fileno(), warn_on_full_buffer=False)
        self._former = {number: signal.getsignal(number) for number in SIGNALS}
        for number in SIGNALS:
            signal.signal(number, self._ring)
        return self

    def __exit__(self, *_: object) -> None:
        signal.set_wakeup_fd(self._former_fd)
        for number, handler in self._former.items():
            signal.signal(number, handler)
        self._in.close()
        self._out.close()

    def _ring(self, number: int, _: FrameType | None) -> None:
        self._tell(number)

    def fileno(self) -> int:
        return self._in.fileno()

    def hush(self) -> None:
        try:
            self._in.recv(256)
        except BlockingIOError:
            return
