"""The marks that stand in an output for something taken out: a closed set, recognised exactly.

In: a text.  Out: where marks of ours stand in it.

Square brackets alone say nothing: "Oral Tablet [Biktarvy]" and "[HIV positive]" are text like any
other, and only what is in MARKS was written by a sanitiser.
"""

from __future__ import annotations

import re

from dlp.model import Kind

KIND_MARKS = {
    Kind.PERSON: "[name]",
    Kind.PLACE: "[place]",
    Kind.ADDRESS: "[address]",
    Kind.ORGANISATION: "[organisation]",
    Kind.PROVIDER: "[provider]",
    Kind.DATE: "[date]",
    Kind.AGE: "[age]",
    Kind.PHONE: "[phone]",
    Kind.EMAIL: "[email]",
    Kind.URL: "[link]",
    Kind.IP: "[network address]",
    Kind.ID: "[number]",
}
REDACTED = "[redacted]"
REMOVED = "[…]"
REMOVED_PLAIN = "[...]"  # the same where a font has no ellipsis
CODE = "[code]"
MARKS = frozenset({*KIND_MARKS.values(), REDACTED, REMOVED, REMOVED_PLAIN, CODE})
_MARK = re.compile("|".join(map(re.escape, sorted(MARKS, key=len, reverse=True))))
_AREA = re.compile(r"\d{3}\*\*")  # of a ZIP code under Safe Harbor


def mark_places(text: str) -> list[tuple[int, int]]:
    return [hit.span() for hit in _MARK.finditer(text)]


def marked(text: str, start: int, end: int) -> bool:
    """Whether a stretch lies inside one mark."""
    opened = text.rfind("[", 0, start + 1)
    hit = _MARK.match(text, opened) if opened >= 0 else None
    return hit is not None and start < hit.end() and end <= hit.end()


def without_marks(text: str) -> str:
    return _MARK.sub("", text)


def is_blank(value: str) -> bool:
    """Whether nothing is left of a field's value: marks, and at most the area of a ZIP code."""
    return ("[" in value and not _AREA.sub("", without_marks(value)).strip(" \t\n,;/")) or bool(
        _AREA.fullmatch(value.strip())
    )
