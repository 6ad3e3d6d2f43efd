"""Which words stand where in terms, and which two may begin one: what is asked of every word.

In: the words of all terms.  Out: two tables of bits, small enough to be at hand.

Words are asked about by their keys as they are, two of them by a sum of their keys, which is as
good as a key. Each is two bits in one number of 64; of what no term has, one in thirty passes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from dlp.knowledge.artefact import Artefact
from dlp.knowledge.phrases import word_key

Bits = npt.NDArray[np.uint64]

PLACES, OPENING = "words.places", "words.opening"
PLACES_BITS, OPENING_BITS = 12, 15  # of a key, which say in which number its two bits are
# The numbers of words stand by fours, so that one look fetches all that is known of a word: is it
# a term by itself (there are many: two numbers share them), the first, or the second word of one?
HALF, FIRST, SECOND, KINDS = 12, 2, 3, 4
_MASK = (1 << 64) - 1


def tables(terms: Sequence[tuple[str, ...]]) -> dict[str, Bits]:
    """The tables as an artefact holds them."""
    alone = [word_key(words[0]) for words in terms if len(words) == 1]
    pairs = [(word_key(words[0]), word_key(words[1])) for words in terms if len(words) > 1]
    places = np.zeros((1 << PLACES_BITS, KINDS), np.uint64)
    for half in (0, 1):
        places[:, half] = bits_of((key for key in alone if key >> HALF & 1 == half), PLACES_BITS)
    places[:, FIRST] = bits_of((first for first, _ in pairs), PLACES_BITS)
    places[:, SECOND] = bits_of((second for _, second in pairs), PLACES_BITS)
    return {
        PLACES: places.ravel(),
        OPENING: bits_of((pair_sum(*pair) for pair in pairs), OPENING_BITS),
    }


def tables_of(artefact: Artefact) -> tuple[Bits, Bits]:
    """Of words and of pairs; a list that an older release imported has none: any may be."""
    if PLACES in artefact:
        return artefact[PLACES], artefact[OPENING]
    sizes = KINDS << PLACES_BITS, 1 << OPENING_BITS
    return np.full(sizes[0], _MASK, np.uint64), np.full(sizes[1], _MASK, np.uint64)


def pair_sum(first: int, second: int) -> int:
    """What stands for two words; it tells their order."""
    return (first + 2 * second) & _MASK


def bits_of(keys: Iterable[int], leading: int) -> Bits:
    """For each key two bits in the number that its leading bits name."""
    known = np.array(sorted(set(keys)), np.uint64)
    bits = np.zeros(64 << leading, dtype=bool)
    first = known >> np.uint64(64 - leading) << np.uint64(6)
    for shift in (0, 6):
        bits[first | known >> np.uint64(shift) & np.uint64(63)] = True
    return np.packbits(bits, bitorder="little").view("<u8")
