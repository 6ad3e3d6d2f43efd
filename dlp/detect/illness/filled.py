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
HELD = 30  # characters of a bracket behind it
ASKED = r"(?i)\b(?:{})(?: \([^)\n]{{0,30}}\))?[ .]{{0,20}}[:=][ \t]*"
OPENS = re.compile(r"(?:^|[\n\t]|  )[ \d.)*•-]{0,6}$")
BULLET = 9  # characters before a label that may number it
ANSWER = 160  # characters
NO_ANSWER = re.compile(
    r"\W*(?:_|\.\.|none|nil|n/?a\b|no\b|not\b|unknown|nkda|see\b|please|list|specify|describe|tick"
    r"|if\b|yes/no|y/n|as above|tbc|tba|pending|\w+\s*:|\[|<|\{|\$)",
    re.IGNORECASE,
)
WORD = re.compile(r"[^\W\d_]{3,}")
PIECE = re.compile(r"\(\?:|\[[a-z]+\]|.")  # of the pattern of the labels


def answers(text: str) -> list[tuple[int, int]]:
    """Places of what was written behind a label that asks for somebody's health."""
    if len(text) > LONGEST:
        return []
    asked = listed().asked(text, LEADERS, HELD) if KERNEL else spans_of_text(labels(), text)
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


@cache
def listed() -> Any:
    """The labels one by one, as the kernel looks for them."""
    lines = (line.strip() for line in LABELS.strip().splitlines())
    return KERNEL.Labels([label for line in lines for label in spelt(PIECE.findall(line))])


def spelt(pieces: list[str]) -> list[str]:
    """All that a pattern of groups, choices and what may be left out allows; it is used up."""
    whole: list[str] = []
    begun = [""]
    while pieces and (piece := pieces.pop(0)) != ")":
        if piece == "|":
            whole, begun = [*whole, *begun], [""]
            continue
        ways = spelt(pieces) if piece == "(?:" else [*piece.strip("[]")]
        if pieces and pieces[0] == "?":
            ways.append(pieces.pop(0)[1:])  # nothing
        begun = [one + way for one in begun for way in ways]
    return [*whole, *begun]
