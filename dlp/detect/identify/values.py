"""List the values of one rule in a window of text, asking RE2 as little as possible.

In: a pattern, bytes, a window.  Out: (start, end) of each value, in order.

Where a match ends RE2 says in a microsecond; which part of it is the value behind a label costs it
four more, for it tries the labels one by one. Matches that the pattern cannot tell apart hold the
value at the same place, so that question is asked once for all of them.
"""

from __future__ import annotations

from typing import Any

import re2

from dlp.detect.identify.derived import VALUE, of_pattern
from dlp.detect.spans import Span

KEPT = 8192  # places of values that are remembered for a rule, 200 bytes each


class Values:
    __slots__ = (
        *("_group", "_marked", "_pattern", "_whole"),
        *("alike", "grouped", "places", "whole"),
    )
    _marked: re2._Regexp
    _whole: re2._Regexp
    _group: int
    alike: bytes

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self.grouped = VALUE in pattern  # the value is a part of the match
        self.whole = whole_of(pattern)
        # within the match and the byte on either side; a border of the text, which shows in no
        # byte, counts as well: none, that behind, that before, both
        self.places: tuple[dict[bytes, Span], ...] = ({}, {}, {}, {})

    def __getattr__(self, name: str) -> Any:
        """What RE2 makes of the pattern, when it is first asked: most patterns it never sees."""
        if name == "_marked":
            self._marked = re2.compile(self._pattern)
        elif name == "_group":
            self._group = self._marked.groupindex.get("v", 0)
        elif name == "_whole":
            self._whole = re2.compile(self.whole) if self.grouped else self._marked
        elif name == "alike":
            self.alike = bytes.fromhex(of_pattern(self._pattern).alike) if self.grouped else b""
        else:
            raise AttributeError(name)
        return getattr(self, name)

    def spans(self, raw: bytes, start: int, stop: int, limit: int) -> list[Span]:
        """Values of the matches that start before `stop`; a match may reach to `limit`."""
        found: list[Span] = []
        for one in self._whole.finditer(raw, start, limit):
            whole: Span = one.span()
            if whole[0] >= stop:
                break
            found.append(self.value(raw, whole) if self.grouped else whole)
        return found

    def value(self, raw: bytes, whole: Span) -> Span:
        """The value within a match."""
        start, end = whole
        places = self.places[2 * (not start) + (end >= len(raw))]
        key = raw[max(0, start - 1) : end + 1].translate(self.alike)
        place = places.get(key)
        if place is None:
            first, last = self._asked(raw, whole)
            if sum(map(len, self.places)) >= KEPT:
                for known in self.places:
                    known.clear()
            place = places[key] = (first - start, last - start)
        return start + place[0], start + place[1]

    def _asked(self, raw: bytes, whole: Span) -> Span:
        found = self._marked.fullmatch(raw, *whole)
        value: Span = found.span(self._group) if found else whole
        # a group that took no part leaves the whole match as the value
        return value if value[0] >= 0 else whole


def whole_of(pattern: str) -> str:
    """The same pattern, which value and label are no two things for."""
    return pattern.replace(VALUE, "(?:")
