"""Abbreviations a text defines itself: "chronic kidney disease (CKD)".

In: text.  Out: for each short form the span of its long form.

The rule is that of Schwartz and Hearst (2003): every letter of the short form must appear in the
words before the bracket, in order, its first letter at the start of a word.
"""

from __future__ import annotations

import re

_BRACKET = re.compile(r"\(\s*([^()\[\]\n]{2,60}?)\s*[);,]")
_SHORT = re.compile(r"[A-Za-z0-9][A-Za-z0-9/&.+-]{0,8}[A-Za-z0-9+]s?")
_WORD = re.compile(r"[^\s]+")
_STOP = re.compile(r"[.;:!?]\s|\n\s*\n")
REACH = 160  # characters; a long form has at most min(|s| + 5, 2|s|) words
LONGEST = 10  # characters of a short form

Bracket = tuple[int, int, int]  # where it opens, and the bounds of what it holds


def brackets(text: str) -> list[Bracket]:
    """The brackets that may hold a short form, and some more."""
    return [(bracket.start(), *bracket.span(1)) for bracket in _BRACKET.finditer(text)]


def find_abbreviations(text: str, seen: list[Bracket] | None = None) -> dict[str, tuple[int, int]]:
    """Short form -> (start, end) of the long form; the first definition wins."""
    seen = brackets(text) if seen is None else seen
    found: dict[str, tuple[int, int]] = {}
    for bracket, start, end in seen:
        short = text[start:end]
        if not _SHORT.fullmatch(short) or not _plausible(short) or short in found:
            continue
        span = _long_form(text, bracket, short)
        if span is not None:
            found[short] = span
    return found


def _plausible(short: str) -> bool:
    letters = sum(map(str.isalpha, short))
    return letters >= 1 and len(short) <= LONGEST and sum(map(str.isupper, short)) * 2 >= letters


def _long_form(text: str, bracket: int, short: str) -> tuple[int, int] | None:
    floor = max(0, bracket - REACH)
    stops = [stop.end() for stop in _STOP.finditer(text, floor, bracket)]
    floor = stops[-1] if stops else floor
    end = bracket
    while end > floor and text[end - 1].isspace():
        end -= 1
    words = [word.start() for word in _WORD.finditer(text, floor, end)]
    limit = min(len(short) + 5, 2 * len(short))
    words = words[-limit:]
    if not words:
        return None
    start = _match_letters(text, words[0], end, short)
    if start is None or end - start <= len(short):
        return None
    return start, end


def _match_letters(text: str, floor: int, end: int, short: str) -> int | None:
    """Walk back through both; the first letter must open a word."""
    letters = [c.lower() for c in short if c.isalnum()]
    if len(letters) > 2 and letters[-1] == "s" and short[-1] == "s" and short[-2].isupper():
        letters.pop()  # plural of the short form
    position = end
    for place in range(len(letters) - 1, -1, -1):
        position -= 1
        while position >= floor and (
            text[position].lower() != letters[place]
            or (place == 0 and position > floor and text[position - 1].isalnum())
        ):
            position -= 1
        if position < floor:
            return None
    return position
