"""One judged file as every exported format tells it: the same words, whatever the format.

In: a record of a scan, or a row of the catalogue.  Out: Incident; None for a harmless file.

Only files that expose somebody or went unread are reported; a page of harmless files hides the few.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote_from_bytes

from dlp.model import LEVELS
from dlp.report.writers import printable
from dlp.table_slices import people_in, readers_in, risk_in

Level = Callable[[float, float], str]
# How a file is reported: rule id -> title, sentence, advice.
RULES = {
    "phi": (
        "Health information about identified people",
        "The file says something about the health of people whom it identifies.",
        "Move it where only those who need it can read it, sanitise it, or quarantine it.",
    ),
    "probable": (
        "Identified people",
        "The file identifies people, and no health information about them was found.",
        "Check whether so many readers need it.",
    ),
    "unread": (
        "Not read in full",
        "A part of the file could not be read, so nobody can call it clean.",
        "Look at the reason: unlock it, repair it, or judge it by hand.",
    ),
}


@dataclass(frozen=True, slots=True)
class Incident:
    uid: str  # of the file, stable over scans
    rule: str  # one of RULES
    path: bytes
    level: str
    container: str
    reason: str
    privacy: float
    identifiability: float
    sensitivity: float
    people: int
    gaps: tuple[str, ...]
    media_type: str
    size_bytes: int
    sha256: str
    rules_version: str
    action: str
    server: str = ""
    review: str = "open"  # confirmed, cleared, accepted
    at: float = 0.0  # when it was judged, seconds since 1970
    unique_rows: int = 0  # rows of tables like no other
    risk: float = 0.0
    exposure: str = ""  # who can read it; empty: nobody looked
    readers: int = 1

    @property
    def shown(self) -> str:
        """The path for people: nothing in it can move a cursor or end a line."""
        return printable(os.fsdecode(self.path))

    @property
    def uri(self) -> str:
        """RFC 3986: bytes that are no UTF-8 survive as percent signs and digits."""
        if self.path.startswith(b"/"):
            return "file://" + quote_from_bytes(self.path, safe="/")
        return quote_from_bytes(self.path, safe="/")  # ":" is quoted, so no part reads as a scheme

    @property
    def severity(self) -> int:
        """0 to 4, as in LEVELS; a file nobody could read is at least worth a look."""
        return max(LEVELS.index(self.level), 1 if self.rule == "unread" else 0)

    @property
    def summary(self) -> str:
        """Why it is reported, in closed words and counts."""
        why = ", ".join(self.gaps) if self.rule == "unread" else self.reason
        return f"{RULES[self.rule][0]}: {why or self.container}"

    @property
    def measures(self) -> dict[str, Any]:
        """What formats without fields for it carry as it is."""
        return {
            "container": self.container,
            "privacy": self.privacy,
            "identifiability": self.identifiability,
            "sensitivity": self.sensitivity,
            "people": self.people,
            "risk": self.risk,
            "exposure": self.exposure,
            "readers": self.readers,
            "gaps": list(self.gaps),
        }

    @property
    def settled(self) -> bool:
        return self.review in {"cleared", "accepted"}


def rule_of(container: str, gaps: object) -> str:
    if container in {"phi", "probable"}:
        return container
    return "unread" if gaps else ""


def from_record(record: Mapping[str, Any], level: Level, at: float) -> Incident | None:
    """`at`: the present, for a record says how long it took but not when."""
    gaps = tuple(sorted({gap["code"] for gap in record["gaps"]}))
    return build(
        record,
        path=os.fsencode(record["path"]),
        people=people_in(record),
        gaps=gaps,
        level=level,
        at=at,
        action=record.get("action", ""),
        unique_rows=sum(table["unique"] for table in record.get("tables", ())),
        risk=risk_in(record),
        exposure=(record.get("exposure") or {}).get("exposure", ""),
        readers=readers_in(record),
    )


def from_row(row: Mapping[str, Any], level: Level) -> Incident | None:
    """A row of the catalogue's table of files."""
    return build(
        row,
        path=row["path"],
        people=row["people"],
        gaps=tuple(row["gaps"].split()),
        level=level,
        at=row["judged_at"],
        server=row["server"],
        review=row["review"],
        risk=row["risk"],
        exposure=row["exposure"],
        readers=row["readers"],
    )


def build(
    known: Mapping[str, Any], *, path: bytes, people: int, gaps: tuple[str, ...], level: Level,
    at: float, action: str = "", server: str = "", review: str = "open", unique_rows: int = 0,
    risk: float = 0.0, exposure: str = "", readers: int = 1,
) -> Incident | None:  # fmt: skip
    rule = rule_of(known["container"], gaps)
    if not rule:
        return None
    return Incident(
        uid=hashlib.sha256(server.encode() + b"\0" + path).hexdigest()[:32],
        rule=rule,
        path=path,
        level=level(risk, known["privacy"]),
        risk=risk,
        exposure=exposure,
        readers=readers,
        container=known["container"],
        reason=known["reason"],
        privacy=known["privacy"],
        identifiability=known["identifiability"],
        sensitivity=known["sensitivity"],
        people=people,
        gaps=gaps,
        media_type=known["media_type"],
        size_bytes=known["size_bytes"],
        sha256=known["sha256"],
        rules_version=known["rules_version"],
        action=action,
        server=server,
        review=review,
        at=at,
        unique_rows=unique_rows,
    )
