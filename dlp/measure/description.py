"""What a file says of one person, read as constraints on who it may be.

In: Subject, and the values in the file that are an institution's.  Out: Description.

The texts of the evidence are read here; fields of the subject count where there is no text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from dlp.knowledge.name_frequencies import Share
from dlp.measure.birth_dates import Born, read_age, read_birth, this_year
from dlp.measure.institution import Value, is_role_account
from dlp.model import Evidence, Kind, Subject

NUMBERS = frozenset({Kind.ID, Kind.EMAIL, Kind.PHONE})
CARE = re.compile(
    r"(?i)\b(?:hospital|clinic|medical|health|infirmary|surgery|practice|pharmacy|hospice|nursing|"
    r"care|ward|cent(?:er|re)|laborator(?:y|ies)|rehab\w*)\b"
)
SEX = re.compile(r"(?i)(?:^|[\d\s.])(f|m|female|male|woman|man)$")
HANDLE = re.compile(r"[\d_@]")
# How many people have to do with it, or which share: middle, least, most. Estimates: a general
# hospital treats some 100,000 people in a few years; firms and schools have from dozens to
# thousands; of a user name a handful of people use the same one.
GROUPS = {
    "care": (Share(100_000, 5_000, 2_000_000), "treated by that institution"),
    "organisation": (Share(2_000, 50, 200_000), "at that employer, school or club"),
    "handle": (Share(3, 1, 100), "who use that user name"),
    "network": (Share(10, 1, 10_000), "behind that network address"),
}
SHARES = {
    "event": (Share(0.5, 0.001, 1.0), "to whom something happened on that date"),
    "occupation": (Share(0.004, 0.0001, 0.03), "of that occupation"),
    "nickname": (Share(0.001, 0.00001, 0.01), "called by that nickname"),
    "number": (Share(0.001, 0.000001, 1.0), "with a number like that"),
}


class Description(NamedTuple):
    """Everything that narrows down who somebody is."""

    first: str = ""
    last: str = ""
    sex: str = ""  # both letters where texts contradict each other
    places: tuple[str, ...] = ()
    addresses: tuple[tuple[str, str], ...] = ()  # rule and text
    born: tuple[Born, ...] = ()
    direct: frozenset[str] = frozenset()
    groups: tuple[tuple[Share, str], ...] = ()
    shares: tuple[tuple[str, Share, str], ...] = ()

    @property
    def minor(self) -> bool:
        """Whether somebody is said to be under 18."""
        return any(born.first > this_year() - 18 for born in self.born)


def describe(subject: Subject, institutional: frozenset[Value] = frozenset()) -> Description:
    evidence = [
        one for one in subject.evidence
        if (one.kind, one.text) not in institutional and not is_role_account(one.kind, one.text)
    ]  # fmt: skip
    kinds = frozenset(one.kind for one in evidence)
    first, last = subject.first, subject.last
    named = frozenset(group_of(one) for one in evidence) - {""}
    if HANDLE.search(f"{first} {last}"):
        first, last, named = "", "", named | {"handle"}  # a user name is no name of the register
    if subject.occupation:
        named |= {"occupation"}
    if not subject.direct.issuperset(one.rule_id for one in evidence if one.kind is Kind.ID):
        named |= {"number"}
    if first or last:
        named -= {"nickname"}  # a fuller name is known
    places = dict.fromkeys((*subject.places, *texts(evidence, Kind.PLACE)))
    return Description(
        first=first, last=last, sex=sexes(subject, evidence),
        places=tuple(places), addresses=addresses_of(subject, evidence),
        born=tuple(dict.fromkeys(births(subject, evidence, kinds))),
        direct=direct_of(subject, evidence),
        groups=tuple(GROUPS[name] for name in GROUPS if name in named),
        shares=tuple((name, *SHARES[name]) for name in SHARES if name in named),
    )  # fmt: skip


def sexes(subject: Subject, evidence: list[Evidence]) -> str:
    """Letters of the sexes stated, by the name or the text: "Sex: female", 92F, a 77 yo male."""
    stated = {subject.sex} - {""}
    for one in evidence:
        if one.kind is Kind.AGE and (said := SEX.search(one.text)):
            stated.add("f" if said.group(1).lower() in {"f", "female", "woman"} else "m")
    return "".join(sorted(stated))


def texts(evidence: list[Evidence], kind: Kind) -> Iterator[str]:
    return (one.text for one in evidence if one.kind is kind)


def group_of(one: Evidence) -> str:
    """The entry of GROUPS or SHARES that evidence of this kind and rule belongs to."""
    kind, rule = one.kind, one.rule_id
    for word in ("handle", "nickname", "occupation"):
        if word in rule:
            return word
    if kind is Kind.PROVIDER:
        return "care"
    if kind is Kind.ORGANISATION:
        return "care" if CARE.search(one.text) else "organisation"
    if kind is Kind.IP:
        return "network"
    if kind is Kind.DATE and "birth" not in rule:
        return "event"
    return ""


def addresses_of(subject: Subject, evidence: list[Evidence]) -> tuple[tuple[str, str], ...]:
    """Addresses by rule and text; one without a text where only the subject's field tells it."""
    if any(one.kind is Kind.ADDRESS for one in subject.evidence):
        found = {(one.rule_id, one.text): None for one in evidence if one.kind is Kind.ADDRESS}
        return tuple(found)
    return (("street-address", ""),) if subject.has_address else ()


def births(subject: Subject, evidence: list[Evidence], kinds: frozenset[Kind]) -> Iterator[Born]:
    if subject.birth_date:
        yield read_birth(subject.birth_date)
    for one in evidence:
        if one.kind is Kind.DATE and "birth" in one.rule_id:
            yield read_birth(one.text)
        elif one.kind is Kind.AGE and not one.rule_id.startswith("sex"):
            yield read_age(one.text)
    if subject.age is not None and Kind.AGE not in kinds:
        yield read_age(str(subject.age))


def direct_of(subject: Subject, evidence: list[Evidence]) -> frozenset[str]:
    """Rules of the identifiers that are one person's: an institution's own are nobody's."""
    if not subject.direct:
        return frozenset()
    said = {one.rule_id for one in subject.evidence if one.kind in NUMBERS}
    kept = {one.rule_id for one in evidence if one.kind in NUMBERS}
    return frozenset(rule for rule in subject.direct if rule not in said or rule in kept)
