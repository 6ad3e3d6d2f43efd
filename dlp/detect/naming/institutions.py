"""Find hospitals, clinics, schools and companies by their lists and by the words of their names.

In: View of a page.  Out: Mentions of providers and organisations.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import NamedTuple

from dlp.detect.naming.lexicon import INSTITUTION, PARTICLE, PLACE_CUE, STREET, TITLE, VAGUE
from dlp.detect.naming.localities import SAINTS, default_places, one_name
from dlp.detect.naming.mention import Mention
from dlp.detect.naming.overview import marked, shaped
from dlp.detect.naming.page import CAPS, LOW, PLAIN
from dlp.detect.naming.runs import View
from dlp.detect.naming.tokens import (
    ALL_CAPS,
    CAPITAL,
    COMMA,
    DOT,
    HYPHEN,
    NUMBER,
    OTHER,
    POSSESSIVE,
    SPACE,
)
from dlp.knowledge.names import FIRST, LAST, PLACE, WORD
from dlp.knowledge.people import Organisations, load_organisations
from dlp.model import Kind

CARERS = frozenset({"hospital", "clinic", "care_home", "health_body", "pharmacy", "laboratory"})
DULL = frozenset({"insurer", "company"})  # too many customers to narrow anybody down
CONNECTORS = frozenset({"of", "and", "for", "the", "&", "de"})
FIRMS = frozenset({"inc", "llc", "ltd", "corp", "plc", "gmbh", "llp", "pllc"})
LEADING = frozenset(
    {"the", "this", "that", "our", "your", "a", "an", "my", "his", "her", "their", "in", "at", "to"}
    | {"from", "if", "is", "was", "and", "of", "for", "when", "while", "with", "by", "on"}
)
CENTRES = frozenset({"center", "centre", "ctr"})
TOWN_HOUSES = frozenset({"clinic", "hospital", "office"})
CLEAR_TOWN = 0.5
LONGEST = 8
SHORTEST = 3  # AG, PC and SA are more often something else
LISTED, MADE, SAINT = 0.9, 0.88, 0.75  # surer than the town in a name
DULLY = 0.4


class House(NamedTuple):
    """Words first to last (half open) that name a house."""

    first: int
    last: int
    confidence: float
    evidence: tuple[str, ...]


class InstitutionFinder:
    def __init__(self, organisations: Organisations | None = None) -> None:
        self._organisations = organisations or load_organisations()
        self._places = default_places()
        self._institution = functools.lru_cache(maxsize=4096)(self._organisations.institution)

    def find(self, view: View, part: int) -> list[Mention]:
        """Houses by their lists, their words and their saints; what overlaps is one house."""
        houses = [*self._listed(view), *self._made(view), *self._saints(view)]
        return [self._mention(view, house, part) for house in merged(houses)]

    def _listed(self, view: View) -> Iterator[House]:
        for first, last, kind in self._organisations.spans_from(view.phrases, view.begins):
            if one_name(view, first, last) and self._believable(view, first, last):
                dull = kind in DULL
                end = last if dull else rightwards(view, last - 1)
                yield House(first, end, DULLY if dull else LISTED, ("listed", kind))

    @staticmethod
    def _believable(view: View, first: int, last: int) -> bool:
        """A listed name of one ordinary word, or without capitals, needs "at" before it."""
        single = last - first == 1
        cued = (
            first > 0 and bool(view.words[first - 1] & PLACE_CUE) and view.gaps[first - 1] == SPACE
        )
        if view.modes[first] == LOW:
            return cued and not single
        if single and not view.shapes[first] & ALL_CAPS:
            return cued and view.modes[first] == PLAIN
        return True

    def _made(self, view: View) -> Iterator[House]:
        """Names that end in "… Hospital" or begin with "University of …"."""
        done = -1
        for at in marked(view.page, INSTITUTION):
            if not view.shapes[at] & CAPITAL and not belongs_to_town(view, at):
                continue
            if at < done or view.ends[at] - view.starts[at] < SHORTEST:
                continue
            first, last = leftwards(view, at), rightwards(view, at)
            if last == at + 1 and not view.is_english(at):
                last = onwards(view, at)
            if not distinctive(view, first, last) and not visited(view, first, last):
                continue
            kind = self._institution(view.phrase(first, last)) or self._institution(view.word(at))
            if kind is None and view.word(last - 1).lower() in CENTRES:
                kind = "clinic"
            if kind is not None:
                yield House(first, last, MADE, ("institution", kind))
                done = last

    @staticmethod
    def _saints(view: View) -> Iterator[House]:
        """St. Mary's: a house called after a saint, whatever it is."""
        for at in shaped(view.page, POSSESSIVE | CAPITAL):
            if at and view.word(at - 1) in {"St", "Saint"} and view.gaps[at - 1] in {SPACE, DOT}:
                yield House(at - 1, at + 1, SAINT, ("saint", "hospital"))

    def _mention(self, view: View, house: House, part: int) -> Mention:
        last = self._with_town(view, house.last)
        end = view.ends[last - 1] + (2 if view.shapes[last - 1] & POSSESSIVE else 0)
        start, end = view.page.original(view.starts[house.first], end)
        kind = Kind.PROVIDER if house.evidence[-1] in CARERS else Kind.ORGANISATION
        rule = f"{kind.value}-{house.evidence[0]}"
        return Mention(kind, part, start, end, house.confidence, rule, house.evidence)

    def _with_town(self, view: View, last: int) -> int:
        """Mercy Clinic, San Francisco: the town belongs to the house."""
        if last >= view.count or view.gaps[last - 1] != COMMA or not view.shapes[last] & CAPITAL:
            return last
        for size in (2, 1):
            if last + size <= view.count and one_name(view, last, last + size):
                known = self._places.known(view.phrase(last, last + size))
                if known and known.ambiguity < CLEAR_TOWN:
                    return last + size
        return last


