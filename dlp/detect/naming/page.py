"""A stretch of text with everything known of its words, ready for the finders of names and places.

In: text.  Out: Page: lists over its words, and which of them can belong to a name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from dlp.detect.fold import Folded, fold
from dlp.detect.naming.known_words import MOSTLY_FIRST, KnownWords
from dlp.detect.naming.lexicon import (
    AFTER,
    BEFORE,
    INSTITUTION,
    LEADS,
    NEVER,
    PLACE_CUE,
    STREET,
    THING,
    TITLE,
    UNIT,
    Lexicon,
    load_lexicon,
)
from dlp.detect.naming.tokens import (
    ALL_CAPS,
    CAPITAL,
    COLON,
    DOT,
    HYPHEN,
    NUMBER,
    PART,
    POSSESSIVE,
    SINGLE,
    SPACE,
    Tokens,
    tokenise,
)
from dlp.knowledge.arrays import nonzero
from dlp.knowledge.hashing import Positions
from dlp.knowledge.names import FIRST, LAST, PLACE, WORD, Names, load_names

STRETCH = 1 << 18  # characters read at a time: a 50 MB note stays within memory
PLAIN, LOW, CAPS = 0, 1, 2  # how a line is written
SURE_LOW = 0.25  # a name without a capital must hardly ever be an ordinary word
LIKELY_LOW = 0.6  # beside a sure one
LAST_BEHIND = 0.92  # right behind a sure first name: Brown, White, Doe; "said" and "may" are above
SURE_CAPS = 0.45
LOUD = 0.8  # share of a line's words in capitals that makes the line shout
SHORT = 3  # letters
FEW = 1  # words in capitals that a line needs to be called loud
Flags = npt.NDArray[np.bool_]


@dataclass(slots=True)
class Page:
    text: str = field(repr=False)  # folded
    offset: int  # where it begins in the part
    folded: Folded = field(repr=False)
    tokens: Tokens = field(repr=False)
    words: npt.NDArray[np.uint16] = field(repr=False)  # what the lexicon says of each word
    names: npt.NDArray[np.uint8] = field(repr=False)  # FIRST, LAST, WORD, PLACE of asked words
    ordinary: npt.NDArray[np.float64] = field(repr=False)
    modes: npt.NDArray[np.uint8] = field(repr=False)
    asked: Flags = field(repr=False)  # words that were looked up as names
    borders: Positions = field(repr=False)  # words that begin another part

    def original(self, start: int, end: int) -> tuple[int, int]:
        start, end = self.folded.original(start, end)
        return start + self.offset, end + self.offset

    def may_begin(self) -> Flags:
        """Words where a listed name may begin: capitalised, or written low behind "in" or "at"."""
        cued = np.zeros(len(self.words), dtype=np.bool_)
        cued[1:] = ((self.words & PLACE_CUE) != 0)[:-1]
        capital = (self.tokens.shapes & (CAPITAL | NUMBER)) == CAPITAL
        return np.asarray(capital | (cued & (self.modes == LOW)))

    def can_be_name(self) -> Flags:
        """Words that could be part of a person's name, by their letters and the dictionaries."""
        shapes, words, tokens = self.tokens.shapes, self.words, self.tokens
        known = (self.names & (FIRST | LAST)) != 0
        strange = (self.names & WORD) == 0
        single = (shapes & SINGLE) != 0
        initial = single & (tokens.gaps == DOT)  # "I." and "A." are letters of a name
        name = ((shapes & CAPITAL) != 0) & (known | strange) & ~single & ((words & NEVER) == 0)
        between = single & (tokens.gaps == SPACE) & ((shapes & CAPITAL) != 0)
        between[1:-1] &= (name[:-2] & (tokens.gaps[:-2] == SPACE)) & name[2:]
        between[:1] = between[-1:] = False
        initial |= between
        fit = self.asked & ((shapes & NUMBER) == 0) & (((words & (NEVER | UNIT)) == 0) | initial)
        plain = (known | strange | single) & ((shapes & CAPITAL) != 0)
        led = self._led() | self._expected()
        capital = (shapes & CAPITAL) != 0
        low = self._low(known, strange, led)
        caps = single | (known & (self.ordinary < SURE_CAPS)) | (strange & ~known)
        caps |= self._behind_given(known & (self.ordinary < SURE_LOW) & ~single)
        fit &= np.choose(self.modes, (plain | (led & capital), low, caps | led))
        following = np.zeros(len(fit), dtype=np.bool_)
        joined = (tokens.gaps == SPACE) | (tokens.gaps == DOT)
        following[:-1] = fit[1:] & joined[:-1]
        titles: Flags = ((words & TITLE) != 0) & following
        # MD, RN, HTN: short words in capitals on a plain line are signs of something else
        short = ((shapes & ALL_CAPS) != 0) & (tokens.ends - tokens.starts <= SHORT)
        signs: Flags = short & (self.modes == PLAIN)
        return np.asarray(fit & ~titles & ~signs)

    def _expected(self) -> Flags:
        """Whatever is written with a capital behind a clear first name: its last name."""
        tokens = self.tokens
        given = self.asked & ((self.names & MOSTLY_FIRST) != 0) & (self.ordinary < SURE_LOW)
        given &= (tokens.gaps == SPACE) & ((tokens.shapes & (POSSESSIVE | ALL_CAPS)) == 0)
        behind = np.zeros(len(given), dtype=np.bool_)
        behind[1:] = given[:-1]
        house = (self.words & (INSTITUTION | THING | STREET | BEFORE | AFTER)) != 0
        capital = (tokens.shapes & (CAPITAL | ALL_CAPS)) == CAPITAL
        return np.asarray(behind & ~house & capital)

    def _low(self, known: Flags, strange: Flags, led: Flags) -> Flags:
        """Without capitals: clear names, and what English does not know behind one of them."""
        tokens, words = self.tokens, self.words
        single: Flags = (tokens.shapes & SINGLE) != 0
        clear = known & (self.ordinary < SURE_LOW) & ~single
        given = clear & ((self.names & MOSTLY_FIRST) != 0) & (tokens.gaps == SPACE)
        initial = single & (tokens.gaps == DOT)
        initial |= single & (tokens.gaps == SPACE) & ahead(clear)
        initial |= self._dotted(single, given)
        asked = led & ahead((self.names & LAST) != 0)  # "dr. a. hale"
        initial[1:] &= (given | led)[:-1] | asked[1:]
        # "ella finch", "tom baker": one of the two is clear, the other a name more often than not
        likely = known & (self.ordinary < LIKELY_LOW) & ~single
        first = likely & ((self.names & MOSTLY_FIRST) != 0) & (tokens.gaps == SPACE)
        last = likely & ((self.names & LAST) != 0)
        paired = first & ahead(clear & last)
        paired[1:] |= last[1:] & given[:-1]
        paired |= self._behind_given(clear)
        paired[1:] |= last[1:] & (initial & led)[:-1]
        before = ((words & BEFORE) != 0) & (tokens.gaps == SPACE)
        near = led.copy()
        near[1:] |= (before | given | initial)[:-1]
        return np.asarray(clear | paired | initial | (strange & near & ~single))

    def _behind_given(self, clear: Flags) -> Flags:
        """Last names that are words too, right behind a clear first name, in any case."""
        given = clear & ((self.names & MOSTLY_FIRST) != 0) & (self.tokens.gaps == SPACE)
        given &= ((self.tokens.shapes & POSSESSIVE) == 0) & ((self.names & PLACE) == 0)
        behind = ((self.names & LAST) != 0) & (self.ordinary < LAST_BEHIND)
        behind &= self.tokens.ends - self.tokens.starts >= SHORT
        behind[1:] &= given[:-1]
        behind[:1] = False
        return np.asarray(behind & ((self.words & (INSTITUTION | STREET)) == 0))

    def _dotted(self, single: Flags, given: Flags) -> Flags:
        """Initials behind a first name whose full stop another sign follows: "ada h., seen"."""
        places = nonzero(single[1:] & given[:-1]) + 1
        ends = self.tokens.ends
        dots = [at for at in places.tolist() if self.text[ends[at] : ends[at] + 1] == "."]
        found = np.zeros(len(single), dtype=np.bool_)
        found[dots] = True
        return found

    def _led(self) -> Flags:
        """Words right behind a title, a form's label or "my name is": any may be a name."""
        tokens, words = self.tokens, self.words
        led = np.zeros(len(words), dtype=np.bool_)
        titled = ((words & TITLE) != 0) & ((tokens.gaps == SPACE) | (tokens.gaps == DOT))
        labelled = ((words & BEFORE) != 0) & (tokens.gaps == COLON)
        named = ((words & LEADS) != 0) & (tokens.gaps == SPACE)
        led[1:] = (titled | labelled | named)[:-1]
        glued = (tokens.gaps == SPACE) | (tokens.gaps == HYPHEN)
        glued |= (tokens.gaps == DOT) & ((tokens.shapes & SINGLE) != 0)
        for _ in range(2):
            led[1:] |= (led & glued)[:-1]
        return led


