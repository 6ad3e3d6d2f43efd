"""The pack an auditor asks for: inventory, risk register, activity, exceptions, coverage, proof.

In: Overview, incidents and what the store and the ledger know.  Out: names and contents of files.

HIPAA asks for a risk analysis, an inventory and reviewed activity (45 CFR 164.308(a)(1)), kept six
years (164.316(b)(2)); the GDPR for records and accountability (articles 5(2), 24, 30, 32). The pack
holds what the program knows of these: an assessor still has to judge it.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import dlp
from dlp.report.html_page import page
from dlp.report.incident import Incident
from dlp.report.overview import Overview
from dlp.report.words_and_masks import GAPS
from dlp.report.writers import cell

README = """Evidence of privacy risk management, made by dlp {version} on {at}
Period: {start} to {end}; ledger {state}

risk.html          the risk analysis as a page: method, figures, limits
inventory.csv      every file that identifies people, where it lies, what was found
                   45 CFR 164.308(a)(1)(ii)(A), GDPR article 30
risk-register.csv  folders by expected harm, with people exposed and leaks not reviewed
                   45 CFR 164.308(a)(1)(ii)(B), GDPR article 32
coverage.csv       every file that was not read in full, and why
activity.csv       what the service and its operators did in the period
                   45 CFR 164.308(a)(1)(ii)(D)
exceptions.csv     findings set aside and risks accepted: by whom, why, until when
ledger.json        whether the record of activity is whole, and its last seal
                   45 CFR 164.312(b), GDPR article 5(2)
manifest.json      size and SHA-256 of every file here, versions of program and rules
SHA256SUMS         the same sums, for: sha256sum -c SHA256SUMS

Paths are as on the share, with control characters shown. No name, number or sentence of a patient
is in this pack; paths may tell something all the same. Keep it six years: 45 CFR 164.316(b)(2)(i).
"""
EXPOSING = ("phi", "probable")


@dataclass(frozen=True, slots=True)
class Proof:
    """The ledger as verified when the pack was made."""

    records: Sequence[dict[str, Any]]
    faults: Sequence[tuple[int, str]]


@dataclass(frozen=True, slots=True)
class Evidence:
    overview: Overview
    incidents: Sequence[Incident]
    register: Sequence[dict[str, Any]]  # every folder, as ranked
    suppressions: Sequence[dict[str, Any]]
    accepted: Sequence[dict[str, Any]]  # rows of the catalogue
    proof: Proof
    start: float
    end: float


def pack(evidence: Evidence) -> dict[str, bytes]:
    """Every file of the pack; the manifest and the sums are about all the others."""
    files = {
        "README.txt": readme(evidence),
        "risk.html": page(evidence.overview),
        "inventory.csv": inventory(evidence.incidents),
        "risk-register.csv": register(evidence),
        "coverage.csv": coverage(evidence.incidents),
        "activity.csv": activity(evidence),
        "exceptions.csv": exceptions(evidence),
        "ledger.json": ledger(evidence.proof),
    }
    made = {name: content.encode() for name, content in files.items()}
    made["manifest.json"] = manifest(evidence, made).encode()
    sums = (f"{digest(content)}  {name}\n" for name, content in sorted(made.items()))
    return made | {"SHA256SUMS": "".join(sums).encode()}


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def stamp(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds") if at else ""


def sheet(heads: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(heads)
    writer.writerows([cell("", value) for value in row] for row in rows)
    return out.getvalue()


def readme(evidence: Evidence) -> str:
    state = "NOT WHOLE: see ledger.json" if evidence.proof.faults else "whole"
    values = {"state": state, "start": stamp(evidence.start)[:10], "end": stamp(evidence.end)[:10]}
    return README.format(version=dlp.__version__, at=stamp(evidence.overview.at), **values)


def inventory(incidents: Sequence[Incident]) -> str:
    heads = ("server", "path", "container", "risk", "people", "privacy", "identifiability",
             "sensitivity", "exposure", "readers", "reason", "review", "media_type", "size_bytes",
             "sha256", "judged", "rules_version")  # fmt: skip
    return sheet(heads, (
        (i.server, i.shown, i.container, i.level, i.people, i.privacy, i.identifiability,
         i.sensitivity, i.exposure, i.readers, i.reason, i.review, i.media_type, i.size_bytes,
         i.sha256, stamp(i.at), i.rules_version)
        for i in incidents if i.rule in EXPOSING
    ))  # fmt: skip


def register(evidence: Evidence) -> str:
    waiting: dict[tuple[str, str], int] = {}
    for one in evidence.incidents:
        if one.rule == "phi" and one.review == "open":
            folder = (one.server, os.fsdecode(os.path.dirname(one.path)))
            waiting[folder] = waiting.get(folder, 0) + 1
    heads = ("server", "folder", "risk", "expected_harm", "worst_privacy", "people", "leaks",
             "files", "leaks_not_reviewed")  # fmt: skip
    return sheet(heads, (
        (row["server"], row["path"], row["level"], f"{row['harm']:.6g}", f"{row['privacy']:.6g}",
         row["people"], row["phi"], row["files"], waiting.get((row["server"], row["path"]), 0))
        for row in evidence.register if row["people"] or row["phi"]
    ))  # fmt: skip


def coverage(incidents: Sequence[Incident]) -> str:
    heads = ("server", "path", "gap", "meaning", "advice", "judged")
    return sheet(heads, (
        (i.server, i.shown, gap, *GAPS.get(gap, ("", "")), stamp(i.at))
        for i in incidents for gap in i.gaps
    ))  # fmt: skip


def activity(evidence: Evidence) -> str:
    heads = ("number", "at", "who", "what", "item", "why")
    rows = (
        record
        for record in evidence.proof.records
        if evidence.start <= datetime.fromisoformat(str(record["at"])).timestamp() <= evidence.end
    )
    return sheet(heads, ([record[name] for name in heads] for record in rows))


def exceptions(evidence: Evidence) -> str:
    heads = ("kind", "what", "reason", "owner", "made", "expires", "in_force")
    now = evidence.overview.at
    set_aside = [
        ("suppression", row["fingerprint"], row["reason"], row["owner"], stamp(row["made_at"]),
         stamp(row["expires_at"]), row["expires_at"] > now)
        for row in evidence.suppressions
    ]  # fmt: skip
    accepted = [
        ("accepted risk", os.fsdecode(row["path"]), "see activity", "", "",
         stamp(row["review_until"]), not row["review_until"] or row["review_until"] > now)
        for row in evidence.accepted
    ]  # fmt: skip
    return sheet(heads, [*set_aside, *accepted])


def ledger(proof: Proof) -> str:
    last = proof.records[-1] if proof.records else {}
    values = {
        "records": len(proof.records),
        "whole": not proof.faults,
        "faults": [{"record": number, "what": what} for number, what in proof.faults],
        "last_record": last.get("number", 0),
        "last_at": last.get("at", ""),
        "last_seal": last.get("mac", ""),
    }
    return json.dumps(values, indent=1) + "\n"


def manifest(evidence: Evidence, files: dict[str, bytes]) -> str:
    values = {
        "made_by": f"dlp {dlp.__version__}",
        "made_at": stamp(evidence.overview.at),
        "period": [stamp(evidence.start), stamp(evidence.end)],
        "rules_versions": list(evidence.overview.rules_versions),
        "servers": list(evidence.overview.servers),
        "ledger_whole": not evidence.proof.faults,
        "files": {
            name: {"sha256": digest(content), "bytes": len(content)}
            for name, content in sorted(files.items())
        },
    }
    return json.dumps(values, indent=1) + "\n"
