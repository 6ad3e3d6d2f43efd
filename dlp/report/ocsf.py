"""OCSF 1.4, class 2006 Data Security Finding: the schema made for findings like ours.

In: incidents, one by one.  Out: one event a line.
"""

from __future__ import annotations

import json
import posixpath
from typing import Any, TextIO

import dlp
from dlp.report.incident import RULES, Incident
from dlp.report.writers import printable

VERSION = "1.4.0"
CLASS, CATEGORY, CREATE = 2006, 2, 1
SEVERITIES = ("Informational", "Low", "Medium", "High", "Critical")  # ids from 1
RISKS = ("Info", "Low", "Medium", "High", "Critical")  # ids from 0
STATUS = {"open": (1, "New"), "confirmed": (2, "In Progress"), "cleared": (3, "Suppressed"),
          "accepted": (3, "Suppressed")}  # fmt: skip
PERSONAL, AT_REST, DISCOVERY, PRIVATE = 1, 1, 4, 5
REGULAR_FILE, SHA_256 = 1, 3


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
    told: dict[str, Any] = {
        "name": posixpath.basename(incident.shown),
        "path": incident.shown,
        "type_id": REGULAR_FILE,
        "type": "Regular File",
        "size": incident.size_bytes,
        "mime_type": incident.media_type,
    }
    if incident.sha256:
        hashed = {"algorithm_id": SHA_256, "algorithm": "SHA-256", "value": incident.sha256}
        told["hashes"] = [hashed]
    return told


def unmapped(incident: Incident) -> dict[str, Any]:
    return {
        **incident.measures,
        "server": printable(incident.server),
        "unique_rows": incident.unique_rows,
    }
