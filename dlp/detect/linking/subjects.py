"""Whose health is it? Tie identifiers and health findings to the people a file speaks of.

In: Case with findings and mentions.  Out: facts["subjects"], and findings that name their person.

Structured parts say it themselves; for running text detect/whose.py decides.
"""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet

from dlp.detect.linking.casting import Casting
from dlp.detect.linking.drafts import (
    FAINT,
    Draft,
    concluded,
    fill_from_fields,
    people_by_part,
    share_with_relatives,
)
from dlp.detect.linking.intimates import genre_of
from dlp.detect.linking.joining import Joining, Keys, People, everybody
from dlp.detect.linking.listed import FEWEST, LONGEST, listed
from dlp.detect.linking.nobody import NOWHERE, without_people
from dlp.detect.linking.pasted import with_tables
from dlp.detect.linking.personal import is_direct
from dlp.detect.linking.records import HEALTH, WORK, Records, read_records
from dlp.detect.linking.saying import Saying
from dlp.detect.linking.whose import NOT_THEIRS, Whose
from dlp.detect.naming.mention import PATIENT, Mention
from dlp.model import HEALTH_KINDS, RECORDED, Case, Document, Evidence, Fact, Finding, Kind, Subject

PRINTED = frozenset({Kind.ID, Kind.EMAIL, Kind.PHONE, Kind.ADDRESS, Kind.PLACE})
LEARNT = (Kind.PLACE, Kind.ADDRESS, Kind.AGE, Kind.DATE)
OLD_YEAR = re.compile(r",? 1[0-8]\d\d\b")
FAINT_IN_LETTERS = 0.5


class LinkSubjects:
    name = "detect.subjects"
    requires = frozenset({"document"})
    provides = frozenset({"findings"})

    def __init__(self, key: bytes) -> None:
        self._key = key

    def __call__(self, case: Case) -> Case:
        assert case.document  # requires= promised it
        return without_people(case, case.document) or Linking(case, case.document, self._key).run()


