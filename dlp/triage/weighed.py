"""PHI by the weight of its evidence: whom a short text is about, and what it says of them.

In: Case with a weight, and no rule that ties a fact to somebody.  Out: Case that is PHI.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol

from dlp.model import HEALTH_KINDS, Case, Container, Fact, Finding, Subject

NOT_SAID = frozenset({"general", "template"})
STANDING_BY = frozenset({"clinician", "public", "fictional"})
CLINICAL = 3  # turns of phrase that make a text clinical, as in detect/casting
CLOSENESS = {"patient": 3, "relative": 2, "author": 1}


class Weight(Protocol):
    @property
    def score(self) -> float: ...

    @property
    def speaks_for(self) -> Sequence[str]: ...

    @property
    def speaks_against(self) -> Sequence[str]: ...

    def reaches(self, bar: float) -> bool: ...


def by_weight(case: Case, weight: Weight) -> Case:
    """The likeliest person gets every fact that is nobody else's."""
    told, against = ", ".join(weight.speaks_for), ", ".join(weight.speaks_against)
    reason = f"weight {weight.score:.2f} for somebody's health (for: {told}; against: {against})"
    person = likeliest(people_of(case))
    assert person  # is_about_somebody was asked
    loose = [f for f in case.findings if is_loose(f)]
    facts = tuple(Fact(f.kind, f.concept or f.rule_id, f.context, f.confidence) for f in loose)
    return case.but(
        container=Container.PHI,
        reason=reason,
        findings=tuple(f.about(person.id) if is_loose(f) else f for f in case.findings),
        facts={
            **case.facts,
            "subjects": (replace(person, facts=(*person.facts, *facts)),),
            "chance": weight.score,
        },
    )


def is_about_somebody(case: Case) -> bool:
    """Not if everybody named is staff, in the news or in history.

    A clinical note that says of nobody that they are the patient, a relative or the writer has lost
    its names: what looks like one is a laboratory or a device.
    """
    if not case.facts.get("subjects") and case.facts.get("faint"):
        # whoever is named so faintly has no role: not worked out before it is needed
        return bool(case.facts["genre"].get("clinical", 0) < CLINICAL)
    person = likeliest(people_of(case))
    if person is None or case.facts["genre"].get("clinical", 0) < CLINICAL:
        return person is not None
    return person.role in CLOSENESS and bool(person.first or person.last)


def people_of(case: Case) -> Sequence[Subject]:
    """Whom linking found, else whom the text names too faintly for it."""
    found: Sequence[Subject] = case.facts.get("subjects", ())
    faint: Callable[[], Subject] | None = case.facts.get("faint")
    return found or ((faint(),) if faint else ())


def is_loose(finding: Finding) -> bool:
    said = finding.kind in HEALTH_KINDS and not finding.context & NOT_SAID
    return said and not finding.person


def likeliest(subjects: Sequence[Subject]) -> Subject | None:
    """A patient before a relative before the writer; then whoever has facts, or the fuller name."""
    able = [one for one in subjects if one.role not in STANDING_BY]
    return max(
        able,
        key=lambda s: (CLOSENESS.get(s.role, 0), len(s.facts), bool(s.first and s.last)),
        default=None,
    )
