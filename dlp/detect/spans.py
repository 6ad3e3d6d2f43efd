"""List where a pattern matches.

In: a compiled RE2 pattern, bytes, a window.  Out: (start, end) pairs of a group.
"""

from __future__ import annotations

from typing import Any

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
