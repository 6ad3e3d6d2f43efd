"""Who is the patient? Give every person of a text their part.

In: drafts with the roles their mentions suggest, findings, the genre.  Out: drafts with roles.

Labels and titles suggest roles; the kind of text confirms or denies them. In print, advice, stories
and résumés nobody is a patient unless personal numbers stand beside the name; a clinical text with
one identified person in front of it is about that person.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from dlp.detect.linking.drafts import Draft, is_placeholder, keys_by_role
from dlp.detect.linking.intimates import genre_of, is_for_many
from dlp.detect.linking.likely import LETTERS, LIFE, LINES, SIGNATURE, UNCAST, Likely, likely
from dlp.detect.linking.personal import (
    DIRECT_KINDS,
    is_patient_number,
    is_personal,
    sift,
)
from dlp.detect.linking.pointing import BED, is_asked_for, is_in_bed, is_staff
from dlp.detect.naming.mention import (
    AUTHOR,
    CLINICIAN,
    CORRESPONDENT,
    OTHER,
    PATIENT,
    PUBLIC,
    RELATIVE,
    Mention,
)
from dlp.model import Case, Document, Finding, Kind

STRENGTH = {PATIENT: 4, AUTHOR: 3, RELATIVE: 3, CLINICIAN: 2}
CLINICAL = 3  # different clinical turns of phrase; bench/accuracy.py picked it
DENSITY = 0.04  # health terms a word, the threshold of the study that rules/containers.toml names
FEW = 3  # health terms say little in any text
DIGITS = 4  # of a patient's number at least
SHORT = 1800  # characters; a page at most
FIRST_PERSON = re.compile(r"\b(?:I|I'm|I've|my|me|our|we)\b")
BARE = frozenset({"aged", "birth", "again"})
BEAST = 4  # different words of vets; a bite in a human's note has two or three
LONG_AGO = re.compile(r"\b(?:in|since|until) (?:1[5-8]\d\d|19[0-5]\d)\b")
BIOGRAPHY = re.compile(
    r"\s*\((?:born|b\.|c\.|died|d\.)?\s*[^()]{0,20}\b(?:1\d|20)\d\d\b[^)]{0,40}\)"
    r",? (?:was|is) (?:an?|the)\b"
)
STAMP = 24  # characters of a time before the speaker of a line
HEADER = 600  # characters around a name in which identifiers are theirs
FIRM_KINDS = frozenset({Kind.ID, Kind.PHONE, Kind.ADDRESS})
STRANGERS = frozenset({"", OTHER, CORRESPONDENT})
ANONYMOUS = "anonymous"  # the key of a patient without a name


class Casting:
    def __init__(
        self,
        case: Case,
        document: Document,
        drafts: dict[str, Draft],
        genre: dict[str, int] | None = None,
    ) -> None:
        self._document = document
        self._drafts = drafts
        self._texts = [part.text for part in document.parts]
        self.genre = genre_of(document) if genre is None else genre
        length = sum(map(len, self._texts))
        self._short = length < SHORT
        self.genre["short"] = int(self._short)
        self._told: int  # where health begins: a note first names whom it is about
        self._personal: list[Finding]
        told, self._told, self._personal = sift(case.findings)
        self._dense = told > max(FEW, DENSITY * length / LETTERS)
        self._roles: dict[str, list[str]] | None = None
        self._is_clinical: bool
        self._likely: Likely

    def run(self) -> None:
        """A step is taken only where somebody may be meant by it: most texts need none or one."""
        genre = self.genre
        self._is_clinical, for_many = genre["clinical"] >= CLINICAL, is_for_many(genre)
        self._likely = likely(self._drafts)
        self._roles = self._likely.roles
        if PATIENT in self._roles or self._likely.bygone:
            self._take_back()
        beast = genre["animal"] > BEAST - 3 and self._is_animal()
        genre["public"] = int(beast or for_many)
        if genre["public"]:
            self._cast_nobody(beast=beast)
            return
        if self._likely.speaking or self._likely.at_ends:
            self._find_author()
        if self._likely.pointed_at:
            self._cast_labelled()
        if genre["clinical"] >= CLINICAL - 1 or AUTHOR in self.roles:
            self._promote_main_person()
        if self._personal:
            self._anonymous_patient()
        if genre["private"]:
            self._cast_intimates()
        elif self._short and not self._is_clinical:
            self._cast_only_person()

    @property
    def roles(self) -> dict[str, list[str]]:
        """Whoever has a role, by their roles."""
        if self._roles is None:
            self._roles = keys_by_role(self._drafts)
        return self._roles

    def _cast(self, draft: Draft, role: str) -> None:
        draft.role = role
        self._roles = None  # to be sorted anew

    def _cast_nobody(self, *, beast: bool) -> None:
        """Print gives birth dates and the mail of its authors; a number is a person's own."""
        numbers = [f for f in self._personal if f.kind in FIRM_KINDS]
        for keys in self.roles.values():
            for draft in map(self._drafts.__getitem__, keys):
                firm = numbers and any(near(m, numbers) for m in draft.mentions[:3])
                if beast or (draft.mentions and not firm):
                    draft.role = ""
        self._roles = None

    def _take_back(self) -> None:
        """Nobody of long ago is a patient, nor whom a text hardly names."""
        patients = self.roles.get(PATIENT, ())
        if not self._is_clinical:
            for draft in filter(self._is_history, self._likely.bygone):
                self._cast(draft, PUBLIC)
        for draft in map(self._drafts.__getitem__, patients):
            if draft.role == PATIENT and not self._may_be_patient(draft):
                self._cast(draft, "")

    def _may_be_patient(self, draft: Draft) -> bool:
        """Named in full, or in part beside a title, a number, a label, or an age in a note."""
        evidence = {word for m in draft.mentions if m.role == PATIENT for word in m.evidence}
        if evidence and evidence <= BARE and not (self.genre["clinical"] or self._dense):
            return False  # an age or a birth date beside a name is in every newspaper
        if draft.full_name or not draft.mentions:
            return True
        if self.genre["clinical"] > 0 and self._is_firm(draft):
            return True
        told = "label" in evidence or (self.genre["clinical"] >= CLINICAL and "aged" in evidence)
        return told and bool(draft.first and draft.last)

    def _is_history(self, draft: Draft) -> bool:
        """Somebody of a biography, or of a year before the files of any patient alive."""
        if not draft.mentions or not draft.full_name:
            return False
        first = draft.mentions[0]
        text = self._document.parts[first.part].text
        behind = text[first.end : first.end + LIFE]
        ago = " 1" in behind and LONG_AGO.search(behind)
        return bool(ago or ("(" in behind and BIOGRAPHY.match(behind)))

    def _find_author(self) -> None:
        """A text in the first person is by whoever stands at its edge with a way to reach them."""
        if AUTHOR in self.roles:
            return
        for draft in self._likely.speaking:
            several = len(draft.mentions) > 1 and draft.role in UNCAST
            if several and sum(map(self._speaks, draft.mentions[:LINES])) > 1:
                self._cast(draft, AUTHOR)  # of lines in a chat or a transcript
        silent: set[int] = set()  # parts in which nobody says "I"
        for draft in self._likely.at_ends:
            if draft.role not in UNCAST or not draft.full_name or not draft.mentions:
                continue
            last = draft.mentions[-1]
            text = self._document.parts[last.part].text
            at_end = last.start > len(text) - min(SIGNATURE, max(LETTERS, len(text) // 2))
            known = self._short or self._has_identifier_near(last)
            if at_end and known and last.part not in silent:
                if says_i(text):
                    self._cast(draft, AUTHOR)
                    return
                silent.add(last.part)

    def _cast_intimates(self) -> None:
        """In a letter a full name is somebody known, and a first name somebody close."""
        for draft in self._drafts.values():
            if draft.role in STRANGERS and draft.first:
                self._cast(draft, RELATIVE)

    def _cast_only_person(self) -> None:
        """A short text that names one person in full may be about that person."""
        named = [d for d in self._drafts.values() if d.full_name and d.role != CLINICIAN]
        if len(named) == 1 and named[0].role in {"", CORRESPONDENT}:
            staff = (is_staff(self._document.parts[m.part].text, m) for m in named[0].mentions)
            self._cast(named[0], "" if any(staff) else OTHER)

    def _speaks(self, mention: Mention) -> bool:
        text = self._document.parts[mention.part].text
        before = mention.start - STAMP
        colon = text[mention.end : mention.end + 1] == ":"
        return colon and (before < 0 or "\n" in text[before : mention.start])

    def _cast_labelled(self) -> None:
        """ "Employee:", "Resident:" and the like name whom a form or report is about."""
        if PATIENT in self.roles:
            return
        for draft in self._likely.pointed_at:
            if draft.role or not draft.last or not draft.mentions:
                continue
            first = draft.mentions[0]
            text = self._document.parts[first.part].text
            asked = draft.full_name and is_asked_for(text, first)
            lies = is_in_bed(text, first)
            if lies or (asked and self._has_identifier_near(first)):
                self._cast(draft, PATIENT)
                draft.direct |= {BED} if lies else set()

    def _is_animal(self) -> bool:
        """A vet's record names the owner, and never when the owner was born."""
        born = any("birth" in f.rule_id for f in self._personal)
        labelled = PATIENT in self.roles
        pet = self._short and not self.genre["clinical"]
        return self.genre["animal"] > BEAST - (not born and not labelled) * (1 + 2 * pet)

    def _promote_main_person(self) -> None:
        """A clinical text with one person in front of it is about that person."""
        if PATIENT in self.roles:
            return
        hardly = self.genre["clinical"] < CLINICAL - 1
        drafts = self._drafts.values()
        clinical = self._is_clinical  # and not for many readers
        people = [d for d in drafts if d.mentions and d.full_name and d.role != CLINICIAN]
        ranked = sorted(
            people,
            key=lambda d: (-STRENGTH.get(d.role, 0), d.mentions[0].part, d.mentions[0].start),
        )
        for draft in ranked[:1]:
            first = draft.mentions[0]
            text = self._document.parts[first.part].text
            at_edge = first.start < HEADER or first.start > len(text) - HEADER
            heads = self._short and len(people) == 1 and first.start < self._told
            known = at_edge and (heads or self._has_identifier_near(first))
            alone = len(people) == 1 and not hardly
            medical = self.genre["clinical"] or self._dense
            written_by = draft.role == AUTHOR
            if (known and (clinical or alone)) or (
                written_by and (clinical or (known and medical))
            ):
                self._cast(draft, PATIENT)

    def _is_firm(self, draft: Draft) -> bool:
        """A name that is not whole counts as the patient's beside an identifier or a title."""
        for mention in draft.mentions[:3]:
            if "title" in mention.evidence or near(mention, self._personal):
                return True
        return False

    def _has_identifier_near(self, mention: Mention) -> bool:
        return near(mention, self._personal)

    def _anonymous_patient(self) -> None:
        known = PATIENT in self.roles or AUTHOR in self.roles
        if not known and has_unnamed(self._personal, self._document):
            self._drafts[ANONYMOUS] = Draft(ANONYMOUS, PATIENT)
            self._roles = None


def has_unnamed(personal: Iterable[Finding], document: Document) -> bool:
    """A patient's number, or a birth date and a way to reach them, is somebody unnamed."""
    born = reached = False
    for finding in personal:
        if is_patient_number(finding) and is_real(finding, document):
            return True
        born = born or "birth" in finding.rule_id
        reached = reached or (finding.kind in DIRECT_KINDS and is_personal(finding))
    return born and reached


def is_real(finding: Finding, document: Document) -> bool:
    """Not 0000, 12345 or xxx: those stand for a number that was taken out."""
    text = document.parts[finding.part].text[finding.start : finding.end].lower()
    runs = re.findall(r"[a-z0-9]+", text)
    digits = sum(char.isdigit() for char in text)
    return digits >= DIGITS and not any(is_placeholder(run) for run in runs)


def says_i(text: str) -> bool:
    """Whether somebody speaks of themselves in a text."""
    return FIRST_PERSON.search(text) is not None


def near(mention: Mention, findings: Iterable[Finding]) -> bool:
    part, start = mention.part, mention.start
    for finding in findings:  # noqa: SIM110 - asked often, and a generator takes twice as long
        if finding.part == part and abs(finding.start - start) < HEADER:
            return True
    return False
