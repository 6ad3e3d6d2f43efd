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

WORD = re.compile(r"[^\W\d_]+(?:['’][a-z]+)?")


def counted(texts: Iterable[str]) -> Counter[str]:
    """How often each word stands in them, in small letters."""
    found = (word.replace("’", "'") for text in texts for word in WORD.findall(text.lower()))
    return Counter(word for word in found if len(word) > 1)


class Wording:
    def __init__(self, weights: Mapping[str, float]) -> None:
        self._weights = weights

    def known(self, texts: Iterable[str]) -> Mapping[str, int]:
        """How often each word that has a weight stands in them."""
        return {w: n for w, n in counted(texts).items() if w in self._weights}

    def shares(self, words: Mapping[str, int]) -> dict[str, float]:
        """What each known word counts for; the squares add up to 1."""
        known = {word: count for word, count in words.items() if word in self._weights}
        return dict(zip(known, shared(known.values()), strict=True))

    def pull(self, words: Mapping[str, int]) -> float:
        weights = self._weights
        return fsum([weights[word] * value for word, value in self.shares(words).items()])

    def pull_of(self, texts: Iterable[str]) -> float:
        """What the words of texts pull, as `pull` has it of those that are known."""
        return self.pull(self.known(texts))


def worth(count: int) -> float:
    """What a word counts for that stands so often in a text."""
    return 1 + log(count) if count > 1 else 1.0


def shared(counts: Iterable[int]) -> list[float]:
    """The same of all words of a text, so that the squares add up to 1."""
    values = [worth(count) for count in counts]
    length = sqrt(fsum([value * value for value in values]))
    return [value / length for value in values]
