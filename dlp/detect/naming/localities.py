"""Find places by the gazetteer and their surroundings.

In: View of a page.  Out: Mentions of places; the evidence tells how many people live there.

A string that is also a word or a person's name needs a preposition, a state or a label beside it.
"""

from __future__ import annotations

import functools
from typing import NamedTuple

from dlp.detect.naming.lexicon import (
    INSTITUTION,
    NEVER,
    PLACE_CUE,
    STREET,
    THING,
    Lexicon,
    load_lexicon,
    longest_cues,
)
from dlp.detect.naming.mention import Mention
from dlp.detect.naming.page import CAPS, LOW
from dlp.detect.naming.page import PLAIN as WRITTEN
from dlp.detect.naming.runs import View
from dlp.detect.naming.surroundings import is_origin
from dlp.detect.naming.tokens import (
    ALL_CAPS,
    CAPITAL,
    COLON,
    COMMA,
    DOT,
    HYPHEN,
    NUMBER,
    SPACE,
)
from dlp.knowledge.people import load_people
from dlp.knowledge.places import Places, load_places
from dlp.model import Kind

CLEAR = 0.3  # of ambiguity: a place without further evidence
PLAIN = 0.75  # a place when a preposition stands before it
WIDE = frozenset({"country", "state"})  # too wide to narrow a person down by themselves
STATE_LETTERS = 2
SAINTS = frozenset({"st", "mt", "ft", "ste"})
WIDE_CONFIDENCE = 0.4
# Words that say where somebody is at home: what stands behind them is a place, whatever else the
# string may be. Short forms of countries are no abbreviations of medicine.
AT_HOME = frozenset([
    "lives in", "live in", "living in", "lived in", "resides in", "residing in", "resident of",
    "moved to", "moved from", "native of", "born in", "raised in", "hails from", "comes from",
    "came from", "home in", "retired to", "grew up in", "lives near", "living near",
])  # fmt: skip
COUNTRY_LETTERS = frozenset(["UK", "USA", "UAE"])
MANY = 1 << 16


class Known(NamedTuple):
    """What the gazetteer knows of a name: its largest bearer, and how ambiguous the name is."""

    kind: str
    population: int
    ambiguity: float


