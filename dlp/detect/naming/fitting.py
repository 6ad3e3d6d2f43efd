"""Which words of a page could be part of a person's name, by their letters and the dictionaries.

In: Page.  Out: one flag for each word.
"""

from __future__ import annotations

import functools

import numpy as np
import numpy.typing as npt

from dlp.detect.naming.known_words import MOSTLY_FIRST
from dlp.detect.naming.lexicon import (
    AFTER,
    BEFORE,
    INSTITUTION,
    LEADS,
    NEVER,
    STREET,
    THING,
    TITLE,
    UNIT,
)
from dlp.detect.naming.page import CAPS, LOW, PLAIN, Page
from dlp.detect.naming.tokens import (
    ALL_CAPS,
    CAPITAL,
    COLON,
    DOT,
    HYPHEN,
    NUMBER,
    POSSESSIVE,
    SINGLE,
    SPACE,
)
from dlp.knowledge.arrays import nonzero
from dlp.knowledge.hashing import Hashes, hash_words
from dlp.knowledge.names import FIRST, LAST, PLACE, WORD

CIVIL_TITLES = ("mr", "mrs", "ms", "miss", "mx")
SURE_LOW = 0.25  # a name without a capital must hardly ever be an ordinary word
LIKELY_LOW = 0.6  # beside a sure one
LAST_BEHIND = 0.92  # right behind a sure first name: Brown, White, Doe; "said" and "may" are above
LIKELY_GIVEN = 0.35  # a first name that a word with a capital may follow
SURE_CAPS = 0.45
SHORT = 3  # letters
HOUSE = INSTITUTION | THING | STREET | BEFORE | AFTER
Flags = npt.NDArray[np.bool_]


