"""How much it matters what a file says of somebody.

In: Facts.  Out: a number from 0 to 1, how sure it is, and each step in words.

Drugs, procedures and tests stand for the diseases they imply; implied diseases are ranked and
taken until their probabilities reach 1 (the paper's Fig. 4). Stated diseases add up as
1 − Π(1 − S), but two headings with a common narrower one are not added, because one thing may be
meant by both: of all selections without such a pair the gravest counts, which keeps principles 3
to 5 on a graph where a heading has several parents. An implied disease counts only for what it is
graver than a stated one it may be meant by: (S − stated) / (1 − stated). So a further fact, drug or
context never makes the whole less (docs/adr/0070-more-evidence-is-never-less.md has the proof).

Confidence is apart: facts are taken in by their confidence, the surest first, and the mean of what
they weigh is the expected sensitivity; its share of the whole is how sure the whole is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import Any, NamedTuple

from dlp.knowledge.inference import Inference
from dlp.knowledge.mesh import Mesh
from dlp.knowledge.sensitivity import Sensitivity, name_of, rare_headings
from dlp.measure.bounded_cache import Remembered
from dlp.measure.circumstances import ADDED
from dlp.model import OF_NOBODY, Context, Fact, Kind

# What is left of a fact's weight in a context; the smallest one counts.
WEIGHTS: dict[str, float] = {
    Context.NEGATED: 0.0,
    Context.FAMILY: 0.3,
    Context.HYPOTHETICAL: 0.2,
    Context.UNCERTAIN: 0.7,
    Context.HISTORICAL: 0.9,
    **dict.fromkeys(OF_NOBODY, 0.0),
}
# "HIV negative" still tells that somebody was tested, and why.
PROTECTED_NEGATED = 0.4
BROADEST = "Disease"  # what every illness is
ALMOST_ONE = 1.0 - 1e-12
EXACT = 24  # rivals in one knot; a larger knot is cut greedily
SELECTIONS = 64  # of rivals that are tried against what is implied
IMPLYING = frozenset({Kind.DRUG, Kind.PROCEDURE, Kind.TEST})
NOWHERE = -1  # where a concept stands that MeSH does not have
Weights = tuple[tuple[str, str, float], ...]


@dataclass(frozen=True, slots=True)
class Burden:
    """What a set of facts weighs together."""

    sensitivity: float
    steps: tuple[str, ...]
    certainty: float = 1.0  # how much of it the confidences of the facts leave


class Hint(NamedTuple):
    """A disease that drugs, procedures or tests imply."""

    value: float
    share: float
    related: list[int]  # places of the stated diseases it may be meant by


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
        self._broadest = frozenset(mesh.find(BROADEST)[:1])  # no tree puts it above the others
        self._value = Remembered(self._value_of)
        self._about = Remembered(self._look_up)
        self._below = Remembered(self._look_down)
        self._follows = Remembered(inference.implied)
        self._left = Remembered(self._look_left)
        # Enough to weigh several files. Weights are few, and rounding one costs a microsecond.
        self._rounded: Remembered[float, float] = Remembered(lambda weight: round(weight, 3))

    def __call__(self, facts: Iterable[Fact]) -> Burden:
        return self.weighed(facts)[0]

    def of_weights(self, burden: Iterable[Sequence[Any]]) -> Burden:
        """The same for facts whose kind, concept and weight were kept: what is expected of them."""
        by_fact = [(Kind(kind), concept, weight) for kind, concept, weight in burden if weight > 0]
        return self._of_facts(by_fact)

    def weighed(self, facts: Iterable[Fact]) -> tuple[Burden, Weights]:
        """What facts weigh together, and kind, concept and weight of each that counts, once."""
        kept: dict[tuple[Kind, str], float] = {}
        by_fact: dict[tuple[Kind, str, float], float] = {}  # kind, concept, weight: confidence
        left = self._left
        for kind, concept, context, confidence in facts:
            weight = left[kind, concept, context] if context else 1.0
            if weight <= 0 or confidence <= 0:
                continue
            key = (kind, concept, weight)
            by_fact[key] = max(by_fact.get(key, 0.0), confidence)
            kept[kind, concept] = max(kept.get((kind, concept), 0.0), weight * confidence)
        weights = [(key[0]._value_, key[1], self._rounded[kept[key]]) for key in sorted(kept)]
        return self._by_confidence(by_fact), tuple(weights)

    def _by_confidence(self, by_fact: Mapping[tuple[Kind, str, float], float]) -> Burden:
        """The whole, and its mean over how sure the facts are."""
        levels = sorted({self._rounded[confidence] for confidence in by_fact.values()})
        whole = self._of_facts(by_fact)
        if not levels or whole.sensitivity <= 0:
            return whole
        expected, below = 0.0, 0.0
        for level in levels:
            value = whole.sensitivity
            if below:
                surer = {key: sure for key, sure in by_fact.items() if self._rounded[sure] >= level}
                value = self._of_facts(surer).sensitivity
            expected += (level - below) * value
            below = level
        return Burden(whole.sensitivity, whole.steps, min(1.0, expected / whole.sensitivity))

    def _of_facts(self, by_fact: Iterable[tuple[Kind, str, float]]) -> Burden:
        """What facts weigh if all of them hold."""
        stated: dict[str, float] = {}
        implied: dict[str, float] = {}
        best: dict[tuple[Kind, str], float] = {}
        for kind, concept, weight in by_fact:
            best[kind, concept] = max(best.get((kind, concept), 0.0), weight)
        for (kind, concept), weight in best.items():
            if self._value[concept] > 0 and weight > stated.get(concept, 0.0):
                stated[concept] = weight
            if kind in IMPLYING:
                for disease, share in self._follows[concept]:
                    implied[disease] = min(1.0, implied.get(disease, 0.0) + share * weight)
        return self._together(stated, implied)

    @property
    def unnamed(self) -> float:
        """What a health fact weighs that none of our lists names."""
        return self._table.mildest

    def _look_left(self, fact: tuple[Kind, str, frozenset[str]]) -> float:
        """What a context leaves of a fact's weight."""
        kind, concept, context = fact
        if Context.NEGATED in context and not context & OF_NOBODY:
            group = self._table.category(concept) or (
                self._inference.category(concept, self._table) if kind in IMPLYING else ""
            )
            return PROTECTED_NEGATED if group else 0.0
        return min(WEIGHTS.get(word, 1.0) for word in context)

    def _together(self, stated: Mapping[str, float], implied: Mapping[str, float]) -> Burden:
        values = {c: self._about[c].value * weight for c, weight in stated.items()}
        if not implied:
            values = self._without_broader(values)
        order, rivals = self._rivals(values)
        weighed = [values[concept] for concept in order]
        hints = self._hints(order, implied)
        selections = choices(weighed, rivals, SELECTIONS if implied else 1)
        value, chosen = max(
            ((selected(weighed, chosen, hints), chosen) for chosen in selections),
            key=lambda pair: pair[0],
        )
        steps = [self._step(order[i], weighed[i]) for i in chosen]
        if beyond := fig4(residues(weighed, chosen, hints)):
            steps.append(f"{self._implied_words(implied)}: {beyond:.2f}")
        return Burden(value, tuple(steps))

    def _hints(self, order: Sequence[str], implied: Mapping[str, float]) -> list[Hint]:
        """Implied diseases, and the stated ones each may be meant by."""
        stands = [self._about[concept] for concept in order]
        hints = []
        for disease, share in implied.items():
            meant = self._about[disease]
            place, above, name = meant.place, meant.above, meant.name
            related = [
                i for i, one in enumerate(stands)
                if one.place in above or place in one.above or one.name == name
            ]  # fmt: skip
            hints.append(Hint(meant.value, share, related))
        return hints

    def _step(self, concept: str, value: float) -> str:
        """A stated disease by name, with the factor its context leaves."""
        about = self._about[concept]
        factor = value / about.value if about.value else 1.0
        of = f" ({about.value:.2f} × {factor:.2f} for its context)" if factor < 0.995 else ""
        return f"{about.name}{of}: {value:.2f}"

    def _implied_words(self, implied: Mapping[str, float]) -> str:
        likeliest = sorted(implied.items(), key=lambda pair: (-pair[1], pair[0]))[:3]
        named = ", ".join(
            f"{self._about[disease].name} {share:.0%}" for disease, share in likeliest
        )
        return f"implied by drugs, procedures or tests ({named})"

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

    def _rivals(self, values: Mapping[str, float]) -> tuple[list[str], list[int]]:
        """The concepts by falling value, and of each those that may mean the same, as bits."""
        order = sorted(values, key=lambda concept: (-values[concept], concept))
        rivals = [0] * len(order)
        stands = [self._about[concept] for concept in order]
        places = {one.place: i for i, one in enumerate(stands) if one.place != NOWHERE}
        stated = frozenset(places)
        wide: list[int] = []  # what has nothing below it needs no look down, which is slow
        for i, one in enumerate(stands):
            meets = [places[place] for place in stated & one.above]
            if not one.leaf:
                below = self._below[one.place]
                meets += [j for j in wide if not below.isdisjoint(self._below[stands[j].place])]
                wide.append(i)
            for j in meets:
                rivals[i] |= 1 << j
                rivals[j] |= 1 << i
        return order, rivals

    def _value_of(self, concept: str) -> float:
        return ADDED[concept][0] if concept in ADDED else self._table.of(concept)

    def _look_up(self, concept: str) -> About:
        mesh, value = self._mesh, self._value[concept]
        if concept in ADDED:
            return About(value, NOWHERE, frozenset(), True, ADDED[concept][1])
        if concept not in mesh:
            headings = [mesh.index(one) for one in rare_headings().get(concept, ()) if one in mesh]
            above = frozenset(headings).union(*[mesh.ancestors(h).tolist() for h in headings])
            return About(value, NOWHERE, above, True, name_of(concept))
        place = mesh.index(concept)
        above = frozenset(mesh.ancestors(place).tolist()) | self._broadest - {place}
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


