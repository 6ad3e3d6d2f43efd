"""Lists of people by line: a ward round, an appointment book, a school nurse's log.

In: a text, its people and its health findings by place.  Out: whose line each finding stands in.

Two lines that each name somebody and then say something of their health are no chance. Lists of
speakers and of staff look alike: there the health word is part of a title, or of a department.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence

from dlp.detect.naming.mention import CLINICIAN, Mention
from dlp.model import Finding, Kind

FEWEST = 2  # lines
LINE_END = re.compile("\n")
TAKEN = frozenset({Kind.DRUG, Kind.PROCEDURE})  # what people are "on"
LONGEST = 12_000  # characters of a list
EDGE = 48  # characters of a line in which its person is named: time, bed, date stand before
LINE = 300  # characters; a longer line is a paragraph
# What may stand before the name in a line of a list: no words of a sentence.
BEFORE = re.compile(
    r"(?:[\W\d_]|\b(?:bed|room|rm|bay|side|cubicle|ward|table|slot|no|pt|patient|resident|client|mr|mrs"
    r"|ms|miss|am|pm|hrs|h|mon|tues?|wed|thurs?|fri|sat|sun|(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    r"|jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec|[a-z])\b)*",
    re.IGNORECASE,
)
DEPARTMENT = re.compile(
    r"[\s-]*(?:unit|ward|clinic|team|service|department|dept|nurse|specialist|research|society"
    r"|awareness|fund|charity|association|lead|champion|training|course|workshop|session)\b",
    re.IGNORECASE,
)
TOPIC = re.compile(
    r"\b(?:on|about|into|managing|understanding|preventing|talks?|lecture|paper|chair|director"
    r"|professor|manager|coordinator|secretary|author|editor)\W+(?:\w+\W+)?$",
    re.IGNORECASE,
)


def listed(
    text: str, people: Sequence[Mention], findings: Sequence[Finding]
) -> Mapping[int, Mention]:
    """By the start of a finding the person of its line; nothing when it is no list."""
    if min(len(people), len(findings)) < FEWEST or len(text) > LONGEST:
        return {}
    if sum([is_near_edge(text, person) for person in people]) < FEWEST:
        return {}  # as nearly always
    starts = [0, *(found.end() for found in LINE_END.finditer(text))]
    lines = [bisect_right(starts, finding.start) - 1 for finding in findings]
    heads = heads_of(text, starts, people, frozenset(lines))
    owners = {}
    for finding, line in zip(findings, lines, strict=True):
        person = heads.get(line)
        if person and person.end <= finding.start and is_said_of_them(text, person, finding):
            owners[finding.start] = person
    named_in = {person.start for person in owners.values()}
    return owners if len(named_in) >= FEWEST else {}


def is_near_edge(text: str, person: Mention) -> bool:
    """Whether a line begins shortly before a name."""
    return person.start <= EDGE or text.rfind("\n", person.start - EDGE - 1, person.start) >= 0


def heads_of(
    text: str, starts: list[int], people: Sequence[Mention], lines: frozenset[int]
) -> dict[int, Mention]:
    """The one person each of these lines begins with; a line of several people is a sentence."""
    heads: dict[int, Mention] = {}
    crowded = set()
    for person in people:
        line = bisect_right(starts, person.start) - 1
        if line not in lines:
            continue
        end = starts[line + 1] if line + 1 < len(starts) else len(text)
        if (
            line in heads
            or end - starts[line] > LINE
            or person.start - starts[line] > EDGE
            or person.role == CLINICIAN
            or not BEFORE.fullmatch(text, starts[line], person.start)
            or not named(person)
        ):
            crowded.add(line)
        else:
            heads[line] = person
    return {line: person for line, person in heads.items() if line not in crowded}


def named(person: Mention) -> bool:
    """A full name, or a last name with a title."""
    return bool(person.last) and (bool(person.first) or "title" in person.evidence)


def is_said_of_them(text: str, person: Mention, finding: Finding) -> bool:
    """Not the title of a talk, nor the department somebody works in."""
    word = text[finding.start : finding.end]
    if DEPARTMENT.match(text, finding.end):
        return False
    if finding.kind not in TAKEN and TOPIC.search(text, person.end, finding.start):
        return False  # "on lithium", "on dialysis" is no talk on it
    return not word[0].isupper() or word.isupper()
