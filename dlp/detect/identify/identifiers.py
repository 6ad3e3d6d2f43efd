"""Find the identifiers of a document, in its text and in its labelled fields.

In: Document.  Out: Findings, with the value already hashed away.
"""

from __future__ import annotations

from dlp.demand import shelf
from dlp.detect.fingerprint import fingerprint
from dlp.detect.identify import validators
from dlp.detect.identify.finder import FLOOR, Finder, Hit, default_finder, find_identifiers
from dlp.detect.linking.fields import FieldReader, field_words
from dlp.detect.overlap import resolve
from dlp.model import Case, Finding, Kind

STATES = "states"  # built once, what every worker forked afterwards shares; none ever asks
__all__ = ["FLOOR", "FindIdentifiers", "Finder", "Hit", "default_finder", "find_identifiers"]


NOTHING_SAID: frozenset[str] = frozenset()


class FindIdentifiers:
    name = "detect.identifiers"
    requires = frozenset({"document"})
    provides = frozenset({"findings"})

    def __init__(self, key: bytes, finder: Finder | None = None) -> None:
        self._key = key
        self._finder = finder or default_finder()
        self._fields = FieldReader(self._finder)

    @staticmethod
    def preload() -> None:
        """Load what a sandboxed worker cannot."""
        validators.preload()
        field_words()
        shelf().put(STATES, default_finder().warm)

    def __call__(self, case: Case) -> Case:
        """Add findings; what only narrows (an age below 89) goes to facts["quasi"]."""
        assert case.document  # requires= promised it
        found: list[Finding] = []
        marks: dict[tuple[Kind, str], str] = {}
        for index, part in enumerate(case.document.parts):
            hits = self._finder.find(part.text, 0.0)
            if part.fields:
                hits = resolve(hits + self._fields.find(part.text, part.fields, 0.0))
            found += [self._finding(hit, index, marks) for hit in hits]
        sure = tuple([one for one in found if one.confidence >= FLOOR])
        quasi = tuple([one for one in found if one.confidence < FLOOR])
        return case.but(findings=(*case.findings, *sure), facts={**case.facts, "quasi": quasi})

    def _finding(self, hit: Hit, part: int, marks: dict[tuple[Kind, str], str]) -> Finding:
        """A third of all values of a document were there before: `marks` knows their hashes."""
        kind, rule_id, start, end, confidence, evidence, value = hit
        mark = marks.get((kind, value))
        if mark is None:
            mark = marks[kind, value] = fingerprint(self._key, kind, value)
        # the constructor of a named tuple costs as much as all else here
        return tuple.__new__(
            Finding,
            (kind, rule_id, part, start, end, confidence, evidence, "", "", mark, NOTHING_SAID),
        )
