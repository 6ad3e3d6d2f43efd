"""How many people fit what a file says of somebody, and how surely that finds them.

In: Subject.  Out: Crowd: the expected number of people, and each step in words.

Every piece of evidence is a constraint with a share of at most 1, so more evidence never leaves
more people. Dependent pieces are one constraint: a city in its state in its country, a ZIP code in
its city, an age beside a birth date, the sex that a first name tells. The people of the world are
counted by country, because names are common in some and rare in others; where a country is known
only its people count. With n people expected to fit besides the one who is meant, somebody who
picks one of them is right with p = (1 − e⁻ⁿ) / n, the mean of 1/(1+k) for k others at random:
1/n for a crowd, near 1 for nobody else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import expm1, log2
from typing import NamedTuple

from dlp.knowledge.name_frequencies import EVERYBODY, FIRST, LAST, Bearers, Share, load_bearers
from dlp.knowledge.names import FirstName, Names
from dlp.knowledge.places import Place, Places
from dlp.measure.areas import Areas, Reading, Whereabouts, state_of
from dlp.measure.birth_dates import Born, birth_shares
from dlp.measure.description import Description

Together = Callable[[Iterable[float]], float]
ALONE = 33.0  # bits that single out one person in the world
NAMED_STATES = frozenset({"country", "state"})  # wide enough to be named in an explanation
SMALLEST = 1e-12
# Few bear a name of the other sex, but some do.
OTHER_SEX = 0.002
UNCOUNTED = 0.02  # of a name's bearers, those born when no list of births has it


@dataclass(frozen=True, slots=True)
class Crowd:
    """The people a description leaves in question."""

    size: float
    steps: tuple[str, ...]
    bits: Mapping[str, float] = field(default_factory=dict)  # log₂ of what each kind leaves out

    @property
    def identifiability(self) -> float:
        return found_among(self.size)


class Part(NamedTuple):
    """People of one country or of all countries whose names are alike to us."""

    country: str
    size: float
    least: float
    most: float

    def narrowed(self, share: Share) -> Part:
        country, size, least, most = self
        middle, low, high = share
        return Part(country, size * middle, least * low, most * high)

    def among(self, group: Share) -> Part:
        """Those who are in a group as well: about half of each where both are of one size."""
        sizes = zip(self[1:], group, strict=True)
        return Part(self.country, *(people / (1.0 + people / limit) for people, limit in sizes))


class Constraint(NamedTuple):
    """What leaves only a share of the people; by country where that makes a difference."""

    kind: str
    words: str
    shares: Mapping[str, Share] | Share

    def of(self, country: str) -> Share:
        return self.shares if isinstance(self.shares, Share) else self.shares[country]

    def narrowed(self, parts: Iterable[Part]) -> tuple[Part, ...]:
        """Of each part those for whom it holds."""
        if isinstance(self.shares, Share):
            middle, low, high = self.shares
            return tuple([
                Part(country, size * middle, least * low, most * high)
                for country, size, least, most in parts
            ])  # fmt: skip
        return tuple([part.narrowed(self.shares[part.country]) for part in parts])


def found_among(others: float) -> float:
    """How likely a guess finds the one meant when so many others are expected to fit."""
    return -expm1(-others) / others if others > SMALLEST else 1.0


class Population:
    def __init__(
        self, names: Names, places: Places, *, home: str = "auto", bearers: Bearers | None = None
    ) -> None:
        """`home` is a country code, "world", or "auto": where the evidence points."""
        self._names = names
        self._places = places
        self._home = "" if home in {"auto", "world"} else home
        self._bearers = bearers or load_bearers()
        self._whereabouts = Whereabouts(places)
        self._world = places.populations["world"]
        parts = self._bearers.parts.items()
        self._everybody = tuple(Part(code, float(n), float(n), float(n)) for code, n in parts)

    def crowd(self, known: Description, rarity: Share = EVERYBODY, rare_name: str = "") -> Crowd:
        """Everybody who fits; `rarity` is the share who have the rarest thing said of them."""
        if known.direct:
            kinds = ", ".join(sorted(known.direct))
            return Crowd(0.0, (f"1 person: {kinds} belongs to one alone",), {"direct": ALONE})
        areas = self._whereabouts.of(known.places, known.addresses)
        count_of = Count(self._world, self._start(areas, known))
        self._name_areas(count_of, areas.readings)
        for constraint in self._constraints(known, areas, rarity, rare_name):
            count_of.narrow(constraint)
        return count_of.crowd()

    def area(self, known: Description) -> str:
        """Where somebody lives, no closer than a state or country."""
        return state_of(self._whereabouts.of(known.places, known.addresses))

    def _start(self, areas: Areas, known: Description) -> tuple[Part, ...]:
        """The people to begin with: of each country meant the smallest area in it."""
        least: dict[str, Reading] = {}
        for reading in areas.readings:
            code = self._bearers.part_of(reading.place.country)
            if code not in least or reading.place.population < least[code].place.population:
                least[code] = reading
        if not least and self._home and (home := self._places.country(self._home)):
            least[self._bearers.part_of(self._home)] = Reading(
                home, float(home.population), float(home.population)
            )
        if not least:
            return self._everybody
        parts = [Part(code, float(r.place.population), r.low, r.high) for code, r in least.items()]
        # of several countries said, the one in which the fewest fit: more is never less
        fewest = min(parts, key=lambda part: self._named_part(part, areas, known).size)
        return (fewest,)

    def _named_part(self, part: Part, areas: Areas, known: Description) -> Part:
        """What groups and names leave: all that differs from country to country."""
        for size, _ in (*areas.groups, *known.groups):
            part = part.among(size)
        for which, name in ((FIRST, known.first), (LAST, known.last)):
            if name:
                part = part.narrowed(self._bearers.share(which, name, part.country))
        return part

    def _name_areas(self, count_of: Count, readings: Sequence[Reading]) -> None:
        """Steps from the world to the country, the state and the place."""
        if not readings:
            return
        wanted = count_of.parts[0].size
        place = min(
            (r.place for r in readings if r.place.population == wanted),
            key=lambda one: one.name, default=None,
        )  # fmt: skip
        if place is None:
            return
        for above in reversed(self._places.parents(place)):
            if above.population > wanted:
                count_of.say(above.population, f"in {above.name}" if above.name else "in a region")
        count_of.say(wanted, area_words(place))

    def _constraints(
        self, known: Description, areas: Areas, rarity: Share, rare_name: str
    ) -> Iterator[Constraint]:
        bearers = self._bearers
        for size, words in (*areas.groups, *known.groups):
            yield Constraint("group", words, size)
        if areas.factor < 1.0:
            share = Share(areas.factor, areas.factor / 10, 1.0)
            yield Constraint("places", areas.factor_words, share)
        for which, name, words in (
            (LAST, known.last, "of that last name"), (FIRST, known.first, "of that first name"),
        ):  # fmt: skip
            if name:
                initial = len(name.strip(" .")) == 1
                words = words if not initial else f"{words[:-4]}initial"  # noqa: PLW2901
                yield Constraint(which, words, bearers.shares(which, name))
        first = self._names.first(known.first) if len(known.first) > 1 else None
        if known.sex:
            yield Constraint("sex", "of that sex", sex_share(known.sex, first))
        if known.born:
            yield from self._birth(known.born, first)
        for kind, share, words in known.shares:
            yield Constraint(kind, words, share)
        if rarity.middle < 1.0:
            words = f"with {rare_name or 'so rare a condition'}"
            yield Constraint("condition", words, rarity)

    def _birth(self, born: Sequence[Born], first: FirstName | None) -> Iterator[Constraint]:
        everyone = self._names.everyone
        share, spread, words = birth_shares(born, everyone)
        if first is not None and words:
            # nobody bears a name and a birth date who does not have the birth date
            bound = share / max(first.share, share)
            share = min(birth_shares(born, self._decades_of(first))[0], bound)
        if words:
            yield Constraint("birth", words, Share.around(share, spread))

    def _decades_of(self, first: FirstName) -> tuple[float, ...]:
        """The birth decades of a name's bearers; few counted ones rule no decade out."""
        return tuple([
            (1 - UNCOUNTED) * own + UNCOUNTED * of_all
            for own, of_all in zip(first.decades, self._names.everyone, strict=True)
        ])  # fmt: skip


