"""Take verdicts in, many in one transaction.

In: records.  Out: rows of the catalogue; the latest verdict of a file replaces the one before.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Any, Self

from dlp.store.batch import Batch
from dlp.store.details import body_of
from dlp.store.sql_connection import Direct, Session

BATCH = 200  # records a commit; one by one costs a disk flush each


class Verdicts:
    def __init__(
        self, database: Direct, *, clock: Callable[[], float] = time.time, server: str = ""
    ) -> None:
        """`server`: whose paths are written."""
        self._database = database
        self._clock = clock
        self.server = database.server_name(server)
        self._waiting: list[tuple[dict[str, Any], bytes]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.flush()
        self._database.dispose()

    def add(self, record: dict[str, Any]) -> None:
        self.take(record)
        if len(self._waiting) >= BATCH:
            self.flush()

    def take(self, record: dict[str, Any], stored: int | None = None) -> None:
        """Have it wait for somebody to write it; `stored`: as in details.body_of."""
        # Now, not with the rest: workers wait while many are written, and so do other writers.
        self._waiting.append((record, body_of(record, stored)))

    @property
    def waits(self) -> bool:
        return bool(self._waiting)

    def flush(self) -> None:
        if self._waiting:
            with self._database.writing() as session:
                self.write(session)

    def write(self, session: Session) -> None:
        waiting, self._waiting = self._waiting, []
        batch = Batch(session, self._clock(), self.server)
        batch.write(waiting)
        batch.sum_up()

    def forget(self, paths: Iterable[bytes]) -> None:
        with self._database.writing() as session:
            batch = Batch(session, self._clock(), self.server)
            for path in paths:
                batch.forget(path)
            batch.sum_up()