def choices(values: list[float], rivals: list[int], most: int) -> list[list[int]]:
    """The selections to try: all that no rival can join if these are few, else the gravest."""
    if not any(rivals):
        return [list(range(len(values)))]
    found: list[list[int]] = [[]]
    for knot in knots(rivals):
        each = [[knot.bit_length() - 1]]
        if knot & (knot - 1):
            each = independent(knot, rivals, most) if most > 1 else []
        if not each or len(found) * len(each) > max(most, 1):
            weights = [-log(1.0 - min(value, ALMOST_ONE)) for value in values]
            return [heaviest(weights, rivals)]
        found = [chosen + more for chosen in found for more in each]
    return [sorted(chosen) for chosen in found]


def selected(values: Sequence[float], chosen: Sequence[int], hints: Sequence[Hint]) -> float:
    """What a selection of the stated diseases weighs with what is implied beyond it."""
    keep_out = 1.0
    for i in chosen:
        keep_out *= 1.0 - values[i]
    return 1.0 - keep_out * (1.0 - fig4(residues(values, chosen, hints)))


def residues(
    values: Sequence[float], chosen: Sequence[int], hints: Sequence[Hint]
) -> list[tuple[float, float]]:
    """How much graver each implied disease is than the stated ones it may be meant by."""
    there = set(chosen)
    pairs = []
    for value, share, related in hints:
        said = 0.0
        for i in related:
            if i in there and values[i] > said:
                said = values[i]
        if value > said:
            pairs.append(((value - said) / (1.0 - said), share))
    return pairs


