"""List where a pattern matches.

In: a compiled RE2 pattern, bytes, a window.  Out: (start, end) pairs of a group.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import re2

Span = tuple[int, int]


def spans(pattern: Any, raw: bytes, start: int, end: int, group: int = 0) -> list[Span]:
    """All matches within start and end; \\b looks beyond both. No pattern here matches nothing."""
    found: list[Span] = []
    for one in pattern.finditer(raw, start, end):
        value: Span = one.span(group)
        # a group that took no part leaves the whole match as the value
        found.append(value if value[0] >= 0 else one.span())
    return found


def spans_of_text(pattern: Any, text: str, raw: bytes = b"") -> list[Span]:
    """All matches of a whole text, in characters; `raw` is the text in UTF-8, if it is known."""
    raw = raw or text.encode("utf-8", "surrogatepass")
    found = spans(pattern, raw, 0, len(raw))
    if len(raw) == len(text) or not found:
        return found
    # Each distance is measured once, from the end of the last: linear in the text.
    counted: list[Span] = []
    byte = character = 0
    for start, end in found:
        first = character + characters_in(raw, byte, start)
        character = first + characters_in(raw, start, end)
        counted.append((first, character))
        byte = end
    return counted


def characters_in(raw: bytes, start: int, end: int) -> int:
    return len(raw[start:end].decode("utf-8", "surrogatepass"))


class Together:
    """RE2 patterns of which a text holds few: one set says which, and only those are searched."""

    def __init__(self, patterns: Mapping[str, str]) -> None:
        """By name."""
        options = re2.Options()
        options.max_mem = 64 << 20
        options.never_capture = True
        self._set = re2.Set.SearchSet(options)
        for one in patterns.values():
            self._set.Add(one)
        self._set.Compile()
        self._patterns = {name: re2.compile(one) for name, one in patterns.items()}

    def matches(self, text: str) -> dict[str, Iterator[Any]]:
        """The matches of each pattern, by its name."""
        there = self._set.Match(text) or ()
        return {
            name: pattern.finditer(text) if number in there else iter(())
            for number, (name, pattern) in enumerate(self._patterns.items())
        }
