"""Formats of incidents for other systems: SARIF, OCSF, CEF, syslog, JSON lines and CSV.

In: incidents, or records of a scan.  Out: text on a stream.
"""

from __future__ import annotations

import csv
import json
import posixpath
import re
import socket
import time
from collections.abc import Callable
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any, Protocol, TextIO

import dlp
from dlp.report.incident import RULES, Incident, Level, from_record
from dlp.report.record import Record
from dlp.report.writers import cell, printable

COLUMNS = (
    "server", "path", "rule", "level", "container", "privacy", "identifiability", "sensitivity",
    "people", "reason", "gaps", "review", "media_type", "size_bytes", "sha256", "judged_at",
    "rules_version", "risk", "exposure", "readers",
)  # fmt: skip

SEVERITY = (1, 3, 5, 8, 10)  # CEF counts to ten
AUDIT = 13  # facility "log audit"
PRIORITY = (6, 5, 4, 3, 2)  # informational to critical
NOT_IN_A_NAME = re.compile(r"[^\x21-\x7e]")
LONGEST_HOST = 255
ENDS_A_VALUE, ESCAPED = re.compile(r'(["\\\]])'), r"\\\1"
MARK = "\ufeff"  # RFC 5424 requires it before UTF-8

VERSION = "1.4.0"
CLASS, CATEGORY, CREATE = 2006, 2, 1
SEVERITIES = ("Informational", "Low", "Medium", "High", "Critical")  # ids from 1
RISKS = ("Info", "Low", "Medium", "High", "Critical")  # ids from 0
STATUS = {"open": (1, "New"), "confirmed": (2, "In Progress"), "cleared": (3, "Suppressed"),
          "accepted": (3, "Suppressed")}  # fmt: skip
PERSONAL, AT_REST, DISCOVERY, PRIVATE = 1, 1, 4, 5
REGULAR_FILE, SHA_256 = 1, 3

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
# SARIF knows three degrees; "none" belongs to results that are no failure.
DEGREE = ("note", "note", "warning", "error", "error")


class Sarif:
    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._count = 0
        driver = {
            "name": "dlp",
            "version": dlp.__version__,
            "semanticVersion": dlp.__version__,
            "rules": [rule(name) for name in RULES],
        }
        out.write(f'{{"$schema": "{SCHEMA}", "version": "2.1.0", "runs": [{{')
        out.write(f'"tool": {{"driver": {json.dumps(driver)}}}, ')
        out.write('"columnKind": "unicodeCodePoints", "results": [')

    def add(self, incident: Incident) -> None:
        self._out.write(",\n" if self._count else "\n")
        self._out.write(json.dumps(result(incident)))
        self._count += 1

    def close(self) -> None:
        # Unread files are results of their own: the run itself went through.
        self._out.write('\n], "invocations": [{"executionSuccessful": true}]}]}\n')
        self._out.flush()


def rule(name: str) -> dict[str, Any]:
    title, sentence, advice = RULES[name]
    return {
        "id": name,
        "name": "".join(word.capitalize() for word in title.split()),
        "shortDescription": {"text": title},
        "fullDescription": {"text": sentence},
        "help": {"text": advice},
        "defaultConfiguration": {"level": "error" if name == "phi" else "note"},
    }


def result(incident: Incident) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "ruleId": incident.rule,
        "ruleIndex": list(RULES).index(incident.rule),
        "message": {"text": incident.summary},
        "locations": [{"physicalLocation": {"artifactLocation": {"uri": incident.uri}}}],
        "rank": round(100 * incident.privacy, 4),
        "partialFingerprints": {"fileAndRule/v1": f"{incident.uid}:{incident.rule}"},
        "properties": properties(incident),
    }
    if incident.rule == "unread":
        fields |= {"kind": "review", "level": "none"}  # a person has to look
    else:
        fields |= {"kind": "fail", "level": DEGREE[incident.severity]}
    if incident.settled:
        fields["suppressions"] = [{"kind": "external", "status": "accepted"}]
    return fields


def properties(incident: Incident) -> dict[str, Any]:
    return {
        **incident.measures,
        "level": incident.level,
        "sha256": incident.sha256,
        "server": incident.server,
        "rulesVersion": incident.rules_version,
    }


class Ocsf:
    def __init__(self, out: TextIO) -> None:
        self._out = out

    def add(self, incident: Incident) -> None:
        self._out.write(json.dumps(event(incident)) + "\n")

    def close(self) -> None:
        self._out.flush()


def event(incident: Incident) -> dict[str, Any]:
    status, status_name = STATUS.get(incident.review, STATUS["open"])
    title, sentence, _ = RULES[incident.rule]
    when = int(incident.at * 1000)
    return {
        "activity_id": CREATE,
        "activity_name": "Create",
        "category_uid": CATEGORY,
        "category_name": "Findings",
        "class_uid": CLASS,
        "class_name": "Data Security Finding",
        "type_uid": CLASS * 100 + CREATE,
        "type_name": "Data Security Finding: Create",
        "time": when,
        "severity_id": incident.severity + 1,
        "severity": SEVERITIES[incident.severity],
        "risk_level_id": incident.severity,
        "risk_level": RISKS[incident.severity],
        "risk_score": round(100 * incident.privacy),
        "status_id": status,
        "status": status_name,
        "is_alert": incident.rule == "phi" and not incident.settled,
        "message": incident.summary,
        "metadata": {
            "version": VERSION,
            "product": {"name": "dlp", "vendor_name": "dlp", "version": dlp.__version__},
            "uid": f"{incident.uid}:{incident.rule}",
        },
        "finding_info": {
            "uid": f"{incident.uid}:{incident.rule}",
            "title": title,
            "desc": sentence,
            "types": [incident.rule],
            "created_time": when,
        },
        "data_security": data_security(incident),
        "file": file_of(incident),
        "unmapped": unmapped(incident),
    }


