"""What was answered for a key before, so that a list is asked for a word once.

In: keys and their rows in a list.  Out: the rows again.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from dlp.knowledge.arrays import nonzero

Keys = npt.NDArray[np.uint64]
Positions = npt.NDArray[np.int64]
BITS = 16
SHIFT = np.uint64(64 - BITS)


class Remembered:
    """One slot for each value of a key's leading bits; the last key that wants a slot has it."""

    __slots__ = ("_keys", "_rows")

    def __init__(self) -> None:
        # No list holds the key 0, so an empty slot answers for it rightly.
        self._keys = np.zeros(1 << BITS, dtype=np.uint64)
        self._rows = np.full(1 << BITS, -1, dtype=np.int64)

    def recall(self, keys: Keys) -> tuple[Positions, Positions]:
        """The row of each key, and which of them are new: what is said of these means nothing."""
        slots = (keys >> SHIFT).view(np.int64)
        return self._rows.take(slots), nonzero(self._keys.take(slots) != keys)

    def learn(self, keys: Keys, rows: Positions) -> None:
        slots = (keys >> SHIFT).view(np.int64)
        self._keys[slots], self._rows[slots] = keys, rows
