"""Score every person a file speaks of: privacy = identifiability × sensitivity.

In: Case with its subjects.  Out: Case with persons, each explained.
"""

from __future__ import annotations

from dataclasses import replace

from dlp.knowledge.inference import load_inference
from dlp.knowledge.mesh import load_mesh
from dlp.knowledge.names import load_names
from dlp.knowledge.places import load_places
from dlp.knowledge.sensitivity import load_sensitivity
from dlp.measure.frequency import Rarity, load_rarity
from dlp.measure.population import Population
from dlp.measure.sensitivity import Weigh
from dlp.model import Case, Container, Person, Subject

FIRM = frozenset({"negated", "family", "hypothetical", "general", "template", "uncertain"})


class Measure:
    name = "measure.privacy"
    requires: frozenset[str] = frozenset()
    provides = frozenset({"persons"})

    def __init__(self, population: Population, weigh: Weigh, rarity: Rarity) -> None:
        self._population = population
        self._weigh = weigh
        self._rarity = rarity

    def __call__(self, case: Case) -> Case:
        subjects: tuple[Subject, ...] = case.facts.get("subjects", ())
        if not subjects:
            return case.but(persons=())
        persons = tuple([self.score(subject) for subject in subjects])
        if case.container is Container.PHI:
            chance = case.facts.get("chance")
            persons = tuple(self._at_least(person, chance) for person in persons)
        return case.but(persons=persons)

    def _at_least(self, person: Person, chance: float | None) -> Person:
        """Somebody whose health is told weighs something, though no list knows what is told.

        A verdict by weight counts as a typical illness as likely as the weight says.
        """
        least = self._weigh.unnamed(chance)
        if person.sensitivity >= least or (chance is None and person.sensitivity > 0):
            return person
        steps = (*person.explanation, f"something no list names: {least:.2f}")
        return replace(person, sensitivity=least, explanation=steps)

    def found(self, subject: Subject) -> float:
        """How surely the description alone finds its person, whatever is said of them."""
        return self._population.crowd(subject).identifiability

    def score(self, subject: Subject) -> Person:
        facts = subject.facts
        if not facts:  # as with most people
            crowd = self._population.crowd(subject)
            return Person(
                subject.id, subject.fingerprints, crowd.identifiability, 0.0,
                crowd.steps, crowd.bits, (),
            )  # fmt: skip
        stated = {concept for _, concept, context, _ in facts if FIRM.isdisjoint(context)}
        share, rarest = self._rarity.rarest(stated)
        crowd = self._population.crowd(subject, share, rarest)
        burden, weights = self._weigh.weighed(facts)
        return Person(
            subject.id, subject.fingerprints, crowd.identifiability, burden.sensitivity,
            (*crowd.steps, *burden.steps), crowd.bits, weights,
        )  # fmt: skip


def load_measure(home: str = "auto") -> Measure:
    mesh = load_mesh()
    return Measure(
        Population(load_names(), load_places(), home=home),
        Weigh(mesh, load_sensitivity(), load_inference()),
        load_rarity(mesh),
    )
