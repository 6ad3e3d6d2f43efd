"""Which areas the places, addresses and postal codes said of somebody narrow them down to.

In: the texts of places and addresses.  Out: Areas: the readings of each place, and the small
groups (a street, a household, an employer) among which somebody is.

"City, State" is read as a city in that state. A name that several places bear means the largest,
and in company of a state or country also the largest in it; the smallest crowd counts, so a
further place never makes the crowd larger.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from dlp.knowledge.name_frequencies import Share
from dlp.knowledge.places import Place, Places

WIDE = frozenset({"state", "country"})
STATES = ("US", "CA", "AU", "GB")
ZIP = re.compile(r"\b(\d{5})(?:-(\d{4}))?\b")
CANADIAN = re.compile(r"(?i)\b([A-CEGHJ-NPR-TVXY]\d[A-Z])[ -]?(\d[A-Z]\d)\b")
BRITISH = re.compile(r"\b[A-PR-UWYZ][A-HK-Y]?\d[A-Z\d]? ?\d[A-Z]{2}\b")
DUTCH = re.compile(r"\b[1-9]\d{3} ?[A-Z]{2}\b")
OTHER_CODE = re.compile(r"\b\d{4,6}\b")
STATE_TAIL = re.compile(r"^(.*?)[\s,]+([A-Z]{2,3})\.?$")
HOUSE = re.compile(r"^\s*\d|\d\s*$|(?i:\b(?:p\.?\s?o\.?\s?box|apt|unit|suite|flat)\b)")
FURTHER_CITY = 0.3  # of the people of one town, those who have to do with another one as well
MOST_FURTHER = 3
CERTAINTY = 0.95  # a further place leaves less doubt which one is meant
# People in an area nobody counted, by what is known of it: middle, least, most.
UNKNOWN_PLACE = Share(100_000, 5_000, 2_000_000)
CODE_AREA = Share(10_000, 1_000, 60_000)  # five digits outside the US: 83 million in 8,200
BRITISH_DISTRICT = 25_000
LETTER_CARRIER = Share(40, 10, 150)  # one full code: 37 million Canadians in 892,000 codes
RURAL_CODE = Share(900, 100, 5_000)
FOUR_MORE = Share(30, 5, 200)  # the last digits of a nine-digit ZIP code: one side of a street
HOUSEHOLD = Share(2.5, 1, 6)  # US Census: 2.5 people a household
STREET = Share(3_000, 100, 60_000)


class Reading(NamedTuple):
    """One way to read what is said: an area, and how far its count may be off."""

    place: Place
    low: float
    high: float


class Areas(NamedTuple):
    """All readings of the places, and the sizes of the small groups."""

    readings: tuple[Reading, ...]
    groups: tuple[tuple[Share, str], ...] = ()
    factor: float = 1.0  # for places beyond the first
    factor_words: str = ""


class Named(NamedTuple):
    """A place as the text has it, with the state or country that stands behind it."""

    name: str
    own: tuple[Place, ...] = ()


class Whereabouts:
    def __init__(self, places: Places) -> None:
        self._places = places
        self._find = functools.lru_cache(maxsize=8192)(self._inhabited)
        self.of = functools.lru_cache(maxsize=4096)(self._areas)

    def _areas(self, places: tuple[str, ...], addresses: tuple[tuple[str, str], ...]) -> Areas:
        """Of places by their texts, and of addresses by rule and text."""
        named: list[Named] = []
        codes: list[Reading] = []
        groups: list[tuple[Share, str]] = []
        for text in places:
            named += self._named(text, codes, groups)
        for rule, text in addresses:
            named += self._of_address(rule, text, codes, groups)
        named = list(dict.fromkeys(named))
        wide = tuple({w for one in named for w in self._wide(one.name)})
        readings = [*codes]
        towns: set[Place] = set()
        for one in named:
            found = list(self._readings(one, wide))
            readings += found
            if found[0].place.kind not in WIDE:
                towns.add(found[0].place)
        more = len({one.name for one in named} | {one.place.name for one in codes}) - 1
        further = min(max(len(towns) - 1, 0), MOST_FURTHER)
        factor = FURTHER_CITY**further * CERTAINTY ** max(more, 0)
        words = "who fit the further places" if more > 0 else ""
        return Areas(tuple(dict.fromkeys(readings)), tuple(dict.fromkeys(groups)), factor, words)

    def _named(
        self, text: str, codes: list[Reading], groups: list[tuple[Share, str]]
    ) -> list[Named]:
        """The places of one text, each with what stands behind it."""
        text = self._take_codes(text, codes, groups)
        pieces = [piece for part in re.split(r"[,;\n()]+", text) if (piece := part.strip(" .-"))]
        named: list[Named] = []
        behind: tuple[Place, ...] = ()
        for piece in reversed(pieces):
            for name in self._split_state(piece):
                named.append(Named(name, behind))
                behind = self._wide(name) or behind
        return named

    def _split_state(self, piece: str) -> Iterator[str]:
        """ "Boston MA" is a town and a state; what stands behind comes first."""
        tail = STATE_TAIL.match(piece)
        if tail and tail.group(1) and self._by_code(tail.group(2)) and not self._find(piece):
            yield tail.group(2)
            yield tail.group(1).strip(" ,")
        else:
            yield piece

    def _of_address(
        self, rule: str, text: str, codes: list[Reading], groups: list[tuple[Share, str]]
    ) -> list[Named]:
        """The area of an address, and whether it is a house, a street or a mere code."""
        if "postal" in rule or "postcode" in rule or rule == "us-state-zip":
            before = len(codes)
            named = [one for one in self._named(text, codes, groups) if self._known(one)]
            if len(codes) == before and not named:
                codes.append(self._estimated(CODE_AREA, "postal code", text))
            return named
        if rule == "street-name":
            groups.append((STREET, "in that street"))
        else:
            groups.append((HOUSEHOLD, "at one street address"))
        pieces = [
            one for one in re.split(r"[,;\n]+", text) if not HOUSE.search(one) or ZIP.search(one)
        ]
        named = self._named(",".join(pieces), codes, groups)
        return [one for one in named if self._known(one)]

    def _take_codes(self, text: str, codes: list[Reading], groups: list[tuple[Share, str]]) -> str:
        """Read the postal codes in a text; what is left are names."""
        if not any(character.isdigit() for character in text):
            return text
        for match in CANADIAN.finditer(text):
            area = self._places.fsa(match.group(1).upper())
            if area is not None:
                codes.append(Reading(area, area.population / 1.5, area.population * 1.5))
                rural = match.group(1)[1] == "0"
                groups.append((RURAL_CODE if rural else LETTER_CARRIER, "with that postal code"))
                return text.replace(match.group(), " ")
        for match in BRITISH.finditer(text):
            place = Place("postcode", match.group().replace(" ", ""), BRITISH_DISTRICT, "GB")
            codes.append(Reading(place, BRITISH_DISTRICT / 5, BRITISH_DISTRICT * 5))
            groups.append((LETTER_CARRIER, "with that postal code"))
            return text.replace(match.group(), " ")
        for match in ZIP.finditer(text):
            area = self._places.zip(match.group(1))
            if area is not None and area.population:
                codes.append(as_reading(area))
            else:
                codes.append(self._estimated(CODE_AREA, "postal code", match.group(1)))
            if match.group(2):
                groups.append((FOUR_MORE, "with that nine-digit ZIP code"))
            return text.replace(match.group(), " ")
        for match in DUTCH.finditer(text):
            codes.append(self._estimated(CODE_AREA, "postcode", match.group(), "NL"))
            groups.append((LETTER_CARRIER, "with that postal code"))
            return text.replace(match.group(), " ")
        return OTHER_CODE.sub(" ", text)

    @staticmethod
    def _estimated(size: Share, kind: str, name: str, country: str = "") -> Reading:
        return Reading(Place(kind, name, int(size.middle), country), size.low, size.high)

    def _readings(self, one: Named, wide: Sequence[Place]) -> Iterator[Reading]:
        """The likeliest place of a name first, then the likeliest in each state or country."""
        found = self._find(one.name) or self._by_code(one.name)
        if not found:
            country = one.own[0].country if one.own else ""
            yield self._estimated(UNKNOWN_PLACE, "place", one.name, country)
            return
        inside = self._inside(found, one.own)
        yield as_reading(max(inside or found, key=people))
        if not inside:
            for place in wide:
                # the town of Colombia in Colombia is not meant by "Colombia"
                if place not in found and (within := self._inside(found, (place,))):
                    yield as_reading(max(within, key=people))

    def _inside(self, found: Iterable[Place], wide: Sequence[Place]) -> list[Place]:
        return [p for p in found if any(p != w and self._places.lies_in(p, w) for w in wide)]

    def _wide(self, name: str) -> tuple[Place, ...]:
        """The states and countries that bear a name."""
        found = self._find(name) or self._by_code(name)
        return tuple(place for place in found if place.kind in WIDE)

    def _known(self, one: Named) -> bool:
        return bool(self._find(one.name) or self._by_code(one.name))

    def _by_code(self, code: str) -> tuple[Place, ...]:
        """A state by its short form: MA, ON, NSW."""
        if not (2 <= len(code) <= 3 and code.isascii() and code.isupper()):
            return ()
        found = (self._places.state(code, country) for country in STATES)
        return tuple(place for place in found if place is not None)[:1]

    def _inhabited(self, name: str) -> tuple[Place, ...]:
        return tuple(place for place in self._places.find(name) if place.population > 0)


def state_of(areas: Areas) -> str:
    """The state or country of the narrowest place that lies in one: "US-OH", "DE", or nothing."""
    known = [one.place for one in areas.readings if one.place.country]
    narrow = sorted(known, key=lambda place: (not place.region, place.population))
    return "-".join(filter(None, (narrow[0].country, narrow[0].region))) if narrow else ""


def people(place: Place) -> int:
    return place.population


def as_reading(place: Place) -> Reading:
    return Reading(place, place.population / 1.2, place.population * 1.2)