class Count:
    """The people left so far, and how they came to be so few."""

    def __init__(self, world: float, parts: tuple[Part, ...]) -> None:
        self.parts = parts
        self._together: Together = sum
        self._steps: list[str] = [f"{count(world)} people in the world"]
        self._left = sum(part.size for part in parts)
        self._bits = {"place": max(0.0, log2(world / self._left))}

    def say(self, people: float, words: str) -> None:
        self._steps.append(f"{count(people)} {words}")

    def narrow(self, constraint: Constraint) -> None:
        if constraint.kind == "group":
            self.parts = tuple([part.among(constraint.of(part.country)) for part in self.parts])
            self._together = max  # the group is in one country, and nobody said in which
        else:
            self.parts = constraint.narrowed(self.parts)
        left = self._together([part.size for part in self.parts])
        gained = max(0.0, log2(self._left / left)) if left > 0 else 0.0
        self._bits[constraint.kind] = self._bits.get(constraint.kind, 0.0) + gained
        self._left = left
        self.say(left, constraint.words)

    def crowd(self) -> Crowd:
        columns = zip(*(part[1:] for part in self.parts), strict=True)
        size, least, most = (self._together(column) for column in columns)
        steps = (*self._steps, f"plausibly from {count(least)} to {count(most)}")
        return Crowd(size, steps, self._bits)


def sex_share(sex: str, first: FirstName | None) -> Share:
    """The share of a sex among those who bear a first name, or among all."""
    female = 0.5 if first is None or first.female_share is None else first.female_share
    share = max(OTHER_SEX, min(female if one == "f" else 1.0 - female for one in sex))
    return Share.around(share, 1.1)


def area_words(place: Place) -> str:
    """What an area is called in an explanation: no name of a town ever stands in one."""
    if place.kind in NAMED_STATES:
        return f"in {place.name}"
    return {"zip": "in a ZIP area", "fsa": "in a postal area"}.get(place.kind, f"in a {place.kind}")


def count(number: float) -> str:
    """A number of people as one says it."""
    if number >= 10:
        rounded = float(f"{number:.3g}")
        return f"{rounded:,.0f}"
    if number >= 0.95:
        return f"{number:.2g}"
    if number <= 0:
        return "nobody else"
    return f"fewer than 1 (1 in {float(f'{1 / number:.2g}'):,.0f})" if number < 0.5 else "about 1"
