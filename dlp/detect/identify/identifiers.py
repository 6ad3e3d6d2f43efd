"""Find the identifiers of a document, in its text and in its labelled fields.

In: Document.  Out: Findings, with the value already hashed away.
"""

from __future__ import annotations

from collections.abc import Callable

from dlp.detect.fingerprint import marker
from dlp.detect.identify import validators
from dlp.detect.identify.fields import FieldReader, field_words
from dlp.detect.identify.finder import FLOOR, Finder, Hit, default_finder, find_identifiers
from dlp.detect.overlap import resolve
from dlp.lazy_resources import lazy_registry
from dlp.model import Case, Finding, Kind

STATES = "states"  # built once, what every worker forked afterwards shares; none ever asks
__all__ = ["FLOOR", "FindIdentifiers", "Finder", "Hit", "default_finder", "find_identifiers"]


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
        lazy_registry().put(STATES, self._finder.warm)

    def __call__(self, case: Case) -> Case:
        """Add findings; what only narrows (an age below 89) goes to facts["quasi"]."""
        assert case.document  # requires= promised it
        telling = Telling(self._mark)
        for index, part in enumerate(case.document.parts):
            if part.fields:
                hits = self._finder.find(part.text, 0.0)
                telling.tell(resolve(hits + self._fields.find(part.text, part.fields, 0.0)), index)
            else:
                telling.tell(self._finder.find(part.text, 0.0), index)
        quasi = tuple(telling.weak)
        found = (*case.findings, *telling.sure)
        return case.but(findings=found, facts={**case.facts, "quasi": quasi})


class Telling:
    """Findings made of the hits in one document: all but their values, of which a mark is left."""

    def __init__(self, mark: Callable[[Kind, str], str]) -> None:
        self.sure: list[Finding] = []
        self.weak: list[Finding] = []
        self._mark = mark
        self._marks: dict[tuple[Kind, str], str] = {}  # of the values that were there before

    def tell(self, hits: list[Hit], part: int) -> None:
        for kind, rule_id, start, end, confidence, evidence, value in hits:
            if (kind, value) not in self._marks:
                self._marks[kind, value] = self._mark(kind, value)
            known = self._marks[kind, value]
            told = (kind, rule_id, part, start, end, confidence, evidence)
            kept = self.sure if confidence >= FLOOR else self.weak
            kept.append(Finding(*told, fingerprint=known))
