"""Sanitise one file: read, replace, write back in its own format, read twice again, certify.

In: the name and bytes of a file, a plan, a reader.  Out: Outcome: new bytes, or why there are none.

    service = Service(Plan(topics=default_topics(), key=key), examine, mask)
    outcome = service.sanitise("letter.docx", raw)
    outcome.output        bytes of the new file, None when it is refused
    outcome.refusal       SanitiseError with what, where and what to do; None when it worked
    outcome.certificate   a mapping for JSON, without any original value
    outcome.preview       one HTML page: the original masked beside the result

`examine` reads bytes and finds what is in them: engine.sanitiser_setup.open_service() passes the
analysis of the settings. Nothing here opens, writes or deletes a file: the caller has the original,
checks that it still is the one it read, and puts `output` where it wants it. One service over
many files keeps its decisions: the same person, value and telling term become the same in all of
them; what goes only for its company is decided file by file. It is not safe between threads.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from dlp.errors import SanitiseError
from dlp.knowledge.marks import KIND_MARKS, mark_places
from dlp.languages import spoken_in
from dlp.model import (
    HEALTH_KINDS,
    Case,
    Container,
    Document,
    Finding,
    Gap,
    GapCode,
    Kind,
    Mention,
    MentionForm,
    Part,
    Subject,
)
from dlp.sanitise.cautious_identifiers import SURE, in_fields
from dlp.sanitise.certificate import certify
from dlp.sanitise.documents.contract import Rewritten as NewFile
from dlp.sanitise.documents.contract import safe_name
from dlp.sanitise.documents.format_rewriter import rewrite as rewrite_format
from dlp.sanitise.documents.leftover_check import leftovers, spoken
from dlp.sanitise.identifier_replacement import is_distinctive
from dlp.sanitise.plan import WITHSTANDS, Edit, Plan, Profile
from dlp.sanitise.review_page import Side, page
from dlp.sanitise.sanitiser import DECIDED, Page, Report, Sanitiser
from dlp.sanitise.text_edits import Stretches
from dlp.sanitise.verifier import Verifier
from dlp.text.field_labels import meaning_of

# Open an output with readers that did not write it, and look for what was taken out.
#
# The first rescan uses the product's own readers. If one of them is blind to a corner of a format,
# what lies there is neither edited nor found; the readers of `documents.proof` are other libraries
# and the bytes themselves.

SHORTEST = 4  # characters: three letters stand by chance in the bytes of any picture
MOST_TEXT = 2_000_000  # characters that are searched again for identifiers of any kind
FIRM = frozenset({"names", "related", "implies", "phrase"})  # never left to statistics


@dataclass(slots=True)
class Hidden:
    places: list[str] = field(default_factory=list)  # closed words and numbers, never content
    values: dict[str, Kind] = field(default_factory=dict, repr=False)


class Rescan:
    def __init__(self, sanitiser: Sanitiser, find: Callable[[str], Sequence[Finding]]) -> None:
        self._sanitiser = sanitiser
        self._find = find

    def values_left(
        self, output: bytes, media_type: str, pages: Sequence[Page], report: Report
    ) -> Hidden:
        """Where another reader still sees a value, or a term that names a topic."""
        wanted = dict(self._wanted(pages, report))
        hidden = Hidden(leftovers(output, media_type, wanted))
        if hidden.places:
            hidden.values = wanted
        text = spoken(output, media_type)[:MOST_TEXT]
        for kind, value in self._found_again(text, pages):
            hidden.places.append(f"the text ({kind.value})")
            hidden.values[value] = kind
        if any(map(self._discloses, self._sanitiser.confidential.terms(text))):
            hidden.places.append("the text (a term of a protected topic)")
        return hidden

    def _wanted(self, pages: Sequence[Page], report: Report) -> Iterator[tuple[str, Kind]]:
        """Values that were taken out, other than everyday words.

        Nor one that is also a surrogate: a moved date may fall on another date of the file.
        """
        ours = self._sanitiser.identity.made
        for (text, _), edited in zip(pages, report.pages, strict=True):
            for edit in edited.edits:
                value = text[edit.start : edit.end].strip()
                if len(value) >= SHORTEST and _is_value(edit, value) and not ours(value):
                    yield value, Kind(edit.kind)

    def _found_again(self, text: str, pages: Sequence[Page]) -> Iterator[tuple[Kind, str]]:
        """Identifiers in the other reader's text; it runs cells together, so the original decides.

        What no page of the original holds was made up by the way this reader lays text out.
        """
        original = "\n".join(text for text, _ in pages)
        for finding in self._sanitiser.identity.left(text, self._find(text)):
            value = text[finding.start : finding.end]
            # Where cells run together any single word can look like a name.
            if not value.isalpha() and finding.confidence >= SURE and value in original:
                yield finding.kind, value

    def _discloses(self, term: object) -> bool:
        risk = self._sanitiser.confidential.disclosure.of_term(term)  # type: ignore[arg-type]
        return risk is not None and risk.why in FIRM


def _is_value(edit: Edit, value: str) -> bool:
    if edit.kind in DECIDED or value in edit.text:
        return False
    return " " in value or not value.isalpha() or is_distinctive(value)


Examine = Callable[[str, bytes], Case]
REMEMBERED = 20_000  # stretches of text
BODY = re.compile(r"body|sheet:")  # the part of a file that it is for
OWN_NAME = "file_name"  # the part that a reader may add for the name of the file itself
OLD_REVISIONS = "revisions"  # of a PDF: no copy keeps them
MOST_REASONS = 5  # of a refusal
CONSONANTS = "bcdfghjkmnpqrstvwxz"
UNNAMED = {
    MentionForm.NUMBER: Kind.ID, MentionForm.HANDLE: Kind.ID, MentionForm.INITIALS: Kind.PERSON,
    MentionForm.NICKNAME: Kind.PERSON, MentionForm.UNIT: Kind.PLACE,
}  # fmt: skip
PASSES = 4  # what a rescan still finds is taken out in the next one
# Of a part inside the file: the rewriter drops what it does not know, and the output is read in
# full before it is given out. Anything else means that the file itself was not read.
DROPPABLE = frozenset({GapCode.UNSUPPORTED, GapCode.ENCRYPTED, GapCode.CORRUPT, GapCode.TOO_DEEP})


@dataclass
class Outcome:
    """A sanitised file with its certificate, or a refusal and nothing else."""

    name: str
    output: bytes | None = field(default=None, repr=False)
    refusal: SanitiseError | None = None
    certificate: dict[str, Any] = field(default_factory=dict, repr=False)
    sides: list[Side] = field(default_factory=list, repr=False)
    facts: tuple[str, ...] = ()
    safe_name: str = ""  # what to call the copy: the file's own name may tell who and what
    mask: Callable[[str], str] = field(default=len, repr=False)  # type: ignore[assignment]

    @property
    def utility(self) -> float:
        """The share of information kept, from 0 to 1."""
        return float(self.certificate["utility"]["preserved"]) if self.certificate else 0.0

    @cached_property
    def preview(self) -> str:
        """Made when it is asked for: it holds the masked original."""
        said = (*self.facts, f"refused: {self.refusal.what}") if self.refusal else self.facts
        return page(self.sides, said, self.mask, [self.certificate] if self.certificate else ())


class Service:
    """One plan over many files, with the analysis that finds and checks."""

    def __init__(
        self, plan: Plan, examine: Examine, mask: Callable[[str], str] = lambda _: "…"
    ) -> None:
        self.plan = plan
        self.sanitiser = Sanitiser(plan)
        self._examine = examine
        self._mask = mask
        self._known: dict[str, list[Finding]] = {}

    @property
    def facts(self) -> tuple[str, ...]:
        protected = (f"protected: {topic.name}" for topic in self.plan.topics)
        against = (f"withstands {WITHSTANDS[self.plan.against]}",) if self.plan.topics else ()
        return f"profile {self.plan.profile}", f"α = {self.plan.alpha:g}", *protected, *against

    def sanitise(self, name: str, raw: bytes) -> Outcome:
        """The new file, or the reason that there is none; trouble with the file never raises."""
        try:
            return self.rewrite(name, raw)
        except SanitiseError as error:
            return Outcome(name, refusal=error, facts=self.facts, mask=self._mask)

    def rewrite(self, name: str, raw: bytes) -> Outcome:
        """Refused, with a reason, when the format has no rewriter or something would be left."""
        case = read_whole(self._examine, name, raw)
        assert case.document
        records = self.plan.records_against if is_record(case.document) else None
        self.sanitiser.turn_to(records or self.plan.against)
        pages = pages_of(case)
        subjects = case.facts.get("subjects", ())
        report = self.sanitiser.document(pages, subjects, spoken_in(case))
        rescan = Rescan(self.sanitiser, self.find)
        reasons: Sequence[str] = ()
        shown: dict[str, Kind] = {}  # by what the scanner still knew somebody
        for _ in range(PASSES):
            edit = self.sanitiser.editor(pages, report, self.find)
            try:
                made = rewrite_format(
                    raw,
                    case.document.media_type,
                    edit,
                    key=self.plan.key,
                    drop_signatures=self.plan.drop_signatures,
                )
            except SanitiseError as error:
                raise SanitiseError(error.what, where=name, fix=error.fix) from None
            named = safe_name(name, edit, f"document-{self._digest(name)}")
            again = self._examine(named, made.data)
            output = pages_of(again)
            left = [f for text, found in output for f in self._left(text, found)]
            hidden = rescan.values_left(made.data, case.document.media_type, pages, report)
            reasons = _reasons(left, again, hidden.places)
            more = {} if reasons else self._still_shown(again, shown)
            if not reasons and not more:
                texts = [text for text, _ in output]
                self._check(name, report, texts)
                done = self._certified(name, case, report, made, texts)
                if named == name and self._contradicted(
                    again
                ):  # somebody is read into the file's name
                    named = safe_name(name, lambda _: "", f"document-{self._digest(name)}")
                    again = self._examine(named, made.data)
                self._second_look(done, again, texts)
                done.safe_name = named
                return done
            shown |= more
            self._learn(report, pages, output, {**hidden.values, **more})
        raise SanitiseError(
            f"it would still hold: {', '.join(reasons)}; nothing is written",
            where=name,
            fix="quarantine the file instead",
        )

    def _digest(self, name: str) -> str:
        """Eight letters that stand for a name, the same in every run with this key.

        Consonants alone: a scanner reads no name, date or number into them.
        """
        raw = hmac.digest(self.plan.key, b"file name:" + name.encode(), "sha256")
        return "".join(CONSONANTS[byte % len(CONSONANTS)] for byte in raw[:8])

    def find(self, text: str) -> Sequence[Finding]:
        """Identifiers in a stretch; every pass needs the same ones again."""
        if text not in self._known:
            if len(self._known) > REMEMBERED:
                self._known.clear()
            case = self._examine("stretch.txt", text.encode())
            found = (f for f in case.findings if f.part == 0)
            self._known[text] = [*found, *unnamed_in(case, 0)]
        return self._known[text]

    def _left(self, text: str, findings: Sequence[Finding]) -> list[Finding]:
        return self.sanitiser.identity.left(text, findings)

    def _learn(
        self, report: Report, pages: list[Page], output: list[Page], values: dict[str, Kind]
    ) -> None:
        """Take what a rescan found into account, wherever the original holds it."""
        identity = self.sanitiser.identity
        for text, found in output:
            identity.learn(text, self._left(text, found), every=True)
        identity.remember(values)
        for number, (text, _) in enumerate(pages):
            report.pages[number] = self.sanitiser.again(text, report.pages[number])

    def _check(self, name: str, report: Report, texts: list[str]) -> None:
        """Measure what the output itself tells; a format may join what the input kept apart."""
        remaining = self.sanitiser.confidential.remaining(texts)
        if over := remaining.over(self.plan.alpha):
            raise SanitiseError(f"it would still disclose {', '.join(over)}", where=name)
        report.remaining = remaining

    def _second_look(self, done: Outcome, again: Case, texts: list[str]) -> None:
        """Refuse an output that the verifier of certificates or the scanner contradicts.

        Surrogates are people to a scanner, so its verdict counts for the other profiles.
        """
        found = Verifier(done.certificate).violations(texts)
        if self._contradicted(again):
            found.append("the scanner still finds an identifiable person's health in it")
        if found:
            raise SanitiseError(
                f"a second look refuses the copy: {'; '.join(found[:MOST_REASONS])}",
                where=done.name,
                fix="quarantine the file instead",
            )

    def _still_shown(self, again: Case, before: Mapping[str, Kind]) -> dict[str, Kind]:
        """Values by which the scanner knows somebody whose health it still reads."""
        if not self._contradicted(again) or again.verdict is None:
            return {}
        people = {person.id for person in again.verdict.persons}
        found = {value: kind for _, kind, value in told(again, people) if kind in KIND_MARKS}
        return {value: kind for value, kind in found.items() if value not in before}

    def _contradicted(self, again: Case) -> bool:
        verdict = again.verdict.container if again.verdict else again.container
        return verdict is Container.PHI and self.plan.profile is not Profile.PSEUDONYMISE

    def _certified(
        self, name: str, case: Case, report: Report, made: NewFile, texts: list[str]
    ) -> Outcome:
        assert case.document
        exact = [page.text for page in report.pages] == texts
        sides = [
            Side(part.locator, part.text, page)
            for (_, part), page in zip(parts_of(case), report.pages, strict=True)
        ]
        dropped = (gap for gap in case.gaps if gap.code is not GapCode.LANGUAGE)
        unread = sorted({f"not read, dropped: {gap.code.value}" for gap in dropped})
        certificate = certify(
            self.sanitiser.plan,
            report,
            made.data,
            case.document.media_type,
            (*made.notes, *unread),
            exact=exact,
            language=foreign_language(case),
        )
        return Outcome(name, made.data, None, certificate, sides, self.facts, mask=self._mask)


def read_whole(examine: Examine, name: str, raw: bytes) -> Case:
    """A file that was read to its end; refused otherwise."""
    case = examine(name, raw)
    if case.document is None:
        raise SanitiseError("the file cannot be read", where=name)
    dropped = (*DROPPABLE, GapCode.LANGUAGE)
    gaps = (gap for gap in case.gaps if gap.where != OLD_REVISIONS)
    whole = [g for g in gaps if g.code not in dropped or g.where == "body"]
    if whole:
        codes = ", ".join(sorted({gap.code.value for gap in whole}))
        raise SanitiseError(
            f"not all of it could be read ({codes})", where=name, fix=_advice(whole)
        )
    return case


def _advice(gaps: Sequence[Gap]) -> str:
    if any(gap.code is GapCode.TIMEOUT for gap in gaps):
        return "split it, or raise decode.wall_seconds and detect.seconds_per_file"
    if any(gap.code is GapCode.TOO_LARGE for gap in gaps):
        return "split it, or raise decode.max_text_chars"
    return "quarantine the file instead"


def _reasons(left: Sequence[Finding], again: Case, places: Sequence[str]) -> list[str]:
    """Why the output is refused, in closed words."""
    found = sorted({finding.kind.value for finding in left})
    unread = {gap.code.value for gap in again.gaps if gap.code is not GapCode.LANGUAGE}
    found += sorted(f"an unread part ({code})" for code in unread)
    return found + [f"a value in {place}, says the second reader" for place in places[:3]]


def foreign_language(case: Case) -> str:
    """The code of a language whose words are not read in full; "" for English."""
    languages = (gap.where for gap in case.gaps if gap.code is GapCode.LANGUAGE)
    return next(languages, "").removeprefix("language:")


def is_record(document: Document) -> bool:
    """Whether its body is a form or a table: values under labels that the format prescribes."""
    bodies = (p for p in document.parts if BODY.match(p.locator.rsplit("/", 1)[-1]))
    return any(part.fields for part in bodies)


def parts_of(case: Case) -> list[tuple[int, Part]]:
    """The numbered parts of the content; the file's own name is replaced whole, by safe_name()."""
    parts = case.document.parts if case.document else ()
    return [(number, part) for number, part in enumerate(parts) if part.locator != OWN_NAME]


