"""Keep the sums fresh beside the pages: folders, people, what ran out.

In: a desk.  Out: tables that every page can read by an index.
"""

from __future__ import annotations

import subprocess
import threading
import time

from dlp.console.services import Desk
from dlp.resources import ourselves
from dlp.store.queries import stock
from dlp.store.summaries import learn_sizes, refresh_folders, state_of_persons

EVERY_SECONDS = 3.0
GROWN = 1.25  # so much larger a catalogue is measured again
LINK_SECONDS = 30.0  # at most this often: linking reads every person


class KeepUp:
    """A thread of its own; linking is a process of its own."""

    def __init__(self, desk: Desk, *, every_seconds: float = EVERY_SECONDS) -> None:
        self._desk = desk
        self._every = every_seconds
        self._linked: tuple[int, int, float] | None = None
        self._next_link = 0.0
        self._learnt = 0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="keep-up", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def _run(self) -> None:
        self._desk.weigh()  # knowledge is loaded before the first page asks for it
        while not self._stop.is_set():
            self.turn()
            self._stop.wait(self._every)

    def turn(self) -> None:
        desk = self._desk
        desk.reviews("keeper").lapse()
        refresh_folders(desk.engine)
        self._learn()
        desk.reader.rest()
        state = state_of_persons(desk.engine)
        if state != self._linked and time.monotonic() >= self._next_link:
            self._next_link = time.monotonic() + LINK_SECONDS
            if self._link():
                self._linked = state

    def _learn(self) -> None:
        files = sum(stock(self._desk.engine).values())
        if files > GROWN * max(self._learnt, 1):
            learn_sizes(self._desk.engine)
            self._learnt = files

    def _link(self) -> bool:
        settings = self._desk.settings.model_dump_json()
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
