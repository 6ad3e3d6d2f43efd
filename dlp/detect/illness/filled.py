"""Fields of a form that ask for an illness or an injury, and what was written there.

In: a part.  Out: the places of the answers.

"Injury: crushed finger tip" tells of somebody's health though no lexicon holds a crushed finger
tip. An empty line, a "none", an instruction or the next label is no answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import Any

import re2

from dlp.detect.illness.care import parts_of_body
from dlp.model import FieldMap, Part
from dlp.text.answers import state_of
from dlp.text.reader import read_structure

Span = tuple[int, int]

LONGEST = 20_000  # characters of a form
LABELS = """
    (?:nature|type|cause|details|description) of (?:the |your )?(?:illness|injury)
    (?:nature|details|description) of (?:the |your )?(?:medical |health )?condition
    nature of (?:illness or injury|injury or illness|injury/illness)
    injur(?:y|ies)(?: sustained| details)?
    illness|ailment|diagnos[ei]s|dx|disabilit(?:y|ies)
    medical(?: (?:conditions?|history|problems?|facts|details|reasons?|needs))?
    medical (?:info(?:rmation)?|notes?)
    health (?:conditions?|problems?|needs|issues|concerns)
    past (?:medical )?history|surgical history|(?:presenting|chief) complaint
    (?:summary of )?(?:(?:main|current|active|relevant) )*(?:clinical|medical|health) problems?
    (?:serious )?adverse (?:event|reaction)s?(?: term| description| details)?
    current (?:meds|medications?)|medications?|meds|(?:drug )?allergies
    part of body(?: injured)?|body part
"""
# Asked of heating and holidays too: the answer names a part of the body, or the form is medical.
VAGUE = """
    (?:nature|type|cause|details|description) of (?:the |your )?(?:accident|absence|sickness)
    (?:nature|type|cause|details|description) of (?:the |your )?disability
    symptoms|complaint|operations?|surgery|procedure
    reason for (?:absence|sick leave|admission|referral|(?:today's |this )?visit|consultation)
"""
# The words around a label's own: "Please describe medical facts", "Reason for visit (in short)".
ASKED = (
    r"(?i)(?:(?:please |brief(?:ly)? )?(?:describe|list|state|give|explain|specify|any|your|other"
    r"|known|current|relevant|main|primary|all) )*(?:{})(?: \([^)\n]{{0,30}}\))?"
)
ANSWER = 160  # characters
HEAD = 200  # characters of a part that may hold its title
MEDICAL = re.compile(
    r"\b(?:medical|health|patient|clinic(?:al)?|disability|immuni[sz]ation|dental|hospital|physician"
    r"|physical activity readiness)\b",
    re.IGNORECASE,
)
IN_MEDICAL_FORMS = re.compile(
    r"(?:describe the )?(?:condition|problem)s?|details(?: of .{3,30})?|please explain|pc|c/o"
    r"|restrictions",
    re.IGNORECASE,
)
NO_ANSWER = re.compile(
    r"\W*(?:_|\.\.|none|nil|n/?a\b|no\b|not\b|unknown|nkda|see\b|please|list|specify|describe|tick"
    r"|if\b|yes/no|y/n|as above|tbc|tba|pending|\[|<|\{|\$)",
    re.IGNORECASE,
)
NEXT_LABEL = re.compile(
    r"\W*\w+\s*:"
)  # in plain text; a format's own fields hold their values only
WORD = re.compile(r"[^\W\d_]{3,}")


def is_medical_form(parts: Sequence[Part]) -> bool:
    """Whether a document is titled as one about health: then "Condition" is nobody's car's."""
    return any(MEDICAL.search(part.text, 0, HEAD) is not None for part in parts)


def answers(part: Part, *, medical: bool = False) -> list[Span]:
    """Places of what was written behind a label, or under a heading, that asks for health."""
    if part.fields:
        spans = labelled(part.text, part.fields, medical=medical)
        return [span for span in spans if is_told(part.text, *span)]
    text = part.text
    if len(text) > LONGEST or not (medical or mentioned().search(text)):
        return []
    structure = read_structure(text)
    return [
        (one.start, end)
        for one in structure.fields
        if one.state is None
        # below a vague label stands the next one as often as its value
        and not NEXT_LABEL.match(text, one.start)
        and is_told(text, one.start, end := min(one.end, one.start + ANSWER))
        and (
            asks(
                structure.label_of(one),
                medical=medical and "\n" not in text[one.label_end : one.start],
            )
            or (asks_vaguely(structure.label_of(one)) and names_body(text[one.start : end]))
        )
    ]


def labelled(text: str, fields: FieldMap, *, medical: bool) -> Iterator[Span]:
    """The values whose label asks for somebody's health."""
    sure = [asks(label, medical=medical) for label in fields.labels]
    vague = [asks_vaguely(label) for label in fields.labels]
    if any(sure) or any(vague):
        numbers, starts, ends, _ = fields.arrays
        for number, start, end in zip(numbers, starts, ends, strict=True):
            end = min(end, start + ANSWER)  # noqa: PLW2901
            if sure[number] or (vague[number] and names_body(text[start:end])):
                yield start, end


@lru_cache(maxsize=4096)
def asks(label: str, *, medical: bool) -> bool:
    """Whether a label asks for somebody's health, whatever the answer."""
    words = plain(label)
    if medical and (IN_MEDICAL_FORMS.fullmatch(words) or asks_vaguely(label)):
        return True
    return labels(LABELS).fullmatch(words) is not None


@lru_cache(maxsize=4096)
def asks_vaguely(label: str) -> bool:
    return labels(VAGUE).fullmatch(plain(label)) is not None


def names_body(answer: str) -> bool:
    return parts_of_body().search(answer) is not None


def plain(label: str) -> str:
    return " ".join(label.replace("_", " ").split()).rstrip(" ?:.*")


def is_told(text: str, start: int, end: int) -> bool:
    """Whether something was written there in words."""
    told = NO_ANSWER.match(text, start, end) is None and WORD.search(text, start, end)
    return bool(told) and state_of(text[start:end]) is None


@cache
def labels(kind: str) -> Any:
    """Linear, because it reads every line of every form."""
    return re2.compile(ASKED.format(one_of(kind)))


@cache
def mentioned() -> Any:
    """Whether a text has such a label at all: most have none, and their lines are not read."""
    return re2.compile(rf"(?i)\b(?:{one_of(LABELS + VAGUE)})\b")


def one_of(kind: str) -> str:
    return "|".join(line.strip() for line in kind.strip().splitlines() if line.strip())
