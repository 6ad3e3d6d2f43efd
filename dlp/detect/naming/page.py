"""A stretch of text with everything known of its words, ready for the finders of names and places.

In: text.  Out: Page: lists over its words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from dlp.detect.naming.known_words import KnownWords
from dlp.detect.naming.lexicon import PLACE_CUE, Lexicon, load_lexicon
from dlp.detect.naming.tokens import (
    ALL_CAPS,
    CAPITAL,
    NUMBER,
    PART,
    POSSESSIVE,
    SINGLE,
    Tokens,
    tokenise,
)
from dlp.knowledge.arrays import nonzero
from dlp.knowledge.hashing import NO_BORDERS, Positions
from dlp.knowledge.names import Names, load_names
from dlp.text.fold import Folded, fold

STRETCH = 1 << 18  # characters read at a time: a 50 MB note stays within memory
PLAIN, LOW, CAPS = 0, 1, 2  # how a line is written
LOUD = 0.8  # share of a line's words in capitals that makes the line shout
FEW = 1  # words in capitals that a line needs to be called loud
Flags = npt.NDArray[np.bool_]

# Words of a line, those of them in capitals, those that begin with one: three counts in one number.
LINE_SHIFTS = (0, 17, 34)
MOST_OF_A_LINE = (1 << 17) - 1  # words of two letters or more in a stretch
COUNTED = np.zeros(64)
for shape in range(64):
    if not shape & (NUMBER | SINGLE):
        begun = shape & CAPITAL and not shape & ALL_CAPS
        COUNTED[shape] = 1 + (bool(shape & ALL_CAPS) << 17) + (bool(begun) << 34)


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
        if self.folded.positions is not None:
            start, end = self.folded.original(start, end)
        return start + self.offset, end + self.offset

    def may_begin(self) -> Flags:
        """Words where a listed name may begin: capitalised, or written low behind "in" or "at"."""
        cued = np.zeros(len(self.words), dtype=np.bool_)
        cued[1:] = ((self.words & PLACE_CUE) != 0)[:-1]
        capital = (self.tokens.shapes & (CAPITAL | NUMBER)) == CAPITAL
        return np.asarray(capital | (cued & (self.modes == LOW)))


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
        page = self._read(folded, offset)
        self._part(page, starts)
        return page

    @staticmethod
    def _part(page: Page, starts: Sequence[int]) -> None:
        """Let no word be tied to the next where a part ends."""
        if len(starts) > 1:
            tokens = page.tokens
            page.borders = tokens.starts.searchsorted(page.folded.places(starts[1:]))
            tokens.gaps[page.borders[page.borders > 0] - 1] = PART

    def _read(self, folded: Folded, offset: int) -> Page:
        tokens = tokenise(folded.text)
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
            folded.text, offset, folded, tokens, words, names, ordinary, modes, asked, NO_BORDERS
        )


def line_modes(tokens: Tokens) -> npt.NDArray[np.uint8]:
    """Whether a word's line is written plainly, without capitals, or in capitals only."""
    if not len(tokens.starts):
        return np.zeros(0, dtype=np.uint8)
    line = tokens.lines - tokens.lines[0]
    counted = np.bincount(line, weights=COUNTED.take(tokens.shapes)).astype(np.int64)
    total, shouted, capitals = (counted >> shift & MOST_OF_A_LINE for shift in LINE_SHIFTS)
    modes = np.where((capitals == 0) & (shouted < total), LOW, PLAIN)
    modes = np.where((shouted >= FEW) & (shouted >= LOUD * total), CAPS, modes)
    return np.asarray(modes.astype(np.uint8).take(line))


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
