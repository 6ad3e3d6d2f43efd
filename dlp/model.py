"""The values that travel through the pipeline, and nothing else.

In: nothing.  Out: frozen types that every folder may import.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple


class GapCode(StrEnum):
    """Why something went unread. A gap is a result, never an exception."""

    CHANGED = "changed"
    CORRUPT = "corrupt"
    ENCRYPTED = "encrypted"
    INTERNAL = "internal"
    LANGUAGE = "language"
    NEEDS_OCR = "needs_ocr"
    PERMISSION = "permission"
    TIMEOUT = "timeout"
    TOO_DEEP = "too_deep"
    TOO_LARGE = "too_large"
    UNSUPPORTED = "unsupported"
    VANISHED = "vanished"


RECORDED = "recorded"  # what linking adds to a fact that a column holds
# Of what is at risk in a file, by the worst person in it (dlp/measure/risk_levels.py).
LEVELS = ("none", "low", "medium", "high", "critical")
MOST_TRACES = 50_000  # tags of the people in one file, for `dlp find`; a cut is told by tag 0
CUT = 0
SET_ASIDE = "set_aside"  # the fact: why a short text needs no reading, if reading it finds nobody


class Container(StrEnum):
    """How far down the cascade a file went: PHI within PROBABLE within POSSIBLE."""

    IMPOSSIBLE = "impossible"
    POSSIBLE = "possible"
    PROBABLE = "probable"
    PHI = "phi"


CONTAINER_RANK = {container: rank for rank, container in enumerate(Container)}


class Kind(StrEnum):
    """What a finding is; identifiers first, then health."""

    PERSON = "person"
    PLACE = "place"
    ADDRESS = "address"
    ORGANISATION = "organisation"
    PROVIDER = "provider"
    DATE = "date"
    AGE = "age"
    PHONE = "phone"
    EMAIL = "email"
    URL = "url"
    IP = "ip"
    ID = "id"
    DISEASE = "disease"
    SYMPTOM = "symptom"
    DRUG = "drug"
    PROCEDURE = "procedure"
    TEST = "test"


HEALTH_KINDS = frozenset({Kind.DISEASE, Kind.SYMPTOM, Kind.DRUG, Kind.PROCEDURE, Kind.TEST})


class Context(StrEnum):
    """How a health word is meant where it stands; none of these: it is asserted."""

    NEGATED = "negated"
    FAMILY = "family"  # of a relative of the person the text is about
    HISTORICAL = "historical"
    HYPOTHETICAL = "hypothetical"  # feared, tested for, to be prevented
    UNCERTAIN = "uncertain"
    GENERAL = "general"  # of people in general: leaflets, courses, studies
    TEMPLATE = "template"  # printed in a form that nobody filled in
    FIGURATIVE = "figurative"  # "that meeting gave me a stroke"
    ANIMAL = "animal"


# Contexts in which a health word says nothing about any person.
OF_NOBODY = frozenset({Context.GENERAL, Context.TEMPLATE, Context.FIGURATIVE, Context.ANIMAL})


@dataclass(frozen=True, slots=True)
class Gap:
    code: GapCode
    where: str  # part locator or stage name, never file content


@dataclass(frozen=True, slots=True)
class FileRef:
    """One file as we saw it once; if any field differs, it is another file."""

    share: str
    path: bytes  # names on a share are bytes; decoding is for display only
    device: int = 0
    inode: int = 0
    size_bytes: int = 0
    mtime_ns: int = 0
    ctime_ns: int = 0
    sha256: str = ""

    def is_state(self, seen: os.stat_result) -> bool:
        """Whether it is as it was seen; an editor can put size and mtime back, ctime it cannot."""
        state = (seen.st_dev, seen.st_ino, seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns)
        return state == (self.device, self.inode, self.size_bytes, self.mtime_ns, self.ctime_ns)


class Field(NamedTuple):
    """A stretch of text that the format itself labels: a cell, a form field, a FHIR element."""

    label: str
    start: int
    end: int
    record: int  # fields of one row, resource or segment group share it


class FieldMap:
    """The labelled stretches of a part, kept as arrays: a spreadsheet has a million of them."""

    __slots__ = ("_columns", "_labels", "_numbers")

    def __init__(self, numbers: dict[str, int] | None = None, *columns: array[int]) -> None:
        self._numbers = numbers or {}  # the labels, in their order
        self._labels = [*self._numbers]
        self._columns = columns or (array("I"), array("Q"), array("Q"), array("Q"))

    def add(self, label: str, start: int, end: int, record: int) -> None:
        number = self._numbers.get(label)
        if number is None:
            number = self._numbers[label] = len(self._labels)
            self._labels.append(label)
        numbers, starts, ends, records = self._columns
        numbers.append(number)
        starts.append(start)
        ends.append(end)
        records.append(record)

    @property
    def labels(self) -> tuple[str, ...]:
        """The distinct labels, in order of first use."""
        return tuple(self._labels)

    @property
    def arrays(self) -> tuple[array[int], ...]:
        """Number of the label, start, end and record of every field: for work on whole columns."""
        return self._columns

    def __len__(self) -> int:
        return len(self._columns[0])

    def __iter__(self) -> Iterator[Field]:
        labels = self._labels
        for number, start, end, record in zip(*self._columns, strict=True):
            yield Field(labels[number], start, end, record)

    def __repr__(self) -> str:
        return f"FieldMap({len(self)} fields)"  # labels can hold content, so none is shown


class PartRole(StrEnum):
    """What a part is in its document; only BODY parts decide genre and language."""

    BODY = "body"
    HEADER_FOOTER = "header_footer"
    NOTE = "note"  # footnotes, endnotes, speaker notes
    COMMENT = "comment"
    FORM_FIELD = "form_field"
    MAIL_HEADER = "mail_header"
    PROPERTY = "property"  # document properties, styles, names of inner parts
    FILE_NAME = "file_name"


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of text and where it sat inside the file."""

    locator: str  # "body", "sheet:3", "attachment:1/footnotes"
    text: str = field(repr=False)  # a log line must never carry content
    fields: FieldMap | None = field(default=None, repr=False, compare=False)
    role: PartRole = PartRole.BODY
    template: tuple[tuple[int, int], ...] = field(default=(), repr=False)  # printed by a form


