"""A person, place or organisation at a place in the text, with what the words around it tell.

In: nothing.  Out: the type that finders of names make and linking reads.
"""

from __future__ import annotations

from dlp.model import Kind
from dlp.named import NamedTuple

PATIENT, AUTHOR, RELATIVE, CLINICIAN = "patient", "author", "relative", "clinician"
CORRESPONDENT, FICTIONAL, PUBLIC, OTHER = "correspondent", "fictional", "public", "other"


class Mention(NamedTuple):
    """Carries values, so it stays inside the worker and shows none in its repr."""

    kind: Kind
    part: int
    start: int
    end: int
    confidence: float
    rule_id: str
    evidence: tuple[str, ...] = ()
    role: str = ""
    first: str = ""
    last: str = ""
    sex: str = ""
    record: int = -1  # row or resource of a structured part

    def __repr__(self) -> str:
        return f"Mention({self.kind}, {self.part}, {self.start}, {self.end}, {self.rule_id})"
