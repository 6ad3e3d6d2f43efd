"""Take identifiers out of a text by a profile.

In: text, findings of the identifier kinds, who they are about.  Out: edits; what a profile allows.

Whatever was found once is replaced wherever it stands, also where no cue gives it away.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from dlp.knowledge.marks import KIND_MARKS, REDACTED, marked, without_marks
from dlp.knowledge.names import load_names
from dlp.knowledge.people import load_people, plain
from dlp.knowledge.places import load_places
from dlp.model import Finding, Kind, Subject
from dlp.sanitise.cautious_identifiers import chosen, tied_house
from dlp.sanitise.date_shift import shift, year_of
from dlp.sanitise.documents.value_search import Flat, Near, bounded, folded
from dlp.sanitise.plan import Edit, Plan, Profile
from dlp.sanitise.surrogates import Surrogates
from dlp.sanitise.text_edits import Stretches, apart

# Values met once in a run, found again wherever they stand.
#
# Letter case matters for a single word only ("Black" is a name, "black" a colour): the second
# readers of an output look the same way, and what they find must be found here.


class Values:
    def __init__(self) -> None:
        self._kinds: dict[str, Kind] = {}
        self._near: Near | None = None

    def __len__(self) -> int:
        return len(self._kinds)

    def add(self, value: str, kind: Kind) -> None:
        form = _form(folded(value))
        if form and self._kinds.get(form) is not kind:
            self._kinds[form] = kind
            self._near = None

    def found(self, text: str) -> Iterator[tuple[int, int, Kind]]:
        if self._near is None:
            self._near = Near(self._kinds, caseless=True)
        flat = Flat(text)
        for start, end in self._spans(self._near, flat.text):
            # A pattern without case knows pairs that lower() does not ("ſ" and "s").
            kind = self._kinds.get(_form(flat.text[start:end]), Kind.ID)
            yield (*flat.span(start, end), kind)

    @staticmethod
    def _spans(near: Near, text: str) -> Iterator[tuple[int, int]]:
        """The leftmost first, then the longest, none overlapping.

        One pattern of all values would try each of them at every letter: a book has thousands of
        both, so a value is tried only where an automaton saw it.
        """
        try:
            starts = near.starts(text)
        except ValueError:
            if values := near.of(text):
                yield from (hit.span() for hit in re.finditer("|".join(map(_body, values)), text))
            return
        done = 0
        for start, value in starts:
            if start >= done and (hit := _pattern(value).match(text, start)):
                done = hit.end()
                yield hit.span()


def _form(value: str) -> str:
    return value if value.isalpha() else value.lower()


def _body(form: str) -> str:
    body = bounded(re.escape(form), form)
    return body if form.isalpha() else f"(?i:{body})"


@functools.lru_cache(20_000)
def _pattern(form: str) -> re.Pattern[str]:
    return re.compile(_body(form))


OLD = 89  # HIPAA: ages over 89 become one group
SPARSE = 20_000  # HIPAA: a three-digit ZIP area of this many people or fewer becomes 000
KEPT_PLACES = frozenset({"place-state", "place-country"})
NAMED_TOO = frozenset({Kind.PLACE, Kind.ORGANISATION, Kind.PROVIDER})
REPEATED = frozenset({Kind.ID, Kind.PHONE, Kind.EMAIL, Kind.IP, Kind.PROVIDER})
_WORD = re.compile(r"[^\W\d_]{3,}(?:['’\-][^\W\d_]+)*")
_TOWN = re.compile(r",\s*([A-ZÀ-Þ][^\W\d_]+(?:[ -][A-ZÀ-Þ][^\W\d_]+)*)(?=\s*,)")
_ZIP = re.compile(r"(?<!\d)(\d{3})\d{2}(?:-\d{4})?(?!\d)")
_STATE_ZIP = re.compile(r"\b([A-Z]{2})\.?,?\s+(\d{5}(?:-\d{4})?)\s*$")
_PIECE = re.compile(r"\d+|[^\W\d_]+")
_NUMBER = re.compile(r"\d+")
# What a profile leaves of an address; the stars may lie behind the finding.
_COARSE = re.compile(r"^\W*(?:[A-Z]{2}\.?,?\s+)?(?:\d{3}(?:\*\*)?)?\W*$")
LONGEST_NAME = 40  # characters
_TIED_BEFORE = re.compile(r"(?<![^\W_])((?:[A-ZÀ-Þ][^\W\d_]+-)+)$")
_LAST_FIRST = re.compile(r"[:|\t][ ]*([A-ZÀ-Þ][^\W\d_]+(?:['’ -][A-ZÀ-Þ][^\W\d_]+)*),[ ]$")
_FIRST_BEFORE = re.compile(r"[:,|\t] ?([A-Z][a-z]+) $")  # "Child: Kit Marlow"
_TIED_AFTER = re.compile(r"(?:-[A-ZÀ-Þ][^\W\d_]+)+")
# A full stop ends an address that has a town, and any date: "at 3 Elm Close, Ware. He waited".
_NEXT_SENTENCE = re.compile(r"(?<=[^\W\d_]{3})\.(?:\s+[A-Z][a-z]*)?$")
# What FHIR and C-CDA call a coding system by; it tells nobody.
_TERMINOLOGY = re.compile(
    r"https?://(?:[\w-]+\.)*(?:hl7\.org|loinc\.org|snomed\.info|nlm\.nih\.gov|unitsofmeasure\.org"
    r"|whocc\.no|ama-assn\.org|cdc\.gov|cms\.gov)(?:/|$)",
    re.IGNORECASE,
)
_ON = re.compile(r"(?<!\w)([Oo]n)\s$")  # "on 4 March 2021" becomes "in 2021"


@dataclass(frozen=True, slots=True)
class Someone:
    """What surrogates need to know about a person."""

    key: str = field(repr=False)  # the same in every file
    sex: str = ""


def people_of(subjects: Iterable[Subject]) -> dict[str, Someone]:
    found = {}
    for subject in subjects:
        name = f"{subject.first} {subject.last}".strip().lower()
        found[subject.id] = Someone(name if " " in name else subject.id, subject.sex)
    return found


class Identity:
    """Replaces identifiers and remembers them for the other parts and files of a run."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._places = load_places()
        self.surrogates = Surrogates(plan.key)
        self._values = Values()
        self._names: set[str] = set()
        self._moved: dict[str, str] = {}  # dates, to what they became
        self._ours: set[str] = set()  # words and numbers that this run put in
        self._counted = 0
        self._main = ""  # the only person of the document

    def learn(self, text: str, findings: Sequence[Finding], *, every: bool = False) -> None:
        """Remember values to replace wherever they stand; `every` value, or the telling ones."""
        for finding in chosen(text, findings):
            value = text[slice(*whole_name(text, finding))]
            if every or (finding.kind in REPEATED and len(value) > 4):
                self._values.add(value, finding.kind)
            elif finding.kind is Kind.PERSON:
                words = _WORD.findall(value)
                halves = (half for word in words for half in word.split("-"))
                self._names.update(filter(is_distinctive, (*words, *halves)))
                for form in name_forms(words):
                    self._values.add(form, Kind.PERSON)
            elif finding.kind is Kind.ADDRESS:
                for town in filter(is_distinctive, _TOWN.findall(value)):
                    self._values.add(town, Kind.PLACE)

    def remember(self, values: Mapping[str, Kind]) -> None:
        """Values to replace wherever they stand."""
        for value, kind in values.items():
            self._values.add(value, kind)

    def begin(self, people: Mapping[str, Someone]) -> None:
        """A new document: its dates move with its only person, when they are about nobody else."""
        keys = {someone.key for someone in people.values()}
        self._main = keys.pop() if len(keys) == 1 else ""

    def edits(
        self,
        text: str,
        findings: Sequence[Finding],
        people: Mapping[str, Someone],
        done: Stretches | None = None,
    ) -> list[Edit]:
        """What to replace, other than in stretches where that is done already."""
        done = done or Stretches(())
        known = list(self._again(text))
        made = self._found(text, findings, people, done, known)
        return apart([*made, *self._repeats(text, made, done, known)])

    def _found(
        self,
        text: str,
        findings: Sequence[Finding],
        people: Mapping[str, Someone],
        done: Stretches,
        known: Sequence[tuple[int, int, Kind]],
    ) -> list[Edit]:
        found = []
        people_known = ((a, b) for a, b, kind in known if kind is Kind.PERSON)
        names = Stretches((a, b) for a, b in people_known if " " in text[a:b])
        for finding in chosen(text, findings):
            if self._plan.profile is not Profile.PSEUDONYMISE and self.allows(text, finding):
                continue
            first, end = whole_name(text, finding)
            if finding.kind is Kind.PERSON:  # "GRACE" where "Grace Bell" is known
                first, end = names.around(first, end)
            if done.meet(first, end):
                continue
            value = text[first:end]
            someone = people.get(finding.person, Someone(finding.person or self._main))
            made = self._replace(finding, value, someone)
            if made != value and not marked(text, first, end):
                start = first
                if made.isdigit() and (on := _ON.search(text, max(0, start - 4), start)):
                    start, made = on.start(1), f"{'In' if on.group(1) == 'On' else 'in'} {made}"
                found.append(self._edit(start, end, made, finding.kind))
        return found

    def _edit(self, start: int, end: int, made: str, kind: Kind) -> Edit:
        return Edit(start, end, made, f"{self._plan.profile}: {kind.value}", kind.value)

    def _repeats(
        self,
        text: str,
        found: Sequence[Edit],
        done: Stretches,
        known: Sequence[tuple[int, int, Kind]],
    ) -> Iterator[Edit]:
        """Values learnt elsewhere, where no finding stands."""
        busy = Stretches((edit.start, edit.end) for edit in found)
        for start, end, kind in known:
            if busy.meet(start, end) or done.meet(start, end):
                continue
            if not marked(text, start, end):
                made = self.plain(kind, text[start:end])
                yield self._edit(start, end, made, kind)

    def _again(self, text: str) -> Iterator[tuple[int, int, Kind]]:
        if self._names:
            for hit in _WORD.finditer(text):
                if self._names.intersection((hit.group(), *hit.group().split("-"))):
                    yield (*hit.span(), Kind.PERSON)
        if self._values:
            yield from self._values.found(text)

    def plain(self, kind: Kind, value: str, sex: str = "") -> str:
        if self._plan.profile is Profile.REDACT:
            return REDACTED
        if self._plan.profile is Profile.PSEUDONYMISE:
            if kind is Kind.DATE:  # its person is not known here, but was where it first stood
                return self._moved.get(value) or self._shifted(value, Someone(self._main))
            if kind in NAMED_TOO and self._is_person(value):
                kind = Kind.PERSON
            return self.surrogates.of(kind, value, sex)
        return KIND_MARKS[kind]

    def _is_person(self, value: str) -> bool:
        """Whether every word is one of a person of this run: a name has one surrogate."""
        words = _WORD.findall(value)
        return bool(words) and self._names.issuperset(words)

    def _replace(self, finding: Finding, value: str, someone: Someone) -> str:
        kind = finding.kind
        if kind is Kind.AGE:
            return self._age(value)
        if self._plan.profile is Profile.REDACT:
            return REDACTED
        if kind is Kind.DATE:
            return self._date(value, someone)
        if finding.rule_id in KEPT_PLACES:
            return value
        if self._plan.profile is Profile.SAFE_HARBOR and kind in {Kind.PLACE, Kind.ADDRESS}:
            return self._area(kind, value)
        return self.plain(kind, value, someone.sex)

    def _age(self, value: str) -> str:
        number = _NUMBER.search(value)
        if number and int(number.group()) > OLD and "90+" not in value:
            return f"{value[: number.start()]}90+{value[number.end() :]}"
        return value

    def _date(self, value: str, someone: Someone) -> str:
        if self._plan.profile is Profile.PSEUDONYMISE:
            return self._shifted(value, someone)
        year = year_of(value)
        if not year:
            return KIND_MARKS[Kind.DATE]
        # Whatever happened that long ago to somebody is most often their birth.
        return KIND_MARKS[Kind.DATE] if int(year) < self._plan.year - OLD else year

    def _shifted(self, value: str, someone: Someone) -> str:
        made = shift(value, self.surrogates.days(someone.key), self._plan.year)
        if made is None:
            return KIND_MARKS[Kind.DATE]
        self._moved.setdefault(value, made)
        return self.surrogates.note(made, value)

    def _area(self, kind: Kind, value: str) -> str:
        """Only state and three digits of the ZIP code stay, and those only where many live."""
        tail = _STATE_ZIP.search(value)
        if tail:
            coarse = f"{tail.group(1)} {self._zip(tail.group(2))}"
            return coarse if tail.start() == 0 else f"{KIND_MARKS[Kind.ADDRESS]}, {coarse}"
        if _ZIP.fullmatch(value.strip()):
            return self._zip(value.strip())
        return KIND_MARKS[kind]

    def area(self, code: str) -> str:
        """What a profile leaves of a ZIP code alone."""
        if self._plan.profile is Profile.SAFE_HARBOR:
            return self._zip(code)
        return self.plain(Kind.ADDRESS, code)

    def _zip(self, code: str) -> str:
        return f"{code[:3] if self._places.zip3_population(code) > SPARSE else '000'}**"

    # -- the rescan

    def grant(self, edits: Iterable[Edit]) -> None:
        """Words that generalising wrote, also inside a surrogate: "Riverton Health facility"."""
        self._ours.update(word for edit in edits for word in _PIECE.findall(edit.text))

    def made(self, value: str) -> bool:
        """Whether a value is one of this run's surrogates."""
        return value in self.surrogates.issued

    def left(self, text: str, findings: Sequence[Finding]) -> list[Finding]:
        """Findings in an output that its profile does not allow."""
        return [f for f in chosen(text, findings) if not self.allows(text, f)]

    def allows(self, text: str, finding: Finding) -> bool:
        value = text[finding.start : finding.end]
        if marked(text, finding.start, finding.end):
            return True
        if finding.kind is Kind.AGE:
            number = _NUMBER.search(value)
            plus = text[finding.end : finding.end + 1] == "+" or "90+" in value
            return plus or number is None or int(number.group()) <= OLD
        if self._plan.profile is Profile.PSEUDONYMISE:
            return self._issued(value) or finding.rule_id in KEPT_PLACES
        if self._plan.profile is Profile.REDACT:
            return False
        if finding.kind is Kind.DATE:
            alone = re.fullmatch(r"\W*\d{4}\W*", value)
            return bool(alone) and self._date(value, Someone("")) == year_of(value)
        if finding.kind is Kind.URL and _TERMINOLOGY.match(value):
            return True
        rest = without_marks(value)
        return finding.rule_id in KEPT_PLACES or bool(_COARSE.match(rest))

    def _issued(self, value: str) -> bool:
        """Whether a value is a surrogate, or made of the words and numbers of surrogates."""
        if self.made(value):
            return True
        if self._counted != len(self.surrogates.issued):  # none are issued during a rescan
            self._counted = len(self.surrogates.issued)
            self._ours.update(w for made in self.surrogates.issued for w in _PIECE.findall(made))
        return all(piece in self._ours or len(piece) < 3 for piece in _PIECE.findall(value))


