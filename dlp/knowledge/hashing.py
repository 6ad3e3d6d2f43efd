"""Words as 64-bit numbers, so that large word lists stay sorted arrays on disk.

In: tokens and phrases.  Out: hashes that ignore case, accents and apostrophes; positions in a list.

    word    h = Σ weight(fold(c)) · P^i     over the characters that count
    phrase  h = (…(h₁ · Q + h₂) · Q …)      over its words, so any white space or hyphen joins them

Lists keep 40 bits of a hash; the builders refuse a list in which two entries share them.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from operator import mul
from typing import Any, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from dlp.knowledge.arrays import cached, nonzero

Hashes = npt.NDArray[np.uint64]
Positions = npt.NDArray[np.int64]
Points = npt.NDArray[np.uint32] | npt.NDArray[np.uint8]  # one code point a character

A = TypeVar("A", bound=np.generic)

APOSTROPHES = "'`\u00b4\u02bc\u2018\u2019"
WORD = re.compile(rf"[^\W_]+(?:[{APOSTROPHES}][^\W_]+)*")
FOLDED_BELOW = 0x2100  # Latin, Greek, Cyrillic, punctuation; what lies beyond is not folded
LONGEST = 4096  # powers repeat after this many characters; no word is that long
P = np.uint64(0x9E3779B97F4A7C15)
Q = np.uint64(0xC2B2AE3D27D4EB4F)
AT_HAND = 1 << 17  # bytes
ALL_BITS = (1 << 64) - 1
SKIPPED = frozenset(APOSTROPHES + "\0\u00ad\u200b\u200c\u200d\u2060")
# Letters that Unicode does not split into a base letter and a mark.
PLAIN = {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "\u0131": "i", "ŧ": "t"}


def code_points(text: str) -> Points:
    """The characters of a text as numbers; plain English needs a quarter of the room."""
    if text.isascii():
        return np.frombuffer(text.encode(), dtype=np.uint8)
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)


def look_up(table: npt.NDArray[A], points: Points) -> npt.NDArray[A]:
    """What a table of FOLDED_BELOW + 1 rows says of each character; its last row is the rest."""
    if points.dtype != np.uint8:
        points = np.minimum(points, FOLDED_BELOW)
    # `take` is twice as quick, until what it makes is too large to be at hand again
    return table.take(points) if table.itemsize * len(points) <= AT_HAND else table[points]


def fold_word(word: str) -> str:
    """Write a word the way the lists do: lower case, no accents, no apostrophes."""
    return "".join(filter(None, map(_fold_character, word)))


def words_of(text: str) -> list[str]:
    return [text] if text.isalnum() else WORD.findall(text)


def hash_words(words: Sequence[str]) -> Hashes:
    """Hash many words at once, about 10 ns a character; a word with no letters gives 0."""
    if not words:
        return np.zeros(0, dtype=np.uint64)
    weights, starts = _weights("\0".join(words) + "\0", words)
    counted = (weights != 0).cumsum()
    lengths = np.diff(starts, append=len(weights))
    before = np.concatenate(([0], counted))[starts]
    place = (counted - 1 - before.repeat(lengths)) % LONGEST
    return np.add.reduceat(weights * _powers()[place], starts)


def hash_word(word: str) -> int:
    """Hash one word as `hash_words` does, thirty times quicker than as an array of one."""
    if word.isascii() and len(word) <= LONGEST:
        weights, powers, skipped = _plain_weights()
        letters = word.encode().translate(None, skipped)
        total: int = sum(map(mul, map(weights.__getitem__, letters), powers))
        return total & ALL_BITS
    total, place = 0, 0
    for character in word:
        if weight := _weight_of(character):
            total += weight * _power_of(place % LONGEST)
            place += 1
    return total & ALL_BITS


def hash_phrase(phrase: str) -> int:
    """Hash a phrase word by word; a single word hashes like itself."""
    total = 0
    for word in words_of(phrase):
        total = (total * int(Q) + hash_word(word)) & ALL_BITS
    return total


def hash_phrases(phrases: Sequence[str]) -> Hashes:
    """Hash a list of phrases of any lengths."""
    split = [words_of(phrase) for phrase in phrases]
    flat = hash_words([word for words in split for word in words])
    out = np.zeros(len(phrases), dtype=np.uint64)
    counts = np.array([len(words) for words in split], dtype=np.int64)
    ends = counts.cumsum()
    for number in range(int(counts.max(initial=0))):
        rows = nonzero(counts > number)
        out[rows] = out[rows] * Q + flat[ends[rows] - counts[rows] + number]
    return out


ROOMY, WIDEST_MAP = 2, 21  # bits a map has beyond its list, four to eight places an entry; 2 MB


class Arrays(Protocol):
    """An artefact, or a dictionary of arrays."""

    def __getitem__(self, key: str, /) -> npt.NDArray[Any]: ...


class HashTable:
    """A sorted list of words as 40 of their 64 bits; `find` tells where a word stands in it.

    Forty bits are five bytes a word, and mistake an unlisted word for a listed one once in four
    million questions for the largest list here. A map of their leading bits answers for seven in
    eight words that are not listed, at a tenth of the price of searching.
    """

    __slots__ = ("_bits", "_high", "_low", "_map", "_shift", "_views")

    def __init__(self, artefact: Arrays, key: str) -> None:
        self._high: npt.NDArray[np.uint32] = artefact[f"{key}.high"]
        self._low: npt.NDArray[np.uint8] = artefact[f"{key}.low"]
        bits = min(max(len(self._high).bit_length() + ROOMY, 8), WIDEST_MAP)
        self._bits = 32 - bits
        self._shift = np.uint64(32 + self._bits)
        self._map = np.zeros(1 << bits, dtype=np.bool_)
        self._map[self._high >> np.uint32(self._bits)] = True
        # one item of these is an object of Python at once, without one of numpy between
        self._views = (self._map.data, self._high.data, self._low.data)

    def __len__(self) -> int:
        return len(self._high)

    @staticmethod
    def pack(key: str, hashes: Hashes) -> tuple[dict[str, npt.NDArray[Any]], Positions]:
        """Return the arrays to store and the order in which the words stand in them."""
        order = np.argsort(hashes, kind="stable")
        kept = hashes[order] >> np.uint64(24)
        high = (kept >> np.uint64(8)).astype(np.uint32)
        if len(kept) and (kept[0] == 0 or np.any(kept[1:] == kept[:-1])):
            raise ValueError("an empty entry, or two entries with the same hash")
        if np.any(high[2:] == high[:-2]):
            raise ValueError("three entries share 32 bits; look-ups try two")
        return {f"{key}.high": high, f"{key}.low": kept.astype(np.uint8)}, order

    def find(self, wanted: Hashes) -> Positions:
        """Where each hash stands, or -1."""
        found = np.full(len(wanted), -1, dtype=np.int64)
        likely = nonzero(self._map.take((wanted >> self._shift).view(np.int64)))
        if not len(likely):
            return found
        wanted = wanted[likely]
        high = (wanted >> np.uint64(32)).astype(np.uint32)
        low = (wanted >> np.uint64(24)).astype(np.uint8)
        at = self._high.searchsorted(high)
        last = len(self._high) - 1
        for place in (np.minimum(at + 1, last), np.minimum(at, last)):
            hit = (self._high[place] == high) & (self._low[place] == low)
            found[likely[hit]] = place[hit]
        return found

    def find_one(self, wanted: int) -> int:
        """The same for one hash, without the price of arrays."""
        high, low = wanted >> 32, wanted >> 24 & 0xFF
        likely, highs, lows = self._views
        if not likely[high >> self._bits]:
            return -1
        at = bisect_left(highs, high)
        for place in range(at, min(at + 2, len(highs))):
            if highs[place] == high and lows[place] == low:
                return place
        return -1


def _weights(text: str, words: Iterable[str]) -> tuple[Hashes, Positions]:
    weights = weights_of(code_points(text))
    lengths = np.fromiter((len(word) + 1 for word in words), dtype=np.int64)
    starts = lengths.cumsum() - lengths
    return weights, starts


def weights_of(codes: Points) -> Hashes:
    weights = look_up(weight_table(), codes)
    if codes.dtype == np.uint8:
        return weights
    beyond = nonzero(codes >= FOLDED_BELOW)
    if len(beyond):
        weights[beyond] = _mix(codes[beyond].astype(np.uint64))
    return weights


@functools.cache
def weight_table() -> Hashes:
    """What each character below FOLDED_BELOW adds to a hash; 0 for those that do not count."""
    codes = cached("folded letters", folded_codes, "knowledge").astype(np.uint64)
    return np.where(codes == 0, np.uint64(0), _mix(codes))


def folded_codes() -> npt.NDArray[np.uint16]:
    """What each of these characters is folded to, or 0; none is folded to one that is not."""
    folded = [_fold_character(chr(code)) for code in range(FOLDED_BELOW)]
    return np.array([ord(c) if c else 0 for c in folded] + [0], dtype=np.uint16)


@functools.lru_cache(maxsize=FOLDED_BELOW)
def _weight_of(character: str) -> int:
    return int(weights_of(np.array([ord(character)], dtype=np.uint32))[0])


@functools.cache
def _plain_weights() -> tuple[list[int], list[int], bytes]:
    """The weights of plain characters, the powers, and the characters that do not count."""
    weights: list[int] = weight_table()[:128].tolist()
    skipped = bytes(code for code, weight in enumerate(weights) if not weight)
    return weights, _powers().tolist(), skipped


@functools.lru_cache(maxsize=LONGEST)
def _power_of(place: int) -> int:
    return int(_powers()[place])


@functools.cache
def _powers() -> Hashes:
    return np.multiply.accumulate(np.full(LONGEST, P, dtype=np.uint64))


@functools.lru_cache(maxsize=FOLDED_BELOW)
def _fold_character(character: str) -> str:
    """One character or none, so that offsets of a folded text can be mapped back."""
    if character in SKIPPED or unicodedata.combining(character):
        return ""
    if ord(character) >= FOLDED_BELOW:
        return character
    if character.isspace():
        return " "
    lower = character.lower()[0]
    return PLAIN.get(lower) or unicodedata.normalize("NFKD", lower)[0].lower()


def _mix(codes: Hashes) -> Hashes:
    """Spread small numbers over 64 bits (the finaliser of splitmix64)."""
    mixed = (codes + np.uint64(1)) * P
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))


NO_BORDERS: Positions = np.zeros(0, dtype=np.int64)


class SpanHashes:
    """Hash any words of one text as `hash_words` would, by sums over its beginning."""

    __slots__ = ("_before", "_points", "_skipped")

    def __init__(self, points: Points) -> None:
        weights = weights_of(points)
        self._points = points
        self._skipped = nonzero(weights == 0)
        weights *= _long_powers(len(points))[0]
        self._before = np.empty(len(points) + 1, dtype=np.uint64)
        self._before[0] = 0
        weights.cumsum(out=self._before[1:])

    def __call__(self, starts: Positions, ends: Positions) -> Hashes:
        backward = _long_powers(len(self._points))[1]
        hashes = self._before.take(ends)
        hashes -= self._before.take(starts)
        hashes *= backward.take(starts)
        if len(self._skipped) and len(starts):
            words = starts.searchsorted(self._skipped, side="right") - 1
            inside = nonzero((words >= 0) & (self._skipped < ends[words]))
            if len(inside):
                self._close_up(hashes, starts, ends, words[inside], self._skipped[inside])
        return hashes

    def _close_up(
        self, hashes: Hashes, starts: Positions, ends: Positions, words: Positions, marks: Positions
    ) -> None:
        """Let what stands behind an apostrophe of a word count as if there were none."""
        backward = _long_powers(len(self._points))[1]
        opens = np.ones(len(words), dtype=np.bool_)  # the first mark of its word
        np.not_equal(words[1:], words[:-1], out=opens[1:])
        place = np.arange(len(words))
        earlier = place - np.maximum.accumulate(np.where(opens, place, 0))
        until = ends[words]
        until[:-1] = np.where(opens[1:], until[:-1], marks[1:])
        behind = self._before.take(until) - self._before.take(marks)
        start = starts[words]
        np.add.at(hashes, words, behind * (backward[start + earlier + 1] - backward[start]))


class Phrases:
    """Hash any run of words of one text as `hash_phrase` would, by sums over its beginning."""

    __slots__ = ("_before", "borders", "words")

    def __init__(self, words: Hashes, borders: Positions | None = None) -> None:
        """`borders` are words that no phrase runs over: each begins another text."""
        self.words = words
        self.borders = NO_BORDERS if borders is None else borders
        self._before: Hashes | None = None  # made when somebody asks

    def room(self, first: Positions) -> Positions:
        """How many words a phrase that begins here may have."""
        if not len(self.borders):
            return len(self.words) - first
        ends = np.append(self.borders, len(self.words))
        return np.asarray(ends[ends.searchsorted(first, side="right")] - first)

    def __call__(self, first: Positions, last: Positions) -> Hashes:
        """The hashes of words first to last, the last included."""
        if self._before is None:
            self._before = np.zeros(len(self.words) + 1, dtype=np.uint64)
            inverse = _powers_from(_Q_INVERSE, len(self.words))
            (self.words * inverse).cumsum(out=self._before[1:])
        sums = self._before[last + 1] - self._before[first]
        return np.asarray(sums * _powers_from(int(Q), len(self.words))[last])


_Q_INVERSE = pow(int(Q), -1, 1 << 64)
_powers_of_base: dict[int, Hashes] = {}


def _powers_from(base: int, length: int) -> Hashes:
    """Powers of a number from the one that is 1; more are made when a longer text asks."""
    known = _powers_of_base.get(base)
    if known is None or len(known) < length:
        known = np.full(max(length, LONGEST), base, dtype=np.uint64)
        known[0] = 1
        np.multiply.accumulate(known, out=known)
        _powers_of_base[base] = known
    return known[:length]


_grown: list[tuple[Hashes, Hashes]] = []


def _long_powers(length: int) -> tuple[Hashes, Hashes]:
    """Powers of P from the first, and what brings a sum back to its word's first power."""
    if not _grown or len(_grown[0][0]) <= length:
        size = max(length + 1, LONGEST)
        forward = np.multiply.accumulate(np.full(size, P, dtype=np.uint64))
        inverse = np.full(size, pow(int(P), -1, 1 << 64), dtype=np.uint64)
        inverse[0] = 1
        _grown[:] = [(forward, np.multiply.accumulate(inverse))]
    forward, backward = _grown[0]
    return forward[:length], backward
