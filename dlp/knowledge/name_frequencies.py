"""How common a name is in a country, with a lower and an upper plausible share.

In: rules/names.toml, the US counts of dlp/knowledge/names.py.  Out: Share by name and country.

A country's own figures win, and a count has a narrower interval than an estimate; English-speaking
countries take the US share; elsewhere the US share is scaled down and the interval is wide. An
initial stands for every name that begins with it.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from dlp.errors import KnowledgeError
from dlp.knowledge.hashing import fold_word
from dlp.knowledge.names import Names, load_names
from dlp.knowledge.places import Places, load_places
from dlp.prepared import read_table
from dlp.resources import rules_folder

FILE = "names.toml"
COUNTED = 1.1  # the US Census misses few, and names shift little in a few years
INITIAL = 1.5  # by which the share of an initial may differ from the US one
HOME, REST = "US", ""  # the country that is counted, and every country without figures
FIRST, LAST = "first", "last"
# Bearers of a double name among those of its rarer half; estimates.
DOUBLE = {FIRST: 0.2, LAST: 0.05}
PIECES = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
# Words of a name that are shared by too many to tell: "van der Berg" is looked up as "berg".
PARTICLES = frozenset([
    "de", "la", "del", "der", "den", "van", "von", "da", "do", "dos", "di", "el", "al", "bin",
    "ibn", "ben", "le", "les", "st", "mc",
])  # fmt: skip


class Share(NamedTuple):
    """A share of people, and the range in which it plausibly lies."""

    middle: float
    low: float
    high: float

    @classmethod
    def around(cls, middle: float, spread: float, most: float = 1.0) -> Share:
        return cls(min(middle, most), middle / spread, min(middle * spread, most))


EVERYBODY = Share(1.0, 1.0, 1.0)


class Country(NamedTuple):
    """A country's own figures: of each name its share, and the factor by which it may be wrong."""

    first: Mapping[str, tuple[float, float]]
    last: Mapping[str, tuple[float, float]]

    @classmethod
    def read(cls, entry: Mapping[str, Any], spread: Mapping[str, float], *, own: bool) -> Country:
        """A count is as good as one only in its own country, and where its source is named."""
        counted = "counted" if own and entry.get("source") else "estimated"
        spreads = {"estimated_": spread["estimated"], "": spread[counted]}
        read = [
            {
                name: (share, wrong)
                for kind, wrong in spreads.items()
                for name, share in entry.get(f"{kind}{which}", {}).items()
            }
            for which in (FIRST, LAST)
        ]
        return cls(*read)


class Bearers:
    """Shares of first and last names by country; `parts` splits the world for those in none."""

    def __init__(self, names: Names, places: Places, table: Mapping[str, Any]) -> None:
        self._names = names
        self._initials: dict[str, dict[str, float]] = table["initials"]
        self._elsewhere: dict[str, float] = table["elsewhere"]
        self._english = frozenset(table["english"]["countries"])
        self._english_spread = float(table["english"]["spread"])
        self._known: dict[str, Country] = {}
        for code, entry in table["country"].items():
            self._known[code] = Country.read(entry, table["spread"], own=True)
            like = Country.read(entry, table["spread"], own=False)
            self._known |= dict.fromkeys(entry.get("like", ()), like)
        self.parts = self._world(places)
        # countries with the same figures share one reckoning
        alike: dict[tuple[bool, bool, int], str] = {}
        self._like = {
            code: alike.setdefault(
                (code == HOME, code in self._english, id(self._known.get(code))), code
            )
            for code in self.parts
        }
        self.share = functools.lru_cache(maxsize=8192)(self._share)
        self.shares = functools.lru_cache(maxsize=2048)(self._shares)
        self._initial = functools.lru_cache(maxsize=8192)(self._find_initial)
        self._us = functools.lru_cache(maxsize=1024)(self._find_us)
        self._pieces = functools.lru_cache(maxsize=1024)(distinctive_pieces)

    def _world(self, places: Places) -> dict[str, int]:
        """People by what is known of their names: one entry for each country with figures."""
        people: dict[str, int] = {}
        for code in (HOME, *sorted(self._english), *sorted(self._known)):
            country = places.country(code)
            if country is None:
                raise KnowledgeError(f"{code!r} is no country", where=FILE)
            people[code] = country.population
        rest = places.populations["world"] - sum(people.values())
        if rest <= 0:
            raise KnowledgeError("more people in the countries listed than on Earth", where=FILE)
        return {**people, REST: rest}

    def part_of(self, country: str) -> str:
        """The entry of `parts` whose figures hold for a country."""
        return country if country in self.parts else REST

    def _share(self, which: str, name: str, country: str) -> Share:
        """Of the people of a country those who bear a name; 1 where no letter of it is known."""
        shares = [self._of_piece(which, piece, country) for piece in self._pieces(name)]
        if len(shares) < 2:
            return shares[0] if shares else EVERYBODY
        # the two halves of a double name are no independent facts
        rarer = min(shares)
        return Share(rarer.middle * DOUBLE[which], rarer.low * DOUBLE[which] ** 2, rarer.high)

    def _shares(self, which: str, name: str) -> Mapping[str, Share]:
        """The same for every entry of `parts`."""
        shares = {like: self._share(which, name, like) for like in set(self._like.values())}
        return {country: shares[like] for country, like in self._like.items()}

    def _of_piece(self, which: str, piece: str, country: str) -> Share:
        initial = self._initial(which, piece[0], country)
        if len(piece) == 1:
            return Share.around(initial, INITIAL)
        middle, low, high = self._of_name(which, piece, country)
        return Share(min(middle, initial), min(low, initial), min(high, initial))

    def _find_initial(self, which: str, letter: str, country: str) -> float:
        """The share of an initial: at least that of all the country's own names that have it."""
        shares = self._initials[which]
        us = shares.get(letter, min(shares.values()))
        known = self._known.get(country)
        own = (known.first if which == FIRST else known.last) if known else {}
        listed = sum(share for name, (share, _) in own.items() if name.startswith(letter))
        return max(us, min(listed, 1.0))

    def _find_us(self, which: str, name: str) -> float:
        """The share of a name in the US."""
        if which == FIRST:
            first = self._names.first(name)
            return first.share if first else self._names.rare_first_share
        last = self._names.last(name)
        return last.share if last else self._names.rare_last_share

    def _of_name(self, which: str, name: str, country: str) -> Share:
        us = self._us(which, name)
        if country == HOME:
            return Share.around(us, COUNTED)
        if country in self._english:
            return Share.around(us, self._english_spread)
        known = self._known.get(country)
        own = (known.first if which == FIRST else known.last).get(name) if known else None
        if own is not None:
            return Share.around(*own)
        rest = self._elsewhere
        return Share.around(
            max(us * rest[f"of_us_{which}"], rest[f"least_{which}"]), rest["spread"]
        )


def distinctive_pieces(name: str) -> tuple[str, ...]:
    """The words of a name as the lists write them, without particles unless it has no other."""
    pieces = [piece for piece in map(fold_word, PIECES.findall(name)) if piece]
    return tuple([piece for piece in pieces if piece not in PARTICLES] or pieces)


@functools.cache
def load_bearers() -> Bearers:
    return Bearers(load_names(), load_places(), read_table(rules_folder() / FILE))
