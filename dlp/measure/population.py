"""How many people fit what a file says of somebody: n = N · Π f, and p = 1 / max(1, n).

In: Subject.  Out: Crowd: the expected number of people, and each step in words.

The population is the smallest place the evidence names (a city inside a state counts once), else
its country, else the world. A first name tells sex and age, so these only narrow by what the name
leaves open. Names nobody counted get the smallest share, never zero.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from math import log2

from dlp.knowledge.names import DECADES, Names
from dlp.knowledge.places import Place, Places
from dlp.measure.remembered import Remembered
from dlp.model import Subject

ALONE = 33.0  # bits that single out one person in the world
HOUSEHOLD = 2.5  # people at one street address, US Census average
DAYS, MONTHS = 365.25, 12
AGE_SPREAD = 2.0  # an age fits two birth years
WIDE = frozenset({"state", "country"})  # the places that others are known to lie in
OCCUPATION_SHARE = 0.004  # of the population; a typical listed occupation


@dataclass(frozen=True, slots=True)
class Crowd:
    """The people a description leaves in question."""

    size: float
    steps: tuple[str, ...]
    bits: Mapping[str, float] = field(default_factory=dict)  # log₂ of what each kind leaves out

    @property
    def identifiability(self) -> float:
        return 1.0 / max(1.0, self.size)


class Population:
    def __init__(self, names: Names, places: Places, *, home: str = "auto") -> None:
        """`home` is a country code, "world", or "auto": where the evidence points."""
        self._names = names
        self._places = places
        self._home = home
        # The rows of a table name few places, and looking one up costs more than all the rest.
        self._start = Remembered(self._look_around)
        self._bearing = Remembered(places.find)
        self._first = Remembered(names.first)
        self._last = Remembered(names.last)
        self._world = places.populations["world"]

    def crowd(self, subject: Subject, rare_share: float = 1.0, rare_name: str = "") -> Crowd:
        """Everybody who fits; `rare_share` is the frequency of the rarest thing said of them."""
        if subject.direct:
            kinds = ", ".join(sorted(subject.direct))
            return Crowd(1.0, (f"1 person: {kinds} belongs to one alone",), {"direct": ALONE})
        size, first_step, told = self._start[subject.places]
        steps, bits = [first_step], {"place": told}
        for kind, share, what in self._narrowings(subject):
            size *= share
            bits[kind] = -log2(share)
            steps.append(f"{count(size)} {what}")
        if rare_share < 1.0:
            size *= rare_share
            bits["condition"] = -log2(rare_share)
            steps.append(f"{count(size)} with {rare_name or 'so rare a condition'}")
        if subject.has_address:
            household = HOUSEHOLD * (0.4 if subject.first or subject.last else 1.0)
            bits["address"] = max(0.0, log2(size / household))
            size = min(size, household)
            steps.append(f"{count(size)} at one street address")
        return Crowd(max(size, 1e-9), tuple(steps), bits)

    def _look_around(self, named: tuple[str, ...]) -> tuple[float, str, float]:
        """How many people live where places point, in words, and the bits that tells."""
        place, where = self._narrowest(named), ""
        if place is not None:
            where = f"a {place.kind}"
        elif self._home not in {"auto", "world"}:
            place, where = self._places.country(self._home), self._home
        people = place.population if place is not None else self._world
        where = where if place is not None else "the world"
        return float(people), f"{count(people)} people in {where}", log2(self._world / people)

    def _narrowest(self, named: tuple[str, ...]) -> Place | None:
        """The narrowest place meant; of several with one name the likeliest is the largest."""
        found = [place for name in named if (place := self._meant(name, named)) is not None]
        return min(found, key=lambda place: place.population, default=None)

    def _meant(self, name: str, named: tuple[str, ...]) -> Place | None:
        places = self._places
        known = [
            place
            for place in (places.zip(name), places.fsa(name[:3]), *self._bearing[name])
            if place is not None and place.population > 0
        ]
        if len(known) < 2:
            return known[0] if known else None
        others = [place for other in named if other != name for place in self._bearing[other]]
        same, wide = set(others), [place for place in others if place.kind in WIDE]
        inside = [p for p in known if p in same or any(places.lies_in(p, one) for one in wide)]
        return max(inside or known, key=lambda place: place.population, default=None)

    def _narrowings(self, subject: Subject) -> Iterator[tuple[str, float, str]]:
        """Shares of the people left, each with its words; dependent ones are conditional."""
        names = self._names
        decades, female = names.everyone, 0.5
        if subject.last:
            last = self._last[subject.last]
            yield "last", (last.share if last else names.rare_last_share), "of that last name"
        if subject.first:
            first = self._first[subject.first]
            yield "first", (first.share if first else names.rare_first_share), "of that first name"
            if first:
                decades = first.decades
                female = 0.5 if first.female_share is None else first.female_share
        if subject.sex:
            # never zero: a few bear a name of the other sex
            share = female if subject.sex == "f" else 1.0 - female
            yield "sex", max(0.002, share), "of that sex"
        if (born := birth_share(subject, decades)) is not None:
            yield "birth", *born
        if subject.occupation:
            yield "occupation", OCCUPATION_SHARE, "of that occupation"


def birth_share(subject: Subject, decades: tuple[float, ...]) -> tuple[float, str] | None:
    """The share born on that day, in that month, that year, or of that age."""
    digits = subject.birth_date.split("-") if subject.birth_date else []
    if digits and digits[0].isdigit():
        in_year = year_share(int(digits[0]), decades)
        match len(digits):
            case 1:
                return in_year, "born in that year"
            case 2:
                return in_year / MONTHS, "born in that month"
            case _:
                return in_year / DAYS, "born on that day"
    if subject.age is not None:
        return year_share(date.today().year - subject.age, decades) * AGE_SPREAD, "of that age"  # noqa: DTZ011 - a year is all that is asked
    return None


def year_share(year: int, decades: tuple[float, ...]) -> float:
    """The share of living people born in a year; thin decades count as thin, never as none."""
    index = min(max((year - DECADES[0]) // 10, 0), len(DECADES) - 1)
    return max(decades[index], 1e-4) / 10


def count(number: float) -> str:
    """A number of people as one says it."""
    if number >= 10:
        rounded = float(f"{number:.3g}")
        return f"{rounded:,.0f}"
    return f"{number:.2g}"
