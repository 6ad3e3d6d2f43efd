"""Fields of a form that ask for an illness or an injury, and what was written there.

In: text.  Out: the places of the answers.

"Injury: crushed finger tip" tells of somebody's health though no lexicon holds a crushed finger
tip. An empty line, a "none", an instruction or the next label is no answer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

import re2

from dlp.detect.spans import spans_of_text

Span = tuple[int, int]

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
ASKED = r"(?i)\b(?:{})(?: \([^)\n]{{0,30}}\))?[ .]{{0,20}}[:=][ \t]*"
OPENS = re.compile(r"(?:^|[\n\t]|  )[ \d.)*•-]{0,6}$")
BEFORE = 9  # characters before a label that are looked at
ANSWER = 160  # characters
NO_ANSWER = re.compile(
    r"\W*(?:_|\.\.|none|nil|n/?a\b|no\b|not\b|unknown|nkda|see\b|please|list|specify|describe|tick"
    r"|if\b|yes/no|y/n|as above|tbc|tba|pending|\w+\s*:|\[|<|\{|\$)",
    re.IGNORECASE,
)
WORD = re.compile(r"[^\W\d_]{3,}")


def answers(text: str) -> list[Span]:
    """Places of what was written behind a label that asks for somebody's health."""
    if len(text) > LONGEST:
        return []
    asked = labels_in(text)
    return answered(text, opening(text, asked)) if asked else []


def labels_in(text: str) -> list[Span]:
    """Where labels begin, and where what is written behind them does."""
    return spans_of_text(labels(), text)


def opening(text: str, asked: list[Span]) -> list[Span]:
    """The labels that open a field, by what stands before them."""
    return [one for one in asked if OPENS.search(text[max(0, one[0] - BEFORE) : one[0]])]


def answered(text: str, asked: Sequence[Span]) -> list[Span]:
    """What stands behind labels, where it is an answer."""
    found = []
    for _, start in asked:
        if not NO_ANSWER.match(text, start):
            end = end_of(text, start)
            if WORD.search(text, start, end):
                found.append((start, end))
    return found


def end_of(text: str, start: int) -> int:
    """Where the field ends: at the line's end, a tab, or the two blanks before the next one."""
    end = min(start + ANSWER, len(text))
    for sign in ("\n", "\t", "  "):
        if (found := text.find(sign, start, end)) >= 0:
            end = found
    return end


@cache
def labels() -> Any:
    """Linear, because it reads every line of every form."""
    one_of = "|".join(line.strip() for line in LABELS.strip().splitlines())
    return re2.compile(ASKED.format(one_of))
