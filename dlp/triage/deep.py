"""Decide what a read file is: possible, probable, or PHI.

In: Case with subjects.  Out: container and reason.

Probable: somebody is identified. PHI: health facts are said of somebody identified, or a short text
speaks of somebody's health by the weight of all its evidence; weight can also outweigh a fact.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from dlp.knowledge.sensitivity import load_sensitivity
from dlp.model import ABNORMAL, ASSERTED, RECORDED, Case, Container, Fact, Kind, Subject
from dlp.triage.weighed import CLINICAL, Weight, by_weight, is_about_somebody

NOT_SAID = frozenset({"general", "template"})
OLDEST = 115  # years; whoever was born earlier is history, not a patient
READ = frozenset({"en", "es", "und", None})
DENIED = frozenset({"negated", "hypothetical", "family"})
WEAK = frozenset({Kind.SYMPTOM, Kind.TEST})
PERSONAL = 2  # turns of phrase of letters and clinical notes together
GRAVE = 0.4  # sensitivity of depression, self-harm, delusions; a cough or a fever is far below
ROW = "row"  # a row of a table that fits hardly anybody else; detect/rows has weighed it
NOBODYS = frozenset({"public", "fictional"})  # who stands in books has no chart here
NAMED_ROLES = frozenset({"patient", "author", "relative", ROW})
ENOUGH = 0.72  # weight of a short text that is PHI though no rule says whose; bench/evidence.py
TOO_LITTLE = 0.17  # weight below which a rule that says so is not believed


class Decide:
    name = "triage.deep"
    requires = frozenset({"document"})
    provides = frozenset({"container"})

    def __call__(self, case: Case) -> Case:
        subjects: tuple[Subject, ...] = case.facts.get("subjects", ())
        genre = case.facts.get("genre", {})
        identified, leaking = sorted_out(subjects, genre) if subjects else ([], [])
        if leaking and case.language not in READ:
            # one English word in a foreign text may be a chance
            leaking = [s for s in leaking if len({fact.concept for fact in s.facts}) > 1]
        weight: Weight | None = case.facts.get("weight")
        if weight is not None:
            if not leaking and outweighs(weight, case, genre):
                return by_weight(case, weight)
            recorded = [s for s in leaking if is_recorded(s)]
            if len(recorded) < len(leaking) and not weight.reaches(TOO_LITTLE):
                leaking = recorded
        if leaking:
            told = sum(len(s.facts) for s in leaking)
            one = len(leaking) == 1
            people = "an identified person" if one else f"{len(leaking)} identified people"
            if all(s.role == ROW for s in leaking):
                people = f"{len(leaking)} unnamed people whom their rows single out"
            return case.but(
                container=Container.PHI,
                reason=f"{told} health facts about {people}",
                facts={**case.facts, "subjects": tuple(leaking)},
            )
        if identified:
            reason = "identified people, no health facts about them"
            facts = {**case.facts, "subjects": tuple(identified)}
            return case.but(container=Container.PROBABLE, reason=reason, facts=facts)
        # names alone are nobody in particular: no person, no score
        facts = {**case.facts, "subjects": ()}
        return case.but(container=Container.POSSIBLE, reason="nobody is identified", facts=facts)


def sorted_out(
    subjects: Sequence[Subject], genre: Mapping[str, int]
) -> tuple[list[Subject], list[Subject]]:
    """Who is identified, and of whom among them health facts are told."""
    # a name and nothing else: most people of a text, who are neither
    subjects = [
        s for s in subjects
        if s.role or s.direct or s.facts or s.birth_date or s.has_address or s.age is not None
    ]  # fmt: skip
    if not subjects:
        return [], []
    identified = [subject for subject in subjects if is_identified(subject)]
    # "our daughter Imogen" is identified by the parent who signs
    signed = any(subject.role == "author" for subject in identified)
    if signed or is_among_friends(genre):
        close = (s for s in subjects if s.role in {"relative", "author"})
        identified += [s for s in close if not is_identified(s)]
    telling = (s for s in identified if tells_health(s) or is_charted(s, genre))
    return identified, [s for s in telling if leaks(s, genre)]


def outweighs(weight: Weight, case: Case, genre: Mapping[str, int]) -> bool:
    """Whether a short text is PHI though nothing is tied to anybody; print and stories are not."""
    if genre.get("public", 0) or not is_about_somebody(case):
        return False
    return weight.reaches(ENOUGH)  # last: most texts are never weighed


def is_recorded(subject: Subject) -> bool:
    """A row of a table or a line of a list says it: no weight of words denies that."""
    return subject.role == ROW or any(RECORDED in fact.context for fact in subject.facts)


def is_identified(subject: Subject) -> bool:
    """A direct identifier, or a full name with something that narrows it down."""
    if not (subject.role or subject.direct or subject.facts or is_narrowed(subject)):
        return False  # a name and nothing else: most people of a text
    year = subject.birth_date[:4]
    if year.isdigit() and int(year) < date.today().year - OLDEST:  # noqa: DTZ011 - a year is enough
        return False
    if subject.role == ROW:
        return True
    if subject.direct:
        return bool(subject.first or subject.last) or subject.role == "patient"
    named = len(subject.first) > 1 and len(subject.last) > 1
    if subject.role == "patient" and subject.last:
        # "Bed 3 Mrs Hale", "Client: J. Hale": who keeps such a list or file knows her
        listed = any(RECORDED in fact.context for fact in subject.facts)
        named = named or listed or len(subject.first) == 1
    told = any(ASSERTED in fact.context for fact in subject.facts)
    return named and bool(is_narrowed(subject) or subject.role or told)


def is_among_friends(genre: Mapping[str, int]) -> bool:
    """Whether a letter is so personal that its readers know everybody by their first name."""
    tone = genre.get("letter", 0) + genre.get("personal", 0)
    return bool(genre.get("private", 0)) and tone > PERSONAL


def is_narrowed(subject: Subject) -> bool:
    """More than a name: outside clinical writing a name beside a health word proves nothing."""
    written = subject.role in {"author", "relative"}
    return bool(
        subject.direct or subject.birth_date or subject.has_address or subject.age is not None
        or (written and subject.places)
    )  # fmt: skip


def leaks(subject: Subject, genre: Mapping[str, int]) -> bool:
    """Whether enough speaks for a fact about this person; a name beside a health word does not."""
    told = [fact for fact in subject.facts if not fact.context & NOT_SAID]
    asserted = any(ASSERTED in fact.context for fact in told)
    if subject.role in NOBODYS:
        return False
    if subject.role not in NAMED_ROLES:
        # nobody's role is known: a sentence must say it, of somebody who can be reached
        near = bool(subject.direct) or bool(genre.get("short", 0))
        return asserted and near and not genre.get("public", 0)
    short = bool(genre.get("short", 0))
    if genre.get("clinical", 0) >= CLINICAL - (short and subject.role == "patient"):
        return True
    if is_narrowed(subject) and (subject.role not in {"author", "relative"} or asserted):
        return True  # whoever writes of an illness, or is written to, need not have it
    if any(RECORDED in fact.context for fact in told):
        return True  # a row with a name and a diagnosis
    heard = genre.get("clinical", 0) + genre.get("letter", 0)
    close = bool(genre.get("private", 0)) or heard >= PERSONAL
    if subject.role == "patient" and short and not genre.get("public", 0) and is_told_twice(told):
        return True
    # print names people too; a page that tells of somebody's illness is hardly print
    short = short or subject.role == "author"
    return asserted and (close or (short and not genre.get("public", 0)))


def is_charted(subject: Subject, genre: Mapping[str, int]) -> bool:
    """In the chart of a numbered patient the least symptom is about them."""
    clinical = genre.get("clinical", 0) >= CLINICAL
    told = any(not fact.context & NOT_SAID for fact in subject.facts)
    return clinical and told and subject.role == "patient" and bool(subject.direct)


def is_told_twice(told: Sequence[Fact]) -> bool:
    """Two different illnesses, drugs or procedures beside the name a page is about."""
    return len({fact.concept for fact in told if fact.kind not in WEAK}) > 1


def tells_health(subject: Subject) -> bool:
    """A disease, a drug, a procedure; a symptom or test only with another, or a grave one."""
    told = [fact for fact in subject.facts if not fact.context & NOT_SAID]
    if any(fact.kind not in WEAK or ABNORMAL in fact.context for fact in told) or len(told) > 1:
        return True
    if subject.role in NAMED_ROLES and any(is_complaint(fact) for fact in told):
        return True
    return any(load_sensitivity().of(fact.concept) >= GRAVE for fact in told)


def is_complaint(fact: Fact) -> bool:
    """A symptom that a sentence or a form says somebody has: "treatment for sciatica"."""
    return fact.kind is Kind.SYMPTOM and ASSERTED in fact.context and not fact.context & DENIED
