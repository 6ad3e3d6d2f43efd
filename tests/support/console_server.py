"""The console in a thread beside a test."""

import threading
from typing import Self

from dlp.console.endpoint import Endpoint
from dlp.console.serve import SummaryRefresher, address_of, bound, server_of
from dlp.console.services import Services


class BackgroundServer:
    """In a thread beside something else: a test, or a measurement."""

    def __init__(
        self, services: Services, endpoint: Endpoint, *, refresh_summaries: bool = True
    ) -> None:
        endpoint.check()
        listening = bound(endpoint)
        self.address = address_of(listening, endpoint)
        self._services = services
        self._server = server_of(services, endpoint)
        self._keep_up = SummaryRefresher(services) if refresh_summaries else None
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
        self._services.close()
