"""Bound the time that one file may take; what is not looked at is said in a gap.

In: Case with a document.  Out: the same case with no more text than can be judged in time.

A stage cannot be stopped half way, so two bounds work together: text beyond what the detectors read
in the given time is left out before they start, and a stage whose turn comes too late is skipped.
Both leave Gap(timeout). A stage that hangs all the same is ended by the supervisor of the worker.
"""

from __future__ import annotations

import time
from dataclasses import replace

from dlp.model import Case, Document, FieldMap, GapCode, Part
from dlp.pipeline import DEADLINE, FOREVER, Stage

CHARS_PER_SECOND = 400_000  # of ordinary text; the densest takes twice the time, in bounds still


class Begin:
    """Start the clock, and cut what is too long for it."""

    name = "detect.budget"
    requires = frozenset({"document"})
    provides: frozenset[str] = frozenset()

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._characters = int(seconds * CHARS_PER_SECOND)

    def __call__(self, case: Case) -> Case:
        document = case.document
        assert document  # requires= promised it
        case = case.but(facts={**case.facts, DEADLINE: time.monotonic() + self._seconds})
        parts = document.parts
        long = len(parts[0].text) if len(parts) == 1 else document.characters
        if long <= self._characters:
            return case
        shorter = first_characters(document, self._characters)
        return case.but(document=shorter).with_gap(GapCode.TIMEOUT, self.name)


class InTime:
    """A stage that stands aside when the time of its file is over.

    The pipeline asks for the time itself, so as not to go through here for each file.
    """

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self.in_time = stage.__call__
        self.name, self.requires, self.provides = stage.name, stage.requires, stage.provides

    def preload(self) -> None:
        getattr(self._stage, "preload", lambda: None)()

    def __call__(self, case: Case) -> Case:
        if time.monotonic() > case.facts.get(DEADLINE, FOREVER):
            return case.with_gap(GapCode.TIMEOUT, self.name)
        return self.in_time(case)


def first_characters(document: Document, most: int) -> Document:
    """Parts from the first on, as far as they go; places in them stay the same."""
    parts: list[Part] = []
    for part in document.parts:
        kept = part.text[:most]
        most -= len(kept)
        whole = len(kept) == len(part.text)
        fields = part.fields if whole else fields_within(part.fields, len(kept))
        parts.append(part if whole else replace(part, text=kept, fields=fields))
    return replace(document, parts=tuple(parts))


def fields_within(fields: FieldMap | None, end: int) -> FieldMap | None:
    """The cells that are whole in the text that is left."""
    if fields is None:
        return None
    left = FieldMap()
    for field in fields:
        if field.end <= end:
            left.add(*field)
    return left
