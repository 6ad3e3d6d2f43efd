"""Make the tables that the kernel of the first places reads, from how all patterns may begin.

In: the ways in which matches begin.  Out: arrays in which each way has a bit.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from dlp.detect.identify.automaton import DIGIT, HIGH, LETTER
from dlp.detect.identify.beginnings import (
    BEFORE,
    BEHIND,
    LONGEST_RUN,
    LONGEST_SECOND,
    SIGNS,
    Beginning,
    length_from_digit,
)
from dlp.named import NamedTuple

FIRST_LETTERS = re.compile(r"[A-Za-z]+")
MOST_WORDS = 200  # of a way that is looked for by its words: "any two letters" are no words
AHEAD = 64  # bytes behind the first digits in which words of context stand, but for long ways
BEHIND_VALUE = 24  # bytes behind a value in which words count, as prefilter.py has it
PARTS = 3  # numbers of 64 bits that hold a bit for each way
MOST_WAYS = 64 * PARTS
# Rows of `sets`: ways that begin at a byte, whose next word is listed, whose words before the first
# digit are not, that need no digit, that need a word of context, the long ones of these, those that
# begin with a word, those that need a word behind the first digit, and those whose next word behind
# all digits and signs is listed.
BY_BYTE, LISTED, UNSPELT, EVERYWHERE, NEEDY, FAR, SPELT, LATER, DEEP = range(9)
Masks = npt.NDArray[np.uint64]
# A rule, and how it begins or with which words and bytes behind them.
Way = tuple[int, Beginning | dict[str, tuple[int, int]]]


class Tables(NamedTuple):
    """What the kernel reads; the last axis of a mask holds a bit for each way to begin."""

    rules: npt.NDArray[np.int64]  # by the number of the way: whose it is
    reach: npt.NDArray[np.int64]  # bytes from the beginning of a match to its first digit
    sets: Masks  # by row, as named above
    first: Masks  # by byte: the first digit
    second: Masks
    digits: Masks  # ways that begin with a digit: behind a word or not, by byte
    others: Masks  # and with other bytes, where no word says so
    earlier: Masks  # by distance and byte
    classes: npt.NDArray[np.uint8]  # bytes that no way tells apart behind a run of digits
    following: Masks  # by length of a run, distance and class
    signs: npt.NDArray[np.uint8]  # by byte: the number of the sign, or 0
    lengths: Masks  # by length of a run, sign and length of the second run
    classes_twice: npt.NDArray[np.uint8]
    behind_second: Masks  # by sign (twice: one byte and two behind), length of that run and class
    words: Masks  # by number of the word: ways that begin with it
    after: Masks  # those that may have it behind the first digits
    inner: Masks  # and before them, but not first
    later: Masks  # those that need it, or another, behind the first digit
    context: Masks  # those that it may speak for
    next_bytes: Masks  # by number of the word and distance: bytes behind it, one bit each
    # bytes before the first digits and behind them, and behind those of long ways: where context is
    hearing: npt.NDArray[np.int64]
    high: npt.NDArray[np.int64]  # rows of `words` for letters beyond ASCII, behind a word or not


class Drafts:
    """Tables under construction."""

    def __init__(self, ways: Sequence[Way]) -> None:
        self.reach = np.zeros(len(ways), dtype=np.int64)
        self.rules = np.array([rule for rule, _ in ways], dtype=np.int64)
        self.hearing = np.array([0, AHEAD, AHEAD])
        self.sets = masks(9)
        self.first, self.second = masks(256), masks(256)
        self.digits, self.others = masks(2, 256), masks(2, 256)
        self.earlier = masks(BEFORE, 256)
        self.following = masks(LONGEST_RUN, BEHIND, 256)
        self.lengths = masks(LONGEST_RUN, len(SIGNS), LONGEST_SECOND)
        self.behind_second = masks(2 * len(SIGNS), LONGEST_SECOND, 256)
        self.words: dict[str, Word] = {}
        self.high = (Word(), Word())
        for number, (_, one) in enumerate(ways):
            part, bit = divmod(number, 64)
            if isinstance(one, Beginning):
                self._add_figures(one, part, bit)
                self._add_start(one, part, bit)
            else:
                self.sets[EVERYWHERE, part] |= member(bit)
                for word, (first, second) in one.items():
                    known = self._word(word)
                    known.begins.append(number)
                    known.next_bytes = known.next_bytes[0] | first, known.next_bytes[1] | second

    def add_context(self, number: int, pattern: str, phrases: Sequence[str], reach: int) -> None:
        """A phrase may stand wherever its first letters do; one that begins otherwise, anywhere."""
        first = [letters for one in phrases if (letters := FIRST_LETTERS.match(one))]
        length = length_from_digit(pattern)
        if len(first) < len(phrases) or not phrases or length is None:
            return
        for way in np.flatnonzero(self.rules == number).tolist():
            part, bit = divmod(way, 64)
            self.sets[NEEDY, part] |= member(bit)
            ahead = length + BEHIND_VALUE
            if ahead > AHEAD:
                self.sets[FAR, part] |= member(bit)
            self.hearing[2] = max(self.hearing[2], ahead)
            self.hearing[0] = max(self.hearing[0], reach + self.reach[way])
            for letters in first:
                self._word(letters[0].lower()).context.append(way)

    def add_later(self, word: str, way: int) -> None:
        self._word(word).later.append(way)

    def _word(self, word: str) -> Word:
        return self.words.setdefault(word, Word())

    def _add_figures(self, one: Beginning, part: int, bit: int) -> None:
        for run, sets in enumerate(one.behind):
            for distance, bits in enumerate(sets):
                self.following[run, distance, :, part] |= spread(bits, bit)
        for distance, bits in enumerate(one.earlier):
            self.earlier[distance, :, part] |= spread(bits, bit)
        self.first[:, part] |= spread(one.at, bit)
        self.second[:, part] |= spread(one.second, bit)
        together: dict[tuple[int, int], int] = {}
        for (run, sign, second), both in one.twice.items():
            place = SIGNS.index(sign)
            self.lengths[run - 1, place, second - 1, part] |= member(bit)
            for row, some in zip((place, len(SIGNS) + place), both, strict=True):
                together[row, second - 1] = together.get((row, second - 1), 0) | some
        for (row, column), some in together.items():
            self.behind_second[row, column, :, part] |= spread(some, bit)

    def _add_start(self, one: Beginning, part: int, bit: int) -> None:
        number = 64 * part + bit
        if one.after is not None:
            self.sets[DEEP if one.deep else LISTED, part] |= member(bit)
            for word in one.after:
                self._word(word).after.append(number)
        both = one.starts[0] | one.starts[1]
        spelt = len(one.words or ()) <= MOST_WORDS and not both & ~(DIGIT | LETTER | HIGH)
        spelt = spelt and one.words is not None
        for in_word, bits in enumerate(one.starts):
            self.digits[in_word, :, part] |= spread(bits & DIGIT, bit)
            if not spelt:
                self.others[in_word, :, part] |= spread(bits & ~DIGIT, bit)
            elif bits & HIGH:
                self.high[in_word].begins.append(number)
        if both & ~DIGIT:
            self.sets[SPELT if spelt else BY_BYTE, part] |= member(bit)
        # words are counted in characters, bytes one by one
        self.reach[number] = 4 * one.before if one.wide and not spelt else one.before
        if one.inner is None:
            self.sets[UNSPELT, part] |= member(bit)
        if spelt:
            for word in one.words or ():
                self._word(word).begins.append(number)
            for word in one.inner or ():
                self._word(word).inner.append(number)

    def tables(self) -> Tables:
        rows = [*self.words.values(), *self.high]
        high = [len(self.words) + one if row.begins else -1 for one, row in enumerate(self.high)]
        signs = np.zeros(256, dtype=np.uint8)
        signs[list(SIGNS)] = range(1, len(SIGNS) + 1)
        classes, following = classified(self.following)
        classes_twice, behind_second = classified(self.behind_second)
        next_bytes = b"".join(
            bits.to_bytes(32, "little") for row in rows for bits in row.next_bytes
        )
        words, after, inner, later, context = (
            np.array([mask_of(some) for some in column], dtype=np.uint64)
            for column in zip(*(row.ways() for row in rows), strict=True)
        )
        return Tables(
            rules=self.rules,
            reach=self.reach,
            sets=self.sets,
            first=self.first,
            second=self.second,
            digits=self.digits,
            others=self.others,
            earlier=self.earlier,
            classes=classes,
            following=following,
            signs=signs,
            lengths=self.lengths,
            classes_twice=classes_twice,
            behind_second=behind_second,
            words=words,
            after=after,
            inner=inner,
            later=later,
            context=context,
            next_bytes=np.frombuffer(next_bytes, dtype=np.uint64).reshape(-1, 2, 4),
            hearing=self.hearing,
            high=np.array(high, dtype=np.int64),
        )


class Word:
    """The ways that know a word."""

    __slots__ = ("after", "begins", "context", "inner", "later", "next_bytes")

    def __init__(self) -> None:
        self.begins: list[int] = []
        self.after: list[int] = []
        self.inner: list[int] = []
        self.later: list[int] = []
        self.context: list[int] = []
        self.next_bytes = (0, 0)

    def ways(self) -> tuple[list[int], ...]:
        return self.begins, self.after, self.inner, self.later, self.context


def masks(*shape: int) -> Masks:
    return np.zeros((*shape, PARTS), dtype=np.uint64)


def member(bit: int) -> np.uint64:
    return np.uint64(1 << bit)


def spread(bits: int, bit: int) -> Masks:
    """One bit of a mask for each byte of a set."""
    members = np.unpackbits(
        np.frombuffer(bits.to_bytes(32, "little"), dtype=np.uint8), bitorder="little"
    )
    return members.astype(np.uint64) << np.uint64(bit)


def mask_of(numbers: Sequence[int]) -> list[int]:
    mask = [0] * PARTS
    for number in numbers:
        mask[number // 64] |= 1 << number % 64
    return mask


def classified(wide: Masks) -> tuple[npt.NDArray[np.uint8], Masks]:
    """Bytes, on the axis before the last, that behave alike share a column."""
    columns = np.ascontiguousarray(np.moveaxis(wide, 2, 0)).reshape(256, -1)
    _, chosen, classes = np.unique(columns, axis=0, return_index=True, return_inverse=True)
    return classes.reshape(-1).astype(np.uint8), np.ascontiguousarray(wide[:, :, chosen, :])
