"""Values met once in a run, found again wherever they stand.

In: values with their kinds, a text.  Out: where one of them stands as whole words, and its kind.

Letter case matters for a single word only ("Black" is a name, "black" a colour): the second readers
of an output look the same way, and what they find must be found here.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator

from dlp.model import Kind
from dlp.sanitise.documents.search import Near, bounded


class Values:
    def __init__(self) -> None:
        self._kinds: dict[str, Kind] = {}
        self._near: Near | None = None

    def __len__(self) -> int:
        return len(self._kinds)

    def add(self, value: str, kind: Kind) -> None:
        if self._kinds.get(_form(value)) is not kind and value.strip():
            self._kinds[_form(value)] = kind
            self._near = None

    def found(self, text: str) -> Iterator[tuple[int, int, Kind]]:
        if self._near is None:
            self._near = Near(self._kinds, caseless=True)
        for start, end in self._spans(self._near, text):
            # A pattern without case knows pairs that lower() does not ("ſ" and "s").
            yield start, end, self._kinds.get(_form(text[start:end]), Kind.ID)

    @staticmethod
    def _spans(near: Near, text: str) -> Iterator[tuple[int, int]]:
        """The leftmost first, then the longest, none overlapping.

        One pattern of all values would try each of them at every letter: a book has thousands of
        both, so a value is tried only where an automaton saw it.
        """
        try:
            starts = near.starts(text)
        except ValueError:
            if values := near.of(text):
                yield from (hit.span() for hit in re.finditer("|".join(map(_body, values)), text))
            return
        done = 0
        for start, value in starts:
            if start >= done and (hit := _pattern(value).match(text, start)):
                done = hit.end()
                yield hit.span()


def _form(value: str) -> str:
    return value if value.isalpha() else value.lower()


def _body(form: str) -> str:
    body = bounded(re.escape(form), form)
    return body if form.isalpha() else f"(?i:{body})"


@functools.lru_cache(20_000)
def _pattern(form: str) -> re.Pattern[str]:
    return re.compile(_body(form))
