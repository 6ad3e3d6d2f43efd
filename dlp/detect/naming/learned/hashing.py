"""The two hashes by which the model looks a word up.

In: strings.  Out: the rows of its tables that stand for each.

Austin Appleby's MurmurHash, as the model's library uses it: MurmurHash64A makes a number of a
string, and the 128 bits of MurmurHash3 make four rows of that number and the seed of a table.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

MASK = (1 << 64) - 1
MIX, SHIFT, SEED = 0xC6A4A7935BD1E995, 47, 1
FIRST, SECOND, TURN = 0x87C37B91114253D5, 0x4CF5AD432745937F, 31
LAST_FIRST, LAST_SECOND, LAST_SHIFT = 0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53, 33
LENGTH = 8  # bytes of a number that is hashed again
Numbers = npt.NDArray[np.uint64]


def number_of(string: str) -> int:
    """MurmurHash64A of its UTF-8."""
    data = string.encode("utf-8", "surrogatepass")
    mixed = SEED ^ (len(data) * MIX & MASK)
    whole = len(data) & ~7
    for at in range(0, whole, 8):
        block = int.from_bytes(data[at : at + 8], "little") * MIX & MASK
        mixed = (mixed ^ ((block ^ (block >> SHIFT)) * MIX & MASK)) * MIX & MASK
    if whole < len(data):
        mixed = (mixed ^ int.from_bytes(data[whole:], "little")) * MIX & MASK
    mixed = (mixed ^ (mixed >> SHIFT)) * MIX & MASK
    return mixed ^ (mixed >> SHIFT)


def rows_of(numbers: Numbers, seed: int, rows: int) -> npt.NDArray[np.int64]:
    """The four rows of a table with so many rows, one line for each number."""
    with np.errstate(over="ignore"):
        turned = numbers * np.uint64(FIRST)
        turned = (turned << np.uint64(TURN)) | (turned >> np.uint64(64 - TURN))
        one = (turned * np.uint64(SECOND)) ^ np.uint64(seed ^ LENGTH)
        two = np.uint64(seed ^ LENGTH)
        one = one + two
        two = _last(two + one)
        one = _last(one) + two
        two = two + one
    low, half = np.uint64(0xFFFFFFFF), np.uint64(32)
    quarters = np.stack((one & low, one >> half, two & low, two >> half), axis=1)
    return (quarters % np.uint64(rows)).astype(np.int64)


def _last(numbers: Any) -> Any:
    for factor in (LAST_FIRST, LAST_SECOND):
        numbers = (numbers ^ (numbers >> np.uint64(LAST_SHIFT))) * np.uint64(factor)
    return numbers ^ (numbers >> np.uint64(LAST_SHIFT))
