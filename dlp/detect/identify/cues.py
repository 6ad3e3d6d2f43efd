"""Say where the words of many lists stand in a block of text.

In: lists of words, UTF-8 bytes, a window.  Out: (start, end) of words, a list at a time.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence

import re2

from dlp.detect.spans import Span, spans
from dlp.rulebook import edge

BYTES_A_SIGN = 4  # at most, in UTF-8


class Cues:
    """The lists, read once and shared."""

    def __init__(self, lists: Sequence[Sequence[str]]) -> None:
        # few blocks hold values of a rule, so most lists are never compiled
        self.pattern = functools.cache(lambda number: any_word(lists[number]))
        self._lists = lists
        self.longest = [BYTES_A_SIGN * max(map(len, words), default=0) for words in lists]
        self.can_be_parted = functools.cache(self._can_be_parted)

    def _can_be_parted(self, number: int) -> bool:
        """Whether no word of a list may begin within another, and RE2 may look for it anywhere.

        Nor may one go on where another ends, behind any number of blanks: a stretch that ends
        there would show the shorter one.
        """
        words = [" ".join(word.split()).lower() for word in self._lists[number]]
        # what is left of a word behind its first letters, and whether an edge of a word is there
        ends = {
            (word[place:], not edge(word[place - 1]))
            for word in words
            for place in range(1, len(word))
        }
        alike: dict[str, list[str]] = {}  # only what begins alike may stand together
        for word in words:
            alike.setdefault(word[:1], []).append(word)
        return not any(
            (at_edge or not edge(word[0])) and stand_together(word, end)
            for end, at_edge in ends
            for word in alike.get(end[0], ())
        ) and not any(
            stand_together(word, long)
            for long in words
            if " " in long
            for word in alike[long[0]]
            if word != long
        )

    def of(self, raw: bytes, window: Span) -> Reading:
        return Reading(self, raw, window)


class Reading:
    """One block."""

    __slots__ = ("_cues", "_raw", "_window")

    def __init__(self, cues: Cues, raw: bytes, window: Span) -> None:
        self._cues = cues
        self._raw = raw
        self._window = window

    def has(self, number: int) -> bool:
        """Whether a word of a list stands in the block."""
        pattern = self._cues.pattern(number)
        return pattern is not None and bool(spans(pattern, self._raw, *self._window))

    def near(self, number: int, values: list[Span], reach: int, after: int) -> list[Span]:
        """Words of a list, in order: all that end within reach of a value, and maybe others."""
        cues = self._cues
        pattern = cues.pattern(number)
        if pattern is None:
            return []
        if not cues.can_be_parted(number):
            return spans(pattern, self._raw, *self._window)
        found: list[Span] = []
        for start, end in self._around(values, reach, after):
            # a longer word that begins near is read to its end; what begins behind may be cut off
            beyond = min(end + cues.longest[number], self._window[1])
            found += [one for one in spans(pattern, self._raw, start, beyond) if one[0] <= end]
        return found

    def _around(self, values: list[Span], reach: int, after: int) -> list[Span]:
        """What is near some values, each stretch once and in order."""
        begin, stop = self._window
        parts: list[Span] = []
        for start, end in values:
            first, last = max(begin, start - reach), min(stop, end + after)
            if parts and first <= parts[-1][1]:
                parts[-1] = (parts[-1][0], max(parts[-1][1], last))
            elif first < last:
                parts.append((first, last))
        return parts


def stand_together(word: str, end: str) -> bool:
    """Whether a text may hold both from one place on; the shorter one may need an edge behind."""
    short, long = sorted((word, end), key=len)
    if not long.startswith(short):
        return False
    return len(short) == len(long) or not (edge(short[-1]) and edge(long[len(short)]))


def any_word(words: Sequence[str]) -> re2._Regexp | None:
    """Any of these words, whole, in any case."""
    if not words:
        return None
    one_of = "|".join(
        edge(word[0])
        + r"\s{1,3}".join(re2.escape(piece) for piece in word.split())
        + edge(word[-1])
        for word in words
    )
    return re2.compile(f"(?i){one_of}")
