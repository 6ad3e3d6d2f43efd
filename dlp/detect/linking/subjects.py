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
    fill_from_fields,
    ids_of,
    people_by_part,
    share_with_relatives,
    subjects_of,
)
from dlp.detect.linking.intimates import genre_of
from dlp.detect.linking.joining import Joining
from dlp.detect.linking.listed import FEWEST, LONGEST, listed
from dlp.detect.linking.pasted import with_table
from dlp.detect.linking.personal import DIRECT_KINDS, LOOSE, is_direct
from dlp.detect.linking.records import HEALTH, WORK, Records, read_records
from dlp.detect.linking.saying import Saying
from dlp.detect.linking.unasked import without_people
from dlp.detect.linking.whose import NOT_THEIRS, Keys, Whose
from dlp.detect.naming.mention import PATIENT, Mention
from dlp.model import HEALTH_KINDS, RECORDED, Case, Document, Fact, Finding, Kind
from dlp.native import kernel

PRINTED = frozenset({Kind.ID, Kind.EMAIL, Kind.PHONE, Kind.ADDRESS, Kind.PLACE})
PREFIXES = {kind: (f"{kind}:", kind in DIRECT_KINDS) for kind in PRINTED}
LEARNT = (Kind.PLACE, Kind.ADDRESS, Kind.AGE, Kind.DATE)
OLD_YEAR = re.compile(r",? 1[0-8]\d\d\b")
FAINT_IN_LETTERS = 0.5
_K = kernel("linking")


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
        mentions: tuple[Mention, ...] = case.facts.get("mentions", ())
        self._genre = genre_of(document)
        # in a letter a first name alone is somebody
        faint = FAINT_IN_LETTERS if self._genre["private"] else FAINT
        self._people = people_by_part(mentions, len(document.parts), faint)
        self._quasi: tuple[Finding, ...] = case.facts.get("quasi", ())
        self._owner: dict[int, str] = {}  # index of finding -> key of draft
        self._drafts: dict[str, Draft] = {}
        self._ids: dict[str, str] = {}
        self._records: list[Records | None] = [
            read_records(with_table(part), people)
            for part, (_, people) in zip(document.parts, self._people, strict=True)
        ]
        self._keys: Keys = [[] for _ in self._people]  # whose the mentions of each part are

    def run(self) -> Case:
        self._structured()
        self._running_text()
        share_with_relatives(self._drafts)
        place = repr(self._case.ref.path)
        people = self._drafts.values()
        ids = ids_of(people, self._key, place)
        self._ids = dict(zip(self._drafts, ids, strict=True))
        subjects = subjects_of(people, ids, self._key)
        named = {number for number, records in enumerate(self._records) if records}
        facts = {**self._case.facts, "subjects": subjects, "genre": self._genre, "named": named}
        return self._case.but(findings=self._findings(), facts=facts)

    def _findings(self) -> tuple[Finding, ...]:
        """All of them; those that are somebody's say so."""
        given = self._case.findings
        if _K is not None:
            told: tuple[Finding, ...] = _K.told_about(given, self._owner, self._ids, Finding)
            return told
        findings = list(given)
        for index, owner in self._owner.items():
            findings[index] = findings[index].about(self._ids[owner])
        return tuple(findings)

    # -- structured parts

    def _structured(self) -> None:
        if not any(self._records):
            return
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
        joining = Joining(self._drafts)
        for number, (_, people) in enumerate(self._people):
            structured = self._records[number] is not None
            self._keys[number] = [None] * len(people) if structured else joining.keys_of(people)
        Casting(self._case, self._document, self._drafts, self._genre).run()
        if not self._drafts:
            return  # nobody: nothing is anybody's
        whose = Whose(self._document, self._people, self._keys, self._drafts, self._genre)
        if not self._genre["public"]:
            self._lists()
        parts = range(len(self._records))
        closed = {n for n in parts if self._records[n] is not None or whose.is_nobodys(n)}
        told, others = self._left_over(closed)
        findings = self._case.findings
        owned = whose.health_of(findings, told)
        said = Saying(self._document, self._drafts).of(findings, owned)
        self._tell(owned, said)
        given = whose.identifiers(findings, others)
        self._owner.update(given)
        self._learn_all(findings, given)
        if self._quasi:
            loose = [n for n, one in enumerate(self._quasi) if self._records[one.part] is None]
            self._learn_all(self._quasi, whose.identifiers(self._quasi, loose))

    def _tell(self, owned: list[tuple[int, str]], said: list[frozenset[str]]) -> None:
        """Facts of health, with what their sentences say of them."""
        findings, drafts = self._case.findings, self._drafts
        self._owner.update(owned)
        for (index, key), more in zip(owned, said, strict=True):
            kind, rule, _, _, _, confidence, _, concept, _, _, context = findings[index]
            context = context | more if more else context
            drafts[key].facts.append(Fact(kind, concept or rule, context, confidence))

    def _left_over(self, closed: set[int]) -> tuple[list[int], list[int]]:
        """A name is its own; the places of what else is to be given, what is of health first."""
        findings, owner = self._case.findings, self._owner
        if _K is not None:
            left: tuple[list[int], list[int]] = _K.left_over(
                findings, closed, owner, self._people, self._keys, Kind.PERSON, HEALTH_KINDS
            )
            return left
        rows = zip(self._people, self._keys, strict=True)
        named_at = [dict(zip(starts, keys, strict=True)) for (starts, _), keys in rows]
        told, rest = list[int](), list[int]()
        for index, finding in enumerate(findings):
            if finding.part in closed or index in owner:
                continue
            if finding.kind is not Kind.PERSON:
                (told if finding.kind in HEALTH_KINDS else rest).append(index)
            # nobody's but its own, whoever is named beside it
            elif key := named_at[finding.part].get(finding.start):
                owner[index] = key
        return told, rest

    def _lists(self) -> None:
        """Lines that each name somebody and say something of their health."""
        if any(d.role == PATIENT and is_labelled(d) for d in self._drafts.values()):
            return  # a record of one patient
        told: dict[int, list[tuple[int, Finding]]] = {}
        for index, finding in enumerate(self._case.findings):
            if finding.kind in HEALTH_KINDS and not finding.context & NOT_THEIRS:
                told.setdefault(finding.part, []).append((index, finding))
        for number, found in sorted(told.items()):
            part, people = self._document.parts[number], self._people[number][1]
            structured = part.fields is not None or self._records[number] is not None
            if structured or min(len(people), len(found)) < FEWEST or len(part.text) > LONGEST:
                continue
            owners = listed(part.text, people, [finding for _, finding in found])
            for index, finding in found:
                if person := owners.get(finding.start):
                    key = self._keys[number][people.index(person)]
                    assert key  # the part is running text
                    self._drafts[key].role = PATIENT
                    self._take(index, finding, key, {RECORDED})

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
        kind, rule, _, _, _, confidence, _, concept, _, _, context = finding
        if kind in HEALTH_KINDS:
            context = context | said if said else context
            draft.facts.append(Fact(kind, concept or rule, context, confidence))
        else:
            self._learn(draft, finding)

    def _learn_all(self, findings: tuple[Finding, ...], owned: list[tuple[int, str]]) -> None:
        if _K is None:
            for index, key in owned:
                self._learn(self._drafts[key], findings[index])
        elif owned:
            texts = [part.text for part in self._document.parts]
            _K.learn_all(findings, owned, self._drafts, texts, LEARNT, PREFIXES, LOOSE, self._learn)

    def _learn(self, draft: Draft, finding: Finding) -> None:
        kind, rule, part, start, end, _, _, _, _, printed, _ = finding
        is_birth = kind is Kind.DATE and "birth" in rule
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


def is_labelled(draft: Draft) -> bool:
    return any("label" in mention.evidence for mention in draft.mentions)
