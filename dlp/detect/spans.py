"""List where a pattern matches, at half the price of match objects.

In: a compiled RE2 pattern, bytes, a window.  Out: (start, end) pairs of a group.

The Python wrapper of RE2 builds an object and two generator steps for each match, which doubles
the cost of text full of hits; its inner matcher gives the bare positions. Where that inner door
is closed (another release), the public one is used and tested to give the same.
"""

from __future__ import annotations

from typing import Any

import re2

Span = tuple[int, int]


def spans(pattern: Any, raw: bytes, start: int, end: int, group: int = 0) -> list[Span]:
    """All matches within start and end; \\b looks beyond both. No pattern here matches nothing."""
    try:
        match = pattern._regexp.Match  # noqa: SLF001 - see the module's docstring
        anywhere = re2._Anchor.UNANCHORED  # noqa: SLF001
    except AttributeError:
        return spans_by_objects(pattern, raw, start, end, group)
    found: list[Span] = []
    while True:
        places = match(anywhere, raw, start, end)
        whole = places[0]
        if whole[0] < 0:
            return found
        value = places[group]
        # a group that took no part leaves the whole match as the value
        found.append(value if value[0] >= 0 else whole)
        start = whole[1]


def count_in(pattern: Any, raw: bytes) -> int:
    """How many matches a whole text has; one of nothing counts, as it does for `finditer`."""
    try:
        match = pattern._regexp.Match  # noqa: SLF001 - see the module's docstring
        anywhere = re2._Anchor.UNANCHORED  # noqa: SLF001
    except AttributeError:
        return len(list(pattern.finditer(raw)))
    start, end, count = 0, len(raw), 0
    while True:
        first, last = match(anywhere, raw, start, end)[0]
        if first < 0:
            return count
        count += 1
        if start == end:
            return count
        start = last + (start == last)


def spans_of_text(pattern: Any, text: str) -> list[Span]:
    """All matches of a whole text, in characters."""
    raw = text.encode("utf-8", "surrogatepass")
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


def spans_by_objects(pattern: Any, raw: bytes, start: int, end: int, group: int) -> list[Span]:
    found: list[Span] = []
    for one in pattern.finditer(raw, start, end):
        value: Span = one.span(group)
        found.append(value if value[0] >= 0 else one.span())
    return found