def whole_name(text: str, finding: Finding) -> tuple[int, int]:
    """Where a name stands with what a hyphen, an ampersand or a comma behind a label ties to it.

    Half a double name tells the person, and so does "Record: LAST, [name]".
    """
    start, end = finding.start, tied_house(text, finding)
    if finding.kind is Kind.PERSON:
        for tied in (_TIED_BEFORE, _LAST_FIRST):
            if before := tied.search(text, max(0, start - LONGEST_NAME), start):
                start = before.start(1)
        first = _FIRST_BEFORE.search(text, max(0, start - LONGEST_NAME), start)
        if first and load_names().first(first[1]) and plain(first[1]) not in load_people().titles:
            start = first.start(1)
        if after := _TIED_AFTER.match(text, end):
            end = after.end()
    if finding.kind in {Kind.ADDRESS, Kind.DATE} and (
        over := _NEXT_SENTENCE.search(text, start, end)
    ):
        end = over.start()
    return start, end


def name_forms(words: Sequence[str]) -> tuple[str, ...]:
    """A full name as text may repeat it, in any letters; () for less than a full name."""
    people = load_people()
    borne = [w for w in words if plain(w) not in people.titles and w not in people.credentials]
    if len(borne) < 2:
        return ()
    first, last = borne[0], borne[-1]
    return " ".join(borne), f"{first} {last}", f"{last} {first}", f"{last}, {first}"


def is_distinctive(word: str) -> bool:
    """Whether a word of a name is searched for alone: no title, no everyday word."""
    names, people = load_names(), load_people()
    if not word[:1].isupper() or plain(word) in people.titles or word in people.credentials:
        return False
    return names.ambiguity(word) < 1 / 3