def ahead(flags: Flags) -> Flags:
    """What is so of the next word."""
    moved = np.zeros(len(flags), dtype=np.bool_)
    moved[:-1] = flags[1:]
    return moved


class PageReader:
    def __init__(self, names: Names | None = None, lexicon: Lexicon | None = None) -> None:
        self._known = KnownWords(names or load_names())
        self._lexicon = lexicon or load_lexicon()

    def pages(self, text: str) -> Iterator[Page]:
        for start, end in stretches(text):
            yield self.read(text[start:end], start)

    def read(self, text: str, offset: int = 0, starts: Sequence[int] = ()) -> Page:
        """A stretch, or several small parts that begin at `starts`."""
        folded = fold(text)
        tokens = tokenise(folded.text)
        borders = np.searchsorted(tokens.starts, folded.places(starts[1:]))
        tokens.gaps[borders[borders > 0] - 1] = PART
        words = self._lexicon.look_up(tokens.hashes)
        owned = nonzero((tokens.shapes & POSSESSIVE) != 0)
        if len(owned):
            words[owned] |= self._lexicon.look_up(tokens.whole[owned])
        modes = line_modes(tokens)
        asked = ((tokens.shapes & CAPITAL) != 0) | (modes == LOW)
        asked &= (tokens.shapes & NUMBER) == 0
        names = np.zeros(len(tokens.starts), dtype=np.uint8)
        ordinary = np.ones(len(tokens.starts))
        names[asked], ordinary[asked] = self._known.look_up(tokens.hashes[asked])
        return Page(
            folded.text, offset, folded, tokens, words, names, ordinary, modes, asked, borders
        )


