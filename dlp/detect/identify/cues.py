"""Say where the words of many lists stand in a block of text.

In: lists of words, UTF-8 bytes, a window.  Out: (start, end) of words, a list at a time.

Asked one by one, each list reads the block anew, and most find nothing. The kernel reads it once
for all that need a word, and for the others only what stands near their values. RE2 reads what is
not plain ASCII in both the text and the list, for it knows the capitals of every alphabet.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from typing import Any

import re2

from dlp.detect.spans import Span, spans
from dlp.native import kernel
from dlp.rulebook import edge

KERNEL: Any = kernel("cues")
# The long s and the sign of the kelvin are letters beyond ASCII that count as s and k.
OTHER_LETTERS = ("\u017f", "\u212a")
OTHER_LETTERS_RAW = tuple(letter.encode() for letter in OTHER_LETTERS)
BYTES_A_SIGN = 4  # at most, in UTF-8
FIRST_WORD = re.compile(r"[a-z0-9]+|[^a-z0-9\s_]")
ANY_WORD = re.compile(r"[a-z0-9_]+|[^a-z0-9_\s]")
Phrases = dict[int, tuple[bytes, ...]]  # by the number of their first word, in the order of a list


class Cues:
    """The lists, read once and shared."""

    def __init__(self, lists: Sequence[Sequence[str]], needed: Sequence[bool]) -> None:
        """`needed`: whether anybody asks if a list has a word at all."""
        # asked by few blocks, so that most lists are never compiled
        self.pattern = functools.cache(lambda number: any_word(lists[number]))
        numbers: dict[bytes, int] = {}
        self.plain = [phrases_of(words, numbers) for words in lists]
        self.apart = [one is not None and stand_apart(one, numbers) for one in self.plain]
        self.wide = [not all(map(str.isascii, words)) for words in lists]
        self._lists = lists
        self.longest = [BYTES_A_SIGN * max(map(len, words), default=0) for words in lists]
        self.can_be_parted = functools.cache(self._can_be_parted)
        self.index = index_of(list(numbers))
        # for each first word of a needed list its phrases, and a bit for each list that has them
        self.phrases: list[list[tuple[bytes, int]]] = []
        chosen: list[bytes] = []
        bits = self._bits(needed)
        for first, number in numbers.items():
            if number in bits:
                chosen.append(first)
                self.phrases.append(list(bits[number].items()))
        self.of_needed = index_of(chosen)

    def _bits(self, needed: Sequence[bool]) -> dict[int, dict[bytes, int]]:
        """By the number of a first word: its phrases, with a bit for each list that has them."""
        bits: dict[int, dict[bytes, int]] = {}
        for one, plain in enumerate(self.plain[: len(needed)]):
            if needed[one] and plain is not None:
                for first, phrases in plain.items():
                    told = bits.setdefault(first, {})
                    for phrase in phrases:
                        told[phrase] = told.get(phrase, 0) | 1 << one
        return bits

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
    """One block, read when the first list asks."""

    __slots__ = ("_any", "_cues", "_is_ascii", "_is_plain", "_raw", "_window")

    def __init__(self, cues: Cues, raw: bytes, window: Span) -> None:
        self._cues = cues
        self._raw = raw
        self._window = window
        self._is_ascii: bool | None = None  # None: nobody has looked
        self._is_plain = False
        self._any: int | None = None  # the lists with a word, a bit each

    def has(self, number: int) -> bool:
        """Whether a word of a list that was said to be needed stands in the block."""
        cues = self._cues
        if not self._is_for_kernel(number):
            pattern = cues.pattern(number)
            return pattern is not None and bool(spans(pattern, self._raw, *self._window))
        if self._any is None:
            self._any = int(cues.of_needed.lists_with(self._raw, *self._window, cues.phrases))
        return bool(self._any >> number & 1)

    def near(self, number: int, values: list[Span], reach: int, after: int) -> list[Span]:
        """Words of a list, in order: all that end within reach of a value, and maybe others."""
        cues = self._cues
        pattern = cues.pattern(number)
        if pattern is None:
            return []
        if cues.apart[number] and self._is_for_kernel(number):
            places: list[Span] = cues.index.near(
                self._raw, *self._window, values, reach, after, cues.plain[number]
            )
            return places
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

    def _is_for_kernel(self, number: int) -> bool:
        cues = self._cues
        if cues.index is None or cues.of_needed is None or cues.plain[number] is None:
            return False
        if self._is_ascii is None:
            start, end = self._window
            block = self._raw[start:end]
            self._is_ascii = block.isascii()
            long_s, kelvin = OTHER_LETTERS_RAW
            self._is_plain = self._is_ascii or (long_s not in block and kelvin not in block)
        return self._is_ascii or (self._is_plain and not cues.wide[number])


def index_of(words: list[bytes]) -> Any:
    """None: the kernel is missing, or the words are too many for it."""
    try:
        return KERNEL.Index(words) if KERNEL is not None else None
    except ValueError:
        return None


def phrases_of(words: Sequence[str], numbers: dict[bytes, int]) -> Phrases | None:
    """The plain words of a list; None: it holds one only RE2 can look for in plain text."""
    phrases: Phrases = {}
    for word in words:
        if not word.isascii():
            if any(letter in word for letter in OTHER_LETTERS):
                return None
            continue  # stands in no plain text
        phrase = " ".join(word.split()).lower()
        first = FIRST_WORD.match(phrase)
        if first is None or "_" in phrase or word[0].isspace() or word[-1].isspace():
            return None
        number = numbers.setdefault(first[0].encode(), len(numbers))
        phrases[number] = (*phrases.get(number, ()), phrase.encode())
    return phrases


def stand_apart(phrases: Phrases, numbers: dict[bytes, int]) -> bool:
    """Whether no phrase may begin within another: then each is found without those before it."""
    return not any(
        numbers.get(inner[0].encode()) in phrases
        for several in phrases.values()
        for phrase in several
        if not phrase.isalnum()  # else it is one word
        for inner in list(ANY_WORD.finditer(phrase.decode()))[1:]
    )


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
