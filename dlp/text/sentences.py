"""Where one statement ends and the next begins, cheaply and for notes as well as prose.

In: text.  Out: sorted offsets at which sentences start.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

# A full stop before a capital or a digit, a blank line, a list item, a label, a table cell. In a
# line without capitals a full stop behind a word is enough.
# Each begins with a character of its own, so the search skips from one of those to the next. A text
# takes linear time: what repeats meets a character it does not hold, or runs over blanks only once.
NEW_SENTENCE = r"[\"')\]]*+[ \t\n\r\f]++()[\"'(\[]?[A-Za-z0-9]"
BREAKS = re.compile(
    rf"\.{NEW_SENTENCE}|!{NEW_SENTENCE}|\?{NEW_SENTENCE}"
    r"|\n(?:[ \t\n\r\f]*\n"
    r"|[ \t]*+(?:[-*•·]|[0-9]{1,2}[.)])[ \t\n\r\f]"
    r"|[ \t]*+[A-Z][A-Za-z /&'-]{0,40}:)"
    r"|\t|;|\|"
)
# A new line ends a statement when the line before it did not run to the margin.
MARGIN = 60
LINE = 200  # characters either side of a full stop that tell a line in small letters
WORD = 4  # letters; shorter ones may be abbreviated
ABBREVIATIONS = frozenset(
    [
        "dr",
        "mr",
        "mrs",
        "ms",
        "st",
        "no",
        "vs",
        "jr",
        "sr",
        "rd",
        "ave",
        "prof",
        "approx",
        "dept",
        "fig",
        "pt",
        "pts",
        "mt",
        "ft",
    ]
)


# The last two letters of each, as they may be written: most full stops are told apart by them.
SHORT_ENDS = frozenset(
    written
    for word in ABBREVIATIONS
    for written in map("".join, product(*((letter, letter.upper()) for letter in word[-2:])))
)


# Stages ask about the same parts, one after the other. A text is known again by what it is, not by
# what it says: to look at every character of it costs as much as to find its sentences. As long as
# it is kept, no other text has its identity.
_recent: dict[int, tuple[str, tuple[int, ...]]] = {}
RECENT = 8


def sentence_starts(text: str) -> tuple[int, ...]:
    """Offsets in rising order; the first is 0. A break belongs to the sentence before it."""
    known = _recent.get(id(text))
    if known is not None:
        return known[1]
    found = read_breaks(text)
    if len(_recent) >= RECENT:
        _recent.clear()  # in one step: another thread may be reading
    _recent[id(text)] = text, found
    return found


def read_breaks(text: str) -> tuple[int, ...]:
    starts = [0]
    for match in BREAKS.finditer(text):
        sign, sentence = match.start(), match.lastindex
        if sentence is None:
            starts.append(sign + 1)
            continue
        small = text[match.end() - 1].islower()
        if small:
            starts += breaks_between(text, sign + 1, match.end())
        if small and not is_small(text, sign):
            continue
        if text[sign - 2 : sign] not in SHORT_ENDS or not is_abbreviated(text, sign):
            starts.append(match.start(sentence))
    distinct = {*starts, *behind_short_lines(text)}
    distinct.discard(len(text))
    return tuple(sorted(distinct)) if text else (0,)


def breaks_between(text: str, start: int, end: int) -> Iterator[int]:
    """Breaks that begin in the blanks between a full stop and a small letter."""
    for match in BREAKS.finditer(text, start):
        if match.start() >= end:
            return
        yield match.start() + 1


def is_small(text: str, sign: int) -> bool:
    """Whether the line of a full stop holds no capital, and a word of some length ends there."""
    start = text.rfind("\n", max(0, sign - LINE), sign) + 1 or max(0, sign - LINE)
    end = text.find("\n", sign, sign + LINE)
    line = text[start : end if end >= 0 else sign + LINE]
    return line.islower() and len(last_word(text, sign)) >= WORD


def behind_short_lines(text: str) -> list[int]:
    """Where the lines begin that follow one which ends before the margin."""
    starts = []
    line = 0
    while (end := text.find("\n", line)) >= 0:
        if end - line < MARGIN:
            starts.append(end + 1)
        line = end + 1
    return starts


def is_abbreviated(text: str, sign: int) -> bool:
    return text[sign] == "." and last_word(text, sign) in ABBREVIATIONS


def last_word(text: str, end: int) -> str:
    start = end
    while start > 0 and end - start < 10 and text[start - 1].isalpha():
        start -= 1
    return text[start:end].lower()
