"""Turn the individuals of a document into subjects: what the measure, the report and the store see.

In: Individuals with their evidence, and their links.  Out: Subjects with keyed ids.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from itertools import groupby

from dlp.attribute.chance import Weights
from dlp.attribute.identity import identity_of
from dlp.attribute.links import OF_FAMILY, SUBJECT_ROLES, Link
from dlp.attribute.people import LOOSE, Individual
from dlp.keys import fingerprint
from dlp.knowledge.person_tags import Described, births_of
from dlp.model import Context, Fact, Finding, Kind, Subject
from dlp.text.dates import iso_date

ID = 16  # letters
ANNOUNCED = 80  # characters between what announces a relative's illness and its name
LIKELIER, UNAMBIGUOUS = 0.5, 0.9  # chance of a link; confidence of a term with one meaning
DIRECT = frozenset({Kind.ID, Kind.EMAIL, Kind.PHONE})
PRINTED = frozenset({Kind.ID, Kind.EMAIL, Kind.PHONE, Kind.ADDRESS, Kind.PLACE})
DOUBLED = re.compile(r"(.)\1")
SOFT = str.maketrans("", "", "aeiouyhw")
NUMBER = re.compile(r"\d{1,3}")
# One word for the part a person plays, the most telling first.
ROLES = (
    ("patient", SUBJECT_ROLES),
    ("fictional", {"fictional"}),
    ("public", {"public", "historical"}),
    ("clinician", {"clinician", "credential"}),
    ("relative", {"relative"}),
    ("author", {"author", "signs", "signature"}),
    ("correspondent", {"correspondent", "salutation"}),
    ("other", {"other", "labelled_staff"}),
)


def role_of(person: Individual) -> str:
    return next((name for name, roles in ROLES if person.roles & roles), "")


def birth_of(writing: str) -> str:
    """A birth date as YYYY-MM-DD; an undecided order of day and month leaves them 00."""
    digits = writing.strip()
    if len(digits) >= 8 and digits[:8].isdigit():  # HL7 and C-CDA: 19610307
        return f"{digits[:4]}-{digits[4:6]}-{digits[6:8]}"
    iso = iso_date(writing)
    if re.fullmatch(r"\d{4}-\d\d-\d\d", iso):
        return iso
    year = re.search(r"(?:1\d|20)\d\d", writing)
    if not year:
        short = re.search(r"\d\d?[/.\-]\d\d?[/.\-](\d\d)\b", writing)
        if not short:
            return ""
        century = "19" if int(short.group(1)) > date.today().year % 100 else "20"  # noqa: DTZ011
        return f"{century}{short.group(1)}-00-00"
    return f"{year.group()}-00-00" if len(re.findall(r"\w+", writing)) >= 3 else year.group()


def described(person: Individual) -> Described:
    """As `dlp find` looks for people: names, birth dates, numbers and addresses of mail."""
    births = {
        day for one in person.evidence if one.kind is Kind.DATE and "birth" in one.rule_id
        for day in births_of(one.text)
    }  # fmt: skip
    numbers = (
        one.text for one in person.evidence if one.kind in DIRECT and one.rule_id not in LOOSE
    )
    return Described(person.first, person.last, tuple(sorted(births)), tuple(numbers))


def sound(first: str, last: str) -> str:
    """A key that spelling mistakes leave alone: initial, and the consonants of the last name."""
    letters = "".join(filter(str.isalpha, last.lower()))
    skeleton = letters[:1] + letters[1:].translate(SOFT)
    if DOUBLED.search(skeleton):
        skeleton = "".join(letter for letter, _ in groupby(skeleton))
    return first[:1].lower() + skeleton


def announces(finding: Finding, kin: Sequence[Finding]) -> bool:
    """ "Her mother had gout": the illness is named, and how it is announced adds nothing to it."""
    return finding.concept == OF_FAMILY and any(
        one.part == finding.part and abs(one.start - finding.start) <= ANNOUNCED for one in kin
    )


def fact_of(finding: Finding, chance: float) -> Fact:
    """`chance`: of the link. Where that holds, the word is a health term, however ambiguous."""
    confidence, context = finding.confidence, finding.context
    if chance >= LIKELIER:
        confidence = max(confidence, UNAMBIGUOUS)
    if finding.concept == OF_FAMILY and finding.kind is Kind.SYMPTOM:
        context |= {Context.FAMILY}  # "her mother had": said of relatives by its own words
    return Fact(finding.kind, finding.concept or finding.rule_id, context, confidence)


def subject_of(
    person: Individual,
    told: tuple[list[Link], list[Fact]],
    weights: Weights,
    key: bytes,
    place: str,
) -> Subject:
    """`told`: the links that made this person the owner of facts, and these; `place`: the file."""
    links, facts = told
    birth, age = "", None
    prints: set[str] = set()
    for finding, evidence in zip(person.found, person.evidence, strict=True):
        is_birth = "birth" in finding.rule_id
        if is_birth and finding.kind is Kind.DATE and not birth:
            birth = birth_of(evidence.text)
        if finding.kind is Kind.AGE and (digits := NUMBER.search(evidence.text)):
            age = int(digits.group())
        if finding.fingerprint and (is_birth or finding.kind in PRINTED):
            prints.add(f"{'birth' if is_birth else finding.kind}:{finding.fingerprint}")
    named = f"{person.first} {person.last}".strip().lower()
    basis = (min(prints) if prints else "") or named or f"{place}:{person.number}"
    if len(person.first) > 1 and len(person.last) > 1:
        prints.add(f"name:{fingerprint(key, 'name', named)}")
        prints.add(f"sound:{fingerprint(key, 'sound', sound(person.first, person.last))}")
    if birth:
        prints.add(f"birth:{fingerprint(key, 'birth', birth)}")
    if person.sex:
        prints.add(f"sex:{person.sex}")
    best = max(links, key=lambda link: link.chance, default=None)
    return Subject(
        id=fingerprint(key, "person", f"{named}|{basis}")[:ID],
        role=role_of(person),
        first=person.first,
        last=person.last,
        sex=person.sex,
        birth_date=birth,
        age=age,
        places=tuple(dict.fromkeys(e.text for e in person.evidence if e.kind is Kind.PLACE)),
        has_address=any(one.kind is Kind.ADDRESS for one in person.found),
        direct=frozenset(
            one.rule_id for one in person.found
            if one.kind in DIRECT and one.rule_id not in LOOSE
        ),
        fingerprints=frozenset(prints),
        facts=tuple(facts),
        evidence=tuple(person.evidence),
        chance=best.chance if best else 0.0,
        identity=identity_of(person, weights),
    )  # fmt: skip
