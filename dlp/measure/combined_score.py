"""Score a person over all the files that speak of them.

In: linked descriptions.  Out: combined identifiability and sensitivity, never less than one file's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

from dlp.knowledge.inference import load_inference
from dlp.knowledge.mesh import load_mesh
from dlp.knowledge.places import load_places
from dlp.knowledge.sensitivity import load_sensitivity
from dlp.measure.sensitivity import Weigh


@dataclass(frozen=True, slots=True)
class Combined:
    identifiability: float
    sensitivity: float

    @property
    def privacy(self) -> float:
        return self.identifiability * self.sensitivity


@cache
def load_combiner() -> Callable[[Iterable[Mapping[str, Any]]], Combined]:
    weigh = Weigh(load_mesh(), load_sensitivity(), load_inference())
    return partial(combine, weigh=weigh, world=load_places().populations["world"])


def combine(people: Iterable[Mapping[str, Any]], weigh: Weigh, world: int) -> Combined:
    """What one file leaves open another may tell: bits by kind, facts as a union."""
    bits: dict[str, float] = {}
    facts: dict[tuple[str, str], float] = {}
    p = s = 0.0
    for person in people:
        p = max(p, person["identifiability"])
        s = max(s, person["sensitivity"])
        for kind, value in person["bits"].items():
            bits[kind] = max(bits.get(kind, 0.0), value)
        for kind, concept, weight in person["burden"]:
            facts[kind, concept] = max(facts.get((kind, concept), 0.0), weight)
    left = world * 2.0 ** -min(sum(bits.values()), 60.0)
    burden = weigh.of_weights([(*fact, weight) for fact, weight in facts.items()])
    return Combined(max(p, 1.0 / max(1.0, left)), max(s, burden.sensitivity))
