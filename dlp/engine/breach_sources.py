"""What the catalogue and the journal know of the files of a possible breach.

In: the catalogue, settings, a folder.  Out: Breach.
"""

from __future__ import annotations

import os
from collections import Counter
from functools import partial
from typing import Any

from sqlalchemy import Engine

from dlp.config import Settings
from dlp.intent import State
from dlp.knowledge.inference import load_inference
from dlp.knowledge.sensitivity import load_sensitivity
from dlp.measure.linkage import link_people
from dlp.measure.risk_levels import level_of
from dlp.report.breach import Breach, Concerned, assess
from dlp.report.overview import exposed
from dlp.store.catalogue import Catalogue
from dlp.store.queries import Standing

MOMENT = 1.0  # seconds: writing a file opens it too
DONE = {"quarantine": "quarantined", "replace": "sanitised in place", "restrict": "restricted"}


def breach_of(engine: Engine, settings: Settings, discovered: float, top: bytes = b"") -> Breach:
    """`top`: only files beneath this folder."""
    catalogue = Catalogue(engine)

    def is_concerned(row: Any) -> bool:
        inside = not top or row["path"].startswith(top.rstrip(b"/") + b"/")
        return bool(inside and row["container"] == "phi")

    files = [row for row in catalogue.files() if is_concerned(row)]
    people = exposed(row for row in catalogue.persons() if is_concerned(row))
    table, inference = load_sensitivity(), load_inference()
    return assess(
        people,
        link_people(people),
        concerned(engine, settings, files, people, top),
        level=partial(level_of, profile=settings.measure.profile),
        category=lambda concept: table.category(concept) or inference.category(concept, table),
        discovered=discovered,
    )


def concerned(
    engine: Engine, settings: Settings, files: list[Any], people: list[Any], top: bytes
) -> Concerned:
    listed = Counter((row["server"], row["path"]) for row in people)
    beyond = (row["people"] - listed[row["server"], row["path"]] for row in files)
    opened = sum(row["accessed_at"] > row["modified_at"] + MOMENT for row in files)
    roots = {share.name: os.fsencode(share.path.rstrip("/")) for share in settings.share}
    acted: Counter[str] = Counter()
    for row in Standing(engine).actions():
        place = roots.get(row["share"], b"") + b"/" + row["path"]
        inside = not top or place.startswith(top.rstrip(b"/") + b"/")
        if inside and row["state"] == State.DONE.value and row["action"] in DONE:
            acted[DONE[row["action"]]] += 1
    return Concerned(len(files), sum(max(0, one) for one in beyond), opened, dict(acted))
