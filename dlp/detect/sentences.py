"""Where one statement ends and the next begins, cheaply and for notes as well as prose.

In: text.  Out: sorted offsets at which sentences start.
"""

from __future__ import annotations

import functools
import re
from itertools import accumulate

# A full stop before a capital or a digit, a blank line, a list item, a label, a table cell.
# All begin with a character of one class, so the search skips from one of those to the next. A text
# takes linear time: what repeats meets a character it does not hold, or runs over blanks only once.
BREAKS = re.compile(
    r"[.!?\n\t;|](?:"
    r"(?<=[.!?])[\"')\]]*+[ \t\n\r\f]++()[\"'(\[]?[A-Z0-9]"
    r"|(?<=\n)(?:[ \t\n\r\f]*\n"
    r"|[ \t]*+(?:[-*•·]|[0-9]{1,2}[.)])[ \t\n\r\f]"
    r"|[ \t]*+[A-Z][A-Za-z /&'-]{0,40}:)"
    r"|(?<=[\t;|]))"
)
# A new line ends a statement when the line before it did not run to the margin.
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


SHORT_ENDS = frozenset(word[-2:] for word in ABBREVIATIONS)


@functools.lru_cache(maxsize=8)  # two stages ask about the same parts, one after the other
def sentence_starts(text: str) -> tuple[int, ...]:
    """Offsets in rising order; the first is 0. A break belongs to the sentence before it."""
    starts = {0}
    for match in BREAKS.finditer(text):
        start = match.start()
        # A group that took no part stands at -1: then one sign is the whole break.
        after = match.start(1)
        if after < 0:
            starts.add(start + 1)
        elif text[start] != "." or not is_abbreviated(text, start):
            starts.add(after)
    lines = text.split("\n")
    ends = accumulate(len(line) + 1 for line in lines[:-1])
    starts.update(end for line, end in zip(lines, ends, strict=False) if len(line) < MARGIN)
    starts.discard(len(text))
    return tuple(sorted(starts)) if text else (0,)


def is_abbreviated(text: str, end: int) -> bool:
    if text[max(0, end - 2) : end].lower() not in SHORT_ENDS:
        return False
    return last_word(text, end) in ABBREVIATIONS


def last_word(text: str, end: int) -> str:
    start = end
    while start > 0 and end - start < 10 and text[start - 1].isalpha():
        start -= 1
    return text[start:end].lower()
