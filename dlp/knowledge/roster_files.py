"""Which rosters of patients a site has, and which of them are in force.

In: the folder of rosters.  Out: what the head of each file tells; no tag is read.

Processes that judge nothing ask this as well, so nothing here needs numpy.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from dlp.errors import KnowledgeError
from dlp.keys import state_folder

ROSTER_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,40}")
BUILD_AGAIN = "build it again with `dlp roster build`, or remove it"
MARK_BYTES = 8  # before the length of the head, as dlp/knowledge/artefact.py writes it
LONGEST_HEAD = 1 << 20
DAMAGED = "damaged"  # some roster cannot be read: its loader reports it


@dataclass(frozen=True, slots=True)
class Known:
    """One roster as its small file tells of it."""

    name: str
    patients: int
    made: str  # day
    expires: str  # day, or empty
    shapes: Mapping[str, int]  # how many numbers are written so
    key: str  # of which key it is, as Tagger.check
    digest: str  # of the tags

    @property
    def made_at(self) -> float:
        return datetime.fromisoformat(self.made).replace(tzinfo=UTC).timestamp()

    @property
    def in_force(self) -> bool:
        return not self.expires or date.fromisoformat(self.expires) > datetime.now(tz=UTC).date()


def roster_folder(configured: str = "") -> Path:
    return Path(configured) if configured else state_folder() / "rosters"


def known_in(folder: Path) -> list[Known]:
    """The rosters of a folder, by name."""
    return [known_as(path) for path in sorted(folder.glob("[a-z0-9]*.bin"))]


def rosters_in_force(folder: Path) -> list[Known]:
    """None where the folder is closed to this user."""
    if not os.access(folder, os.R_OK | os.X_OK):
        return []
    return [known for known in known_in(folder) if known.in_force]


def known_as(path: Path) -> Known:
    try:
        with path.open("rb") as source:
            source.seek(MARK_BYTES)
            length = int.from_bytes(source.read(8), "little")
            facts: dict[str, Any] = json.loads(source.read(min(length, LONGEST_HEAD)))["meta"]
        return Known(path.stem, **facts)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise KnowledgeError("a roster is damaged", where=path.stem, fix=BUILD_AGAIN) from error


def remove(folder: Path, name: str) -> bool:
    path = folder / f"{name}.bin"
    found = path.is_file()
    path.unlink(missing_ok=True)
    return found


def state_of(folder: Path) -> str:
    """Differs as soon as another set of rosters is in force; empty where there is none."""
    try:
        digests = [known.digest for known in rosters_in_force(folder)]
    except KnowledgeError:
        return DAMAGED
    return hashlib.sha256(" ".join(digests).encode()).hexdigest()[:16] if digests else ""
