"""Words that speak of illness, bodies, kin, sales and more, and where a text says them.

In: classes of words and stems, a text and its sentences.  Out: which classes stand where.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

WORD = re.compile(r"[^\W\d_](?:[\w'’&/.-]*\w)?")
STEM = 3  # letters that a word and a stem share at least


class Told(NamedTuple):
    """The words of a text; a bit stands for each class."""

    words: int
    said: dict[str, int]  # words of any class
    often: Sequence[int]  # words of each class
    different: Sequence[int]  # the same, each counted once
    sentences: list[int]  # the classes in each sentence


class Words:
    """The classes of words, and which of them a word belongs to."""

    def __init__(self, classes: Mapping[str, str]) -> None:
        self.names = tuple(classes)
        self.bits = {name: 1 << place for place, name in enumerate(self.names)}
        self._whole: dict[str, set[str]] = {}
        self._stems: dict[str, list[tuple[str, str]]] = {}
        for name, words in classes.items():
            for word in words.split():
                if word.endswith("*"):
                    stem = word[:-1]
                    self._stems.setdefault(stem[:STEM], []).append((stem, name))
                else:
                    self._whole.setdefault(word, set()).add(name)

    def marks(self, names: Iterable[str]) -> int:
        return sum(self.bits[name] for name in names)

    def read(self, text: str, starts: Sequence[int]) -> Told:
        """The words of a text by the sentences that start there."""
        words, said = 0, {}
        often, sentences = [0] * len(self.names), [0] * len(starts)
        for word in WORD.finditer(text):
            words += 1
            low = word.group().lower().replace("’", "'")
            if marks := self.marks(self.of(low)):
                said[low] = marks
                sentences[bisect_right(starts, word.start()) - 1] |= marks
                for place in range(len(often)):
                    often[place] += marks >> place & 1
        return Told(words, said, often, bearers(said.values(), len(often)), sentences)

    def some(self, text: str, classes: int, most: int) -> set[str]:
        """Different words of any of these classes: all of them, or so many."""
        found: set[str] = set()
        for word in WORD.finditer(text):
            if len(found) == most:
                break
            low = word.group().lower().replace("’", "'")
            if self.marks(self.of(low)) & classes:
                found.add(low)
        return found

    def of(self, word: str) -> set[str]:
        found = self._whole.get(word)
        if found is None:
            stems = self._stems.get(word[:STEM], ())
            found = {name for stem, name in stems if word.startswith(stem)}
            self._whole[word] = found
        return found


def bearers(marks: Iterable[int], bits: int) -> list[int]:
    """How many of these bear each bit."""
    found = [0] * bits
    for mark, count in Counter(marks).items():
        left = mark
        while left:
            found[(left & -left).bit_length() - 1] += count
            left &= left - 1
    return found