@dataclass(frozen=True, slots=True)
class Document:
    media_type: str
    parts: tuple[Part, ...]
    title: str = field(default="", repr=False)
    metadata: Mapping[str, str] = field(default_factory=dict, repr=False)

    @property
    def characters(self) -> int:
        return sum([len(part.text) for part in self.parts])


class Finding(NamedTuple):
    """Something found at a place; the value itself is never kept."""

    kind: Kind
    rule_id: str
    part: int
    start: int
    end: int
    confidence: float
    evidence: tuple[str, ...] = ()  # names of the checks that passed
    concept: str = ""  # MeSH id of a health finding
    person: str = ""  # id of the Person it is about
    fingerprint: str = ""  # keyed HMAC of the normalised value
    context: frozenset[str] = frozenset()  # negated, family, historical, hypothetical, template ...

    def about(self, person: str) -> Finding:
        """The same finding, said of somebody; written out, as a record has hundreds of them."""
        return Finding(*self[:8], person, *self[9:])


USER_SIGN = "@"  # opens a last name that is a user name: no register of names has it


class MentionForm(StrEnum):
    """How a text shows a person; weaker forms are people with less identity, not nobody."""

    FULL_NAME = "full_name"
    TITLE_SURNAME = "title_surname"
    SURNAME = "surname"
    FIRST_NAME = "first_name"
    INITIALS = "initials"
    NICKNAME = "nickname"
    HANDLE = "handle"  # user name, e-mail local part, @handle
    NUMBER = "number"  # record, study, bib, health-card number without a name
    DESCRIBED = "described"  # a birth date or the address of a home, without a name
    UNIT = "unit"  # bed, room, cabin
    KINSHIP = "kinship"  # "Dad", "my sister"
    ROLE = "role"  # "our night porter"
    FIRST_PERSON = "first_person"


class Mention(NamedTuple):
    """A person, place or organisation at a place in the text, with what the words around it tell.

    Carries values, so it stays inside the worker and shows none in its repr.
    """

    kind: Kind
    part: int
    start: int
    end: int
    confidence: float
    rule_id: str
    evidence: tuple[str, ...] = ()
    role: str = ""
    first: str = ""
    last: str = ""
    sex: str = ""
    record: int = -1  # row or resource of a structured part
    form: MentionForm = MentionForm.FULL_NAME

    def __repr__(self) -> str:
        return f"Mention({self.kind}, {self.part}, {self.start}, {self.end}, {self.rule_id})"


class Evidence(NamedTuple):
    """Identifying evidence attributed to a person, with its text; stays in the worker."""

    kind: Kind
    rule_id: str
    text: str

    def __repr__(self) -> str:
        return f"Evidence({self.kind}, {self.rule_id})"


