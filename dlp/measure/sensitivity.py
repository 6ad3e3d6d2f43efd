"""How much it matters what a file says of somebody.

In: Facts.  Out: a number from 0 to 1, and each step in words.

Drugs, procedures and tests stand for the diseases they imply; implied diseases are ranked and
taken until their probabilities reach 1 (the paper's Fig. 4). Whatever is broader than something
else said drops out (principle 4). Stated diseases add up as 1 − Π(1 − S), but two headings with a
common narrower one are not added, because that one thing may be meant by both: of all selections
without such a pair the gravest counts. That keeps principles 3 to 5 on a graph where a heading
has several parents.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import log
from typing import NamedTuple

from dlp.knowledge.inference import Inference
from dlp.knowledge.mesh import Mesh
from dlp.knowledge.sensitivity import Sensitivity
from dlp.measure.remembered import Remembered
from dlp.model import Fact, Kind

# What is left of a fact's weight in a context; the smallest one counts.
WEIGHTS = {
    "negated": 0.0,
    "family": 0.3,
    "hypothetical": 0.2,
    "uncertain": 0.7,
    "historical": 0.9,
    "general": 0.0,
    "template": 0.0,
}
# "HIV negative" still tells that somebody was tested, and why.
PROTECTED_NEGATED = 0.4
ALMOST_ONE = 1.0 - 1e-12
EXACT = 24  # rivals in one knot; a larger knot is cut greedily
IMPLYING = frozenset({Kind.DRUG, Kind.PROCEDURE, Kind.TEST})
OF_NOBODY = frozenset({"general", "template"})
NOWHERE = -1  # where a concept stands that MeSH does not have
Weights = tuple[tuple[str, str, float], ...]


@dataclass(frozen=True, slots=True)
class Burden:
    """What a set of facts weighs together."""

    sensitivity: float
    steps: tuple[str, ...]


class About(NamedTuple):
    """What is known of a concept."""

    value: float
    place: int  # in MeSH
    above: frozenset[int]
    leaf: bool  # nothing is below it
    name: str


class Weigh:
    def __init__(self, mesh: Mesh, table: Sensitivity, inference: Inference) -> None:
        self._mesh = mesh
        self._table = table
        self._inference = inference
        self._value = Remembered(table.of)  # of drugs, procedures and tests nobody asks more
        self._about = Remembered(self._look_up)
        self._below = Remembered(self._look_down)
        self._follows = Remembered(inference.implied)
        self._left = Remembered(self._look_left)
        # Enough to weigh several files. Weights are few, and rounding one costs a microsecond.
        self._rounded: Remembered[float, float] = Remembered(lambda weight: round(weight, 3))

    def __call__(self, facts: Iterable[Fact]) -> Burden:
        return self.weighed(facts)[0]

    def weighed(self, facts: Iterable[Fact]) -> tuple[Burden, Weights]:
        """What facts weigh together, and kind, concept and weight of each that counts, once."""
        stated: dict[str, float] = {}
        implied: dict[str, float] = {}
        kept: dict[tuple[Kind, str], float] = {}
        value, left, follows = self._value, self._left, self._follows
        for kind, concept, context, confidence in facts:
            weight = left[kind, concept, context] * confidence if context else confidence
            if weight <= 0:
                continue
            if weight > kept.get(told := (kind, concept), 0.0):
                kept[told] = weight
                if value[concept] > 0 and weight > stated.get(concept, 0.0):
                    stated[concept] = weight
            if kind in IMPLYING:
                for disease, share in follows[concept]:
                    likely = implied.get(disease, 0.0) + share * weight
                    # a call of min() costs as much as all the rest
                    implied[disease] = likely if likely < 1.0 else 1.0  # noqa: FURB136 - as above
        weights = [(key[0]._value_, key[1], self._rounded[kept[key]]) for key in sorted(kept)]
        return self._together(stated, implied), tuple(weights)

    def unnamed(self, chance: float | None) -> float:
        """What a person's health weighs when it is told of and nothing on our lists says what."""
        return self._table.mildest if chance is None else self._table.typical * chance

    def _look_left(self, fact: tuple[Kind, str, frozenset[str]]) -> float:
        """What a context leaves of a fact's weight."""
        kind, concept, context = fact
        if "negated" in context and not context & OF_NOBODY:
            group = self._table.category(concept) or (
                self._inference.category(concept, self._table) if kind in IMPLYING else ""
            )
            return PROTECTED_NEGATED if group else 0.0
        return min(WEIGHTS.get(word, 1.0) for word in context)

    def _together(self, stated: Mapping[str, float], implied: Mapping[str, float]) -> Burden:
        about = self._about
        kept = self._without_broader({c: about[c].value * weight for c, weight in stated.items()})
        steps, keep_out = [], 1.0
        for concept in self._gravest(kept) if len(kept) > 1 else kept:
            keep_out *= 1.0 - kept[concept]
            steps.append(f"{about[concept].name}: {kept[concept]:.2f}")
        if not implied:
            return Burden(1.0 - keep_out, tuple(steps))
        said = frozenset([about[c].place for c in kept]) - {NOWHERE}
        above = said.union(*[about[c].above for c in kept])
        unsaid: dict[str, float] = {}
        others: list[tuple[float, float]] = []
        finer: list[tuple[float, float]] = []
        for disease, share in implied.items():
            meant = about[disease]
            if disease in kept or meant.place in above:
                continue  # said, or something below it is
            unsaid[disease] = share
            # a kind of something stated is no second illness, though it may be the graver word
            (others if said.isdisjoint(meant.above) else finer).append((meant.value, share))
        inferred, refined = fig4(others), fig4(finer)
        if inferred > 0 or refined > 0:
            likeliest = sorted(unsaid.items(), key=lambda pair: -pair[1])[:3]
            named = ", ".join([f"{about[d].name} {share:.2f}" for d, share in likeliest])
            steps.append(
                f"implied by drugs, procedures or tests ({named}): {max(inferred, refined):.2f}"
            )
        return Burden(max(1.0 - keep_out * (1.0 - inferred), refined), tuple(steps))

    def _without_broader(self, values: dict[str, float]) -> dict[str, float]:
        """Drop what is broader than something at least as grave: the narrower one says it all."""
        if len(values) < 2:
            return values
        stands = [(self._about[concept], concept) for concept in values]
        stated = frozenset([one.place for one, _ in stands])
        narrower: dict[int, float] = {}
        for one, concept in stands:
            for ancestor in stated & one.above:
                narrower[ancestor] = max(narrower.get(ancestor, 0.0), values[concept])
        if not narrower:
            return values
        return {
            concept: values[concept]
            for one, concept in stands
            if narrower.get(one.place, -1.0) < values[concept]
        }

    def _gravest(self, values: Mapping[str, float]) -> list[str]:
        """The selection of greatest weight in which no two headings share a narrower one."""
        order = sorted(values, key=lambda concept: (-values[concept], concept))
        rivals = [0] * len(order)
        stands = [self._about[concept] for concept in order]
        places = {one.place: i for i, one in enumerate(stands)}
        stated = frozenset(places)
        wide: list[int] = []  # what has nothing below it needs no look down, which is dear
        for i, one in enumerate(stands):
            meets = [places[place] for place in stated & one.above]
            if not one.leaf:
                below = self._below[one.place]
                meets += [j for j in wide if not below.isdisjoint(self._below[stands[j].place])]
                wide.append(i)
            for j in meets:
                rivals[i] |= 1 << j
                rivals[j] |= 1 << i
        if not any(rivals):
            return order
        weights = [-log(1.0 - min(values[concept], ALMOST_ONE)) for concept in order]
        return [order[i] for i in heaviest(weights, rivals)]

    def _look_up(self, concept: str) -> About:
        mesh, value = self._mesh, self._value[concept]
        if concept not in mesh:
            return About(value, NOWHERE, frozenset(), True, concept)
        place = mesh.index(concept)
        above = frozenset(mesh.ancestors(place).tolist())
        return About(value, place, above, not len(mesh.children(place)), mesh.name(place))

    def _look_down(self, place: int) -> frozenset[int]:
        return frozenset([place, *self._mesh.descendants(place).tolist()])


