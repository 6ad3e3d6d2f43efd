"""Say the verdict: the container, the worst person, and what was not read.

In: Case after the last detector.  Out: Case with a Verdict; below PHI every privacy is 0.
"""

from __future__ import annotations

from dataclasses import replace
from operator import attrgetter

from dlp.model import Case, Container, Verdict

NOTHING = (0.0, 0.0, 0.0)  # what there is to say of nobody
privacy_of = attrgetter("privacy")


class Conclude:
    name = "judge.verdict"
    requires: frozenset[str] = frozenset()
    provides = frozenset({"verdict"})
    final = True  # a settled case still needs its verdict

    def __init__(self, rules_version: str) -> None:
        self._rules_version = rules_version

    def __call__(self, case: Case) -> Case:
        persons = case.persons or ()
        if case.container is not Container.PHI:
            # nothing is told of them, so nothing of them is sensitive here
            persons = tuple([replace(p, sensitivity=0.0, burden=()) for p in persons])
        privacy, identifiability, sensitivity = NOTHING
        if persons:
            worst = max(persons, key=privacy_of) if len(persons) > 1 else persons[0]
            privacy, identifiability = worst.privacy, worst.identifiability
            sensitivity = worst.sensitivity
        container, reason = case.container or Container.POSSIBLE, case.reason
        if container is Container.IMPOSSIBLE and case.gaps:
            # Part of it went unread, so nobody can say it holds nothing.
            container, reason = Container.POSSIBLE, f"not read in full: {case.gaps[0].code.value}"
        reason = reason or ("not read in full" if case.gaps else "read in full")
        verdict = Verdict(
            container,
            reason,
            persons,
            case.gaps,
            self._rules_version,
            privacy,
            identifiability,
            sensitivity,
        )
        return case.but(verdict=verdict)
