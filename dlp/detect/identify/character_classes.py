"""Say which letters and digits a pattern cannot tell apart.

In: a pattern.  Out: a table for bytes.translate that writes every such group as its first member.

Two texts that the table makes equal take the same way through the pattern: what is known of one
holds for the other. "MRN: 481902" and "MRN: 775310" are one question, not two.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

# Python's own reader of patterns; RE2 has none to ask. What it cannot read leaves all bytes apart.
from re import _parser as reader  # type: ignore[attr-defined]  # isort: skip

DIGITS = "0123456789"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
OF_RE2 = ("[[:", r"\p", r"\P", r"\Q", r"\C")  # Python reads these as something else, or not at all
PLAIN = frozenset({"AT", "ANY", "CATEGORY", "NEGATE"})  # same for all letters, same for all digits


def table_of(pattern: str) -> bytes:
    same = bytes(range(256))
    if any(sign in pattern for sign in OF_RE2):
        return same
    try:
        named = sorted(set(ranges(reader.parse(pattern))))
    except (re.error, OverflowError, RecursionError, UnreadableError):
        return same
    table = bytearray(same)
    for group in (DIGITS, LETTERS):
        first: dict[tuple[bool, ...], int] = {}
        for character in group:
            # in either case, for the pattern may be blind to it
            codes = {ord(character.lower()), ord(character.upper())}
            named_by = (any(low <= c <= high for c in codes) for low, high in named)
            seen = (character.isupper(), *named_by)
            table[ord(character)] = first.setdefault(seen, ord(character))
    return bytes(table)


class UnreadableError(Exception):
    """A step of a pattern that nobody has thought about."""


def ranges(steps: Any) -> Iterator[tuple[int, int]]:
    """Every character and range of characters that a pattern names."""
    for kind, what in steps:
        match str(kind):
            case "LITERAL" | "NOT_LITERAL":
                yield what, what
            case "RANGE":
                yield what
            case "IN":
                yield from ranges(what)
            case "MAX_REPEAT" | "MIN_REPEAT":
                yield from ranges(what[2])
            case "SUBPATTERN":
                yield from ranges(what[3])
            case "BRANCH":
                for branch in what[1]:
                    yield from ranges(branch)
            case other if other not in PLAIN:
                raise UnreadableError(other)