class Fact(NamedTuple):
    """A health finding about somebody, as far as the measure needs it."""

    kind: Kind
    concept: str  # MeSH id, or the wording where there is none
    context: frozenset[str] = frozenset()
    confidence: float = 1.0


@dataclass(frozen=True, slots=True)
class Subject:
    """A person as one file shows them, values included: it never leaves the worker."""

    id: str  # of the Person it becomes
    role: str = ""  # patient, author, relative, clinician, other
    first: str = field(default="", repr=False)
    last: str = field(default="", repr=False)
    sex: str = ""  # f, m, or nothing said
    birth_date: str = field(default="", repr=False)  # ISO; year only or year and month are fine
    age: int | None = None
    places: tuple[str, ...] = field(default=(), repr=False)  # names, ZIP and postal codes
    has_address: bool = False  # a street address: one household
    direct: frozenset[str] = frozenset()  # rules of the identifiers that name one person alone
    occupation: str = ""
    fingerprints: frozenset[str] = frozenset()
    facts: tuple[Fact, ...] = ()
    evidence: tuple[Evidence, ...] = field(default=(), repr=False)  # places, dates, ages, numbers
    chance: float = 1.0  # that the best link between this person and a health fact holds
    identity: float = 1.0  # how far a reader can tell who it is, by the form of the mention


@dataclass(frozen=True, slots=True)
class Person:
    """One person a file speaks of."""

    id: str  # keyed; stable for the same identifiers
    fingerprints: frozenset[str] = frozenset()  # "kind:hex"
    identifiability: float = 0.0
    sensitivity: float = 0.0
    explanation: tuple[str, ...] = ()
    bits: Mapping[str, float] = field(default_factory=dict)  # how much each kind narrows
    burden: tuple[tuple[str, str, float], ...] = ()  # kind, concept, weight of each health fact
    chance: float = 1.0  # that the facts are there and are this person's
    area: str = ""  # country, with the code of the state or province where it is known: "US-OH"
    minor: bool = False  # said to be under 18

    @property
    def privacy(self) -> float:
        """What is expected to be lost."""
        return self.chance * self.identifiability * self.sensitivity


@dataclass(frozen=True, slots=True)
class TableRisk:
    """How far the rows of one table single people out; numbers and closed words only."""

    part: int
    columns: tuple[str, ...]  # what an attacker may know: birth, sex, place ...
    rows: int
    k: int  # rows of the smallest group that reads the same
    unique: int  # rows like no other
    at_risk: int  # rows in a group too small to hide in


@dataclass(frozen=True, slots=True)
class Verdict:
    container: Container
    reason: str
    persons: tuple[Person, ...] = ()
    gaps: tuple[Gap, ...] = ()
    rules_version: str = ""
    privacy: float = 0.0
    identifiability: float = 0.0
    sensitivity: float = 0.0
    unlisted: int = 0  # people beyond the worst, who are in `persons`
    readers: int = 1  # people who can read the file

    @property
    def clean(self) -> bool:
        """Whether the file was read in full and leaks nothing."""
        return self.container is not Container.PHI and not self.gaps


@dataclass(frozen=True, slots=True)
class Outcome:
    action: str
    done: bool
    detail: str
    undo_token: str | None = None


NO_NOTES: Mapping[str, Any] = {}


class Case(NamedTuple):
    """Everything known about one file so far; each stage returns a fuller one.

    A tuple, as a file is copied some fifteen times on its way.
    """

    ref: FileRef
    document: Document | None = None
    language: str | None = None
    container: Container | None = None  # the answer so far
    reason: str = ""  # the stage's words for that answer
    settled: bool = False  # the cascade knows the answer; dearer stages stand aside
    findings: tuple[Finding, ...] = ()
    persons: tuple[Person, ...] | None = None
    gaps: tuple[Gap, ...] = ()
    verdict: Verdict | None = None
    outcome: Outcome | None = None
    trail: tuple[str, ...] = ()
    spent_ms: Mapping[str, float] = NO_NOTES  # by folder, to the µs
    facts: Mapping[str, Any] = NO_NOTES  # stage-private notes

    def __repr__(self) -> str:
        return f"Case({self.ref!r}, {self.container!r}, {self.reason!r}, gaps={self.gaps!r})"

    def but(self, **changes: Any) -> Case:
        """The same case, but for the fields that are named."""
        return self._replace(**changes)

    def with_gap(self, code: GapCode, where: str) -> Case:
        gap = Gap(code, where)
        return self if gap in self.gaps else self.but(gaps=(*self.gaps, gap))
