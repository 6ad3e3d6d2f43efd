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
from dlp.measure.circumstances import Circumstances
from dlp.measure.condition_rarity import Rarity, load_rarity
from dlp.measure.description import describe
from dlp.measure.institution import OWNED, Value, institutional_values
from dlp.measure.population import Population
from dlp.measure.sensitivity import Weigh
from dlp.model import Case, Container, Context, Fact, Person, Subject

FIRM = frozenset(Context) - {Context.HISTORICAL}
LIKELIER = 0.5


class Measure:
    name = "measure.privacy"
    requires: frozenset[str] = frozenset()
    provides = frozenset({"persons"})

    def __init__(
        self, population: Population, weigh: Weigh, rarity: Rarity, circumstances: Circumstances
    ) -> None:
        self._circumstances = circumstances
        self._population = population
        self._weigh = weigh
        self._rarity = rarity

    def __call__(self, case: Case) -> Case:
        subjects: tuple[Subject, ...] = case.facts.get("subjects", ())
        if not subjects:
            return case.but(persons=())
        owned = any(one.kind in OWNED for subject in subjects for one in subject.evidence)
        institutional = institutional_values(case) if owned else frozenset()
        beside = self._circumstances.by_person(case)
        persons = tuple([
            self.score(subject, institutional, tuple(beside.get(subject.id, ())))
            for subject in subjects
        ])  # fmt: skip
        if case.container is Container.PHI:
            persons = tuple(map(self._at_least, persons))
        return case.but(persons=persons)

    def _at_least(self, person: Person) -> Person:
        """A health fact weighs something, even one that no list knows.

        It counts as the mildest thing that is listed, so that naming it never weighs less.
        """
        if person.sensitivity > 0:
            return person
        least = self._weigh.unnamed
        steps = (*person.explanation, f"something no list names: {least:.2f}")
        return replace(person, sensitivity=least, explanation=steps)

    def found(self, subject: Subject) -> float:
        """How surely the description alone finds its person, whatever is said of them."""
        return self._population.crowd(describe(subject)).identifiability

    def score(
        self,
        subject: Subject,
        institutional: frozenset[Value] = frozenset(),
        beside: tuple[Fact, ...] = (),
    ) -> Person:
        """`beside`: facts that the words around the conditions add."""
        facts, known = (*subject.facts, *beside), describe(subject, institutional)
        if not facts:  # as with most people
            crowd = self._population.crowd(known)
            return Person(
                subject.id, subject.fingerprints, crowd.identifiability, 0.0,
                crowd.steps, crowd.bits, (), 1.0, self._population.area(known), known.minor,
            )  # fmt: skip
        if known.minor:
            facts = (*facts, *self._circumstances.of_minor(facts))
        stated = {concept for _, concept, context, _ in facts if FIRM.isdisjoint(context)}
        share, rarest = self._rarity.rarest(stated)
        crowd = self._population.crowd(known, share, rarest)
        burden, weights = self._weigh.weighed(facts)
        linked = settled(subject.chance)
        if linked < 1.0:
            weights = tuple((k, concept, round(w * linked, 3)) for k, concept, w in weights)
        chance = linked * burden.certainty
        steps = (*crowd.steps, *burden.steps)
        return Person(
            subject.id, subject.fingerprints, crowd.identifiability, burden.sensitivity,
            steps, crowd.bits, weights, chance, self._population.area(known), known.minor,
        )  # fmt: skip


def settled(chance: float) -> float:
    """A link that is likelier than not counts as it stands, another one by its chance.

    How much likelier depends on words that have nothing to do with the person: they must not
    shift somebody's place in a list.
    """
    return 1.0 if chance >= LIKELIER else chance


def load_measure(home: str = "auto") -> Measure:
    mesh = load_mesh()
    return Measure(
        Population(load_names(), load_places(), home=home),
        Weigh(mesh, load_sensitivity(), load_inference()),
        load_rarity(mesh),
        Circumstances(mesh, load_sensitivity()),
    )
