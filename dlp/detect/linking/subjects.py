"""Whose health is it? Tie identifiers and health findings to the people a file speaks of.

In: Case with findings and mentions.  Out: facts["subjects"], and findings that name their person.

Structured parts say it themselves; for running text detect/whose.py decides.
"""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet

from dlp.detect.linking.casting import STRENGTH, Casting, is_direct, share_with_relatives
from dlp.detect.linking.drafts import (
    FAINT,
    Draft,
    fill_from_fields,
    id_of,
    people_by_part,
    same_name,
    subject_of,
)
from dlp.detect.linking.intimates import genre_of
from dlp.detect.linking.listed import FEWEST, LONGEST, listed
from dlp.detect.linking.pasted import with_table
from dlp.detect.linking.records import HEALTH, WORK, Records, read_records
from dlp.detect.linking.saying import Saying
from dlp.detect.linking.unasked import without_people
from dlp.detect.linking.whose import NOT_THEIRS, Whose
from dlp.detect.naming.mention import PATIENT, Mention
from dlp.model import HEALTH_KINDS, RECORDED, Case, Document, Fact, Finding, Kind
from dlp.native import kernel

PRINTED = frozenset({Kind.ID, Kind.EMAIL, Kind.PHONE, Kind.ADDRESS, Kind.PLACE})
OLD_YEAR = re.compile(r",? 1[0-8]\d\d\b")
FAINT_IN_LETTERS = 0.5
_K = kernel("linking")
FIELD = 48  # characters from one field of a name to the next


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
        self._key_of: dict[Mention, str] = {}
        self._named_at: dict[tuple[int, int], str] = {}
        self._by_name: dict[str, list[str]] = {}
        self._again: dict[tuple[str, str, str], Draft] = {}
        self._quasi: tuple[Finding, ...] = case.facts.get("quasi", ())
        self._owner: dict[int, str] = {}  # index of finding -> key of draft
        self._drafts: dict[str, Draft] = {}
        self._ids: dict[str, str] = {}
        self._records: list[Records | None] = [
            read_records(with_table(part), people)
            for part, (_, people) in zip(document.parts, self._people, strict=True)
        ]

    def run(self) -> Case:
        self._structured()
        self._running_text()
        share_with_relatives(self._drafts.values())
        place = repr(self._case.ref.path)
        self._ids = {key: id_of(draft, self._key, place) for key, draft in self._drafts.items()}
        subjects = tuple(
            subject_of(draft, self._ids[key], self._key) for key, draft in self._drafts.items()
        )
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
        for number, (_, people) in enumerate(self._people):
            if self._records[number] is None:
                self._join_all(people)
        Casting(self._case, self._document, self._drafts, self._genre).run()
        if not self._drafts:
            return  # nobody: nothing is anybody's
        whose = Whose(self._document, self._people, self._key_of, self._drafts, self._genre)
        if not self._genre["public"]:
            self._lists()
        parts = range(len(self._records))
        closed = {n for n in parts if self._records[n] is not None or whose.is_nobodys(n)}
        told, others = self._left_over(closed)
        findings = self._case.findings
        owned = [(n, key) for n in told if (key := whose.health(findings[n]))]
        for (index, key), said in zip(owned, Saying(self._document, self._drafts).of(findings, owned), strict=True):
            self._take(index, findings[index], key, said)
        for index, key in whose.identifiers(self._case.findings, others):
            self._owner[index] = key
            self._learn(self._drafts[key], self._case.findings[index])
        open_ = [n for n, finding in enumerate(self._quasi) if self._records[finding.part] is None]
        for index, key in whose.identifiers(self._quasi, open_):
            self._learn(self._drafts[key], self._quasi[index])

    def _left_over(self, closed: set[int]) -> tuple[list[int], list[int]]:
        """A name is its own; the places of what else is to be given, what is of health first."""
        findings, owner, named_at = self._case.findings, self._owner, self._named_at
        if _K is not None:
            left: tuple[list[int], list[int]] = _K.left_over(
                findings, closed, owner, named_at, Kind.PERSON, HEALTH_KINDS
            )
            return left
        told, rest = list[int](), list[int]()
        for index, finding in enumerate(findings):
            if finding.part in closed or index in owner:
                continue
            if finding.kind is not Kind.PERSON:
                (told if finding.kind in HEALTH_KINDS else rest).append(index)
            # nobody's but its own, whoever is named beside it
            elif key := named_at.get((finding.part, finding.start)):
                owner[index] = key
        return told, rest

    def _lists(self) -> None:
        """Lines that each name somebody and say something of their health."""
        if any(d.role == PATIENT and is_labelled(d) for d in self._drafts.values()):
            return  # a record of one patient
        for number, (_, people) in enumerate(self._people):
            part, records = self._document.parts[number], self._records[number]
            structured = part.fields is not None or records is not None
            if structured or len(people) < FEWEST or len(part.text) > LONGEST:
                continue
            told = [
                (index, finding)
                for index, finding in enumerate(self._case.findings)
                if finding.part == number
                and finding.kind in HEALTH_KINDS
                and not finding.context & NOT_THEIRS
            ]
            owners = listed(part.text, people, [finding for _, finding in told])
            for index, finding in told:
                if person := owners.get(finding.start):
                    key = self._key_of[person]
                    self._drafts[key].role = PATIENT
                    self._take(index, finding, key, {RECORDED})

    def _join_all(self, people: list[Mention]) -> None:
        if _K is None:
            for mention in people:
                self._join(mention)
        else:
            known = (self._again, self._drafts, self._by_name, self._key_of, self._named_at)
            _K.join_all(people, *known, STRENGTH, self._other_half, self._draft)

    def _join(self, mention: Mention) -> None:
        """A mention belongs to the person of that name, or begins a new one."""
        written = (mention.first, mention.last, mention.sex)
        draft = self._again.get(written) or self._joined(mention, written)
        draft.mentions.append(mention)
        self._key_of[mention] = draft.key
        self._named_at[mention.part, mention.start] = draft.key
        if mention.role != draft.role and (
            STRENGTH.get(mention.role, 1) > STRENGTH.get(draft.role, 0)
        ):
            draft.role = mention.role

    def _joined(self, mention: Mention, written: tuple[str, str, str]) -> Draft:
        """The person of a name that is read for the first time, or whose people have changed.

        Whom it leads to it leads to again: others of a word of it come later in their lists, and
        none of those before fits, unless somebody gets a name or a sex they had not.
        """
        words = [word.lower() for word in (mention.last, mention.first) if word]
        known = self._known_by(words, mention)
        key = known or self._other_half(mention)
        draft = self._draft(key or f"m{len(self._drafts)}", "")
        before = (draft.first, draft.last, draft.sex)
        draft.first = draft.first or mention.first
        draft.last = draft.last or mention.last
        draft.sex = draft.sex or mention.sex
        for word in words:
            bearers = self._by_name.setdefault(word, [])
            if draft.key not in bearers:
                bearers.append(draft.key)
        if key and (draft.first, draft.last, draft.sex) != before:
            self._again.clear()
        elif known or (not key and words and same_name(draft, mention)):
            self._again[written] = draft
        return draft

    def _known_by(self, words: list[str], mention: Mention) -> str | None:
        for word in words:
            for key in self._by_name.get(word, ()):
                if same_name(self._drafts[key], mention):
                    return key
        return None

    def _other_half(self, mention: Mention) -> str | None:
        """ "First name: Ada   Last name: Hale": two fields of one person."""
        before = next(reversed(self._key_of), None) if is_half(mention) else None
        if before is None or not is_half(before):
            return None
        halves = bool(before.first) != bool(mention.first)
        near = before.part == mention.part and 0 < mention.start - before.end < FIELD
        return self._key_of[before] if halves and near else None

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


def is_half(mention: Mention) -> bool:
    """A first or a last name alone, behind the label of a form."""
    return bool(mention.first) != bool(mention.last) and "label" in mention.evidence


def is_labelled(draft: Draft) -> bool:
    return any("label" in mention.evidence for mention in draft.mentions)
