"""The plain words of a short text, each with a learnt weight for or against a leak.

In: the words of a text, rules/weights.toml.  Out: one number, their pull on the weight of evidence.

A word counts once and a little more for each time it comes again; all counts of a text are shared
out, so that a long text pulls no harder than a short one. What a text says stays inside: an
explanation names the sum of its words, never a word.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from math import fsum, log, sqrt

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
        self._list = TALLY.WordList(numbers) if TALLY is not None else None

    def known(self, texts: Iterable[str]) -> Mapping[str, int]:
        """How often each word that has a weight stands in them."""
        if self._list is None:
            return {w: n for w, n in counted(texts).items() if w in self._weights}
        found: Counter[int] = Counter()
        for text in texts:
            found.update(self._list.numbered(text.lower().replace("’", "'")))
        return {self._order[number - 1]: count for number, count in found.items()}

    def shares(self, words: Mapping[str, int]) -> dict[str, float]:
        """What each known word counts for; the squares add up to 1."""
        weights = self._weights
        known = {w: 1 + log(n) if n > 1 else 1.0 for w, n in words.items() if w in weights}
        length = sqrt(fsum([value * value for value in known.values()]))
        return {word: value / length for word, value in known.items()}

    def pull(self, words: Mapping[str, int]) -> float:
        weights = self._weights
        return fsum([weights[word] * value for word, value in self.shares(words).items()])
