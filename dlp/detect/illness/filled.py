"""Fields of a form that ask for an illness or an injury, and what was written there.

In: a part.  Out: the places of the answers.

"Injury: crushed finger tip" tells of somebody's health though no lexicon holds a crushed finger
tip. An empty line, a "none", an instruction or the next label is no answer.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import re2

from dlp.model import Part
from dlp.text.reader import read_structure

Span = tuple[int, int]

LONGEST = 20_000  # characters of a form
LABELS = """
    (?:nature|type|cause|details|description) of (?:the |your )?(?:illness|injury|accident)
    (?:nature|details|description) of (?:the |your )?(?:medical |health )?condition
    (?:nature|type|cause|details|description) of (?:the )?(?:disability|absence|sickness)
    nature of (?:illness or injury|injury or illness|injury/illness)
    injur(?:y|ies)(?: sustained| details)?
    illness|ailment|diagnos[ei]s|dx|disabilit(?:y|ies)|symptoms|complaint
    medical (?:conditions?|history|problems?|facts|details|reasons?|needs)
    health (?:conditions?|problems?|needs|issues|concerns)
    past (?:medical )?history|surgical history|(?:presenting|chief) complaint
    current (?:meds|medications?)|medications?|meds|(?:drug )?allergies
    reason for (?:absence|sick leave|admission|referral|(?:today's |this )?visit|consultation)
    operations?|surgery|procedure|part of body(?: injured)?|body part
"""
# The words around a label's own: "Please describe medical facts", "Reason for visit (in short)".
ASKED = (
    r"(?i)(?:(?:please |brief(?:ly)? )?(?:describe|list|state|give|explain|specify|any|your|other"
    r"|known|current|relevant|main|primary|all) )*(?:{})(?: \([^)\n]{{0,30}}\))?"
)
ANSWER = 160  # characters
NO_ANSWER = re.compile(
    r"\W*(?:_|\.\.|none|nil|n/?a\b|no\b|not\b|unknown|nkda|see\b|please|list|specify|describe|tick"
    r"|if\b|yes/no|y/n|as above|tbc|tba|pending|\w+\s*:|\[|<|\{|\$)",
    re.IGNORECASE,
)
WORD = re.compile(r"[^\W\d_]{3,}")


def answers(part: Part) -> list[Span]:
    """Places of what was written behind a label that asks for somebody's health."""
    text = part.text
    if len(text) > LONGEST or not mentioned().search(text):
        return []
    asked = labels()
    structure = read_structure(text)
    found = []
    for one in structure.fields:
        label = " ".join(structure.label_of(one).split()).rstrip(" ?:.")
        end = min(one.end, one.start + ANSWER)
        if one.state is not None or not asked.fullmatch(label):
            continue
        if not NO_ANSWER.match(text, one.start) and WORD.search(text, one.start, end):
            found.append((one.start, end))
    return found


@cache
def labels() -> Any:
    """Linear, because it reads every line of every form."""
    return re2.compile(ASKED.format(one_of()))


@cache
def mentioned() -> Any:
    """Whether a text has such a label at all: most have none, and their lines are not read."""
    return re2.compile(rf"(?i)\b(?:{one_of()})\b")


def one_of() -> str:
    return "|".join(line.strip() for line in LABELS.strip().splitlines())