def data_security(incident: Incident) -> dict[str, Any]:
    return {
        "category_id": PERSONAL,
        "category": "Personal",
        "confidentiality_id": PRIVATE,
        "confidentiality": "Private",
        "data_lifecycle_state_id": AT_REST,
        "data_lifecycle_state": "Data at-Rest",
        "detection_system_id": DISCOVERY,
        "detection_system": "Data Discovery & Classification",
        "detection_pattern": incident.rule,
        "policy": {"name": incident.container, "version": incident.rules_version},
        "total": incident.people,
    }


def file_of(incident: Incident) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "name": posixpath.basename(incident.shown),
        "path": incident.shown,
        "type_id": REGULAR_FILE,
        "type": "Regular File",
        "size": incident.size_bytes,
        "mime_type": incident.media_type,
    }
    if incident.sha256:
        hashed = {"algorithm_id": SHA_256, "algorithm": "SHA-256", "value": incident.sha256}
        fields["hashes"] = [hashed]
    return fields


def unmapped(incident: Incident) -> dict[str, Any]:
    return {
        **incident.measures,
        "server": printable(incident.server),
        "unique_rows": incident.unique_rows,
    }


class Cef:
    def __init__(self, out: TextIO) -> None:
        self._out = out

    def add(self, incident: Incident) -> None:
        self._out.write(line(incident) + "\n")

    def close(self) -> None:
        self._out.flush()


class Syslog:
    def __init__(self, out: TextIO, host: str = "") -> None:
        self._out = out
        self._host = host or socket.gethostname()
        self._count = 0

    def add(self, incident: Incident) -> None:
        self._count += 1
        self._out.write(framed(incident, self._host, self._count) + "\n")

    def close(self) -> None:
        self._out.flush()


def line(incident: Incident) -> str:
    head = ("dlp", "dlp", dlp.__version__, incident.rule, RULES[incident.rule][0])
    fields = {
        "rt": str(int(incident.at * 1000)),
        "externalId": incident.uid,
        "filePath": incident.shown,
        "fsize": str(incident.size_bytes),
        "fileHash": incident.sha256,
        "fileType": incident.media_type,
        "dvchost": incident.server,
        "act": incident.action,
        "outcome": incident.review,
        "reason": " ".join(incident.gaps),
        "cs1Label": "container",
        "cs1": incident.container,
        "cs2Label": "risk",
        "cs2": incident.level,
        "cs3Label": "rulesVersion",
        "cs3": incident.rules_version,
        "cn1Label": "people",
        "cn1": str(incident.people),
        "cfp1Label": "privacy",
        "cfp1": f"{incident.privacy:.6g}",
        "msg": incident.summary,
    }
    extension = " ".join(f"{key}={in_value(value)}" for key, value in fields.items() if value)
    signs = "|".join(map(in_header, head))
    return f"CEF:0|{signs}|{SEVERITY[incident.severity]}|{extension}"


def in_header(value: str) -> str:
    """Bars end a header field; a line break has no escape there."""
    return " ".join(value.replace("\\", "\\\\").replace("|", "\\|").splitlines())


def in_value(value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace("=", "\\=")
    return escaped.replace("\r\n", "\\n").replace("\n", "\\n").replace("\r", "\\r")


def framed(incident: Incident, host: str, number: int) -> str:
    priority = AUDIT * 8 + PRIORITY[incident.severity]
    at = datetime.fromtimestamp(incident.at, UTC).isoformat(timespec="milliseconds")
    name = NOT_IN_A_NAME.sub("", host)[:LONGEST_HOST] or "-"
    origin = element("origin", {"software": "dlp", "swVersion": dlp.__version__})
    meta = element("meta", {"sequenceId": str(number)})
    stamp = at.replace("+00:00", "Z")
    return (
        f"<{priority}>1 {stamp} {name} dlp - {incident.rule} {origin}{meta} {MARK}{line(incident)}"
    )


def element(name: str, values: dict[str, str]) -> str:
    """Structured data; quotes, backslashes and closing brackets would end a value."""
    fields = (f'{key}="{ENDS_A_VALUE.sub(ESCAPED, value)}"' for key, value in values.items())
    return f"[{name} {' '.join(fields)}]"


class Export(Protocol):
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
        fields = as_object(incident) | {"gaps": " ".join(incident.gaps), "path": incident.shown}
        self._writer.writerow([cell("", fields[name]) for name in COLUMNS])

    def close(self) -> None:
        pass


def as_object(incident: Incident) -> dict[str, object]:
    fields = asdict(incident)
    fields["path"] = incident.path.decode("utf-8", "surrogateescape")
    fields["judged_at"] = fields.pop("at")
    fields["gaps"] = list(incident.gaps)
    return fields


EXPORTS: dict[str, Callable[[TextIO], Export]] = {
    "csv": IncidentSheet,
    "jsonl": IncidentLines,
    "sarif": Sarif,
    "ocsf": Ocsf,
    "cef": Cef,
    "syslog": Syslog,
}


class IncidentExport:
    """A writer of records for a format that tells incidents: what `dlp scan` needs."""

    def __init__(
        self, export: Export, level: Level, clock: Callable[[], float] = time.time
    ) -> None:
        self._export = export
        self._level = level
        self._clock = clock

    def add(self, record: Record) -> None:
        incident = from_record(record, self._level, self._clock())
        if incident is not None:
            self._export.add(incident)

    def close(self) -> None:
        self._export.close()
