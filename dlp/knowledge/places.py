"""Places: what bears a name, how many people live there, and what it lies in.

In: a name, a ZIP code, a postal area, the tokens of a text.  Out: Place, populations, spans.
"""

from __future__ import annotations

import functools
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from dlp.knowledge.artefact import Artefact, load
from dlp.knowledge.gazetteer import Gazetteer
from dlp.knowledge.hashing import Hashes, Phrases, Positions
from dlp.knowledge.names import Names, load_names

COUNTRY, STATE, COUNTY, CITY, LANDMARK = range(5)
KINDS = ("country", "state", "county", "city", "landmark")
CAPITAL = 128
HOME = frozenset({"US", "CA", "GB", "AU", "IE", "NZ"})
# How often an inhabitant makes a text name the town, against how often a bearer makes it use
# the name. A guess kept low, so that a string that is both needs more evidence.
MENTIONS_HOME, MENTIONS_CAPITAL, MENTIONS_AWAY = 0.2, 0.1, 0.02


@dataclass(frozen=True, slots=True)
class Place:
    kind: str  # country, state, county, city, landmark, zip or fsa
    name: str
    population: int  # 0 for a landmark
    country: str = ""  # ISO code
    region: str = ""  # code of the state or province
    capital: bool = False


class Places:
    def __init__(self, artefact: Artefact, names: Names) -> None:
        self._file = artefact
        self._list = Gazetteer(artefact, "name")
        self._end = np.cumsum(artefact["sharing"], dtype=np.int64)
        self._kind, self._population = artefact["kind"], artefact["population"]
        self._country, self._region = artefact["country"], artefact["region"]
        self._country_code = artefact.strings("country.code").all()
        self._country_name = artefact.strings("country.name").all()
        self._region_code = artefact.strings("region.code").all()
        self._region_name = artefact.strings("region.name").all()
        self._state_rows: dict[tuple[str, str], int] = {}
        for row, owner in enumerate(artefact["region.country"].tolist()):
            if row:  # the first row stands for no region
                code = (self._country_code[owner], self._region_code[row])
                self._state_rows.setdefault(code, row)
        self._fsa = {code: i for i, code in enumerate(artefact.strings("fsa").all())}
        self._zip3 = np.bincount(
            artefact["zip"] // 100, weights=artefact["zip.population"], minlength=1000
        ).astype(np.int64)
        self._zip = artefact["zip"].data
        # one item of these is an object of Python at once, without one of numpy between
        self._ends, *self._columns = (
            column.data
            for column in (self._end, self._kind, self._population, self._country, self._region)
        )
        self._names = names

    @property
    def populations(self) -> dict[str, int]:
        """World and US totals, for people of whom no place is known."""
        return dict(self._file.meta["population"])

    def area_populations(self, kind: str) -> npt.NDArray[np.float64]:
        """The populations of all US areas of one kind: zip or county."""
        if kind == "zip":
            return np.asarray(self._file["zip.population"], dtype=np.float64)
        chosen = (self._kind & ~np.uint8(CAPITAL)) == KINDS.index(kind)
        return np.asarray(self._population[chosen], dtype=np.float64)

    def find(self, name: str) -> tuple[Place, ...]:
        """Return every place of that name, the most populous first."""
        at = self._list.row(name)
        if at < 0:
            return ()
        first = self._ends[at - 1] if at else 0
        own = " ".join(name.split())
        return tuple([self._place(row, own) for row in range(first, self._ends[at])])

    def country(self, code: str) -> Place | None:
        """Look a country up by its ISO code."""
        if code not in self._country_code:
            return None
        row = self._country_code.index(code)
        people = int(self._file["country.population"][row])
        return Place("country", self._country_name[row], people, code)

    def state(self, code: str, country: str = "US") -> Place | None:
        """Look a state or province up by its short form, as on an envelope: "NY", "ON"."""
        row = self._state_rows.get((country, code))
        return None if row is None else self._state(row)

    def zip(self, code: str) -> Place | None:
        """Look up a five-digit US ZIP code; the four digits after a hyphen do not matter."""
        code = code.strip().partition("-")[0]
        if not (len(code) == 5 and code.isascii() and code.isdigit()):
            return None
        at = bisect_left(self._zip, int(code))
        if at == len(self._zip) or self._zip[at] != int(code):
            return None
        region = self._region_code[self._file["zip.region"][at]]
        return Place("zip", code, int(self._file["zip.population"][at]), "US", region)

    def zip3_population(self, prefix: str) -> int:
        """People in all ZIP areas that share three digits; HIPAA requires more than 20,000."""
        digits = prefix.strip()[:3]
        return int(self._zip3[int(digits)]) if digits.isascii() and digits.isdigit() else 0

    def fsa(self, code: str) -> Place | None:
        """Look up a Canadian postal code, or the area that its first three characters name."""
        area = code.strip().upper()[:3]
        at = self._fsa.get(area)
        if at is None:
            return None
        region = self._region_code[self._file["fsa.region"][at]]
        return Place("fsa", area, int(self._file["fsa.population"][at]), "CA", region)

    def parents(self, place: Place) -> tuple[Place, ...]:
        """Return what the place lies in, from the smallest: state or province, then country."""
        above = []
        if (
            place.region
            and place.kind != "state"
            and (s := self.state(place.region, place.country))
        ):
            above.append(s)
        if place.kind != "country" and (c := self.country(place.country)):
            above.append(c)
        return tuple(above)

    def lies_in(self, place: Place, other: Place) -> bool:
        """Whether a place is known to be part of another, or is the same."""
        if place == other:
            return True
        if other.kind == "country":
            return place.country == other.country
        return other.kind == "state" and (place.country, place.region) == (
            other.country,
            other.region,
        )

    def ambiguity(self, name: str) -> float:
        """How likely the string is a word or a person instead: 1 for "nice", 0 for "toronto"."""
        known = self.standing(name)
        return known[2] if known else 1.0

    def standing(self, name: str) -> tuple[str, int, float] | None:
        """Kind and population of the largest bearer, and the ambiguity, at the price of a glance.

        A text full of places asks this for each of them, and `find` describes every Springfield.
        """
        at = self._list.row(name)
        if at < 0:
            return None
        rows = slice(self._ends[at - 1] if at else 0, self._ends[at])
        every_kind, every_population, every_country, _ = self._columns
        kinds: list[int] = every_kind[rows].tolist()
        people: list[int] = every_population[rows].tolist()
        if LANDMARK in kinds:  # nobody lives there
            people = [n if kind != LANDMARK else 0 for n, kind in zip(people, kinds, strict=True)]
        most = people.index(max(people))
        largest = KINDS[kinds[most] & ~CAPITAL], people[most]
        if len(name.split()) > 1:
            return (*largest, 0.0)
        ordinary, bearers = self._names.standing(name)
        codes = [self._country_code[row] for row in every_country[rows].tolist()]
        mentions = sum(
            number * _mention_rate(code, capital=bool(kind & CAPITAL))
            for kind, number, code in zip(kinds, people, codes, strict=True)
        )
        return (*largest, ordinary + (1 - ordinary) * bearers / max(bearers + mentions, 1))

    def known(self, hashes: Hashes) -> npt.NDArray[np.bool_]:
        """Whether each word hash is, alone, the name of a place."""
        return self._list.rows(hashes) >= 0

    def spans(self, tokens: Sequence[str]) -> list[tuple[int, int]]:
        """Find the places in a text as half-open token ranges, the longest name first."""
        return [(span.start, span.end) for span in self._list.spans(tokens)]

    def spans_from(
        self, phrases: Phrases, start: Positions, alone: npt.NDArray[np.bool_]
    ) -> list[tuple[int, int]]:
        """The same for words hashed before, looking only where a name may begin, or stand alone."""
        return [(first, last) for first, last, _ in self._list.apart(phrases, start, alone)]

    def _place(self, row: int, name: str) -> Place:
        kinds, people, countries, regions = self._columns
        kind = kinds[row]
        if kind == LANDMARK:
            return Place("landmark", name, 0)
        return Place(
            KINDS[kind & 127],
            name,
            people[row],
            self._country_code[countries[row]],
            self._region_code[regions[row]],
            bool(kind & CAPITAL),
        )

    def _state(self, row: int) -> Place:
        country = self._country_code[self._file["region.country"][row]]
        people = int(self._file["region.population"][row])
        return Place("state", self._region_name[row], people, country, self._region_code[row])


def _mention_rate(country: str, *, capital: bool) -> float:
    if country in HOME:
        return MENTIONS_HOME
    return MENTIONS_CAPITAL if capital else MENTIONS_AWAY


@functools.cache
def load_places(folder: Path | None = None) -> Places:
    # one set of names for all: to the cache, no folder and None are two
    return Places(load("places", folder), load_names(folder) if folder else load_names())
