"""Values met once in a run, found again wherever they stand.

In: values with their kinds, a text.  Out: where one of them stands as whole words, and its kind.

Letter case matters for a single word only ("Black" is a name, "black" a colour): the second readers
of an output look the same way, and what they find must be found here.
"""

from __future__ import annotations

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
        if not (near := self._near.of(text)):
            return
        for hit in re.finditer("|".join(map(_body, near)), text):
            # A pattern without case knows pairs that lower() does not ("ſ" and "s").
            yield (*hit.span(), self._kinds.get(_form(hit.group()), Kind.ID))


def _form(value: str) -> str:
    return value if value.isalpha() else value.lower()


def _body(form: str) -> str:
    body = bounded(re.escape(form), form)
    return body if form.isalpha() else f"(?i:{body})"
