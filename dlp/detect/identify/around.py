"""Say how far from its first digit a match of a pattern may reach.

In: a pattern.  Out: characters before that digit, and from it on.

Four bytes of prose in five are further from any digit than most numbers are long: whoever knows the
reach of a pattern need not read them. A repetition without end counts as one long run of letters,
digits, hyphens and apostrophes (RUN); whoever reads a text with a longer one adds its length.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from dlp.detect.identify.digits import any_step, holds_digit
from dlp.detect.identify.loosen import OF_RE2, WITHOUT_END, Step, UnreadableError, core
from dlp.named import NamedTuple

# Python's own reader of patterns; RE2 has none to ask. What it cannot read reaches anywhere.
from re import _parser as reader  # type: ignore[attr-defined]  # isort: skip

RUN = 32
OF_RUNS = frozenset("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-'")
CATEGORIES_OF_RUNS = frozenset({"CATEGORY_DIGIT", "CATEGORY_WORD"})  # RE2's are of ASCII


class Reach(NamedTuple):
    """Every match holds a digit with at most `before` characters before it and `after` from it."""

    before: int
    after: int


def reaches_of(pattern: str) -> tuple[Sequence[int], Sequence[int]]:
    """Of what a match cannot do without, and of the whole match; empty where nobody knows."""
    if any(sign in pattern for sign in OF_RE2):
        return (), ()
    try:
        steps = list(reader.parse(pattern))
        return reach_of(core(steps)) or (), reach_of(steps) or ()
    except (re.error, OverflowError, RecursionError):
        return (), ()


def reach_of(steps: Sequence[Step]) -> Reach | None:
    """None: no digit is certain, or nobody knows how long a match may be."""
    try:
        return from_first_digit(list(steps)) if any_step(steps) else None
    except UnreadableError:
        return None


def from_first_digit(steps: Sequence[Step]) -> Reach:
    place = next(number for number, step in enumerate(steps) if holds_digit(step))
    here = reach_in(steps[place])
    return Reach(width(steps[:place]) + here.before, here.after + width(steps[place + 1 :]))


def reach_in(step: Step) -> Reach:
    """The reach within one step that always takes a digit."""
    kind, what = str(step[0]), step[1]
    match kind:
        case "LITERAL" | "IN":
            return Reach(0, 1)
        case "SUBPATTERN":
            return from_first_digit(list(what[3]))
        case "BRANCH":
            ways = [from_first_digit(list(one)) for one in what[1]]
            return Reach(max(one.before for one in ways), max(one.after for one in ways))
        case "MAX_REPEAT" | "MIN_REPEAT":
            first = from_first_digit(list(what[2]))
            return Reach(first.before, first.after + repeated(-1, int(what[1]), what[2]))
    raise UnreadableError(kind)


def width(steps: Iterable[Step]) -> int:
    """The characters a match of these steps has at most."""
    return sum(width_of(str(kind), what) for kind, what in steps)


def width_of(kind: str, what: Any) -> int:
    match kind:
        case "LITERAL" | "NOT_LITERAL" | "ANY" | "IN":
            return 1
        case "AT":
            return 0
        case "SUBPATTERN":
            return width(what[3])
        case "BRANCH":
            return max(map(width, what[1]))
        case "MAX_REPEAT" | "MIN_REPEAT":
            return repeated(0, int(what[1]), what[2])
    raise UnreadableError(kind)


def repeated(fewer: int, times: int, steps: Sequence[Step]) -> int:
    if times != WITHOUT_END:
        return (times + fewer) * width(steps)
    if len(steps) == 1 and is_run(*steps[0]):
        return RUN
    raise UnreadableError("without end")


def is_run(kind: Any, what: Any) -> bool:
    """Whether a step takes one character of a run."""
    match str(kind):
        case "LITERAL":
            return chr(what) in OF_RUNS
        case "IN":
            return all(is_run(*item) for item in what)
        case "RANGE":
            return all(chr(one) in OF_RUNS for one in range(what[0], min(what[1], 0x80) + 1))
        case "CATEGORY":
            return str(what) in CATEGORIES_OF_RUNS
    return False
