"""What the words around a condition add to it: its stage, a programme it is treated in.

In: Case with findings of health that are somebody's.  Out: further Facts of each person.

A stage is a fact of its own with a weight of its own, so a later stage weighs more and no stage
ever takes anything away.
"""

from __future__ import annotations

import re
from collections import defaultdict

from dlp.knowledge.mesh import Mesh
from dlp.knowledge.sensitivity import Sensitivity
from dlp.knowledge.stages import STAGES
from dlp.model import Case, Fact, Finding, Kind

# Facts that no heading of MeSH stands for: concept -> value, words. Judged like the values of
# rules/sensitivity.toml: what a later stage adds to an illness of any kind.
ADDED = {
    "stage:severe": (0.1, "a severe form"),
    "stage:2": (0.08, "a second stage"),
    "stage:3": (0.2, "a late stage"),
    "stage:4": (0.35, "a last stage"),
    "minor": (0.15, "of a minor, which the law protects further"),
}
GRADED = frozenset({Kind.DISEASE, Kind.SYMPTOM})
TREATING = frozenset({Kind.DRUG, Kind.PROCEDURE})
REACH = 28  # characters before and after a condition in which its stage stands
BEFORE = [
    (c, re.compile(rf"(?i)\b(?:{words})\b[\s,(-]*(?:\w+[\s-]+){{0,2}}$")) for c, words in STAGES
]
WITHIN = [re.compile(rf"(?i)\b(?:{words})\b") for _, words in STAGES]
BEHIND = [(c, re.compile(rf"(?i)^[\s,(-]*(?:in\s)?(?:{words})\b")) for c, words in STAGES]
# Where the name of a drug names a treatment: "methadone clinic", "opioid use programme".
PROGRAMME = re.compile(
    r"(?i)\b(?:methadone|suboxone|subutex|buprenorphine|opioids?|opiates?|heroin)"
    r"(?:\s(?:treatment|substitution|maintenance|agonist|replacement|use|dependence|addiction)){0,2}"
    r"\s(?:programmes?|programs?|clinics?|treatment cent(?:re|er)s?)\b"
)
SUBSTITUTION = "Opiate Substitution Treatment"
PREGNANCY, OF_A_MINOR = "Pregnancy", "Pregnancy in Adolescence"


class Circumstances:
    def __init__(self, mesh: Mesh, table: Sensitivity) -> None:
        self._mesh = mesh
        self._table = table
        self._programme = mesh.ids[mesh.find(SUBSTITUTION)[0]]
        pregnancy = mesh.find(PREGNANCY)[0]
        self._pregnancy = frozenset(
            mesh.ids[n] for n in (pregnancy, *mesh.descendants(pregnancy).tolist())
        )
        self._of_a_minor = mesh.ids[mesh.find(OF_A_MINOR)[0]]

    def by_person(self, case: Case) -> dict[str, list[Fact]]:
        """What stands beside the conditions of each person."""
        found: dict[str, list[Fact]] = defaultdict(list)
        if case.document is None:
            return found
        texts = [part.text for part in case.document.parts]
        for finding in case.findings:
            if not finding.person or not finding.concept:
                continue
            text = texts[finding.part]
            if finding.kind in GRADED and (stage := stage_of(text, finding)):
                found[finding.person].append(beside(finding, Kind.DISEASE, stage))
            elif finding.kind in TREATING and PROGRAMME.match(text, finding.start):
                found[finding.person].append(beside(finding, Kind.PROCEDURE, self._programme))
        return found

    def of_minor(self, facts: tuple[Fact, ...]) -> list[Fact]:
        """What is added because somebody is under age."""
        found = [
            Fact(Kind.DISEASE, self._of_a_minor, fact.context, fact.confidence)
            for fact in facts if fact.concept in self._pregnancy
        ]  # fmt: skip
        found += [
            Fact(Kind.DISEASE, "minor", fact.context, fact.confidence)
            for fact in facts if self._table.category(fact.concept)
        ]  # fmt: skip
        return found


def stage_of(text: str, finding: Finding) -> str:
    """The latest stage that the words beside a condition name; "" when none does."""
    start, end = finding.start, finding.end
    before = re.split(r"[.;\n]\s", text[max(0, start - REACH) : start])[-1]
    behind = text[end : end + REACH]
    within = text[start:end]
    for (concept, first), (_, second), inside in zip(BEFORE, BEHIND, WITHIN, strict=True):
        if first.search(before) or second.match(behind) or inside.search(within):
            return concept
    return ""


def beside(finding: Finding, kind: Kind, concept: str) -> Fact:
    """A further fact, said in the same way as the condition it stands with."""
    return Fact(kind, concept, finding.context, finding.confidence)