class Fitting:
    """What is asked of the words of one page more than once, and the answers made of it."""

    def __init__(self, page: Page) -> None:
        self._page = page
        shapes, names, gaps = page.tokens.shapes, page.names, page.tokens.gaps
        self._letters = page.tokens.ends - page.tokens.starts
        self._capital: Flags = (shapes & CAPITAL) != 0
        self._single: Flags = (shapes & SINGLE) != 0
        self._space: Flags = gaps == SPACE
        self._dot: Flags = gaps == DOT
        self._known: Flags = (names & (FIRST | LAST)) != 0
        self._strange: Flags = (names & WORD) == 0
        self._last: Flags = (names & LAST) != 0
        self._sure: Flags = page.ordinary < SURE_LOW
        self._clear = self._known & self._sure & ~self._single
        # a clear first name with a blank behind it
        self._mostly = ((names & MOSTLY_FIRST) != 0) & self._space

    def can_be_name(self) -> Flags:
        page, capital, single = self._page, self._capital, self._single
        shapes, words, modes = page.tokens.shapes, page.words, page.modes
        able = self._known | self._strange
        # "I." and "A." are letters of a name
        initial = (single & self._dot) | self._between(able & capital & ~single)
        initial |= self._last_letter()
        able_here = ((words & (NEVER | UNIT)) == 0) | initial | self._behind_civil_title()
        able_here |= self._last_like_a_word()
        fit = page.asked & ((shapes & NUMBER) == 0) & able_here
        led = self._led() | self._expected()
        written = (able | single | led) & capital
        low, loud = modes == LOW, modes == CAPS
        if low.any() or loud.any():
            behind = self._behind_given()
            np.copyto(written, self._low(led, behind), where=low)
            caps = single | (self._known & (page.ordinary < SURE_CAPS))
            caps |= (self._strange & ~self._known) | behind | led
            np.copyto(written, caps, where=loud)
        fit &= written
        titles = ((words & TITLE) != 0) & ahead(fit) & (self._space | self._dot)
        # MD, RN, HTN: short words in capitals on a plain line are signs of something else
        signs = ((shapes & ALL_CAPS) != 0) & (self._letters <= SHORT) & (modes != CAPS)
        return np.asarray(fit & ~(titles | signs))

    def _last_like_a_word(self) -> Flags:
        """Linh Do: a last name that is a word, with a capital, right behind a first name."""
        page, shapes = self._page, self._page.tokens.shapes
        given: Flags = self._mostly & (page.ordinary < LIKELY_GIVEN) & self._capital
        given &= (shapes & POSSESSIVE) == 0
        if not given.any():
            return given
        behind = after(given) & self._last & self._capital & ~self._single
        behind &= (page.modes == PLAIN) & ((shapes & ALL_CAPS) == 0)
        return np.asarray(behind & ~(ahead(self._capital) & self._space))

    def _last_letter(self) -> Flags:
        """Tanaka Y: a capital letter right behind a clear last name, but for "I" and "A"."""
        behind = self._single & self._capital & after(self._last & self._sure & self._space)
        places = nonzero(behind)
        if len(places):
            behind[places] = ~is_one_of(("i", "a"), self._page.tokens.hashes[places])
        return np.asarray(behind)

    def _behind_civil_title(self) -> Flags:
        """Mrs Day, Mr. Black: last names that are ordinary words, right behind Mr or Mrs."""
        page = self._page
        titled: Flags = ((page.words & TITLE) != 0) & (self._space | self._dot)
        behind = after(titled & self._capital) & self._last & self._capital & ~self._single
        behind &= (page.words & NEVER) != 0
        places = nonzero(behind)
        if len(places):
            behind[places] = is_one_of(CIVIL_TITLES, page.tokens.hashes[places - 1])
        return behind

    def _between(self, name: Flags) -> Flags:
        """Capital letters with a blank on both sides, between two names."""
        between = self._single & self._space & self._capital
        if not between.any():
            return between
        name = name & ((self._page.words & NEVER) == 0)
        between[1:-1] &= (name & self._space)[:-2] & name[2:]
        between[:1] = between[-1:] = False
        return between

    def _expected(self) -> Flags:
        """Whatever is written with a capital behind a clear first name: its last name."""
        page, shapes = self._page, self._page.tokens.shapes
        given: Flags = page.asked & self._mostly & self._sure
        given &= (shapes & (POSSESSIVE | ALL_CAPS)) == 0
        if not given.any():
            return given
        behind = after(given)
        behind &= (page.words & HOUSE) == 0
        return np.asarray(behind & ((shapes & (CAPITAL | ALL_CAPS)) == CAPITAL))

    def _low(self, led: Flags, behind: Flags) -> Flags:
        """Without capitals: clear names, and what English does not know behind one of them."""
        page, single, space = self._page, self._single, self._space
        clear = self._clear & ((self._letters >= SHORT) | led)  # "jt" is short for something
        given = clear & self._mostly
        initial = single & (self._dot | (space & ahead(clear)))
        initial |= self._dotted(given)
        asked = led & ahead(self._last)  # "dr. a. hale"
        initial[1:] &= (given | led)[:-1] | asked[1:]
        # "ella finch", "tom baker": one of the two is clear, the other a name more often than not
        likely = self._known & (page.ordinary < LIKELY_LOW) & ~single
        last = likely & self._last
        paired = likely & self._mostly & ahead(clear & last)
        paired |= last & after(given | (initial & led))
        before = ((page.words & BEFORE) != 0) & space
        near = led | after(before | given | initial)
        # "dr gill", "mr price": last names that are words too, right behind a title
        title = ((page.words & TITLE) != 0) & (space | self._dot)
        certain = np.zeros(len(title), dtype=np.bool_)
        places = nonzero(title)
        if len(places):
            certain[places] = is_one_of(("mr", "mrs"), page.tokens.hashes[places])
        behind_title = after(title) & ((page.ordinary < LAST_BEHIND) | after(certain))
        paired |= behind_title & self._last & ~single & (self._letters >= SHORT)
        return np.asarray(clear | paired | behind | initial | (self._strange & near & ~single))

    def _behind_given(self) -> Flags:
        """Last names that are words too, right behind a clear first name, in any case."""
        page = self._page
        given: Flags = self._clear & self._mostly
        given &= (page.tokens.shapes & POSSESSIVE) == 0
        given &= (page.names & PLACE) == 0
        if not given.any():
            return given
        behind = after(given) & self._last & (page.ordinary < LAST_BEHIND)
        behind &= self._letters >= SHORT
        return np.asarray(behind & ((page.words & (INSTITUTION | STREET)) == 0))

    def _dotted(self, given: Flags) -> Flags:
        """Initials behind a first name whose full stop another sign follows: "ada h., seen"."""
        text, ends = self._page.text, self._page.tokens.ends
        places = nonzero(self._single[1:] & given[:-1]) + 1
        dots = [at for at in places.tolist() if text[ends[at] : ends[at] + 1] == "."]
        found = np.zeros(len(given), dtype=np.bool_)
        found[dots] = True
        return found

    def _led(self) -> Flags:
        """Words right behind a title, a form's label or "my name is": any may be a name."""
        words, gaps = self._page.words, self._page.tokens.gaps
        leading = ((words & TITLE) != 0) & (self._space | self._dot)
        leading |= ((words & BEFORE) != 0) & (gaps == COLON)
        leading |= ((words & LEADS) != 0) & self._space
        led = after(leading)
        if led.any():
            glued = self._space | (gaps == HYPHEN) | (self._dot & self._single)
            for _ in range(2):
                led[1:] |= (led & glued)[:-1]
        return led


def is_one_of(words: tuple[str, ...], hashes: Hashes) -> Flags:
    """Which hashes are those of a few words; numpy's isin takes ten times as long for so few."""
    first, *others = hashes_of(words)
    found: Flags = hashes == first
    for other in others:
        found |= hashes == other
    return found


@functools.cache
def hashes_of(words: tuple[str, ...]) -> tuple[np.uint64, ...]:
    return tuple(hash_words(words))


def ahead(flags: Flags) -> Flags:
    """What is so of the next word."""
    moved = np.zeros(len(flags), dtype=np.bool_)
    moved[:-1] = flags[1:]
    return moved


def after(flags: Flags) -> Flags:
    """What is so of the word before."""
    moved = np.zeros(len(flags), dtype=np.bool_)
    moved[1:] = flags[:-1]
    return moved
