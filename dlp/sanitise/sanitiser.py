"""Sanitise plain text with spans; every file format builds on this.

In: text, findings, a plan.  Out: Sanitised: the new text and edits in places of the old one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from dlp.knowledge.marks import REMOVED
from dlp.model import Finding, Kind, Subject
from dlp.sanitise.documents.value_search import Flat, Near, folded
from dlp.sanitise.identifier_replacement import Identity, Someone, people_of
from dlp.sanitise.plan import Against, Edit, Plan, Sanitised
from dlp.sanitise.remaining_disclosure import Remaining
from dlp.sanitise.text_edits import Draft, Stretches
from dlp.sanitise.topic_removal import Confidential

# Fields that hold one piece of a value: a reader shows "UT 84060", the file has two elements.
#
# A piece alone gives no cue: a family name can be an everyday word, a ZIP code any number, and
# records write dates without signs between. So a field that is a piece of a value found in the
# document, and nothing else, is that piece.

NAMED = frozenset(
    kind.value for kind in (Kind.PERSON, Kind.PLACE, Kind.ADDRESS, Kind.ORGANISATION, Kind.PROVIDER)
)
PLACES = frozenset({Kind.PLACE.value, Kind.ADDRESS.value})
_WORD = re.compile(r"[^\W\d_][^\s,;]+")
_ZIP = re.compile(r"(?<!\d)\d{5}(?:-\d{4})?(?!\d)")
_DAY = re.compile(r"((?:19|20)\d\d)-?(0[1-9]|1[0-2])-?(0[1-9]|[12]\d|3[01])")
# HL7 and DICOM: a day, perhaps with a time and a zone behind it.
_STAMP = re.compile(r"((?:19|20)\d{6})(?:[T ]?\d{2,6}(?:\.\d+)?)?(?:[+-]\d{4}|Z)?")


class Pieces:
    def __init__(self, identity: Identity, replaced: Iterable[tuple[str, Edit]]) -> None:
        self._identity = identity
        self._known: dict[str, Edit] = {}
        self._days: dict[str, Edit] = {}
        for value, edit in replaced:
            if edit.kind == Kind.DATE.value and (day := _DAY.fullmatch(value.strip()[:10])):
                self._days["".join(day.groups())] = edit
            elif edit.kind in NAMED:
                self._note(value, edit)

    def _note(self, value: str, edit: Edit) -> None:
        words = _WORD.findall(value)
        made = edit.text.split()
        for place, word in enumerate(words):
            if len(word) > 2 and word[0].isupper() and word not in edit.text:
                # A surrogate of as many words keeps its words in their fields.
                whole = len(made) == len(words) and not edit.text.startswith("[")
                text = (
                    made[place].strip(",;")
                    if whole
                    else self._identity.plain(Kind(edit.kind), word)
                )
                self._known.setdefault(word, _written(edit, text))
        if edit.kind in PLACES:
            for hit in _ZIP.finditer(value):
                self._known[hit.group()] = _written(edit, self._identity.area(hit.group()))

    def of(self, stretch: str) -> str | None:
        bare = stretch.strip()
        edit = self._known.get(bare) or self._known.get(bare.title())
        if edit is not None:
            return stretch.replace(bare, edit.text)
        stamp = _STAMP.fullmatch(bare)
        if stamp and stamp.group(1) in self._days:
            day = _DAY.fullmatch(self._days[stamp.group(1)].text)
            return "".join(day.groups()) if day else self._days[stamp.group(1)].text
        return None


def _written(edit: Edit, text: str) -> Edit:
    return Edit(0, 0, text, edit.reason, edit.kind)


DECIDED = frozenset({"term", "word"})  # by what they mean, wherever they stand; the rest by value
# One word, a short number or an object identifier: nothing is found in it without a neighbour, and
# records hold thousands of them. Values found elsewhere are replaced in it all the same.
_BARE = re.compile(r"\s*(?:[^\W\d_]*|\d{1,4}|\d+(?:\.\d+){4,})\s*")
Page = tuple[str, Sequence[Finding]]
Find = Callable[[str], Sequence[Finding]]


@dataclass(slots=True)
class Utility:
    """What is left of the information in the terms of a document."""

    total: float = 0.0
    kept_bits: float = 0.0
    kept: int = 0
    generalised: int = 0
    removed: int = 0
    words: int = 0  # plain ones that records tell something about
    words_removed: int = 0

    @property
    def preserved(self) -> float:
        return self.kept_bits / self.total if self.total else 1.0


@dataclass(slots=True)
class Report:
    """All that a certificate says about one document."""

    pages: list[Sanitised] = field(repr=False)
    remaining: Remaining
    utility: Utility


class Sanitiser:
    """One plan over many files: the same telling term, person and value always become the same.

    A format module calls `document` with the texts of all its parts, in its own order, and puts the
    edits of each page into its runs.
    """

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.identity = Identity(plan)
        self.confidential = Confidential(plan)
        self._ready = {plan.against: self.confidential}

    def turn_to(self, against: Against) -> None:
        """Whom the next document is to withstand; people and their values stay the same."""
        self.plan = replace(self.plan, against=against)
        if against not in self._ready:
            self._ready[against] = Confidential(self.plan)
        self.confidential = self._ready[against]

    def document(
        self,
        pages: Sequence[Page],
        subjects: Iterable[Subject] = (),
        languages: tuple[str, ...] = (),
    ) -> Report:
        """`languages` beside English that the document is in."""
        people = people_of(subjects)
        self.confidential.begin(languages)
        self.identity.begin(people)
        for text, findings in pages:
            self.identity.learn(text, findings)
        drafts = [self._anonymous(text, findings, people) for text, findings in pages]
        utility = Utility()
        for draft in drafts:
            page = self.confidential.terms(draft.text)
            places = self.confidential.plain.places(draft.text, page)
            utility.words += sum(not place.inside for place in places)
            utility.kept += len(page)
            utility.total += sum(map(self.confidential.bits, page))
        self.confidential.sanitise(drafts)
        remaining = self.confidential.remaining([draft.text for draft in drafts])
        done = [self._done(draft) for draft in drafts]
        _tally(utility, (edit for page in done for edit in page.edits))
        return Report(done, remaining, utility)

    def again(self, text: str, page: Sanitised) -> Sanitised:
        """The same page after more values were learnt."""
        draft = Draft(text)
        draft.change(page.edits)
        draft.change(self.identity.edits(draft.text, (), {}, _surrogates(draft)))
        self.confidential.sanitise([draft])
        return self._done(draft)

    def editor(self, pages: Sequence[Page], report: Report, find: Find) -> Callable[[str], str]:
        """A function from any stretch of the document to its sanitised form, after `document`.

        A stretch lost its surroundings, so what the whole document showed is replaced by value;
        then the stretch is searched by itself with `find`.
        """
        known = {text: page.text for (text, _), page in zip(pages, report.pages, strict=True)}
        values = {
            folded(text[edit.start : edit.end]): edit
            for (text, _), page in zip(pages, report.pages, strict=True)
            for edit in page.edits
            if edit.kind not in DECIDED
        }
        # A long document holds thousands: only those that stand in a stretch make its pattern.
        values_near = Near(value for value in values if len(value.strip()) > 1)
        pieces = Pieces(self.identity, values.items())

        def edit(text: str) -> str:
            if text not in known and (piece := pieces.of(text)) is not None:
                known[text] = piece
            if text not in known:
                draft, flat = Draft(text), Flat(text)
                if near := values_near.of(flat.text):
                    hits = re.finditer("|".join(map(_whole, near)), flat.text)
                    draft.change(_moved(values[h[0]], *flat.span(*h.span())) for h in hits)
                found = () if _BARE.fullmatch(draft.text) else find(draft.text)
                draft.change(self.identity.edits(draft.text, found, {}, _surrogates(draft)))
                self.confidential.sanitise([draft])
                # A wording of ours can look like a name: what a rescan learnt of it goes too.
                draft.change(self.identity.edits(draft.text, (), {}, _surrogates(draft)))
                known[text] = self._done(draft).text
            return known[text]

        return edit

    def _done(self, draft: Draft) -> Sanitised:
        done = Sanitised(draft.text, tuple(draft.edits()))
        self.identity.grant(done.edits)
        return done

    def _anonymous(
        self, text: str, findings: Sequence[Finding], people: Mapping[str, Someone]
    ) -> Draft:
        draft = Draft(text)
        draft.change(self.identity.edits(text, findings, people))
        return draft


def _surrogates(draft: Draft) -> Stretches:
    """Where identifiers were replaced already: a surrogate is never replaced again."""
    done = draft.written()
    return Stretches((a, b) for a, b, edit in done if edit.kind not in DECIDED)


def _moved(edit: Edit, start: int, end: int) -> Edit:
    return replace(edit, start=start, end=end)


def _whole(value: str) -> str:
    return rf"(?<!\w){re.escape(value)}(?!\w)"


def _tally(utility: Utility, edits: Iterable[Edit]) -> None:
    lost = 0.0
    for edit in edits:
        utility.words_removed += edit.kind == "word"
        if edit.kind != "term":
            continue
        lost += max(0.0, edit.before - edit.after)
        gone = REMOVED in edit.text or not edit.text
        utility.removed += gone
        utility.generalised += not gone
    utility.kept = max(0, utility.kept - utility.removed - utility.generalised)
    utility.kept_bits = max(0.0, utility.total - lost)
