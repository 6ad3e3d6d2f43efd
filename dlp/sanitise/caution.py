"""Identifiers that a scan may pass over and a sanitised copy may not keep.

In: a text, what detection found in it.  Out: the identifiers to act on, with the cautious ones.

A scan that calls every capitalised word a hospital raises false alarms; a copy that loses one word
too many loses little. So the sanitiser also takes what the sentence says is a house ("admitted to
Fairhaven"), a month that stands for a date ("since March"), and a doctor who is a single letter.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import numpy as np

from dlp.knowledge.health import load_health
from dlp.knowledge.people import load_people, plain
from dlp.knowledge.words import load_words
from dlp.model import HEALTH_KINDS, Finding, Kind
from dlp.sanitise.edits import Stretches

SURE = 0.9  # below it, a health term around an identifier is believed instead
CAUTIOUS = 0.5  # of these findings
RULE = "sanitise-caution"
PROPER = 0.5  # share of a word's uses that are names, from which on it is one here
ACRONYM = 3  # letters; shorter ones are wards, tests and signs
_NAME = r"[A-Z][^\W\d_]*(?:['’]s)?(?!\w)"
_RUN = rf"{_NAME}(?:(?: (?:of|the|&|and))* ?[- ]?{_NAME}){{0,5}}"
_CARE = (
    r"seen|admitted|readmitted|treated|evaluated|examined|diagnosed|reviewed|assessed|followed"
    r"|hospitali[sz]ed|operated(?: on)?|discharged|delivered|consulted|transferred|managed|enrolled"
    r"|surgery|appointment|visit|stay|admission|care"
)
_BETWEEN = (
    r"(?: back| again| today| yesterday| (?:last|this) \w+"
    r"| by (?:Dr|Doctor|Prof)\.? [A-Z][\w'’.-]*(?: [A-Z][\w'’-]+)?){0,2}"
)
_HOUSE = re.compile(rf"(?<!\w)(?:{_CARE}){_BETWEEN} (?:at|to|from|in)(?: the)? (?P<v>{_RUN})")
_SITE = re.compile(
    rf"(?<!\w)(?:our|the|their|your|its|at|from|in) (?P<v>{_RUN})"
    r" (?:office|clinic|hospital|practice|branch|campus|surgery|location|facility)(?!\w)"
)
_INITIAL = re.compile(
    r"(?<!\w)(?:Dr|Doctor|Prof|Nurse|Mr|Mrs|Ms|Miss)\.? (?P<v>[A-Z]\.(?:[A-Z]\.)?)(?!\w)"
)
_MONTHS = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December"
    r"|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)"
)
_MONTH = re.compile(
    r"(?<!\w)(?i:last|this|next|past|in|since|until|till|early|late|mid|during)[ -]"
    rf"(?P<v>{_MONTHS})(?![\w'’])"
)
# Wards and specialities are no houses: "the ICU", "Postanesthesia Care Unit", "Neurooncology".
_WARD = re.compile(r"(?:[A-Z]{0,3}CU|.*(?:ology|iatry|esthesia|iatrics))")
_WORD = re.compile(r"[^\W\d_]+")
_TIED = re.compile(r" & [A-Z][^\W\d_]+(?:['’]s)?(?!\w)")
HOUSES = frozenset({Kind.ORGANISATION, Kind.PROVIDER, Kind.PERSON})


def chosen(text: str, findings: Iterable[Finding]) -> list[Finding]:
    """The identifiers to act on; one inside a health term gives way unless it is sure."""
    found = list(findings)
    health = Stretches((f.start, f.end) for f in found if f.kind in HEALTH_KINDS)
    kept = [
        f
        for f in found
        if f.kind not in HEALTH_KINDS and (f.confidence >= SURE or not health.hold(f.start, f.end))
    ]
    taken = Stretches((f.start, f.end) for f in kept)
    return kept + [f for f in cautious(text) if not taken.meet(f.start, f.end)]


def cautious(text: str) -> Iterator[Finding]:
    for pattern in (_HOUSE, _SITE):
        for hit in pattern.finditer(text):
            if any(map(_proper, _WORD.findall(hit["v"]))):
                yield _finding(Kind.ORGANISATION, *hit.span("v"))
    for kind, pattern in ((Kind.PERSON, _INITIAL), (Kind.DATE, _MONTH)):
        for hit in pattern.finditer(text):
            if hit["v"].replace(".", "") not in load_people().credentials:
                yield _finding(kind, *hit.span("v"))


def tied_house(text: str, finding: Finding) -> int:
    """Where a name ends with the partner behind an ampersand: "Lakeview Elm & Stone"."""
    tied = _TIED.match(text, finding.end) if finding.kind in HOUSES else None
    return tied.end() if tied else finding.end


def _finding(kind: Kind, start: int, end: int) -> Finding:
    return Finding(kind, RULE, 0, start, end, CAUTIOUS)


def _proper(word: str) -> bool:
    """Whether a word is a name here: no term of health, title, month, ward or everyday word."""
    people = load_people()
    if plain(word) in people.titles or word in people.credentials or len(word) < ACRONYM:
        return False
    if re.fullmatch(_MONTHS, word) or _WARD.fullmatch(word) or load_health().sense(word):
        return False
    share = load_words().proper_share(word.lower())
    return not word.isupper() if np.isnan(share) else share >= PROPER
