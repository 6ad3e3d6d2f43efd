"""Where one statement ends and the next begins, cheaply and for notes as well as prose.

In: text.  Out: sorted offsets at which sentences start.
"""

from __future__ import annotations

import re2

# A full stop before a capital or a digit, a blank line, a list item, a label, a table cell.
BREAKS = re2.compile(
    r"[.!?][\"')\]]*\s+[\"'(\[]?[A-Z0-9]"
    r"|\n\s*\n"
    r"|\n[ \t]*(?:[-*•·]|\d{1,2}[.)])\s"
    r"|\n[ \t]*[A-Z][A-Za-z /&'-]{0,40}:"
    r"|[\t;|]"
)
# A new line ends a statement when the line before it did not run to the margin.
LINES = re2.compile(r"\n")
MARGIN = 60
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


def sentence_starts(text: str) -> list[int]:
    """Offsets in rising order; the first is 0. A break belongs to the sentence before it."""
    starts = {0}
    for match in BREAKS.finditer(text):
        start, end = match.span()
        if text[start] == "." and last_word(text, start) in ABBREVIATIONS:
            continue
        single = text[start] in "\t;|"
        starts.add(end if single else after_break(text, start, end))
    previous = -1
    for match in LINES.finditer(text):
        here = match.start()
        if here - previous - 1 < MARGIN:
            starts.add(here + 1)
        previous = here
    starts.discard(len(text))
    return sorted(starts) if text else [0]


def after_break(text: str, start: int, end: int) -> int:
    """The first character of the next sentence inside a break of several characters."""
    if text[start] == "\n":
        return start + 1
    gap = next((i for i in range(start, end) if text[i].isspace()), end - 1)
    return next((i for i in range(gap, end) if not text[i].isspace()), end)


def last_word(text: str, end: int) -> str:
    start = end
    while start > 0 and end - start < 10 and text[start - 1].isalpha():
        start -= 1
    return text[start:end].lower()
