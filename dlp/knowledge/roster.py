"""Rosters of patients: sorted tags on disk, without any name, date or number.

In: people of a list, a key.  Out: a file of tags per roster; which tags of a text are in them.

What a reader of the file learns without the key: how many patients there are about, how their
numbers are written (A99999) and when the list was made. Tags are SipHash-2-4 under a key derived
from the fingerprint key, so nobody without that key can try a dictionary on them; with the key and
the file anybody can ask of a name whether it is listed, as the program does.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from dlp.errors import KnowledgeError
from dlp.knowledge import artefact
from dlp.knowledge.hashing import Hashes
from dlp.knowledge.person_tags import (
    KINDS,
    NAME,
    Described,
    Tagger,
    as_hashes,
    number_form,
    rows_of,
    shape_of,
)
from dlp.knowledge.roster_files import BUILD_AGAIN, Known, roster_folder, rosters_in_force
from dlp.private_files import check_private, make_private

PURPOSE = "roster"
# A number alone is somebody's only where the numbers of its shape lie this thin: patients a number.
THIN = 1e-4
OTHER_KEY = "a roster was made with another key"
Flags = npt.NDArray[np.bool_]
NOTHING: Flags = np.zeros(0, dtype=np.bool_)


def build(
    folder: Path, name: str, people: Iterable[Described], key: bytes, *, days: int = 0
) -> Known:
    """Write a roster, or write it anew; the one before stays whole until the new one is.

    `days`: after so many it no longer counts; 0: it counts until it is removed.
    """
    tagger, shapes, listed = Tagger(key, PURPOSE), Counter[str](), list(people)
    for person in listed:
        shapes.update(shape_of(form) for one in person.numbers if (form := number_form(one)))
    arrays = tagger.of_people(listed)
    today = datetime.now(tz=UTC).date()
    facts: dict[str, Any] = {
        "patients": len(listed), "made": today.isoformat(), "shapes": dict(sorted(shapes.items())),
        "expires": (today + timedelta(days=days)).isoformat() if days else "",
        "key": tagger.check, "digest": digest_of(arrays),
    }  # fmt: skip
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    check_private(folder, "rosters")
    draft = folder / f".{name}.draft"
    draft.unlink(missing_ok=True)
    make_private(draft)
    artefact.write(draft, arrays, facts)
    with draft.open("rb") as written:
        os.fsync(written.fileno())
    draft.replace(folder / f"{name}.bin")
    return Known(name, **facts)


def digest_of(arrays: Mapping[str, Hashes]) -> str:
    whole = hashlib.sha256()
    for kind in KINDS:
        whole.update(arrays[kind].tobytes())
    return whole.hexdigest()


class Rosters:
    """The tags of every roster in force."""

    def __init__(self, folder: Path, key: bytes) -> None:
        self.tagger = Tagger(key, PURPOSE)
        self.names: list[str] = []
        self.patients = 0
        self.shapes: Counter[str] = Counter()
        gathered: dict[str, list[Hashes]] = {kind: [] for kind in KINDS}
        for known in rosters_in_force(folder):
            if known.key != self.tagger.check:
                raise KnowledgeError(OTHER_KEY, where=known.name, fix=BUILD_AGAIN)
            tags = artefact.load(known.name, folder, check=False)
            arrays = {kind: tags[kind] for kind in KINDS}
            if digest_of(arrays) != known.digest:
                raise KnowledgeError("a roster is damaged", where=known.name, fix=BUILD_AGAIN)
            self.names.append(known.name)
            self.patients += known.patients
            self.shapes.update(known.shapes)
            for kind in KINDS:
                gathered[kind].append(arrays[kind])
        self._tags = {kind: together(some) for kind, some in gathered.items()}

    def __bool__(self) -> bool:
        return bool(self.names)

    def has(self, kind: str, *columns: Hashes) -> Flags:
        """Whether each row of words, numbers or dates is of a listed patient."""
        if not len(columns[0]):
            return NOTHING
        return self.holds(kind, self.tagger(kind, *columns))

    def lists(self, person: Described) -> bool:
        """Whether a person is on a roster by all that is known of them."""
        rows = list(rows_of(person))
        return bool(rows) and all(
            self.has(kind, *(as_hashes([value]) for value in row)).all() for kind, row in rows
        )

    def has_pair(self, one: Hashes, other: Hashes) -> Flags:
        return self.holds(NAME, self.tagger.of_pairs(one, other))

    def holds(self, kind: str, tags: Hashes) -> Flags:
        listed = self._tags[kind]
        if not len(listed) or not len(tags):
            return np.zeros(len(tags), dtype=np.bool_)
        at = np.minimum(listed.searchsorted(tags), len(listed) - 1)
        return np.asarray(listed[at] == tags)

    def is_thin(self, form: str) -> bool:
        """Whether a number of this shape that is listed can hardly be anything else."""
        shape = shape_of(form)
        room = 10.0 ** shape.count("9") * 26.0 ** shape.count("A")
        return bool(self.shapes[shape]) and self.shapes[shape] / room < THIN


def together(arrays: Sequence[Hashes]) -> Hashes:
    """One roster stays where it is, mapped; several become one list."""
    if len(arrays) == 1:
        return arrays[0]
    return np.unique(np.concatenate(arrays)) if arrays else np.zeros(0, dtype=np.uint64)


def load_rosters(folder: str, key: bytes) -> Rosters | None:
    """None where a site has none; a folder that is closed to this user holds none for them."""
    return Rosters(roster_folder(folder), key) or None
