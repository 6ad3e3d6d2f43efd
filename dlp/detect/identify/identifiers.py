"""Find the identifiers of a document, in its text and in its labelled fields.

In: Document.  Out: Findings, with the value already hashed away.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dlp.demand import shelf
from dlp.detect.fingerprint import marker
from dlp.detect.identify import validators
from dlp.detect.identify.finder import FLOOR, Finder, Hit, default_finder, find_identifiers
from dlp.detect.linking.fields import FieldReader, field_words
from dlp.detect.overlap import resolve
from dlp.model import Case, Finding, Kind
from dlp.native import kernel

SPOTTING: Any = kernel("spotting")
STATES = "states"  # built once, what every worker forked afterwards shares; none ever asks
__all__ = ["FLOOR", "FindIdentifiers", "Finder", "Hit", "default_finder", "find_identifiers"]


NOTHING_SAID: frozenset[str] = frozenset()
Marks = dict[tuple[Kind, str], str]  # hashes of the values of a document


class FindIdentifiers:
    name = "detect.identifiers"
    requires = frozenset({"document"})
    provides = frozenset({"findings"})

    def __init__(self, key: bytes, finder: Finder | None = None) -> None:
        self._mark = marker(key)
        self._finder = finder or default_finder()
        self._fields = FieldReader(self._finder)

    def preload(self) -> None:
        """Load what a sandboxed worker cannot."""
        validators.preload()
        field_words()
        shelf().put(STATES, self._warm)

    def _warm(self) -> None:
        """Compile what most shares ask for, once for all workers forked from here on."""
        self._finder.warm()
        _ = self._fields.known

    def __call__(self, case: Case) -> Case:
        """Add findings; what only narrows (an age below 89) goes to facts["quasi"]."""
        assert case.document  # requires= promised it
        found: list[Finding] = []
        marks: Marks = {}
        for index, part in enumerate(case.document.parts):
            hits = self._finder.find(part.text, 0.0)
            if part.fields:
                hits = resolve(hits + self._fields.find(part.text, part.fields, 0.0))
            found += findings(hits, index, marks, self._mark)
        sure = [one for one in found if one.confidence >= FLOOR]
        weak = len(sure) < len(found)
        quasi = tuple([one for one in found if one.confidence < FLOOR]) if weak else ()
        return case.but(findings=(*case.findings, *sure), facts={**case.facts, "quasi": quasi})


def findings(
    hits: list[Hit], part: int, marks: Marks, mark: Callable[[Kind, str], str]
) -> list[Finding]:
    """Hits without their values; `marks` knows the hashes of those that were there before."""
    if SPOTTING is not None:
        made: list[Finding] = SPOTTING.findings(
            hits, part, marks, mark, Finding, ("", NOTHING_SAID)
        )
        return made
    return [finding_of(hit, part, marks, mark) for hit in hits]


def finding_of(hit: Hit, part: int, marks: Marks, mark: Callable[[Kind, str], str]) -> Finding:
    kind, rule_id, start, end, confidence, evidence, value = hit
    if (kind, value) not in marks:
        marks[kind, value] = mark(kind, value)
    known = marks[kind, value]
    return Finding(*(kind, rule_id, part, start, end, confidence, evidence), fingerprint=known)
