"""Read the cues of genres as one automaton of steps, each taking one character of a set.

In: patterns in RE2's syntax, read without regard to case.  Out: steps, and where each cue begins.

It accepts exactly what RE2 accepts: words, digits and blanks are those of ASCII, and a letter is
written in any way that RE2 takes for it. A set of characters is a number with a bit for each: one
for every character of ASCII, one for every other that some cue names, one for all the rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

# Python's own reader of patterns; RE2 has none to ask.
from re import _parser as reader  # type: ignore[attr-defined]  # isort: skip

ASCII = 128
LARGEST = 1000  # repetitions that RE2 takes
COUNTED = 12  # repetitions that are counted where others need not be
WITHOUT_END = int(reader.MAXREPEAT)
UNLIKE = ("[[:", r"\p", r"\P", r"\Q", r"\C", r"\Z", "(?P", "(?U", "(?s", "(?i", "(?-")
WRITTEN = {"k": "\u212a", "s": "\u017f"}  # the signs for kelvin and for a long s are letters to RE2
# What must be so between two characters.
EDGE, NO_EDGE, LINE_START, LINE_END, START, END = range(6)
PLACES = {"AT_BOUNDARY": EDGE, "AT_NON_BOUNDARY": NO_EDGE, "AT_BEGINNING_STRING": START}


class UnreadableError(Exception):
    """A pattern that only RE2 understands."""


def bits_of(numbers: Iterable[int]) -> int:
    return sum(1 << number for number in set(numbers))


NEWLINE = bits_of(b"\n")
DIGIT = bits_of(range(48, 58))
WORD = DIGIT | bits_of(b"_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
SPACE = bits_of(b"\t\n\f\r ")
CATEGORIES = {"CATEGORY_DIGIT": DIGIT, "CATEGORY_SPACE": SPACE, "CATEGORY_WORD": WORD}


def parsed(pattern: str) -> tuple[list[Any], bool]:
    """The steps of a pattern, and whether a line of it is a line of the text."""
    if any(sign in pattern for sign in UNLIKE):
        raise UnreadableError(pattern)
    try:
        steps = reader.parse(pattern.replace(r"\z", r"\Z"))
    except (re.error, OverflowError, RecursionError) as error:
        raise UnreadableError(pattern) from error
    return list(steps), bool(steps.state.flags & re.MULTILINE)


def characters_in(steps: Iterable[tuple[Any, Any]]) -> Iterator[int]:
    """The characters beyond ASCII that a pattern names."""
    for kind, what in steps:
        match str(kind):
            case "LITERAL" | "NOT_LITERAL":
                yield from (what,) if what >= ASCII else ()
            case "RANGE" if what[1] >= ASCII:
                raise UnreadableError("a range beyond ASCII")
            case "IN":
                yield from characters_in(what)
            case "SUBPATTERN":
                yield from characters_in(what[3])
            case "BRANCH":
                for way in what[1]:
                    yield from characters_in(way)
            case "MAX_REPEAT":
                yield from characters_in(what[2])


def spellings(number: int) -> set[int]:
    """A character and all that RE2 takes for it without regard to case."""
    char = chr(number)
    either = {char.lower(), char.upper()}
    if any(len(one) > 1 for one in either) or (number >= ASCII and char.lower() in WRITTEN):
        raise UnreadableError(char)
    return {number, *map(ord, either), *map(ord, WRITTEN.get(char.lower(), ""))}


class Alphabet:
    """Which bit stands for which character."""

    def __init__(self, named: Iterable[int]) -> None:
        wider = {one for char in named for one in spellings(char)} | {*map(ord, WRITTEN.values())}
        self.beyond = tuple(sorted(one for one in wider if one >= ASCII))
        self.size = ASCII + len(self.beyond) + 1  # the last bit stands for all the rest
        self.all = (1 << self.size) - 1
        self._bits = {char: 1 << ASCII + place for place, char in enumerate(self.beyond)}

    def one(self, number: int) -> int:
        found = 0
        for spelling in spellings(number):
            found |= 1 << spelling if spelling < ASCII else self._bits[spelling]
        return found

    def taken(self, kind: str, what: Any) -> int:
        """The characters that a step takes."""
        match kind:
            case "LITERAL":
                return self.one(what)
            case "NOT_LITERAL":
                return self.all ^ self.one(what)
            case "ANY":
                return self.all ^ NEWLINE
            case "RANGE":
                return self._any(self.one(number) for number in range(what[0], what[1] + 1))
            case "CATEGORY":
                return self._category(str(what))
            case "IN" if str(what[0][0]) == "NEGATE":
                return self.all ^ self.taken("IN", what[1:])
            case "IN":
                return self._any(self.taken(str(item[0]), item[1]) for item in what)
        raise UnreadableError(kind)

    def _category(self, name: str) -> int:
        """Words hold whatever RE2 takes for a letter, though their edges know ASCII only."""
        found = CATEGORIES.get(name.replace("_NOT_", "_"))
        if found is None:
            raise UnreadableError(name)
        if found == WORD:
            found |= self._any(self.one(ord(letter)) for letter in WRITTEN)
        return self.all ^ found if "_NOT_" in name else found

    def _any(self, sets: Iterable[int]) -> int:
        found = 0
        for one in sets:
            found |= one
        return found


class Steps:
    """States are numbers: what each takes, where it goes for nothing, and on what condition."""

    def __init__(self, alphabet: Alphabet) -> None:
        self.alphabet = alphabet
        self.takes: list[list[tuple[int, int]]] = []
        self.free: list[list[int]] = []
        self.asks: list[list[tuple[int, int]]] = []  # what must be so, and where that leads
        self.ends: dict[int, int] = {}  # the last state of each cue -> its number
        self.cue: list[int] = []  # whose state it is
        self._now = 0
        self._loose = False

    def add(self, number: int, cue: str, *, loose: bool = False) -> int:
        """The first state of a cue; a loose one does not count far, and accepts more."""
        steps, lines = parsed(cue)
        self._now, self._loose = number, loose
        end = self._new()
        self.ends[end] = number
        return self._sequence(steps, end, lines)

    def _new(self) -> int:
        self.takes.append([])
        self.free.append([])
        self.asks.append([])
        self.cue.append(self._now)
        return len(self.cue) - 1

    def _sequence(self, steps: Sequence[tuple[Any, Any]], after: int, lines: bool) -> int:
        for kind, what in reversed(steps):
            after = self._step(str(kind), what, after, lines)
        return after

    def _step(self, kind: str, what: Any, after: int, lines: bool) -> int:
        match kind:
            case "LITERAL" | "NOT_LITERAL" | "ANY" | "IN":
                state = self._new()
                self.takes[state].append((self.alphabet.taken(kind, what), after))
                return state
            case "AT":
                state = self._new()
                self.asks[state].append((place_of(str(what), lines), after))
                return state
            case "SUBPATTERN" if not what[1] and not what[2]:
                return self._sequence(list(what[3]), after, lines)
            case "BRANCH":
                state = self._new()
                self.free[state] = [self._sequence(list(way), after, lines) for way in what[1]]
                return state
            case "MAX_REPEAT":
                return self._repeated(int(what[0]), int(what[1]), list(what[2]), after, lines)
        raise UnreadableError(kind)

    def _repeated(self, least: int, most: int, inner: Any, after: int, lines: bool) -> int:
        state = after
        if most == WITHOUT_END or (self._loose and most > COUNTED):
            state = self._new()
            self.free[state] = [self._sequence(inner, state, lines), after]
        elif most > LARGEST:
            raise UnreadableError("too often")
        else:
            for _ in range(most - least):
                before = self._new()
                self.free[before] = [self._sequence(inner, state, lines), after]
                state = before
        for _ in range(least):
            state = self._sequence(inner, state, lines)
        return state


def place_of(what: str, lines: bool) -> int:
    if what == "AT_BEGINNING":
        return LINE_START if lines else START
    if what == "AT_END":
        return LINE_END if lines else END
    if what == "AT_END_STRING":
        return END
    if what in PLACES:
        return PLACES[what]
    raise UnreadableError(what)
