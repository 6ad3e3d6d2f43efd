"""Decide as the 2009 study did: identifiers by count, health by density, nothing linked.

In: Case with findings.  Out: container and reason.

Probable: one geographic identifier and two others. PHI: (3T + 2B + U) / n > 0.04 for T, B and U
health terms of three or more, two, and one word among n words; weighted, each category of terms
counts by the part of it that the filters kept (Sokolova et al., eqs. 6 and 10).

The study's second experiment (its table 7) takes all main headings of MeSH but for stop words and
frequent words, whatever they are about, and flags a probable file that holds one.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Iterable, Mapping

from dlp.knowledge.mesh import load_mesh
from dlp.knowledge.words import load_words
from dlp.model import HEALTH_KINDS, Case, Container, Document, Finding, Kind

THRESHOLD = 0.04
LONGEST = 3  # words that still add weight
LONGEST_HEADING = 4  # words
FREQUENT = (
    5.0  # Zipf: "time", "people"; "publisher" and "technology" stay, as they did in the study
)
WORD = re.compile(r"[a-z0-9][a-z0-9'-]*")
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


class DecideByHeadings:
    """All headings of MeSH without a choice: it finds every leak and flags too much."""

    name = "triage.deep"
    requires = frozenset({"document"})
    provides = frozenset({"container"})

    def __call__(self, case: Case) -> Case:
        assert case.document  # requires= promised it
        if not is_probable(case.findings):
            return case.but(container=Container.POSSIBLE, reason="too few identifiers")
        found = headings_in(part.text for part in case.document.parts)
        if found:
            return case.but(container=Container.PHI, reason=f"{len(found)} headings of MeSH")
        return case.but(container=Container.PROBABLE, reason="identifiers, no heading of MeSH")


@functools.cache
def headings() -> frozenset[str]:
    """Main headings of MeSH in small letters, without words that English uses often."""
    mesh, words = load_mesh(), load_words()
    names = [mesh.name(number).lower() for number in range(len(mesh))]
    return frozenset(name for name in names if " " in name or words.zipf(name) < FREQUENT)


def headings_in(texts: Iterable[str]) -> set[str]:
    found = set()
    for text in texts:
        words = WORD.findall(text.lower())
        for size in range(1, LONGEST_HEADING + 1):
            runs = zip(*(words[start:] for start in range(size)), strict=False)
            found |= {" ".join(run) for run in runs} & headings()
    return found


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
