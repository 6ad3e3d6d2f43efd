"""Decide the container of a read file from the chances of its links.

In: Case with subjects.  Out: container, reason, and the chance that somebody's health is told.

The chance of a file is the largest chance of its people: that it tells a fact about somebody who
can be told apart. Nothing else in a file lowers it, and many unlikely people do not add up: a novel
is wrong about all of its people for one reason. The threshold follows from costs: a missed leak
costs as much as so many false alarms.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dlp.model import SET_ASIDE, Case, Container, Subject

LIKELY = 0.3  # a less likely person is not reported
SOMEBODY = 0.7  # identity from which a person counts as identified
ROW = "row"


class Decide:
    name = "judge.decide"
    requires = frozenset({"document"})
    provides = frozenset({"container"})

    def __init__(self, miss_costs: float) -> None:
        """`miss_costs`: how many false alarms a missed leak is worth."""
        self._threshold = 1.0 / (1.0 + miss_costs)

    def __call__(self, case: Case) -> Case:
        subjects: tuple[Subject, ...] = case.facts.get("subjects", ())
        chance = file_chance(subjects)
        if chance >= self._threshold:
            leaking = tuple(one for one in subjects if one.chance >= LIKELY)
            return case.but(
                container=Container.PHI,
                reason=said_of(leaking, chance),
                facts={**case.facts, "subjects": leaking, "file_chance": chance},
            )
        identified = tuple(replace(one, facts=()) for one in subjects if is_identified(one))
        facts = {**case.facts, "subjects": identified, "file_chance": chance}
        if identified:
            reason = "identified people, no health facts about them"
            if chance >= LIKELY:
                reason = f"identified people, a health fact about them is unlikely ({chance:.0%})"
            return case.but(container=Container.PROBABLE, reason=reason, facts=facts)
        if (aside := case.facts.get(SET_ASIDE)) and not case.gaps and chance == 0.0:
            return case.but(container=Container.IMPOSSIBLE, reason=aside, facts=facts)
        return case.but(container=Container.POSSIBLE, reason="nobody is identified", facts=facts)


def file_chance(subjects: Sequence[Subject]) -> float:
    return max((one.chance for one in subjects), default=0.0)


def said_of(leaking: Sequence[Subject], chance: float) -> str:
    told = sum(len(one.facts) for one in leaking)
    facts = "1 health fact" if told == 1 else f"{told} health facts"
    people = "an identified person" if len(leaking) == 1 else f"{len(leaking)} identified people"
    if leaking and all(one.role == ROW for one in leaking):
        people = f"{len(leaking)} unnamed people whom their rows single out"
    return f"{facts} about {people} (chance {chance:.0%})"


def is_identified(subject: Subject) -> bool:
    """Somebody whom a reader could find: a name or number with a role or further evidence."""
    if subject.identity < SOMEBODY:
        return False
    return bool(subject.role or subject.direct or subject.birth_date or subject.has_address)
