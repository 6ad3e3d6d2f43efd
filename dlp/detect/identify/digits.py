"""Say which patterns cannot match without a digit: they need not read text that has none.

In: a pattern.  Out: True when every text it accepts holds a digit; False in doubt.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

# Python's own reader of patterns; RE2 has none to ask. Whatever it cannot read is in doubt.
from re import _parser as reader  # type: ignore[attr-defined]  # isort: skip

ZERO, NINE = ord("0"), ord("9")


def needs_digit(pattern: str) -> bool:
    try:
        return any(map(holds_digit, reader.parse(pattern)))
    except (re.error, OverflowError, RecursionError):
        return False


def holds_digit(step: tuple[Any, Any]) -> bool:
    """Whether one step of a pattern always takes a digit."""
    kind, what = str(step[0]), step[1]
    match kind:
        case "LITERAL":
            return bool(ZERO <= what <= NINE)
        case "IN":
            return all(map(is_digits, what))
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
            return what[0] > 0 and any_step(what[2])
        case "SUBPATTERN":
            return any_step(what[3])
        case "BRANCH":
            return all(map(any_step, what[1]))
    return False


def any_step(steps: Iterable[tuple[Any, Any]]) -> bool:
    return any(map(holds_digit, steps))


def is_digits(item: tuple[Any, Any]) -> bool:
    """One item of a class; a class that says what it is not holds no digits for certain."""
    kind, what = str(item[0]), item[1]
    match kind:
        case "LITERAL":
            return bool(ZERO <= what <= NINE)
        case "RANGE":
            low, high = what
            return bool(low >= ZERO and high <= NINE)
        case "CATEGORY":
            return str(what) == "CATEGORY_DIGIT"
    return False