def pages_of(case: Case) -> list[Page]:
    """Texts with what was found in them and what the labels of their fields announce."""
    pages: list[Page] = []
    for number, part in parts_of(case):
        announced = list(in_fields(part))
        cells = Stretches((f.start, f.end) for f in announced)
        found = [f for f in case.findings if f.part == number]
        kept = [f for f in found if f.kind in HEALTH_KINDS or not cells.hold(f.start, f.end)]
        shown = [f for f in unnamed_in(case, number) if not cells.meet(f.start, f.end)]
        pages.append((part.text, kept + announced + shown))
    return pages


def unnamed_in(case: Case, number: int) -> Iterator[Finding]:
    """Numbers, user names, initials and rooms by which the scanner knows somebody in a part."""
    busy = Stretches((f.start, f.end) for f in case.findings if f.part == number)
    mentions: Sequence[Mention] = case.facts.get("unnamed", ())
    for one in mentions:
        kind = UNNAMED.get(one.form)
        if kind and one.part == number and not busy.meet(one.start, one.end):
            value = case.document.parts[number].text[one.start : one.end] if case.document else ""
            if mark_places(value) or meaning_of(value.replace(".", "")).what:
                continue  # a label: "D.O.B."
            yield Finding(kind, one.rule_id, number, one.start, one.end, one.confidence)


def told(case: Case, people: set[str]) -> Iterator[tuple[str, Kind, str]]:
    """Person, kind and value of all that is known of some people."""
    texts = [part.text for part in case.document.parts] if case.document else []
    for finding in case.findings:
        if finding.person in people:
            value = texts[finding.part][finding.start : finding.end].strip()
            if value and not mark_places(value):
                yield finding.person, finding.kind, value
    subjects: tuple[Subject, ...] = case.facts.get("subjects", ())
    for subject in subjects:
        if subject.id in people:
            for one in subject.evidence:
                if one.text.strip() and not mark_places(one.text):
                    yield subject.id, one.kind, one.text
