"""Runs of words that may be a name, and what the dictionaries say of them.

In: Page.  Out: runs; how sure the dictionaries are of their words.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from dlp.detect.naming.dialogue import speaker_starts
from dlp.detect.naming.fitting import Fitting
from dlp.detect.naming.known_words import MOSTLY_FIRST
from dlp.detect.naming.lexicon import (
    AFTER,
    BEFORE,
    CREDENTIAL,
    EPONYM,
    INSTITUTION,
    MONTH,
    PARTICLE,
    STREET,
    THING,
    load_lexicon,
)
from dlp.detect.naming.overview import beginnings, english_parts
from dlp.detect.naming.page import PLAIN, Page
from dlp.detect.naming.patterns import DAY, HOUSE
from dlp.detect.naming.surname_first import HARDLY, SURE, is_turned
from dlp.detect.naming.tokens import (
    ALL_CAPS,
    CAPITAL,
    COMMA,
    DOT,
    HYPHEN,
    LINE,
    NUMBER,
    PART,
    POSSESSIVE,
    SINGLE,
    SPACE,
)
from dlp.detect.naming.worth import WIDEST_JOIN, worth_and_joins
from dlp.knowledge.arrays import nonzero
from dlp.knowledge.hashing import Phrases
from dlp.knowledge.names import FIRST, LAST, PLACE, WORD

LONELY = 0.15  # a first name by itself must be clearer still
LONGEST_RUN = 6  # words of one name
SECOND_HALF = 3  # letters
LOUD = ALL_CAPS | SINGLE  # ADA, and the A. between her names
UNLISTED = bytes(bits for bits in range(256) if not bits & (FIRST | LAST))


class Run(NamedTuple):
    """Words first to last (half open) that may be a name."""

    first: int
    last: int


class View:
    """The lists of one page, as what Python is quick to ask: bytes, lists, and views of numbers.

    Few words are asked where they stand or how ordinary they are: no objects are made for the rest.
    """

    def __init__(self, page: Page) -> None:
        tokens = page.tokens
        self.page = page
        self.text = page.text
        self.starts: Sequence[int] = tokens.starts.data
        self.ends: Sequence[int] = tokens.ends.data
        self.gaps = tokens.gaps.tobytes()
        self.shapes = tokens.shapes.tobytes()
        self.words: Sequence[int] = page.words.data
        self.names = page.names.tobytes()
        self.ordinary: Sequence[float] = page.ordinary.data
        self.modes = page.modes.tobytes()
        # where a listed name may begin, and whether it may be a place of one word
        self.begins, self.alone = beginnings(page)
        self.phrases = Phrases(tokens.whole, page.borders)
        self.count = len(self.starts)
        self.speakers = speaker_starts(page.text)
        self._borders = page.borders.tolist()
        self._english = english_parts(page)
        self.english = any(self._english)

    def is_english(self, at: int) -> bool:
        """Whether the part that a word stands in is."""
        return self._english[bisect_right(self._borders, at)]

    def word(self, at: int) -> str:
        return self.text[self.starts[at] : self.ends[at]]

    def phrase(self, first: int, last: int) -> str:
        """Some words as cues are written: low, 's included, one space between."""
        if last - first == 1 and not self.shapes[first] & POSSESSIVE:
            return self.text[self.starts[first] : self.ends[first]].lower()
        words = []
        for at in range(first, last):
            owned = 2 if self.shapes[at] & POSSESSIVE else 0
            words.append(self.text[self.starts[at] : self.ends[at] + owned])
        return " ".join(words).lower()


def runs(view: View, *, every: bool = False) -> list[Run]:
    """Words that hang together; single ones only if they are worth it, or all of them."""
    return [*each_run(view, every=every)]


def each_run(view: View, *, every: bool) -> Iterator[Run]:
    fit = nonzero(Fitting(view.page).can_be_name())
    if (view.page.words & MONTH).any():
        months = nonzero((view.page.words[fit] & MONTH) != 0)
        fit = np.delete(fit, [at for at in months.tolist() if is_month(view, int(fit[at]))])
    worth, joins = worth_and_joins(view.page, fit)
    # three words in four go here, all at once
    kept = nonzero(worth | joins[:-1] | joins[1:] | every)
    places, worthy, onward = fit[kept].tolist(), worth[kept].tobytes(), joins[1:][kept].tobytes()
    place = 0
    while place < len(places):
        begun, first = place, places[place]
        last = first
        while (
            onward[place]
            and last - first < LONGEST_RUN
            and joined(view, first, last, places[place + 1])
        ):
            place += 1
            last = places[place]
        if every or first < last or worthy[begun]:
            yield Run(first, last + 1)
        place += 1


