"""Words that point at somebody: whom a form or a list is about, and who only stands by.

In: a text and a mention of a person.  Out: yes or no.
"""

from __future__ import annotations

import re

from dlp.detect.naming.mention import Mention

NEAR = 24  # characters before a name in which a label stands
DIGIT = re.compile(r"\d")
BED = "bed"  # leads to whoever lies in it, as a number would
LINE = 80  # characters of a line before a name
ABOUT = re.compile(
    r"\b(?:employee|student|pupil|resident|camper|insured|claimant|member|child|client|worker"
    r"|athlete|inmate|tenant|veteran|plan member)(?: name)?\s*[:=]\s*$",
    re.IGNORECASE,
)
IN_BED = re.compile(
    r"\b(?:bed|room|rm|bay|cubicle|trolley)\s?\d{1,3}[\s:.,-]{1,4}(?:(?:mr|mrs|ms|miss)\.?\s)?$",
    re.IGNORECASE,
)
# Who speaks or is spoken of, and who is spoken to.
FIRST_PERSON = re.compile(r"\b(?:I|I'm|I've|my|me|myself|we|our)\b", re.IGNORECASE)
PRONOUN = re.compile(r"^\W*(?:he|she|they|his|her|their)\b", re.IGNORECASE)
SHE = re.compile(r"\b(?:he|she)\b", re.IGNORECASE)
YOURS = re.compile(
    r"\b(?:your|you (?:have|had|were|are|tested|will|need))\b"
    r"(?:(?!\b(?:on|about|into|talks?|slides|papers?|articles?|books?|research|stud(?:y|ies)|orders?"
    r"|donations?|courses?|interest|team|work)\b)[^.?!]){0,60}$",
    re.IGNORECASE,
)
MINE = re.compile(
    r"\b(?:my|i(?:'ve|'m| have| had| am| was| take| need| suffer| got))\b(?:\W+\w+){0,4}\W*$",
    re.IGNORECASE,
)
# Whoever sells, teaches, owns or answers for what a page says.
STAFF = re.compile(
    r"\b(?:author|contact|owner|trainer|tutor|teacher|presenter|speaker|practitioner|instructor"
    r"|manager|organi[sz]er|chair|editor|compiled by|approved|authori[sz]ed|assigned|reported by"
    r"|written by|lead|coordinator|questions to|enquiries|apply to|rsvp|host|led by|ask)"
    r"\b[^\n:]{0,20}:?[^\n:.]{0,40}$",
    re.IGNORECASE,
)


def is_asked_for(text: str, mention: Mention) -> bool:
    """ "Employee:", "Resident:" and the like."""
    before = text[max(0, mention.start - NEAR) : mention.start]
    return (":" in before or "=" in before) and ABOUT.search(before) is not None


def is_in_bed(text: str, mention: Mention) -> bool:
    """ "Bed 4 Mr Hale": who lies there is a patient."""
    before = text[max(0, mention.start - NEAR) : mention.start]
    return DIGIT.search(before) is not None and IN_BED.search(before) is not None


def is_staff(text: str, mention: Mention) -> bool:
    """ "Trainer: Ada Hale", "Contact: the team, Ada Hale"."""
    nearest = max(0, mention.start - LINE)
    line = max(text.rfind("\n", nearest, mention.start) + 1, nearest)
    return STAFF.search(text[line : mention.start]) is not None
