"""CEF, alone or inside RFC 5424 syslog: what a log collector of any age understands.

In: incidents, one by one.  Out: one line each, whatever their file names hold.
"""

from __future__ import annotations

import re
import socket
from datetime import UTC, datetime
from typing import TextIO

import dlp
from dlp.report.incident import RULES, Incident

SEVERITY = (1, 3, 5, 8, 10)  # CEF counts to ten
AUDIT = 13  # facility "log audit"
PRIORITY = (6, 5, 4, 3, 2)  # informational to critical
NOT_IN_A_NAME = re.compile(r"[^\x21-\x7e]")
LONGEST_HOST = 255
ENDS_A_VALUE, ESCAPED = re.compile(r'(["\\\]])'), r"\\\1"
MARK = "\ufeff"  # RFC 5424 asks for it before UTF-8


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
    told = (f'{key}="{ENDS_A_VALUE.sub(ESCAPED, value)}"' for key, value in values.items())
    return f"[{name} {' '.join(told)}]"