def line_modes(tokens: Tokens) -> npt.NDArray[np.uint8]:
    """Whether a word's line is written plainly, without capitals, or in capitals only."""
    if not len(tokens.starts):
        return np.zeros(0, dtype=np.uint8)
    line = tokens.lines - tokens.lines[0]
    size = int(line[-1]) + 1
    wordy = (tokens.shapes & (NUMBER | SINGLE)) == 0
    loud = (tokens.shapes & ALL_CAPS) != 0
    capital = ((tokens.shapes & CAPITAL) != 0) & ~loud & wordy
    total = np.bincount(line, weights=wordy, minlength=size)
    shouted = np.bincount(line, weights=loud & wordy, minlength=size)
    capitals = np.bincount(line, weights=capital, minlength=size)
    modes = np.where((capitals == 0) & (shouted < total), LOW, PLAIN)
    modes = np.where((shouted >= FEW) & (shouted >= LOUD * total), CAPS, modes)
    return np.asarray(modes[line], dtype=np.uint8)


def stretches(text: str) -> Iterator[tuple[int, int]]:
    """Cut at a line's end where there is one, so that no name is cut."""
    start = 0
    while start < len(text):
        end = min(len(text), start + STRETCH)
        if end < len(text):
            gap = text.rfind("\n", start + STRETCH // 2, end)
            gap = text.rfind(" ", end - 256, end) if gap < 0 else gap
            end = gap + 1 if gap > start else end
        yield start, end
        start = end
