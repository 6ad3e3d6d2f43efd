"""Answer three questions over HTTP: how is it, does it live, is it ready.

In: a registry and two callables.  Out: /metrics, /healthz, /readyz on one address.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST

from dlp.errors import ConfigError

PATIENCE_SECONDS = 5.0  # for a client that opens a connection and says nothing
TEXT = "text/plain; charset=utf-8"
Answer = Callable[[], tuple[bool, str]]


class Exporter:
    """Runs in a thread of its own; start it after the workers were forked."""

    def __init__(
        self,
        registry: CollectorRegistry,
        *,
        healthy: Answer,
        ready: Answer,
        address: str,
        port: int,
    ) -> None:
        handler = type("Handler", (_Handler,), {"pages": {
            "/metrics": lambda: (200, CONTENT_TYPE_LATEST, generate_latest(registry)),
            "/healthz": lambda: plain(*healthy()),
            "/readyz": lambda: plain(*ready()),
        }})  # fmt: skip
        try:
            self._server = ThreadingHTTPServer((address, port), handler)
        except OSError as error:
            raise ConfigError(
                f"cannot listen: {error.strerror}",
                where=f"telemetry {address}:{port}",
                fix="choose another telemetry.port, or 0 for none",
            ) from error
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(PATIENCE_SECONDS)


def plain(well: bool, text: str) -> tuple[int, str, bytes]:
    return (200 if well else 503), TEXT, f"{text}\n".encode()


class _Handler(BaseHTTPRequestHandler):
    pages: dict[str, Callable[[], tuple[int, str, bytes]]]
    timeout = PATIENCE_SECONDS
    server_version = "dlp"
    sys_version = ""

    def do_GET(self) -> None:
        page = self.pages.get(self.path.partition("?")[0])
        status, kind, body = page() if page else (404, TEXT, b"/metrics /healthz /readyz\n")
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """A scrape every few seconds is not news."""
