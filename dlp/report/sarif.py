"""SARIF 2.1.0: findings for the viewers that developers and auditors have already.

In: incidents, one by one.  Out: one JSON document on a stream; a million results need no memory.
"""

from __future__ import annotations

import json
from typing import Any, TextIO

import dlp
from dlp.report.incident import RULES, Incident

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
    told: dict[str, Any] = {
        "ruleId": incident.rule,
        "ruleIndex": list(RULES).index(incident.rule),
        "message": {"text": incident.summary},
        "locations": [{"physicalLocation": {"artifactLocation": {"uri": incident.uri}}}],
        "rank": round(100 * incident.privacy, 4),
        "partialFingerprints": {"fileAndRule/v1": f"{incident.uid}:{incident.rule}"},
        "properties": properties(incident),
    }
    if incident.rule == "unread":
        told |= {"kind": "review", "level": "none"}  # a person has to look
    else:
        told |= {"kind": "fail", "level": DEGREE[incident.severity]}
    if incident.settled:
        told["suppressions"] = [{"kind": "external", "status": "accepted"}]
    return told


def properties(incident: Incident) -> dict[str, Any]:
    return {
        **incident.measures,
        "risk": incident.level,
        "sha256": incident.sha256,
        "server": incident.server,
        "rulesVersion": incident.rules_version,
    }