def is_month(view: View, at: int) -> bool:
    """In June, since May, 3 April, June 3, May 2019: no June, May or April of flesh and blood."""
    if not view.words[at] & MONTH:
        return False
    if at and view.gaps[at - 1] in {SPACE, HYPHEN}:
        before = view.word(at - 1).lower()
        if before in load_lexicon().month_before or view.shapes[at - 1] & NUMBER:
            return True
    behind = at + 1
    return behind < view.count and view.gaps[at] == SPACE and is_day(view, behind)


def is_day(view: View, at: int) -> bool:
    """A day or a year, and not the age of June 29 y/o."""
    return DAY.match(view.text[view.starts[at] : view.starts[at] + 16]) is not None


def joined(view: View, first: int, left: int, right: int) -> bool:
    """Whether two words of a name that begins at `first` go on: particles between, right gaps."""
    if view.shapes[left] & POSSESSIVE or view.starts[left] in view.speakers:
        return False
    for at in range(left, right):
        gap = view.gaps[at]
        if gap == DOT:
            if not view.shapes[at] & SINGLE:
                return False
        elif gap == COMMA:
            if at != left or is_whole(view, first, left) or not is_turned(view, left, right):
                return False
            if left > first and begins_full_name(view, right):
                return False
            if left == first and is_list_of_first_names(view, left, right):
                return False
        elif gap not in {SPACE, HYPHEN}:
            return False
        if at > left and not (view.words[at] & PARTICLE or is_second_half(view, left, at)):
            return False
    if (
        view.words[right] & CREDENTIAL
        and view.shapes[right] & ALL_CAPS
        and not view.names[right] & FIRST
    ):
        return False
    return right - left <= WIDEST_JOIN


def is_whole(view: View, first: int, last: int) -> bool:
    """ "Ada Hale, Tom Reid": a first name and another word before the comma are a name by now.

    "Reid, Tom" is as well; two last names ("Hale Reid, Tom") are not.
    """
    if COMMA in view.gaps[first:last]:
        return True
    words = [at for at in range(first, last + 1) if not view.words[at] & PARTICLE]
    given = view.names[first] & MOSTLY_FIRST or view.shapes[first] & SINGLE
    return len(words) > 1 and bool(given) and HYPHEN not in view.gaps[first:last]


def begins_full_name(view: View, at: int) -> bool:
    """ "Dilek Aslan, Lucy Payne": behind the comma another first and last name."""
    while at + 1 < view.count and view.gaps[at] == HYPHEN:  # "Friedrich-Karl Reid"
        at += 1
    last = at + 1
    if last >= view.count or view.gaps[at] != SPACE or not view.shapes[last] & CAPITAL:
        return False
    return bool(view.names[last] & LAST) and not view.names[last] & MOSTLY_FIRST


def is_list_of_first_names(view: View, left: int, right: int) -> bool:
    """ "Bola, Kirsten, Ewan": three words of which each is borne as a first name."""
    last = right + 1
    if last >= view.count or view.gaps[right] != COMMA or not view.shapes[last] & CAPITAL:
        return False
    listed = view.names[left] & MOSTLY_FIRST and view.names[last] & MOSTLY_FIRST
    return bool(listed and view.names[right] & MOSTLY_FIRST)


def is_second_half(view: View, left: int, at: int) -> bool:
    """Eun-ji, Jean-luc: the low half of a first name."""
    beside = at == left + 1 and view.ends[at] - view.starts[at] <= SECOND_HALF
    return beside and view.gaps[left] == HYPHEN and bool(view.names[left] & FIRST)


def worth_a_look(view: View, run: Run) -> bool:
    """Without a word in front that asks for a name, only a known name is."""
    if run.first and view.words[run.first - 1] & BEFORE:
        return True
    if view.names[run.first : run.last].strip(UNLISTED):
        return True
    if run.last - run.first == 1:
        # "Trivomir lives": weighed if what it does is what only people do
        does = run.last < view.count and view.words[run.last] & AFTER
        return bool(does) and view.gaps[run.first] == SPACE and view.is_english(run.first)
    return view.is_english(run.first) or heads_address(view, run)


def heads_address(view: View, run: Run) -> bool:
    """A line of its own above a house number and a street: whoever a letter goes to."""
    first, last = run
    if last >= view.count or view.gaps[last - 1] != LINE or not view.shapes[last] & NUMBER:
        return False
    opens = not first or view.gaps[first - 1] in {LINE, PART}
    return opens and HOUSE.match(view.text[view.starts[last] : view.starts[last] + 16]) is not None


def is_called_after(view: View, at: int) -> bool:
    """Whether the word behind makes what ends here a disease, a device, a street or a house."""
    if at >= view.count or not view.words[at] & (THING | STREET | INSTITUTION):
        return False
    return view.gaps[at - 1] in {SPACE, HYPHEN}


