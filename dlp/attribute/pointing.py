"""By what words other than a name a sentence points at people: he, your, my wife, the patient.

In: text before a health term, mostly in small letters.  Out: Pointing, and the patterns behind it.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from dlp.text.stating import STATING
from dlp.text.structure import Structure

OUTRIGHT = 80  # characters between a name and what is said outright of it
KIN = (
    r"(?:wife|husband|spouse|partner|mother|father|mum|mom|dad|son|daughter|sister|brother|baby"
    r"|aunt|uncle|cousin|niece|nephew|grand(?:mother|father|son|daughter|ma|pa)|boyfriend|girlfriend"
    r"|fianc[eé]e?|parents?|child(?:ren)?|kids?|twins?|boss|friend|neighbou?r|colleague|late)"
)
PERSONS = (
    r"(?:patient|pt|client|resident|claimant|employee|member|insured|subscriber|pupil|student|child"
    r"|participant|applicant|beneficiary|detainee|tenant|appellant|donor|traveller|parishioner"
    r"|witness|deponent|declarant|complainant|plaintiff|defendant|accused|victim|casualty|soldier"
    r"|prisoner|inmate|trainee|candidate|passenger|householder|service user|policy ?holder|holder"
    r"|caller|worker|baby|infant|man|woman|boy|girl|lady|gentleman|service member|injured person)"
)
REPORTING = re.compile(
    r"\b(?:asked|said|says|(?<!was )(?<!were )(?<!been )(?<!being )told|wrote|writes|thinks"
    r"|knows?|believes|heard|explain\w+|recommend\w*"
    r"|advis\w+|specialis\w+|specializ\w+|expert|research\w*|stud(?:y|ies|ied)|lectur\w+|talks?"
    r"|speak\w*|teach\w*|publish\w+|found(?:ed|er)|direct\w+|raising|fundrais\w+|donat\w+|campaign"
    r"|awareness|charity|described|discovered|invent\w+|treats|manages|leads|chaired|author)\b",
)
THEIR_KIN = re.compile(rf"['’]s?\s(?:\w+\s)?{KIN}\b", re.IGNORECASE)
SUBJECT_PRONOUN = re.compile(r"\b(?:he|she)(?:['’]s)?\b")
PRONOUN = re.compile(r"\b(he|she|they|his|her|him|their)\b")
NOUN = re.compile(
    rf"\b(?:the|this|our|that)\s{PERSONS}\b|\bpt\b"
    r"|^\W*(?:patient|client|resident|employee|claimant|service user)\b"
)
SPEAKER = re.compile(rf"(?:the\s)?{PERSONS}", re.IGNORECASE)
YOUR_APPOINTMENT = re.compile(r"\byour\s(?:\w+\s){0,2}(?:appointment|visit|referral|operation)\b")
OWNED = re.compile(r"\b(his|her|their)\s(?:\w+\s){0,2}$")
FIRST = re.compile(r"\b(?:I|I['’]m|I['’]ve|[Mm]y|me|[Mm]yself|[Mm]ine)\b")
MY_OWN = re.compile(r"\b[Mm]y\s(?:\w+\s){0,2}$")  # right before a health term
SECOND = re.compile(r"\byou(?:r|['’]ve|['’]re)?\b")
MY_KIN = re.compile(rf"\b(?:my|our|his|her|their)\s(?:\w+\s)?{KIN}\b")
SHE, HE = frozenset({"she", "her"}), frozenset({"he", "his", "him"})


class Pointing(NamedTuple):
    """By what other than a name a sentence points at people."""

    kin: bool
    first: bool
    owned: bool  # "my asthma"
    second: bool
    pronouns: frozenset[str]
    noun: bool


def is_patients_turn(structure: Structure, position: int) -> bool:
    """ "Patient: I had it for years": the "I" of the line is whom the document is about."""
    one = structure.field_at(position)
    return one is not None and SPEAKER.fullmatch(structure.label_of(one).strip(" *_")) is not None


def pointing_of(head: str, before: str) -> Pointing:
    """`head`: a sentence up to the end of a health term; `before`: up to where it starts."""
    low, own = head.lower(), MY_OWN.search(before)
    return Pointing(
        MY_KIN.search(low) is not None,
        FIRST.search(head) is not None,
        own is not None and MY_KIN.search(own[0].lower()) is None,
        SECOND.search(low) is not None,
        frozenset(PRONOUN.findall(low)),
        NOUN.search(low) is not None,
    )


def says_of_self(low: str) -> bool:
    """ "Ann Lee told us that she has": behind the last verb of saying, he or she has it."""
    behind = REPORTING.split(low)[-1]
    found = SUBJECT_PRONOUN.search(behind)
    if found is None or len(behind) - found.end() > OUTRIGHT:
        return False
    return STATING.search(behind, found.end()) is not None
