"""Phrase keys: one 64-bit number for a run of words, however it is spaced, cased or accented.

In: text.  Out: words with character offsets, keys of words and phrases, a table that finds keys.

A word is a run of letters and digits; what stands between words does not enter the key, so
"non-small cell", "Non small  cell" and the same words across a line break are one phrase. Keys are
polynomial hashes modulo 2**64: prefix sums give the key of any run of words in a text without a
Python loop, and a table needs no strings.
"""

from __future__ import annotations

import functools
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dlp.knowledge.arrays import distinct, nonzero

Keys = npt.NDArray[np.uint64]
Positions = npt.NDArray[np.int64]

_MASK = (1 << 64) - 1
# Any odd numbers serve: odd, so that they have an inverse modulo 2**64.
_CHAR = 0x9E3779B97F4A7C15
_WORD = 0xD1342543DE82EF95
_CHAR_INVERSE = pow(_CHAR, -1, 1 << 64)
_WORD_INVERSE = pow(_WORD, -1, 1 << 64)
UNKNOWN, NEUTRAL = 0xFFFF, 0xFFFE  # not looked up yet; part of a word but without weight
_TABLE_SIZE = 0x10000
_ZERO_WIDTH = 0x200B
FEW = 48  # keys that are quicker found one by one than as an array
_LIGATURES = {"æ": "e", "œ": "e", "ß": "s", "ø": "o", "ł": "l", "đ": "d"}


def fold_character(character: str) -> int:
    """The code a character enters a key with; 0 between words, NEUTRAL for marks without weight."""
    if unicodedata.category(character) in {"Mn", "Cf", "Me"}:
        return NEUTRAL
    low = _LIGATURES.get(character.lower(), character.lower())
    plain = unicodedata.normalize("NFKD", low)[:1].lower()[:1]
    if not plain.isalnum():
        return 0
    code = ord(plain)
    return code if code < NEUTRAL else 0


_table = np.full(_TABLE_SIZE, UNKNOWN, dtype=np.uint16)
_table[:128] = [fold_character(chr(code)) for code in range(128)]
_ascii = bytes(_table[:128].tolist()) + bytes(128)


@functools.lru_cache(maxsize=4096)
def fold_beyond(code: int) -> int:
    """The character of the first plane that stands for one beyond it."""
    plain = fold_character(chr(code))
    return _ZERO_WIDTH if plain == NEUTRAL else plain


def points_of(text: str) -> npt.NDArray[Any]:
    """The code points of a text, one item a character; all below the second plane.

    Letters beyond (mathematical alphabets, mostly) are replaced by the plain ones they fold to.
    """
    if text.isascii():
        return np.frombuffer(text.encode("ascii"), np.uint8)
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    beyond = points >= _TABLE_SIZE
    if not beyond.any():
        return points
    points = points.copy()
    for code in distinct(points[beyond]).tolist():
        points[points == code] = fold_beyond(code)
    return points


