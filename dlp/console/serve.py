"""Serve on a port: loopback by default, any other address only with a certificate.

In: Services, an Endpoint.  Out: a running server until it is stopped; summaries kept fresh beside.
"""

from __future__ import annotations

import logging
import os
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterable

import uvicorn

from dlp.console.app import application
from dlp.console.connections import ACCEPTED_AT_ONCE, BoundedServer, bounded_protocol
from dlp.console.endpoint import Endpoint
from dlp.console.services import Services
from dlp.errors import ConfigError
from dlp.resources import ourselves
from dlp.store.queries import stock
from dlp.store.summaries import learn_sizes, refresh_folders, state_of_persons

EVERY_SECONDS = 3.0
GROWN = 1.25  # so much larger a catalogue is measured again
LINK_SECONDS = 30.0  # at most this often: linking reads every person


class QuietLog(logging.Filter):
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


def bound(endpoint: Endpoint) -> socket.socket:
    family = socket.AF_INET6 if ":" in endpoint.address else socket.AF_INET
    listening = socket.socket(family)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((endpoint.address, endpoint.port))
        listening.listen(128)
    except OSError as error:
        listening.close()
        raise ConfigError(
            f"cannot listen: {error.strerror}",
            where=f"{endpoint.address}:{endpoint.port}",
            fix="choose another --port, or 0 for a free one",
        ) from None
    return listening


def server_of(services: Services, endpoint: Endpoint) -> uvicorn.Server:
    logging.getLogger("uvicorn.error").addFilter(QuietLog())
    config = uvicorn.Config(
        application(services, endpoint.hosts),
        log_config=None,
        log_level="error",  # wrong requests are no news, and must not fill a disk
        access_log=False,  # an address may name what somebody looked for
        server_header=False,
        date_header=True,
        proxy_headers=endpoint.behind_proxy,
        forwarded_allow_ips="127.0.0.1",
        ssl_certfile=endpoint.certificate,
        ssl_keyfile=endpoint.key,
        http=bounded_protocol(),
        backlog=ACCEPTED_AT_ONCE,
        timeout_keep_alive=10,
        h11_max_incomplete_event_size=16 * 1024,
        ws="none",
        lifespan="off",
    )
    return BoundedServer(config)


def run(
    services: Services, endpoint: Endpoint, ready: Callable[[str], None], *, attached: bool = False
) -> None:
    """In the foreground, until a signal says stop; `attached`: or standard input ends."""
    endpoint.check()
    listening = bound(endpoint)
    server, refresh_summaries = server_of(services, endpoint), SummaryRefresher(services)
    if attached:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)  # the parent reloads, and starts another
        threading.Thread(target=leave_with_parent, args=(server,), daemon=True).start()
    refresh_summaries.start()
    ready(address_of(listening, endpoint))
    try:
        server.run([listening])
    finally:
        refresh_summaries.close()
        services.close()


def leave_with_parent(server: uvicorn.Server) -> None:
    """Our standard input is a pipe that only the parent holds: it ends however the parent ends."""
    while os.read(0, 64):
        pass
    server.should_exit = True


def address_of(listening: socket.socket, endpoint: Endpoint) -> str:
    port = listening.getsockname()[1]
    names: Iterable[str] = endpoint.names or (
        [f"[{endpoint.address}]"] if ":" in endpoint.address else ()
    )
    name = next(iter(names), endpoint.address)
    return f"{'https' if endpoint.certificate else 'http'}://{name}:{port}"


class SummaryRefresher:
    """A thread of its own; linking is a process of its own."""

    def __init__(self, services: Services, *, every_seconds: float = EVERY_SECONDS) -> None:
        self._services = services
        self._every = every_seconds
        self._linked: tuple[int, int, float] | None = None
        self._next_link = 0.0
        self._learnt = 0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="keep-up", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def _run(self) -> None:
        self._services.weigh()  # knowledge is loaded before the first page needs it
        while not self._stop.is_set():
            self.turn()
            self._stop.wait(self._every)

    def turn(self) -> None:
        services = self._services
        services.reviews("keeper").lapse()
        refresh_folders(services.engine)
        self._learn()
        services.reader.rest()
        state = state_of_persons(services.engine)
        if state != self._linked and time.monotonic() >= self._next_link:
            self._next_link = time.monotonic() + LINK_SECONDS
            if self._link():
                self._linked = state

    def _learn(self) -> None:
        files = sum(stock(self._services.engine).values())
        if files > GROWN * max(self._learnt, 1):
            learn_sizes(self._services.engine)
            self._learnt = files

    def _link(self) -> bool:
        settings = self._services.settings.model_dump_json()
        done = subprocess.run(  # noqa: S603 - ourselves, with fixed arguments
            ourselves("dlp.console.person_linkage"),
            input=settings,
            text=True,
            capture_output=True,
            check=False,
        )
        return done.returncode == 0

    def close(self) -> None:
        self._stop.set()
        self._thread.join(30)
