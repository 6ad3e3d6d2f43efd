"""Fields that hold one piece of a value: a reader shows "UT 84060", the file has two elements.

In: the values that were replaced, a stretch of the file.  Out: what to write in its place, or None.

A piece alone gives no cue: a family name can be an everyday word, a ZIP code any number, and
records write dates without signs between. So a field that is a piece of a value found in the
document, and nothing else, is that piece.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from dlp.model import Kind
from dlp.sanitise.identity import Identity
from dlp.sanitise.plan import Edit

NAMED = frozenset(
    kind.value for kind in (Kind.PERSON, Kind.PLACE, Kind.ADDRESS, Kind.ORGANISATION, Kind.PROVIDER)
)
PLACES = frozenset({Kind.PLACE.value, Kind.ADDRESS.value})
_WORD = re.compile(r"[^\W\d_][^\s,;]+")
_ZIP = re.compile(r"(?<!\d)\d{5}(?:-\d{4})?(?!\d)")
_DAY = re.compile(r"((?:19|20)\d\d)-?(0[1-9]|1[0-2])-?(0[1-9]|[12]\d|3[01])")
# HL7 and DICOM: a day, perhaps with a time and a zone behind it.
_STAMP = re.compile(r"((?:19|20)\d{6})(?:[T ]?\d{2,6}(?:\.\d+)?)?(?:[+-]\d{4}|Z)?")


class Pieces:
    def __init__(self, identity: Identity, replaced: Iterable[tuple[str, Edit]]) -> None:
        self._identity = identity
        self._known: dict[str, Edit] = {}
        self._days: dict[str, Edit] = {}
        for value, edit in replaced:
            if edit.kind == Kind.DATE.value and (day := _DAY.fullmatch(value.strip()[:10])):
                self._days["".join(day.groups())] = edit
            elif edit.kind in NAMED:
                self._note(value, edit)

    def _note(self, value: str, edit: Edit) -> None:
        words = _WORD.findall(value)
        made = edit.text.split()
        for place, word in enumerate(words):
            if len(word) > 2 and word[0].isupper() and word not in edit.text:
                # A surrogate of as many words keeps its words in their fields.
                whole = len(made) == len(words) and not edit.text.startswith("[")
                text = made[place] if whole else self._identity.plain(Kind(edit.kind), word)
                self._known.setdefault(word, _written(edit, text))
        if edit.kind in PLACES:
            for hit in _ZIP.finditer(value):
                self._known[hit.group()] = _written(edit, self._identity.area(hit.group()))

    def of(self, stretch: str) -> str | None:
        bare = stretch.strip()
        edit = self._known.get(bare) or self._known.get(bare.title())
        if edit is not None:
            return stretch.replace(bare, edit.text)
        stamp = _STAMP.fullmatch(bare)
        if stamp and stamp.group(1) in self._days:
            day = _DAY.fullmatch(self._days[stamp.group(1)].text)
            return "".join(day.groups()) if day else self._days[stamp.group(1)].text
        return None


def _written(edit: Edit, text: str) -> Edit:
    return Edit(0, 0, text, edit.reason, edit.kind)