def merged(houses: list[House]) -> list[House]:
    """What overlaps is one house, as sure as the surest."""
    apart: list[House] = []
    for house in sorted(houses):
        if apart and house.first < apart[-1].last:
            last = max(house.last, apart[-1].last)
            better = max(house, apart[-1], key=lambda one: one.confidence)
            apart[-1] = better._replace(first=apart[-1].first, last=last)
        else:
            apart.append(house)
    return apart


def belongs_to_town(view: View, at: int) -> bool:
    """Seattle clinic: written low, but behind a place."""
    if not at or not view.names[at - 1] & PLACE or view.names[at - 1] & WORD:
        return False
    if view.modes[at] != PLAIN or view.gaps[at - 1] != SPACE:
        return False
    return view.word(at) in TOWN_HOUSES


def visited(view: View, first: int, last: int) -> bool:
    """Admitted to General Hospital: a bare name, but somebody went there."""
    if last - first < 2 or not first or view.modes[first] != PLAIN:
        return False
    if view.shapes[last - 1] & ALL_CAPS or not view.shapes[first] & CAPITAL:
        return False
    return view.word(first - 1) in {"at", "to"} and view.gaps[first - 1] == SPACE


def leftwards(view: View, at: int) -> int:
    """Where the name that ends here begins: capitalised words and what ties them."""
    first = at
    while first > 0 and at - first < LONGEST and tied(view, first - 1):
        before = first - 1
        if view.shapes[before] & CAPITAL and not view.shapes[before] & NUMBER:
            first = before
        elif (
            view.word(before) in CONNECTORS
            and before > 0
            and tied(view, before - 1)
            and view.shapes[before - 1] & CAPITAL
        ):
            first = before - 1
        else:
            break
    while first < at and view.word(first).lower() in LEADING:
        first += 1
    return first


def tied(view: View, at: int) -> bool:
    """Whether a word and the next belong to one name."""
    gap = view.gaps[at]
    if gap in {SPACE, HYPHEN}:
        return True
    if gap == DOT:
        return view.word(at).lower() in SAINTS
    return gap == OTHER and view.text[view.ends[at] : view.starts[at + 1]].strip() == "&"


def rightwards(view: View, at: int) -> int:
    """Where it ends: "University of Toronto", "Medical Center", "Children's Hospital Boston"."""
    last = at + 1
    while last < view.count and last - at < LONGEST and tied(view, last - 1):
        if view.shapes[last] & CAPITAL and (
            view.words[last] & INSTITUTION
            or view.names[last] & PLACE
            or view.word(last) in {"Health", "Medicine"}
        ):
            last += 1
        elif (
            view.word(last) in {"of", "for"}
            and last + 1 < view.count
            and tied(view, last)
            and view.shapes[last + 1] & CAPITAL
        ):
            last += 2
        else:
            break
    if last < view.count and view.gaps[last - 1] == COMMA and view.word(last).lower() in FIRMS:
        last += 1
    return last


def onwards(view: View, at: int) -> int:
    """Hospital Virgen de la Luz: Romance languages put the kind of house first."""
    last = at + 1
    while last < view.count and last - at < LONGEST and tied(view, last - 1):
        capital = view.shapes[last] & CAPITAL
        fits = not view.words[last] & (STREET | TITLE) if capital else view.words[last] & PARTICLE
        if fits:
            last += 1
        else:
            break
    while last > at + 1 and not view.shapes[last - 1] & CAPITAL:
        last -= 1
    return last


def distinctive(view: View, first: int, last: int) -> bool:
    """Whether some word tells this house from others of its kind."""
    for at in range(first, last):
        word = view.word(at).lower()
        if view.words[at] & (INSTITUTION | VAGUE) or word in CONNECTORS:
            continue
        loud = view.modes[at] == CAPS or view.shapes[last - 1] & ALL_CAPS
        if loud and (view.names[at] & WORD or not view.names[at] & (PLACE | FIRST | LAST)):
            continue  # COURSE IN HOSPITAL
        if view.shapes[at] & CAPITAL:
            return True
    return False


@functools.cache
def default_institutions() -> InstitutionFinder:
    return InstitutionFinder()