class PlaceFinder:
    def __init__(self, places: Places | None = None, lexicon: Lexicon | None = None) -> None:
        self._places = places or load_places()
        self._lexicon = lexicon or load_lexicon()
        labels = load_people().labels
        self._labels = frozenset(
            word for word, known in labels.items() if known.group in {"city", "state"}
        )
        self._longest_cue = longest_cues(self._lexicon.places, last=True)
        self.known = functools.lru_cache(maxsize=MANY)(self._known)
        self._is_state = functools.lru_cache(maxsize=4096)(self._state)

    def find(self, view: View, part: int) -> list[Mention]:
        # the page has asked of most words whether they are a place by themselves
        spans = self._places.spans_from(view.phrases, view.begins, view.alone)
        return [m for first, last in spans if (m := self._judge(view, first, last, part))]

    def _judge(self, view: View, first: int, last: int, part: int) -> Mention | None:
        # "San Antonio, Texas" is listed without its comma too: what stands before it is the town
        last = next((at + 1 for at in range(first, last - 1) if view.gaps[at] == COMMA), last)
        single = last - first == 1
        if not one_name(view, first, last) or (single and view.words[first] & (NEVER | STREET)):
            return None
        letters = single and view.shapes[first] & ALL_CAPS and view.modes[first] == WRITTEN
        if letters and view.word(first) not in COUNTRY_LETTERS:
            return None  # LIMA and ICA are arteries
        known = self.known(view.phrase(first, last))
        if known is None or (known.ambiguity >= CLEAR and not is_told(view, first, last)):
            return None
        behind = (
            view.words[last] if last < view.count and view.gaps[last - 1] in {SPACE, HYPHEN} else 0
        )
        house = behind & INSTITUTION and view.shapes[last] & CAPITAL
        if (house or behind & (STREET | THING)) and view.modes[first] != LOW:
            return None  # Boston University, Paris Street, London stage
        state = self._state_behind(view, last)
        evidence = self._evidence(view, first, known, with_state=state > last)
        if evidence is None:
            return None
        confidence, why = evidence
        if known.kind in WIDE and state == last:
            confidence = min(confidence, WIDE_CONFIDENCE)
        start, end = view.page.original(view.starts[first], view.ends[state - 1])
        words = (why, known.kind, f"population {known.population}")
        return Mention(Kind.PLACE, part, start, end, confidence, f"place-{known.kind}", words)

    def _evidence(
        self, view: View, first: int, known: Known, *, with_state: bool
    ) -> tuple[float, str] | None:
        low = view.modes[first] == LOW
        if with_state and not low and known.kind != "country":
            return 0.9, "state"
        if first and view.gaps[first - 1] == COLON and self._labelled(view, first):
            return 0.9, "label"
        if known.ambiguity < (CLEAR if low else PLAIN) and self._cued(view, first):
            return 0.85, "preposition"
        if not low and (is_at_home(view, first) or is_origin(view, first)):
            return 0.85, "at home"
        if low or known.ambiguity >= CLEAR:
            return None
        if view.modes[first] == CAPS and known.ambiguity > CLEAR / 2:
            return None
        return 0.7, "gazetteer"

    def _cued(self, view: View, first: int) -> bool:
        """A preposition right before it, or before the place that stands before it."""
        if not first or not view.words[first - 1] & PLACE_CUE:
            return False
        if view.gaps[first - 1] != SPACE:
            return False
        longest = min(self._longest_cue.get(view.phrase(first - 1, first), 0), first)
        for size in range(1, longest + 1):
            if view.phrase(first - size, first) in self._lexicon.places:
                return True
        return False

    def _labelled(self, view: View, first: int) -> bool:
        sizes = range(1, min(3, first) + 1)
        return any(view.phrase(first - size, first) in self._labels for size in sizes)

    def _state_behind(self, view: View, last: int) -> int:
        """Where "City, ST" ends; `last` itself when no state follows."""
        if last >= view.count or view.gaps[last - 1] not in {COMMA, SPACE}:
            return last
        shape = view.shapes[last]
        if not shape & CAPITAL:
            return last
        if shape & ALL_CAPS and view.ends[last] - view.starts[last] == STATE_LETTERS:
            return last + 1 if self._is_state(view.word(last)) else last
        if view.gaps[last - 1] != COMMA:
            return last
        for size in (2, 1):
            if last + size <= view.count and one_name(view, last, last + size):
                known = self.known(view.phrase(last, last + size))
                if known and known.kind in WIDE:
                    return last + size
        return last

    def _state(self, code: str) -> bool:
        return any(self._places.state(code, country) for country in ("US", "CA"))

    def _known(self, name: str) -> Known | None:
        standing = self._places.standing(name)
        return Known(*standing) if standing else None


def is_at_home(view: View, first: int) -> bool:
    """Whether the words before say that somebody lives there."""
    for size in (2, 3):
        gaps = view.gaps[max(0, first - size) : first]
        if len(gaps) == size == gaps.count(SPACE) and view.phrase(first - size, first) in AT_HOME:
            return True
    return False


def is_told(view: View, first: int, last: int) -> bool:
    """Whether a word beside it may tell that a name is a place: a label, a preposition, a state."""
    if first and (view.gaps[first - 1] == COLON or view.words[first - 1] & PLACE_CUE):
        return True
    if last >= view.count or not view.shapes[last] & CAPITAL:
        return False
    return view.gaps[last - 1] in {COMMA, SPACE}


def one_name(view: View, first: int, last: int) -> bool:
    """Whether the gaps inside a listed name are those of one name, its last word capitalised."""
    for at, gap in enumerate(view.gaps[first : last - 1], first):
        if gap == DOT and view.word(at).lower() in SAINTS:
            continue
        if gap not in {SPACE, HYPHEN}:
            return False
    if view.modes[first] == LOW:
        return True
    return bool(view.shapes[last - 1] & (CAPITAL | NUMBER))


@functools.cache
def default_places() -> PlaceFinder:
    return PlaceFinder()
