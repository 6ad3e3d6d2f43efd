"""What the dictionaries of names say of the words of a page; words met before are remembered.

In: hashes of words.  Out: bits (FIRST, LAST, WORD, PLACE, MOSTLY_FIRST), how ordinary each word is.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from dlp.knowledge.arrays import nonzero
from dlp.knowledge.hashing import Hashes, Positions
from dlp.knowledge.names import FIRST, LAST, PLACE, WORD, Names

MOSTLY_FIRST = 16  # beside FIRST, LAST, WORD and PLACE: more bear it as a first name
SLOTS = 1 << 18  # words remembered, by the leading bits of their hashes; 4 MB
SLOT_SHIFT = np.uint64(64 - 18)
NEW = 24  # words not met before that are looked up one by one: arrays cost more than so many
Bits = npt.NDArray[np.uint8]
Shares = npt.NDArray[np.float64]


class KnownWords:
    """A word stands in the slot of its hash, or in the neighbouring one when a newer one came."""

    def __init__(self, names: Names) -> None:
        self._names = names
        # No list holds the hash 0, so an empty slot answers for it rightly.
        self._keys = np.zeros(SLOTS, dtype=np.uint64)
        self._bits = np.zeros(SLOTS, dtype=np.uint8)
        self._ordinary = np.zeros(SLOTS)

    def look_up(self, hashes: Hashes) -> tuple[Bits, Shares]:
        slots = (hashes >> SLOT_SHIFT).view(np.int64)
        missing = nonzero(self._keys.take(slots) != hashes)
        if len(missing):
            beside = slots[missing] ^ 1
            slots[missing] = beside
            missing = missing[self._keys.take(beside) != hashes[missing]]
        bits, ordinary = self._bits.take(slots), self._ordinary.take(slots)
        if len(missing):
            new = hashes[missing]
            bits[missing], ordinary[missing] = self._ask(new)
            self._remember(new, slots[missing] ^ 1, bits[missing], ordinary[missing])
        return bits, ordinary

    def _ask(self, hashes: Hashes) -> tuple[Bits, Shares]:
        """What the dictionaries say, at once or, of a few words, one by one."""
        keys = hashes.tolist()
        new = set(keys)
        if len(new) > NEW:
            distinct, back = np.unique(hashes, return_inverse=True)
            bits, ordinary, first = self._names.bits(distinct)
            bits |= (first | only_first(bits)).view(np.uint8) * np.uint8(MOSTLY_FIRST)
            return bits[back], ordinary[back]
        told = {key: self._names.bits_of_one(key) for key in new}
        known = [told[key] for key in keys]
        told_bits = np.array([bits for bits, _, _ in known], np.uint8)
        firsts = np.array([first for _, _, first in known], np.bool_) | only_first(told_bits)
        bits = told_bits | firsts.view(np.uint8) * np.uint8(MOSTLY_FIRST)
        return bits, np.array([ordinary for _, ordinary, _ in known])

    def _remember(self, new: Hashes, slots: Positions, bits: Bits, ordinary: Shares) -> None:
        """Put words into their slots, and what stood there beside them."""
        held = slots[self._keys.take(slots) != 0]
        # of two words that want one slot the last one keeps it, in all three arrays
        for kept, values in ((self._keys, new), (self._bits, bits), (self._ordinary, ordinary)):
            kept[held ^ 1] = kept[held]
            kept[slots] = values


def only_first(bits: Bits) -> npt.NDArray[np.bool_]:
    """Rare first names, of which no share is known, that are nothing else in any list."""
    return np.asarray((bits & (FIRST | LAST | WORD | PLACE)) == FIRST)
