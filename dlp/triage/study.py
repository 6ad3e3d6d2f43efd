"""Decide as the 2009 study did: identifiers by count, health by density, nothing linked.

In: Case with findings.  Out: container and reason.

Probable: one geographic identifier and two others. PHI: (3T + 2B + U) / n > 0.04 for T, B and U
health terms of three or more, two, and one word among n words; weighted, each category of terms
counts by the part of it that the filters kept (Sokolova et al., eqs. 6 and 10).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from dlp.model import HEALTH_KINDS, Case, Container, Document, Finding, Kind

THRESHOLD = 0.04
LONGEST = 3  # words that still add weight
GEOGRAPHIC = frozenset({Kind.ADDRESS, Kind.PLACE, Kind.ORGANISATION, Kind.PROVIDER})
NEEDED = 3  # identifiers, one of them geographic
# Identifiers that point to nobody by themselves.
NO_POINTERS = frozenset({Kind.URL, Kind.IP})


class DecideAsStudied:
    name = "triage.deep"
    requires = frozenset({"document"})
    provides = frozenset({"container"})

    def __init__(self, weights: Mapping[str, float] | None = None) -> None:
        self._weights = weights

    def __call__(self, case: Case) -> Case:
        assert case.document  # requires= promised it
        if not is_probable(case.findings):
            return case.but(container=Container.POSSIBLE, reason="too few identifiers")
        value = density(case.document, case.findings, self._weights)
        if value > THRESHOLD:
            reason = f"health density {value:.3f} above {THRESHOLD}"
            return case.but(container=Container.PHI, reason=reason)
        reason = f"identifiers, health density {value:.3f}"
        return case.but(container=Container.PROBABLE, reason=reason)


def is_probable(findings: tuple[Finding, ...]) -> bool:
    """One place, address or organisation, and two more identifiers of any kind."""
    seen: dict[str, Kind] = {}
    for finding in findings:
        if finding.kind not in HEALTH_KINDS | NO_POINTERS:
            seen.setdefault(finding.fingerprint or f"{finding.part}:{finding.start}", finding.kind)
    counts = Counter(kind in GEOGRAPHIC for kind in seen.values())
    # a full name is two identifiers: a first and a last name
    persons = sum(kind is Kind.PERSON for kind in seen.values())
    return counts[True] > 0 and counts.total() + persons >= NEEDED


def density(
    document: Document,
    findings: tuple[Finding, ...],
    weights: Mapping[str, float] | None = None,
) -> float:
    words = sum(len(part.text.split()) for part in document.parts)
    heard = 0.0
    for finding in findings:
        if finding.kind in HEALTH_KINDS:
            term = document.parts[finding.part].text[finding.start : finding.end]
            size = min(LONGEST, len(term.split()))
            heard += size * (weights.get(finding.kind.value, 1.0) if weights else 1.0)
    return heard / max(1, words)
