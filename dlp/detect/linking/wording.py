"""The plain words of a short text, each with a learnt weight for or against a leak.

In: the words of a text, rules/weights.toml.  Out: one number, their pull on the weight of evidence.

A word counts once and a little more for each time it comes again; all counts of a text are shared
out, so that a long text pulls no harder than a short one. What a text says stays inside: an
explanation names the sum of its words, never a word.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Iterable, Mapping
from math import fsum, log, sqrt
from typing import Any

from dlp.native import kernel

TALLY = kernel("tally")
WORD = re.compile(r"[^\W\d_]+(?:['’][a-z]+)?")


def counted(texts: Iterable[str]) -> Counter[str]:
    """How often each word stands in them, in small letters."""
    found = (word.replace("’", "'") for text in texts for word in WORD.findall(text.lower()))
    return Counter(word for word in found if len(word) > 1)


class Wording:
    def __init__(self, weights: Mapping[str, float]) -> None:
        self._weights = weights
        self._order = tuple(word for word in weights if len(word) > 1)
        numbers = {word: number for number, word in enumerate(self._order, 1)}
        self._by_number = array("d", (0.0, *(weights[word] for word in self._order)))
        self._list: Any = TALLY.WordList(numbers) if TALLY is not None else None

    def known(self, texts: Iterable[str]) -> Mapping[str, int]:
        """How often each word that has a weight stands in them."""
        if self._list is None:
            return {w: n for w, n in counted(texts).items() if w in self._weights}
        found = self._numbered(texts)
        return {self._order[number - 1]: count for number, count in found.items()}

    def _numbered(self, texts: Iterable[str]) -> Mapping[int, int]:
        found: Counter[int] = Counter()
        for text in texts:
            found.update(self._list.numbered(text))
        return found

    def shares(self, words: Mapping[str, int]) -> dict[str, float]:
        """What each known word counts for; the squares add up to 1."""
        known = {word: count for word, count in words.items() if word in self._weights}
        return dict(zip(known, shared(known.values()), strict=True))

    def pull(self, words: Mapping[str, int]) -> float:
        weights = self._weights
        return fsum([weights[word] * value for word, value in self.shares(words).items()])

    def pull_of(self, texts: Iterable[str]) -> float:
        """What the words of texts pull, as `pull` has it of those that are known."""
        if self._list is None:
            return self.pull(self.known(texts))
        # without a look at the words themselves, which are never in the cache
        pulled: float = self._list.pull(texts, self._by_number)
        return pulled


def worth(count: int) -> float:
    """What a word counts for that stands so often in a text."""
    return 1 + log(count) if count > 1 else 1.0


def shared(counts: Iterable[int]) -> list[float]:
    """The same of all words of a text, so that the squares add up to 1."""
    values = [worth(count) for count in counts]
    length = sqrt(fsum([value * value for value in values]))
    return [value / length for value in values]
