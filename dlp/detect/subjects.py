"""Whose health is it? Tie identifiers and health findings to the people a file speaks of.

In: Case with findings and mentions.  Out: facts["subjects"], and findings that name their person.

Structured parts say it themselves. In running text a document patient (header, "Re:", label) takes
every fact that is not somebody else's; an author takes first-person facts; a relative or a named
subject takes the facts of their sentence and of the sentences that go on with a pronoun.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from dataclasses import replace

from dlp.detect.casting import (
    ANONYMOUS,
    CLINICAL,
    HEADER,
    STRENGTH,
    Casting,
    is_direct,
    is_personal,
    share_with_relatives,
)
from dlp.detect.drafts import (
    Draft,
    fill_from_fields,
    id_of,
    people_by_part,
    same_name,
    subject_of,
)
from dlp.detect.mention import AUTHOR, CLINICIAN, PATIENT, RELATIVE, Mention
from dlp.detect.pasted import with_table
from dlp.detect.records import Records, read_records
from dlp.detect.sentences import sentence_starts
from dlp.model import HEALTH_KINDS, Case, Document, Fact, Finding, Kind

NOT_THEIRS = frozenset({"general", "template", "family"})
FIRST_PERSON = re.compile(r"\b(?:I|I'm|I've|my|me|myself|we|our)\b", re.IGNORECASE)
PRONOUN = re.compile(r"^\W*(?:he|she|they|his|her|their)\b", re.IGNORECASE)
PRINTED = frozenset({Kind.ID, Kind.EMAIL, Kind.PHONE, Kind.ADDRESS, Kind.PLACE})
OLD_YEAR = re.compile(r",? 1[0-8]\d\d\b")
PAGES = 5000  # characters; a longer text needs more than a cue or two to be clinical
CHAIN = 2  # sentences a pronoun may carry on


class LinkSubjects:
    name = "detect.subjects"
    requires = frozenset({"document"})
    provides = frozenset({"findings"})

    def __init__(self, key: bytes) -> None:
        self._key = key

    def __call__(self, case: Case) -> Case:
        assert case.document  # requires= promised it
        return Linking(case, case.document, self._key).run()


class Linking:
    """One case, one pass: drafts of people, then whose fact is whose."""

    def __init__(self, case: Case, document: Document, key: bytes) -> None:
        self._case = case
        self._document = document
        self._key = key
        mentions: tuple[Mention, ...] = case.facts.get("mentions", ())
        self._people = people_by_part(mentions, len(document.parts))
        self._key_of: dict[Mention, str] = {}
        self._by_name: dict[str, list[str]] = defaultdict(list)
        self._quasi: tuple[Finding, ...] = case.facts.get("quasi", ())
        self._genre: dict[str, int] = {}
        self._owner: dict[int, str] = {}  # index of finding -> key of draft
        self._drafts: dict[str, Draft] = {}
        self._starts: dict[int, list[int]] = {}  # of the parts that were asked for
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
        findings = tuple(
            replace(f, person=self._ids[self._owner[i]]) if i in self._owner else f
            for i, f in enumerate(self._case.findings)
        )
        subjects = tuple(
            subject_of(draft, self._ids[key], self._key) for key, draft in self._drafts.items()
        )
        named = {number for number, records in enumerate(self._records) if records}
        facts = {**self._case.facts, "subjects": subjects, "genre": self._genre, "named": named}
        return self._case.but(findings=findings, facts=facts)

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
            if holder is not None:
                self._take(index, finding, f"r{finding.part}.{holder.record}")

    # -- running text

    def _running_text(self) -> None:
        for number, (_, people) in enumerate(self._people):
            if self._records[number] is None:
                for mention in people:
                    self._join(mention)
        casting = Casting(self._case, self._document, self._drafts)
        casting.run()
        self._genre = casting.genre
        self._patients = [k for k, d in self._drafts.items() if d.role == PATIENT]
        patients = set(self._patients)
        mine = [[m for m in row if self._key_of.get(m) in patients] for _, row in self._people]
        self._patient_places = [
            ([m.start for m in row], [self._key_of[m] for m in row]) for row in mine
        ]
        self._authors = [k for k, d in self._drafts.items() if d.role == AUTHOR]
        for index, finding in enumerate(self._case.findings):
            if index in self._owner or self._records[finding.part] is not None:
                continue
            key = (
                self._whose_health(finding)
                if finding.kind in HEALTH_KINDS
                else self._whose_identifier(finding)
            )
            if key:
                self._take(index, finding, key)
        for finding in self._quasi:
            key = self._whose_identifier(finding)
            if key and self._records[finding.part] is None:
                self._learn(self._drafts[key], finding)

    def _join(self, mention: Mention) -> None:
        """A mention belongs to the person of that name, or begins a new one."""
        words = [word.lower() for word in (mention.last, mention.first) if word]
        known = (key for word in words for key in self._by_name[word])
        key = next((k for k in known if same_name(self._drafts[k], mention)), None)
        draft = self._draft(key or f"m{len(self._drafts)}", "")
        draft.mentions.append(mention)
        self._key_of[mention] = draft.key
        draft.first = draft.first or mention.first
        draft.last = draft.last or mention.last
        draft.sex = draft.sex or mention.sex
        for word in words:
            if draft.key not in self._by_name[word]:
                self._by_name[word].append(draft.key)
        if STRENGTH.get(mention.role, 1) > STRENGTH.get(draft.role, 0):
            draft.role = mention.role

    def _whose_health(self, finding: Finding) -> str | None:
        if finding.context & NOT_THEIRS and "family" not in finding.context:
            return None
        if not self._people[finding.part][1]:  # then no sentence names anybody
            if "family" in finding.context or not (self._patients or self._authors):
                return None
            if self._patients:
                return self._nearest_patient(finding)
        sentence = self._sentence(finding)
        here = [m for m in self._named_in(finding.part, sentence) if m.role != CLINICIAN]
        if "family" in finding.context:
            relative = next((m for m in here if m.role == RELATIVE), None)
            return self._key_of[relative] if relative else None
        if relative := next((m for m in here if m.role == RELATIVE), None):
            return self._key_of[relative]
        if self._patients:
            return self._nearest_patient(finding)
        if here:
            return self._key_of[here[0]]
        text = self._document.parts[finding.part].text[slice(*sentence)]
        if self._authors and FIRST_PERSON.search(text):
            return self._authors[0]
        return self._carried_on(finding, sentence)

    def _carried_on(self, finding: Finding, sentence: tuple[int, int]) -> str | None:
        """ "She has ..." goes on about whom the sentences before named last."""
        text = self._document.parts[finding.part].text
        if not PRONOUN.match(text[slice(*sentence)]):
            return None
        starts = self._sentences(finding.part)
        number = bisect_right(starts, sentence[0]) - 1
        for back in range(1, CHAIN + 1):
            if number - back < 0:
                return None
            before = (starts[number - back], starts[number - back + 1])
            named = [m for m in self._named_in(finding.part, before) if m.role != CLINICIAN]
            if named:
                return self._key_of[named[-1]]
        return None

    def _whose_identifier(self, finding: Finding) -> str | None:
        """Whoever is named nearest, in the header it stands in."""
        if ANONYMOUS in self._drafts:
            return ANONYMOUS if is_personal(finding) else None
        span = (finding.start - HEADER, finding.start + HEADER)
        near = [m for m in self._named_in(finding.part, span) if m.role != CLINICIAN]
        line = self._document.parts[finding.part].text.rfind("\n", 0, finding.start)
        same_line = [m for m in near if line < m.start < finding.start]
        # "Camper: A  Born: 2012" is A's birth, whoever the next line names
        nearest = min(same_line or near, key=lambda m: abs(m.start - finding.start), default=None)
        return self._key_of.get(nearest) if nearest else None

    # -- small questions

    def _nearest_patient(self, finding: Finding) -> str | None:
        """Everything in a clinical text is about its patient; elsewhere only what stands near."""
        key = self._nearest(self._patients, finding)
        cues, length = self._genre["clinical"], len(self._document.parts[finding.part].text)
        if cues >= CLINICAL or (cues and length < PAGES) or not self._drafts[key].mentions:
            return key
        around = self._named_in(finding.part, (finding.start - HEADER, finding.start + HEADER))
        return key if any(self._key_of.get(m) == key for m in around) else None

    def _nearest(self, keys: list[str], finding: Finding) -> str:
        if len(keys) == 1:
            return keys[0]
        starts, owners = self._patient_places[finding.part]
        before = bisect_right(starts, finding.start)
        return owners[before - 1] if before else keys[0]

    def _sentence(self, finding: Finding) -> tuple[int, int]:
        starts = self._sentences(finding.part)
        number = bisect_right(starts, finding.start) - 1
        end = (
            starts[number + 1]
            if number + 1 < len(starts)
            else len(self._document.parts[finding.part].text)
        )
        return starts[number], end

    def _sentences(self, part: int) -> list[int]:
        if part not in self._starts:
            self._starts[part] = sentence_starts(self._document.parts[part].text)
        return self._starts[part]

    def _named_in(self, part: int, span: tuple[int, int]) -> list[Mention]:
        starts, people = self._people[part]
        return people[bisect_left(starts, span[0]) : bisect_left(starts, span[1])]

    def _draft(self, key: str, role: str) -> Draft:
        return self._drafts.setdefault(key, Draft(key, role))

    def _take(self, index: int, finding: Finding, key: str) -> None:
        self._owner[index] = key
        draft = self._drafts[key]
        if finding.kind in HEALTH_KINDS:
            concept = finding.concept or finding.rule_id
            draft.facts.append(Fact(finding.kind, concept, finding.context, finding.confidence))
        else:
            self._learn(draft, finding)

    def _learn(self, draft: Draft, finding: Finding) -> None:
        text = self._document.parts[finding.part].text[finding.start : finding.end]
        is_birth = finding.kind is Kind.DATE and "birth" in finding.rule_id
        if finding.fingerprint and (finding.kind in PRINTED or is_birth):
            kind = "birth" if is_birth else finding.kind.value
            draft.prints.add(f"{kind}:{finding.fingerprint}")
        if is_direct(finding):
            draft.direct.add(finding.rule_id)
        elif finding.kind is Kind.ADDRESS:
            draft.has_address = True
        elif finding.kind is Kind.PLACE:
            draft.places.append(text)
        elif finding.kind is Kind.AGE and (digits := re.search(r"\d{1,3}", text)):
            draft.age = int(digits.group())
        elif is_birth:
            draft.birth = draft.birth or text + self._year_after(finding)

    def _year_after(self, finding: Finding) -> str:
        """The year of "born March 1, 1760": whoever is so old is history."""
        text = self._document.parts[finding.part].text
        year = OLD_YEAR.match(text, finding.end)
        return year.group() if year else ""
