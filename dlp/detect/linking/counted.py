"""Features of the people and the facts that a text names, and of what ties the one to the other.

In: mentions, health findings and subjects of a short text.  Out: a number for each feature.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import log1p

from dlp.detect.naming.mention import AUTHOR, CLINICIAN, CORRESPONDENT, PATIENT, RELATIVE, Mention
from dlp.detect.spans import Span
from dlp.model import ASSERTED, RECORDED, Finding, Kind, Subject

OFF = frozenset({"general", "hypothetical", "template", "negated"})
GENERAL = frozenset({"general", "hypothetical"})
WEAK = frozenset({Kind.SYMPTOM, Kind.TEST})
SURE = 0.9
FAR = 400  # characters between a name and a fact that say nothing any more
HEAD = 120  # characters in which a note names whom it is about


def is_strong(finding: Finding) -> bool:
    """An illness, a drug or a procedure of which nothing is doubtful."""
    sure = finding.kind not in WEAK and finding.confidence >= SURE
    return sure and not finding.context & OFF


def of_facts(told: Sequence[Finding]) -> dict[str, float]:
    firm = [f for f in told if not f.context & OFF]
    strong = {f.concept or f.start for f in firm if is_strong(f)}
    weak = {f.concept or f.start for f in firm if f.kind in WEAK and f.confidence >= SURE}
    return {
        "facts_strong": log1p(len(strong)),
        "facts_weak": log1p(len(weak)),
        "facts_doubtful": log1p(sum(f.confidence < SURE for f in firm)),
        "facts_general": log1p(sum(bool(f.context & GENERAL) for f in told)),
        "facts_denied": log1p(sum("negated" in f.context for f in told)),
        "facts_any": float(bool(firm)),
    }


def of_people(mentions: Iterable[Mention], people: Sequence[Mention]) -> dict[str, float]:
    full = {(m.first, m.last) for m in people if len(m.first) > 1 and len(m.last) > 1}
    half = {(m.first, m.last) for m in people} - full
    roles = {m.role for m in people}
    staff = {(m.first, m.last) for m in mentions if m.role == CLINICIAN}
    called = {m.first or m.last for m in people}
    return {
        "people_full": log1p(len(full)),
        "people_half": log1p(len(half)),
        "people_one": float(len(full) == 1),
        "people_any": float(bool(people)),
        "people_staff": log1p(len(staff)),
        "people_again": float(len(called) < len(people)),
        "people_first": float(any(m.start < HEAD and m.last for m in people)),
        "role_patient": float(PATIENT in roles),
        "role_relative": float(RELATIVE in roles),
        "role_author": float(AUTHOR in roles),
        "role_greeted": float(CORRESPONDENT in roles),
    }


def of_links(
    subjects: Iterable[Subject], people: Sequence[Mention], told: Sequence[Finding]
) -> dict[str, float]:
    facts = [s.facts for s in subjects if s.role != CLINICIAN]
    contexts = {word for known in facts for fact in known for word in fact.context}
    firm = [f for f in told if not f.context & OFF]
    return {
        "link_asserted": float(ASSERTED in contexts),
        "link_recorded": float(RECORDED in contexts),
        "link_most": log1p(max(map(len, facts), default=0)),
        "link_far": nearest(firm, people) / 100,
    }


def nearest(told: Sequence[Finding], people: Sequence[Mention]) -> int:
    """The fewest characters between a fact and a name, or `FAR`."""
    standing: dict[int, list[Span]] = {}
    for one in people:
        standing.setdefault(one.part, []).append((one.start, one.end))
    least = FAR
    for fact in told:
        left, right = fact.start - least, fact.end + least
        for start, end in standing.get(fact.part, ()):
            if end > left and start < right:
                least = max(fact.start - end, start - fact.end)
                left, right = fact.start - least, fact.end + least
    return least
