"""Small parts of a document, read in one go: a look has its price, however short the text.

In: the texts of parts.  Out: Bundles; places in a bundle lead back to a part and a place in it.

Properties, headers, titles and captions are two parts in three. The border between two of them is
a blank stretch that no term, sentence or name runs over, wider than any reach of a cue.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

BORDER = "\n" + " " * 126 + "\n"
SMALL = 2000  # characters of a part that is bundled
FULL = 1 << 16  # characters of a bundle


class Bundle(NamedTuple):
    text: str
    parts: tuple[int, ...]
    starts: tuple[int, ...]  # where each part begins in the text

    def place(self, start: int) -> tuple[int, int]:
        """The part that holds a place, and where in the bundle that part begins."""
        at = bisect_right(self.starts, start) - 1
        return self.parts[at], self.starts[at]


def bundles(texts: Sequence[str], most: int = SMALL) -> Iterator[Bundle]:
    """Neighbouring parts of `most` characters together, every other by itself; all, in order."""
    some: list[int] = []
    size = 0
    for number, text in enumerate(texts):
        small = len(text) <= most
        if some and (not small or size + len(text) > FULL):
            yield _tied(texts, some)
            some, size = [], 0
        if small:
            some.append(number)
            size += len(text) + len(BORDER)
        else:
            yield Bundle(text, (number,), (0,))
    if some:
        yield _tied(texts, some)


def _tied(texts: Sequence[str], parts: Sequence[int]) -> Bundle:
    starts, place = [], 0
    for number in parts:
        starts.append(place)
        place += len(texts[number]) + len(BORDER)
    return Bundle(BORDER.join(texts[number] for number in parts), tuple(parts), tuple(starts))
