"""Attendance at a setting that tells why: "goes to the stoma clinic", "the HIV clinic Monday 9:30".

In: a text and the health terms in it.  Out: the terms; one that names an attended setting is as
long as the setting's name, so that "clinic" behind it does not read as an institution in general.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from dlp.knowledge.hits import TermHit

SETTING = re.compile(
    r"(?:\s(?:support|self[ -]help|day|outpatient|review|screening|recovery|management))?"
    r"\s(?:clinics?|groups?|units?|wards?|services?|teams?|cent(?:re|er)s?|meetings?|class(?:es)?"
    r"|programmes?|sessions?)\b",
    re.IGNORECASE,
)
ARTICLE = r"(?:\s(?:the|a|an|his|her|our|your|my|their))?\s$"
ATTENDS = re.compile(
    r"(?:\b(?:attend(?:s|ed|ing)?|visit(?:s|ed|ing)?|miss(?:ed|es)|dna|joined|appt|start(?:s|ed))"
    r"|\b(?:go(?:es|ing)?|went|been|back|seen|appointments?|appt|referred|discharged|admitted|taxi"
    r"|transferred|lift|transport|regular|place|patients?|came|comes|home|up|off|visit|trip|driven"
    r"|drove|taken|sent|was|is|leaves?(?: \w+){0,2}|(?:saw|met|seen|takes?|took) \w+(?: \w+)?)"
    rf"\s(?:to|at|from|in|for|into))(?:\s(?:first|every|next))?{ARTICLE}",
    re.IGNORECASE,
)
TIMED = re.compile(
    r"[\s,]{1,2}(?:(?:on|at|every|next)\s)?(?:(?:mon|tues?|wed(?:nes)?|thur?s?|fri|satur|sun)(?:days?)?\b"
    r"|\d{1,2}[:.]\d{2}\b|\d{1,2} ?[ap]m\b|transport\b)",
    re.IGNORECASE,
)
# A ward, a team and a meeting have hours of their own: "trauma meeting 07.45".
FOR_PATIENTS = re.compile(r"(?:clinics?|groups?|units?|class(?:es)?|sessions?)$", re.IGNORECASE)
# Those who work there, and its notices.
RUNS = re.compile(
    r"\b(?:runs?|leads?|led|covers?|works?|worked|nurses?|doctors?|dr|staff|open\w*|contact|rota"
    r"|chairs?|manages?|manager|volunteers?|talk|secretary|reception\w*|directory|team of|head of"
    r"|delivers?|paints?|cleans?|installs?|installed|budget|hours)\b",
    re.IGNORECASE,
)
REACH = 60  # characters of the line before the term


def with_settings(text: str, terms: Sequence[TermHit]) -> list[TermHit]:
    found = []
    for number, term in enumerate(terms):
        setting = SETTING.match(text, term.end)
        free = number + 1 == len(terms) or not setting or terms[number + 1].start >= setting.end()
        if setting and free and is_attended(text, term.start, setting.end()):
            term = term._replace(end=setting.end())  # noqa: PLW2901
        found.append(term)
    return found


def is_attended(text: str, start: int, end: int) -> bool:
    line = text.rfind("\n", 0, start) + 1
    before = text[max(line, start - REACH) : start]
    if RUNS.search(before):
        return False
    if ATTENDS.search(before):
        return True
    return FOR_PATIENTS.search(text, start, end) is not None and TIMED.match(text, end) is not None