class Linking:
    """One case, one pass: drafts of people, then whose fact is whose."""

    def __init__(self, case: Case, document: Document, key: bytes) -> None:
        self._case = case
        self._document = document
        self._key = key
        self._texts = [part.text for part in document.parts]
        self._genre = genre_of(document)
        self._quasi: tuple[Finding, ...] = case.facts.get("quasi", ())
        # of each finding the key of the draft whose it is
        self._owner: list[str | None] = [None] * len(case.findings)
        self._drafts: dict[str, Draft] = {}
        self._records: list[Records | None] = [None] * len(document.parts)
        self._named: AbstractSet[int] = NOWHERE  # parts whose fields name people
        self._people: People
        self._keys: Keys  # whose the mentions of each part are
        self._name_people(case.facts.get("mentions", ()))

    def _name_people(self, mentions: tuple[Mention, ...]) -> None:
        """Who is named where; of parts that are all running text also whose each name is."""
        # in a letter a first name alone is somebody
        faint = FAINT_IN_LETTERS if self._genre["private"] else FAINT
        parts = with_tables(self._document.parts)
        if parts is None:
            count = len(self._document.parts)
            self._people, self._keys = everybody(mentions, count, faint, self._drafts)
            return
        self._people = people_by_part(mentions, len(parts), faint)
        pairs = zip(parts, self._people, strict=True)
        self._records = [read_records(part, people) for part, (_, people) in pairs]
        self._named = {number for number, records in enumerate(self._records) if records}
        self._structured()
        joining = Joining(self._drafts)
        self._keys = [
            joining.keys_of(people) if records is None else [None] * len(people)
            for (_, people), records in zip(self._people, self._records, strict=True)
        ]

    def run(self) -> Case:
        self._running_text()
        case, drafts = self._case, self._drafts
        findings = case.findings
        subjects: tuple[Subject, ...] = ()
        if drafts:
            share_with_relatives(drafts)
            place = repr(case.ref.path)
            findings, subjects = concluded(drafts, findings, self._owner, self._key, place)
        facts = {**case.facts, "subjects": subjects, "genre": self._genre, "named": self._named}
        return case.but(findings=findings, facts=facts)

    # -- structured parts

    def _structured(self) -> None:
        for number, records in enumerate(self._records):
            if records is None:
                continue
            for entry in records.entries:
                draft = self._draft(f"r{number}.{entry.record}", PATIENT)
                fill_from_fields(draft, entry.values)
        for index, finding in enumerate(self._case.findings):
            records = self._records[finding.part]
            holder = records.of(finding.start) if records else None
            if records is None or holder is None:
                continue
            meant = records.column(finding.start) if finding.kind in HEALTH_KINDS else ""
            if meant != WORK:
                said = {RECORDED} if meant == HEALTH else set()
                self._take(index, finding, f"r{finding.part}.{holder.record}", said)

    # -- running text

    def _running_text(self) -> None:
        casting = Casting(self._case, self._document, self._drafts, self._genre)
        casting.run()
        if not self._drafts:
            return  # nobody: nothing is anybody's
        named = (self._people, self._keys, self._drafts)
        whose = Whose(self._document, *named, self._genre, roles=casting.roles)
        closed = {
            number for number, records in enumerate(self._records)
            if records is not None or whose.is_nobodys(number)
        }  # fmt: skip
        findings = self._case.findings
        told = self._give_out(whose, closed)
        if not self._genre["public"]:
            told = self._lists(told)
        if told and (owned := whose.health_of(findings, told)):
            self._tell(owned, Saying(self._texts, self._drafts).of(findings, owned))
        if self._quasi:
            loose = [n for n, one in enumerate(self._quasi) if self._records[one.part] is None]
            self._learn_all(self._quasi, whose.identifiers(self._quasi, loose))

    def _tell(self, owned: list[tuple[int, str]], said: list[frozenset[str]]) -> None:
        """Facts of health, with what their sentences say of them."""
        findings, drafts = self._case.findings, self._drafts
        for (index, key), more in zip(owned, said, strict=True):
            self._owner[index] = key
            drafts[key].facts.append(fact_of(findings[index], more))

    def _give_out(self, whose: Whose, closed: set[int]) -> list[int]:
        """Findings of people and what identifies them; the places of what is of health are left."""
        findings, owner = self._case.findings, self._owner
        told, rest = self._left_over(closed)
        if rest:
            given = whose.identifiers(findings, rest)
            for index, key in given:
                owner[index] = key
            self._learn_all(findings, given)
        left: list[int] = told
        return left

    def _left_over(self, closed: set[int]) -> tuple[list[int], list[int]]:
        """A name is its own; the places of what else is to be given, what is of health first."""
        owner = self._owner
        rows = zip(self._people, self._keys, strict=True)
        named_at = [dict(zip(starts, keys, strict=True)) for (starts, _), keys in rows]
        told, rest = list[int](), list[int]()
        for index, finding in enumerate(self._case.findings):
            if finding.part in closed or owner[index] is not None:
                continue
            if finding.kind is not Kind.PERSON:
                (told if finding.kind in HEALTH_KINDS else rest).append(index)
            # nobody's but its own, whoever is named beside it
            elif key := named_at[finding.part].get(finding.start):
                owner[index] = key
        return told, rest

    def _lists(self, told: list[int]) -> list[int]:
        """Lines that each name somebody and say something of their health; what they leave."""
        lists = self._may_be_lists() if len(told) >= FEWEST else ()
        if not lists or any(d.role == PATIENT and is_labelled(d) for d in self._drafts.values()):
            return told  # or a record of one patient
        findings = self._case.findings
        for number in lists:
            people = self._people[number][1]
            found = [
                index for index in told
                if findings[index].part == number and not findings[index].context & NOT_THEIRS
            ]  # fmt: skip
            owners = listed(self._texts[number], people, [findings[index] for index in found])
            for index in found if owners else ():
                if person := owners.get(findings[index].start):
                    key = self._keys[number][people.index(person)]
                    assert key  # the part is running text
                    self._drafts[key].role = PATIENT
                    self._take(index, findings[index], key, {RECORDED})
        return [index for index in told if self._owner[index] is None]

    def _may_be_lists(self) -> list[int]:
        """The parts that are no longer than a list and name several people."""
        return [
            number for number, part in enumerate(self._document.parts)
            if len(self._people[number][1]) >= FEWEST and len(part.text) <= LONGEST
            and part.fields is None and self._records[number] is None
        ]  # fmt: skip

    def _draft(self, key: str, role: str) -> Draft:
        draft = self._drafts.get(key)
        if draft is None:
            draft = self._drafts[key] = Draft(key, role)
        return draft

    def _take(
        self, index: int, finding: Finding, key: str, said: AbstractSet[str] = frozenset()
    ) -> None:
        self._owner[index] = key
        draft = self._drafts[key]
        if finding.kind in HEALTH_KINDS:
            draft.facts.append(fact_of(finding, said))
        else:
            self._learn(draft, finding)

    def _learn_all(self, findings: tuple[Finding, ...], owned: list[tuple[int, str]]) -> None:
        for index, key in owned:
            self._learn(self._drafts[key], findings[index])

    def _learn(self, draft: Draft, finding: Finding) -> None:
        kind, rule, part, start, end, _, _, _, _, printed, _ = finding
        is_birth = kind is Kind.DATE and "birth" in rule
        draft.evidence.append(Evidence(kind, rule, self._texts[part][start:end]))
        if printed and (is_birth or kind in PRINTED):
            draft.prints.add(f"{'birth' if is_birth else kind}:{printed}")
        if kind is Kind.PLACE:
            draft.places.append(self._document.parts[part].text[start:end])
        elif is_direct(finding):
            draft.direct.add(rule)
        elif kind is Kind.ADDRESS:
            draft.has_address = True
        elif kind is Kind.AGE:
            digits = re.search(r"\d{1,3}", self._document.parts[part].text[start:end])
            draft.age = int(digits.group()) if digits else draft.age
        elif is_birth:
            text = self._document.parts[part].text[start:end]
            draft.birth = draft.birth or text + self._year_after(finding)

    def _year_after(self, finding: Finding) -> str:
        """The year of "born March 1, 1760": whoever is so old is history."""
        text = self._document.parts[finding.part].text
        year = OLD_YEAR.match(text, finding.end)
        return year.group() if year else ""


def fact_of(finding: Finding, said: AbstractSet[str]) -> Fact:
    """What is said of somebody's health, and what its sentence or column adds to that."""
    kind, rule, _, _, _, confidence, _, concept, _, _, context = finding
    return Fact(kind, concept or rule, context | said if said else context, confidence)


def is_labelled(draft: Draft) -> bool:
    return any("label" in mention.evidence for mention in draft.mentions)