def knots(rivals: Sequence[int]) -> Iterator[int]:
    """Sets of places, as bits, that are tied to one another by rivals; most hold one place."""
    left = (1 << len(rivals)) - 1
    while left:
        knot, ring = 0, left & -left
        while ring:
            knot |= ring
            ring = _rivals_of(ring, rivals) & left & ~knot
        left &= ~knot
        yield knot


def independent(knot: int, rivals: Sequence[int], most: int) -> list[list[int]]:
    """The sets without rivals to which nothing in a knot can be added; none if there are many."""
    found: list[list[int]] = []
    open_sets: list[tuple[int, int, list[int]]] = [(knot, 0, [])]  # may join, was tried, chosen
    for _ in range(8 * most):
        if not open_sets:
            return found
        may, gone, chosen = open_sets.pop()
        while may:
            low = may & -may
            at = low.bit_length() - 1
            if rivals[at] & (may | gone):
                open_sets.append((may & ~low, gone | low, chosen))
            chosen = [*chosen, at]
            may &= ~low & ~rivals[at]
            gone &= ~rivals[at]
        if not gone:
            found.append(chosen)
    return found if not open_sets and len(found) <= most else []


def heaviest(weights: list[float], rivals: list[int]) -> list[int]:
    """The set of greatest weight without rivals; knots of rivals are solved one by one."""
    chosen: list[int] = []
    for knot in knots(rivals):
        chosen += _solve(knot, weights, rivals) if knot & (knot - 1) else [knot.bit_length() - 1]
    return sorted(chosen)


def _rivals_of(mask: int, rivals: Sequence[int]) -> int:
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
