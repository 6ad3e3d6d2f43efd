"""Which formats there are, and how records of a scan reach the ones that tell incidents.

In: the name of a format.  Out: a writer of incidents, or of records.
"""

from __future__ import annotations

import csv
import json
import time
from collections.abc import Callable
from dataclasses import asdict
from typing import Protocol, TextIO

from dlp.report.cef import Cef, Syslog
from dlp.report.incident import Incident, Level, from_record
from dlp.report.ocsf import Ocsf
from dlp.report.record import Record
from dlp.report.sarif import Sarif
from dlp.report.writers import cell

COLUMNS = (
    "server", "path", "rule", "level", "container", "privacy", "identifiability", "sensitivity",
    "people", "reason", "gaps", "review", "media_type", "size_bytes", "sha256", "judged_at",
    "rules_version",
)  # fmt: skip


class Teller(Protocol):
    def add(self, incident: Incident) -> None: ...

    def close(self) -> None: ...


class IncidentLines:
    """One object a line; bytes of a path that are no UTF-8 survive as escapes."""

    def __init__(self, out: TextIO) -> None:
        self._out = out

    def add(self, incident: Incident) -> None:
        self._out.write(json.dumps(as_object(incident)) + "\n")

    def close(self) -> None:
        self._out.flush()


class IncidentSheet:
    def __init__(self, out: TextIO) -> None:
        self._writer = csv.writer(out)
        self._writer.writerow(COLUMNS)

    def add(self, incident: Incident) -> None:
        told = as_object(incident) | {"gaps": " ".join(incident.gaps), "path": incident.shown}
        self._writer.writerow([cell("", told[name]) for name in COLUMNS])

    def close(self) -> None:
        pass


def as_object(incident: Incident) -> dict[str, object]:
    told = asdict(incident)
    told["path"] = incident.path.decode("utf-8", "surrogateescape")
    told["judged_at"] = told.pop("at")
    told["gaps"] = list(incident.gaps)
    return told


TELLERS: dict[str, Callable[[TextIO], Teller]] = {
    "csv": IncidentSheet,
    "jsonl": IncidentLines,
    "sarif": Sarif,
    "ocsf": Ocsf,
    "cef": Cef,
    "syslog": Syslog,
}


class Told:
    """A writer of records for a format that tells incidents: what `dlp scan` needs."""

    def __init__(
        self, teller: Teller, level: Level, clock: Callable[[], float] = time.time
    ) -> None:
        self._teller = teller
        self._level = level
        self._clock = clock

    def add(self, record: Record) -> None:
        incident = from_record(record, self._level, self._clock())
        if incident is not None:
            self._teller.add(incident)

    def close(self) -> None:
        self._teller.close()
