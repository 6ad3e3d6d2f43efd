"""Keep what a scan finds: verdicts, with the states in which files were judged.

In: records as they come.  Out: rows in the catalogue, at least every 200 records; a scan that is
killed and started again goes on where the last commit was.
"""

from __future__ import annotations

import os
from typing import Any, Self

from dlp.engine.scanning import Scan
from dlp.errors import StoreError
from dlp.store.catalogue_probe import default_path
from dlp.store.migrations import open_directly
from dlp.store.verdict_writer import Verdicts

COMMIT_RECORDS = 200


class Cataloguing:
    def __init__(self, scan: Scan, options: dict[str, Any]) -> None:
        server = scan.settings.store.server
        self._database = open_directly(options.get("catalogue") or default_path())
        self._verdicts = Verdicts(self._database, server=server)
        self._scan = scan
        self._since = 0
        # Values are never stored, so a record that shows them is made anew each time.
        if not options["values"]:
            scan.know_again(
                self._database,
                server=server,
                fresh=bool(options.get("fresh")),
                program=options.get("program"),
            )

    def __enter__(self) -> Self:
        return self

    def keep(self, record: dict[str, Any]) -> None:
        known = self._scan.known
        if known is not None and not known.remember(record):
            return
        path = os.path.abspath(record["path"])
        stored = known.stored(os.fsencode(path)) if known is not None else None
        self._verdicts.take({**record, "path": path}, stored)
        self._since += 1
        if self._since >= COMMIT_RECORDS:
            self._commit()

    def _commit(self) -> None:
        """Together: a state known without its verdict would hide a file from every ranking."""
        known = self._scan.known
        if self._verdicts.waits or (known is not None and known.waits):
            with self._database.writing() as session:
                self._verdicts.write(session)
                if known is not None:
                    known.write(session)
        self._since = 0

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            # What a database has refused is not said again without what belongs to it.
            if kind is None or not issubclass(kind, StoreError):
                self._commit()
        finally:
            self._database.dispose()
