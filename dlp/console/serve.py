"""Answer on a port: loopback unless told otherwise, and then only with a certificate.

In: a desk, an address.  Out: a running server until it is stopped.
"""

from __future__ import annotations

import logging
import os
import signal
import socket
import threading
from collections.abc import Callable, Iterable
from typing import Self

import uvicorn

from dlp.console.app import application
from dlp.console.listen_address import Door
from dlp.console.services import Desk
from dlp.console.summary_refresh import KeepUp
from dlp.errors import ConfigError


class Hush(logging.Filter):
    """A traceback may quote a row, and a row may hold a name: say only what and where."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.exc_info and record.exc_info[0] is not None:
            trace = record.exc_info[2]
            while trace is not None and trace.tb_next is not None:
                trace = trace.tb_next
            where = f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}" if trace else ""
            record.msg = f"internal error: {record.exc_info[0].__name__} at {where}"
            record.args, record.exc_info, record.exc_text = (), None, None
        return True


def bound(door: Door) -> socket.socket:
    family = socket.AF_INET6 if ":" in door.address else socket.AF_INET
    listening = socket.socket(family)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((door.address, door.port))
        listening.listen(128)
    except OSError as error:
        listening.close()
        raise ConfigError(
            f"cannot listen: {error.strerror}",
            where=f"{door.address}:{door.port}",
            fix="choose another --port, or 0 for a free one",
        ) from None
    return listening


def server_of(desk: Desk, door: Door) -> uvicorn.Server:
    logging.getLogger("uvicorn.error").addFilter(Hush())
    config = uvicorn.Config(
        application(desk, door.hosts),
        log_config=None,
        log_level="warning",
        access_log=False,  # an address may name what somebody looked for
        server_header=False,
        date_header=True,
        proxy_headers=door.behind_proxy,
        forwarded_allow_ips="127.0.0.1",
        ssl_certfile=door.certificate,
        ssl_keyfile=door.key,
        limit_concurrency=100,
        timeout_keep_alive=10,
        h11_max_incomplete_event_size=16 * 1024,
        ws="none",
        lifespan="off",
    )
    return uvicorn.Server(config)


def run(desk: Desk, door: Door, ready: Callable[[str], None], *, attached: bool = False) -> None:
    """In the foreground, until a signal says stop; `attached`: or standard input ends."""
    door.check()
    listening = bound(door)
    server, keep_up = server_of(desk, door), KeepUp(desk)
    if attached:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)  # the parent reloads, and starts another
        threading.Thread(target=leave_with_parent, args=(server,), daemon=True).start()
    keep_up.start()
    ready(address_of(listening, door))
    try:
        server.run([listening])
    finally:
        keep_up.close()
        desk.close()


def leave_with_parent(server: uvicorn.Server) -> None:
    """Our standard input is a pipe that only the parent holds: it ends however the parent ends."""
    while os.read(0, 64):
        pass
    server.should_exit = True


class Beside:
    """In a thread beside something else: a test, or a measurement."""

    def __init__(self, desk: Desk, door: Door, *, keep_up: bool = True) -> None:
        door.check()
        listening = bound(door)
        self.address = address_of(listening, door)
        self._desk = desk
        self._server = server_of(desk, door)
        self._keep_up = KeepUp(desk) if keep_up else None
        self._thread = threading.Thread(
            target=self._server.run, args=([listening],), name="console", daemon=True
        )

    def __enter__(self) -> Self:
        if self._keep_up:
            self._keep_up.start()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = True
        self._thread.join(10)
        if self._keep_up:
            self._keep_up.close()
        self._desk.close()


def address_of(listening: socket.socket, door: Door) -> str:
    port = listening.getsockname()[1]
    names: Iterable[str] = door.names or ([f"[{door.address}]"] if ":" in door.address else ())
    name = next(iter(names), door.address)
    return f"{'https' if door.certificate else 'http'}://{name}:{port}"