def codes_of(points: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The folded code of every character, in place."""
    if points.dtype == np.uint8:  # translating bytes is twice as quick as a table of numbers
        return np.frombuffer(points.tobytes().translate(_ascii), np.uint8)
    codes = _table.take(points)
    missing = codes == UNKNOWN
    if missing.any():
        for code in distinct(points[missing]).tolist():
            _table[code] = fold_character(chr(code))
        codes = _table.take(points)
    return codes


class Words(NamedTuple):
    """The words of a text: half-open character spans and one key each."""

    starts: Positions
    ends: Positions
    keys: Keys


_powers: dict[int, Keys] = {}


def _powers_of(base: int, length: int) -> Keys:
    known = _powers.get(base)
    if known is None or len(known) < length:
        known = np.full(max(length, 4096), base, dtype=np.uint64)
        known[0] = 1
        np.multiply.accumulate(known, out=known)
        known.flags.writeable = False
        _powers[base] = known
    return known[:length]


def _mix(keys: Keys) -> Keys:
    """Spread every bit over all 64 (the finaliser of splitmix64)."""
    mixed = keys ^ (keys >> np.uint64(30))
    mixed *= np.uint64(0xBF58476D1CE4E5B9)
    mixed ^= mixed >> np.uint64(27)
    mixed *= np.uint64(0x94D049BB133111EB)
    mixed ^= mixed >> np.uint64(31)
    return mixed


def words_in(points: npt.NDArray[Any]) -> Words:
    codes = codes_of(points)
    kept: Positions | None = None
    if (
        points.dtype != np.uint8 and (neutral := codes == NEUTRAL).any()
    ):  # decomposed accents, soft hyphens, zero-width marks: rare
        kept = nonzero(~neutral)
        codes = codes[kept]
    inside = np.zeros(len(codes) + 2, dtype=np.int8)
    inside[1:-1] = codes != 0
    edges = nonzero(inside[1:] != inside[:-1])
    starts, ends = edges[0::2], edges[1::2]
    sums = np.zeros(len(codes) + 1, dtype=np.uint64)
    (codes * _powers_of(_CHAR, len(codes))).cumsum(out=sums[1:])
    at = sums.take(edges)
    raw = at[1::2] - at[0::2]
    raw *= _powers_of(_CHAR_INVERSE, len(codes) + 1).take(starts)
    keys = _mix(raw)
    if kept is not None and len(kept):
        starts, ends = kept[starts], kept[ends - 1] + 1
    return Words(starts, ends, keys)


class Runs:
    """The keys of all runs of words in one text."""

    __slots__ = ("_inverse", "_keys", "_sums")

    def __init__(self, keys: Keys) -> None:
        self._keys = keys
        self._sums = np.zeros(len(keys) + 1, dtype=np.uint64)
        (keys * _powers_of(_WORD, len(keys))).cumsum(out=self._sums[1:])
        self._inverse = _powers_of(_WORD_INVERSE, len(keys) + 1)

    def keys(self, first: Positions, length: Positions | int) -> Keys:
        """The keys of the runs of so many words that begin at these words."""
        total = self._sums[first + length] - self._sums[first]
        return _mix(total * self._inverse[first])

    def pairs(self) -> Keys:
        """The keys of all words with the next one."""
        return _mix(self._keys[1:] * np.uint64(_WORD) + self._keys[:-1])


def alone_keys(keys: Keys) -> Keys:
    """The keys of words as runs of one."""
    return _mix(keys)


@functools.lru_cache(maxsize=65536)
def word_key(word: str) -> int:
    """The key of one folded word, as `words_in` computes it."""
    total, power = 0, 1
    for character in word:
        total = (total + ord(character) * power) & _MASK
        power = (power * _CHAR) & _MASK
    return _mix_one(total)


def _mix_one(key: int) -> int:
    key = ((key ^ (key >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    key = ((key ^ (key >> 27)) * 0x94D049BB133111EB) & _MASK
    return key ^ (key >> 31)


def fold_words(text: str) -> list[str]:
    """The folded words of a short text: what its key is made of."""
    if text.isascii():
        folded = "".join(c if c.isalnum() else " " for c in text.lower())
    else:
        codes = [fold_character(c) for c in text]
        folded = "".join(chr(c) if c else " " for c in codes if c != NEUTRAL)
    return folded.split()


def phrase_key(words: Iterable[str]) -> int:
    """The key of folded words; equals `Runs.keys` on a text that holds them."""
    total, power = 0, 1
    for word in words:
        total = (total + word_key(word) * power) & _MASK
        power = (power * _WORD) & _MASK
    return _mix_one(total)


class KeyTable:
    """Keys in order with an index on their leading bits; `find` gives the row of a key or -1.

    The file keeps the low 32 bits only: with 17 or more leading bits in the index, a look-up goes
    wrong once in a thousand million, and a text of a gigabyte asks thirty million times.
    """

    __slots__ = ("_bits", "_buckets", "_keys", "_shift", "_views")

    def __init__(self, low: npt.NDArray[np.uint32], buckets: npt.NDArray[np.uint32]) -> None:
        self._keys = low
        self._buckets = buckets
        self._bits = 65 - (len(buckets) - 1).bit_length()
        self._shift = np.uint64(self._bits)
        # one item of these is an object of Python at once, without one of numpy between
        self._views = (buckets.data, low.data)

    @property
    def arrays(self) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32], int]:
        """Low halves, bounds of the buckets, and how far a key is shifted to the number of one."""
        return self._keys, self._buckets, self._bits

    @staticmethod
    def pack(keys: Keys) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32]]:
        """Sorted keys as they lie in a file: low halves, and the bounds of their buckets."""
        bits = max(16, len(keys).bit_length() - 2)
        leading = (keys >> np.uint64(64 - bits)).astype(np.int64)
        bounds = np.zeros((1 << bits) + 1, dtype=np.uint32)
        bounds[1:] = np.cumsum(np.bincount(leading, minlength=1 << bits))
        low = keys.astype(np.uint32)
        if len(np.unique(np.stack((leading, low.astype(np.int64))), axis=1)[0]) < len(keys):
            raise ValueError("two terms share a key")
        return low, bounds

    def find(self, keys: Keys) -> Positions:
        if len(keys) <= FEW:
            return np.array([*map(self.find_one, keys.tolist())], dtype=np.int64)
        leading = (keys >> self._shift).view(np.int64)
        low = keys.astype(np.uint32)
        rows = self._buckets.take(leading).astype(np.int64)
        ends = self._buckets.take(leading + 1).astype(np.int64)
        found = np.full(len(keys), -1, dtype=np.int64)
        active = nonzero(rows < ends)
        if not len(active):
            return found
        # A bucket holds a handful of keys: all of them at once are fewer calls than one by one.
        rows, ends = rows[active, None], ends[active, None]
        places = rows + np.arange(int((ends - rows).max()))
        hit = self._keys.take(places, mode="clip") == low[active, None]
        at, column = (hit & (places < ends)).nonzero()
        found[active[at]] = places[at, column]
        return found

    def find_one(self, key: int) -> int:
        leading, low = key >> self._bits, key & 0xFFFFFFFF
        buckets, keys = self._views
        for row in range(buckets[leading], buckets[leading + 1]):
            if keys[row] == low:
                return row
        return -1


def pack_rows(groups: Sequence[Sequence[int]]) -> tuple[npt.NDArray[np.uint32], Positions]:
    """Rows of different length as two arrays: bounds, and the values one after another."""
    bounds = np.zeros(len(groups) + 1, dtype=np.uint32)
    bounds[1:] = np.cumsum([len(group) for group in groups])
    return bounds, np.array([value for group in groups for value in group], dtype=np.int64)
