"""Fields of a form that ask for an illness or an injury, and what was written there.

In: text.  Out: the places of the answers.

"Injury: crushed finger tip" tells of somebody's health though no lexicon holds a crushed finger
tip. An empty line, a "none", an instruction or the next label is no answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import re2

from dlp.detect.spans import spans_of_text
from dlp.native import kernel

KERNEL = kernel("hits")

LONGEST = 20_000  # characters of a form
LABELS = """
    (?:nature|type|cause|details|description) of (?:the )?(?:illness|injury|condition|accident)
    (?:nature|type|cause|details|description) of (?:the )?(?:disability|absence|sickness)
    nature of (?:illness or injury|injury or illness|injury/illness)
    injur(?:y|ies)(?: sustained| details)?
    illness|ailment|diagnos[ei]s|dx|disabilit(?:y|ies)|symptoms|complaint
    medical (?:conditions?|history|problems?)|health (?:conditions?|problems?)
    past (?:medical )?history|surgical history|(?:presenting|chief) complaint
    current (?:meds|medications?)|medications?|meds|(?:drug )?allergies
    reason for (?:absence|sick leave|admission|referral)
    operations?|surgery|procedure|part of body(?: injured)?|body part
"""
LEADERS = 20  # blanks and full stops between a label and its colon
ASKED = r"(?i)\b(?:{})(?: \([^)\n]{{0,30}}\))?[ .]{{0,20}}[:=][ \t]*"
# The last letters of the labels: without them before a colon the pattern need not be asked.
ENDS = frozenset({
    "lness", "njury", "ndition", "ccident", "ability", "sence", "kness", "uries", "ained",
    "ailment", "nosis", "noses", "dx", "ilities", "ptoms", "ditions", "blems",
    "history", "meds", "ication", "cations", "rgies", "k leave", "mission", "erral", "rgery",
    "eration", "rations", "ocedure", "body", "part", "details", "mplaint", "problem",
    "injured",
})  # fmt: skip
LABEL = 120  # characters of the longest with its bracket and its dots, and some more
OPENING = 140  # characters to what opens the field, some more again
OPENS = re.compile(r"(?:^|[\n\t]|  )[ \d.)*•-]{0,6}$")
BULLET = 9  # characters before a label that may number it
ANSWER = 160  # characters
NO_ANSWER = re.compile(
    r"\W*(?:_|\.\.|none|nil|n/?a\b|no\b|not\b|unknown|nkda|see\b|please|list|specify|describe|tick"
    r"|if\b|yes/no|y/n|as above|tbc|tba|pending|\w+\s*:|\[|<|\{|\$)",
    re.IGNORECASE,
)
WORD = re.compile(r"[^\W\d_]{3,}")


def answers(text: str) -> list[tuple[int, int]]:
    """Places of what was written behind a label that asks for somebody's health."""
    if len(text) > LONGEST:
        return []
    if KERNEL is None:
        asked = spans_of_text(labels(), text)
    else:  # stretches that hold every label which opens a field
        asked = [
            (start + label, start + behind)
            for start, end in KERNEL.asking(text, LEADERS, ENDS, LABEL, OPENING)
            for label, behind in spans_of_text(labels(), text[start:end])
        ]
    return [*answered(text, asked)] if asked else []


def answered(text: str, asked: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """What stands behind those of the labels that open a field, where it is an answer."""
    for label, start in asked:
        if not OPENS.search(text[max(0, label - BULLET) : label]):
            continue
        end = end_of(text, start)
        if not NO_ANSWER.match(text, start) and WORD.search(text, start, end):
            yield start, end


def end_of(text: str, start: int) -> int:
    """Where the field ends: at the line's end, a tab, or the two blanks before the next one."""
    written = text[start : start + ANSWER]
    ends = (written.find(sign) for sign in ("\n", "\t", "  "))
    return start + min((end for end in ends if end >= 0), default=len(written))


@cache
def labels() -> Any:
    """Linear, because it reads every line of every form."""
    one_of = "|".join(line.strip() for line in LABELS.strip().splitlines())
    return re2.compile(ASKED.format(one_of))