def fig4(pairs: Iterable[tuple[float, float]]) -> float:
    """The gravest implied diseases first, until their probabilities reach 1."""
    left, total = 1.0, 0.0
    for value, share in sorted(pairs, reverse=True):
        taken = min(share, left)
        total += value * taken
        left -= taken
        if left <= 0:
            break
    return total


def heaviest(weights: list[float], rivals: list[int]) -> list[int]:
    """The set of greatest weight without rivals; knots of rivals are solved one by one."""
    chosen: list[int] = []
    left = (1 << len(weights)) - 1
    while left:
        knot, ring = 0, left & -left
        if not rivals[first := ring.bit_length() - 1]:
            chosen.append(first)
            left ^= ring
            continue
        while ring:
            knot |= ring
            ring = _rivals_of(ring, rivals) & left & ~knot
        left &= ~knot
        chosen += _solve(knot, weights, rivals)
    return sorted(chosen)


def _rivals_of(mask: int, rivals: list[int]) -> int:
    together = 0
    while mask:
        low = mask & -mask
        together |= rivals[low.bit_length() - 1]
        mask ^= low
    return together


def _solve(knot: int, weights: list[float], rivals: list[int]) -> list[int]:
    if knot.bit_count() > EXACT:
        taken: list[int] = []
        for i in range(len(weights)):  # weights come in falling order
            if knot >> i & 1:
                taken.append(i)
                knot &= ~rivals[i]
        return taken
    known: dict[int, tuple[float, int]] = {0: (0.0, 0)}

    def best(mask: int) -> tuple[float, int]:
        if mask not in known:
            low = mask & -mask
            i = low.bit_length() - 1
            weight, members = best(mask & ~low & ~rivals[i])
            with_it = (weight + weights[i], members | low)
            known[mask] = max(with_it, best(mask & ~low)) if rivals[i] & mask else with_it
        return known[mask]

    members = best(knot)[1]
    return [i for i in range(len(weights)) if members >> i & 1]