def is_thing(view: View, run: Run) -> bool:
    """Parkinson's disease, Foley catheter, King Edward Ave, Mayo Clinic: called after somebody."""
    last = view.words[run.last - 1]
    if last & (THING | INSTITUTION):
        return True
    if is_called_after(view, run.last) and not is_full_name_before(view, run):
        return True
    return bool(last & STREET) and run.last - run.first > 1 and numbered(view, run.first)


def is_full_name_before(view: View, run: Run) -> bool:
    """ "Ada Hale bed 4", "Tom Reid scan normal": things are called after a last name alone."""
    first, last = run
    owned = view.shapes[last - 1] & POSSESSIVE  # "Ada Hale's care plan"
    capital = view.shapes[last] & CAPITAL  # "Ada Hale hospice, Tuesday" is no house
    house = view.words[last] & (STREET | INSTITUTION if capital else STREET) and not owned
    if house or capital:
        return False
    initialled = last - first == 3 and view.shapes[first + 1] & SINGLE  # "Ada M. Hale"
    if not initialled and (last - first != 2 or view.gaps[first] != SPACE):
        return False
    numbered_thing = last + 1 < view.count and view.shapes[last + 1] & NUMBER  # "bed 4"
    eponym = view.words[first] & EPONYM or (view.words[last - 1] & EPONYM and not numbered_thing)
    called_after = eponym and not (owned and view.words[last] & INSTITUTION)
    if called_after or view.modes[first] != PLAIN:
        return False
    given = view.names[first] & MOSTLY_FIRST and view.ordinary[first] < SURE
    family = view.names[last - 1] & LAST or not view.names[last - 1] & WORD
    return bool(given and family)


def numbered(view: View, at: int) -> bool:
    return at > 0 and bool(view.shapes[at - 1] & NUMBER) and view.gaps[at - 1] == SPACE


def trimmed(view: View, run: Run, *, bold: bool, cued: bool = False) -> Run:
    """Let words that are hardly names fall off both ends; a strong cue keeps the first ones."""
    first, last = run
    if last - first == 1:
        return run if bold or not hardly(view, first) else Run(last, last)
    while first < last and not bold and (off := falls_off(view, first, last)):
        first += off
    while last > first + 2 and view.shapes[last - 1] & ALL_CAPS > view.shapes[last - 2] & LOUD:
        last -= 1  # KEEP OUT behind Ada Hale
    while last > first + 1 and hardly(view, last - 1) and view.gaps[last - 2] != HYPHEN:
        named = bold or cued or not view.names[last - 1] & WORD  # Henry Oglethorpe: also a town
        if last - first == 2 and named and asks_for_last(view, first, bold=bold):
            break  # a first name asks for a last name, whatever word that is
        last -= 1
    return Run(first, last)


def asks_for_last(view: View, first: int, *, bold: bool) -> bool:
    """Patient: Renaud Millstone: a clear first name, one space, a capital in a line of both."""
    if bold:
        return bool(view.names[first] & MOSTLY_FIRST)
    clear = view.names[first] & FIRST and view.ordinary[first] < SURE
    written = view.shapes[first + 1] & CAPITAL and not view.shapes[first + 1] & ALL_CAPS
    beside = view.starts[first + 1] - view.ends[first] == 1
    return bool(clear and written and beside and view.modes[first] == PLAIN)


def falls_off(view: View, first: int, last: int) -> int:
    """How many words before a name are none of it."""
    if hardly(view, first) or leads_in(view, first, last):
        return 1
    return noun_before(view, first, last)


def noun_before(view: View, first: int, last: int) -> int:
    """ "Jugadora Lucía Terrazas", "Prüfling Ernst Lupp", "Appel de Bernard Lupp".

    In other languages than English: a capital word that nobody is called by, and its particles,
    before a first and a last name.
    """
    named = view.names[first] & (FIRST | LAST) and not view.words[first] & BEFORE  # "Sohn"
    if view.is_english(first) or named or view.shapes[first] & SINGLE:
        return 0
    given = first + 1
    while given < last and view.words[given] & PARTICLE and not view.shapes[given] & CAPITAL:
        given += 1
    clear = given < last - 1 and view.names[given] & MOSTLY_FIRST
    return given - first if clear and view.ordinary[given] < SURE else 0


def leads_in(view: View, first: int, last: int) -> bool:
    """Ask Robert Fraser: an ordinary word before a first and a last name."""
    if last - first <= 2 or view.ordinary[first] < HARDLY or view.gaps[first] != SPACE:
        return False
    return bool(view.names[first + 1] & FIRST) and view.ordinary[first + 1] < SURE


def hardly(view: View, at: int) -> bool:
    if view.shapes[at] & SINGLE:
        return False
    return not view.names[at] & (FIRST | LAST) and bool(view.names[at] & (WORD | PLACE))
