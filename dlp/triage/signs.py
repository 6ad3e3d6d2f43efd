"""Count the letters of scripts in a text.

In: text.  Out: how many letters are not Latin, and whose they are.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

# First and last code points: a pattern of so many takes longer to compile than a file to judge.
LATIN_LETTERS = ((0x41, 0x5A), (0x61, 0x7A), (0xC0, 0x24F), (0x1E00, 0x1EFF))
OTHER_LETTERS = (
    *((0x370, 0x1DFF), (0x2C00, 0x2DFF), (0x3040, 0xD7FF)),
    *((0xF900, 0xFDFF), (0xFE70, 0xFEFC)),
)
# Where the model cannot name the language, its script does.
SCRIPTS = (
    ("ja", (0x3040, 0x30FF)),
    ("ko", (0xAC00, 0xD7A3)),
    ("zh", (0x4E00, 0x9FFF)),
    ("el", (0x370, 0x3FF)),
    ("he", (0x590, 0x5FF)),
    ("th", (0xE00, 0xE7F)),
    ("ar", (0x600, 0x6FF)),
    ("hi", (0x900, 0x97F)),
    ("ru", (0x400, 0x4FF)),
)


def script_of(text: str) -> str:
    """The language whose letters are most; the first of equals."""
    points = points_of(text)
    counts = [count_of(points, bounds) for _, bounds in SCRIPTS]
    return SCRIPTS[counts.index(max(counts))][0]


def letters_of(text: str) -> tuple[int, int]:
    """Letters of other scripts, and Latin ones."""
    points = points_of(text)
    return count_of(points, *OTHER_LETTERS), count_of(points, *LATIN_LETTERS)


def points_of(text: str) -> npt.NDArray[np.uint32]:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")


def count_of(points: npt.NDArray[np.uint32], *ranges: tuple[int, int]) -> int:
    return sum(int(((points >= low) & (points <= high)).sum()) for low, high in ranges)
