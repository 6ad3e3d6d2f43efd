"""Listed patients in a text: by name in any case, by last name and birth date, by number.

In: Rosters, a case, words of a page.  Out: Mentions with evidence "roster"; numbers as Findings.

A name that is listed is *certain* with the birth date or number of the same patient beside it,
*likely* if strangers hardly bear it, else a *namesake*: somebody is named, not more. A number is
certain where the roster's numbers of that shape lie thin, or with its bearer's last or birth date.
"""

from __future__ import annotations

import re
import string
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import compress
from operator import attrgetter
from typing import Any, NamedTuple, TypeVar

import numpy as np

from dlp.detect.bundle import Bundle
from dlp.detect.fingerprint import fingerprint
from dlp.detect.naming.forms import sex_of
from dlp.detect.naming.lexicon import PARTICLE
from dlp.detect.naming.mention import PATIENT, Mention
from dlp.detect.naming.runs import View
from dlp.detect.naming.tokens import CAPITAL, COMMA, DOT, HYPHEN, LINE, NUMBER, OTHER, SINGLE, SPACE
from dlp.knowledge.arrays import nonzero
from dlp.knowledge.hashing import Hashes, Positions, hash_word
from dlp.knowledge.names import FIRST, load_names
from dlp.knowledge.person_tags import (
    BIRTH_NUMBER,
    LAST_BIRTH,
    LAST_NUMBER,
    NAMED_BIRTH,
    WORD,
    as_hashes,
    births_of,
    number_form,
    shape_of,
)
from dlp.knowledge.person_tags import NUMBER as A_NUMBER
from dlp.knowledge.roster import Flags, Rosters
from dlp.model import Case, Finding, Kind, MentionForm, Part

RULE = "roster-name"
NUMBER_RULE = "roster-number"
ROSTER, CERTAIN, LIKELY, NAMESAKE = "roster", "roster-certain", "roster-likely", "roster-namesake"
CONFIDENCE = {CERTAIN: 0.97, LIKELY: 0.9, NAMESAKE: 0.7}
MANY = 2000  # words; of more, each is tagged once
WIDEST = 5  # words from a first to a last name, particles between
CLOSE = 4  # characters between two words of a name, without those between
JOINING = frozenset({SPACE, HYPHEN, DOT})
BETWEEN = frozenset({SPACE, HYPHEN, DOT, COMMA, LINE, OTHER})
NEAR = 400  # characters to a date or number of the same patient
BESIDE = 60  # characters from a last name alone to a birth date
MOST_NEAR = 12
NUMBER_KINDS = frozenset({Kind.ID, Kind.PHONE, Kind.DATE})
EVERYDAY, SELDOM = 0.9, 0.6  # how ordinary the words of a name with and without capitals may be
# Strangers who bear a name by chance, for each patient listed: fewer make a name likely theirs.
STRANGERS = 0.001
DAYS = 33_000  # on one of which somebody alive was born
LETTERS = string.ascii_uppercase
LEADING = string.ascii_letters + "-/ "
NUMBERS = re.compile(
    r"(?<![\w.,])(?:[A-Za-z]{1,5}[-/ ]?)?\d[\dA-Za-z]*(?:[-./ ]\d[\dA-Za-z]*){0,4}(?![\w])"
)


class Dated(NamedTuple):
    """A date, and the days it can mean."""

    start: int
    births: tuple[int, ...]


class Numbered(NamedTuple):
    """A number that is on a roster."""

    start: int
    end: int
    part: int
    key: int
    order: int  # among those of the document


class Look:
    """What the rosters say of one document."""

    def __init__(self, rosters: Rosters, case: Case, key: bytes) -> None:
        assert case.document
        self._rosters = rosters
        self._key = key
        self._parts = case.document.parts
        self._dates: dict[int, list[Dated]] = {}
        for finding in case.findings:
            if finding.kind is Kind.DATE:
                text = self._parts[finding.part].text[finding.start : finding.end]
                if births := births_of(text):
                    self._dates.setdefault(finding.part, []).append(Dated(finding.start, births))
        for some in self._dates.values():
            some.sort()
        self._numbers: list[Numbered] = []
        self._sure: set[int] = set()
        for number, part in enumerate(self._parts if rosters.shapes else ()):
            self._look_up_numbers(part, number)

    # -- numbers

    def _look_up_numbers(self, part: Part, number: int) -> None:
        """Keep those on a roster; they are sure where nothing else can look so."""
        rosters, dates = self._rosters, self._dates.get(number, [])
        found = [one for one in candidates(part.text) if shape_of(one[2]) in rosters.shapes]
        if not found:
            return
        keys = as_hashes(hash_word(form) for *_, form in found)
        listed = rosters.has(A_NUMBER, keys).tolist()
        asked = Asked()
        for (start, end, form), key in compress(zip(found, keys.tolist(), strict=True), listed):
            order = len(self._numbers)
            self._numbers.append(Numbered(start, end, number, key, order))
            if rosters.is_thin(form):
                self._sure.add(order)
            for date in nearest(dates, start, NEAR):
                asked.add(order, *((birth, key) for birth in date.births))
        self._sure |= asked.answered(rosters, BIRTH_NUMBER)

    def findings(self) -> list[Finding]:
        """The numbers of patients, known once the names were looked at."""
        return [
            Finding(
                Kind.ID, NUMBER_RULE, one.part, one.start, one.end, CONFIDENCE[CERTAIN], (ROSTER,),
                fingerprint=fingerprint(
                    self._key, Kind.ID, self._parts[one.part].text[one.start : one.end]
                ),
            )
            for one in self._numbers if one.order in self._sure
        ]  # fmt: skip

    # -- names

    def names(self, view: View, bundle: Bundle) -> list[Mention]:
        """Listed people of a page, as places in the bundle."""
        hashes = view.page.tokens.hashes
        shapes = view.page.tokens.shapes
        at = nonzero(np.asarray(self._are_listed(hashes) & ((shapes & (NUMBER | SINGLE)) == 0)))
        if not len(at):
            return []
        pairs = self._pairs(view, at)
        known = {word for pair in pairs for word in pair}
        runs = [*pairs, *((word, word) for word in at.tolist() if word not in known)]
        tied = self._tied(view, runs, bundle)
        part = bundle.parts[0]
        names, words = load_names(), np.array(pairs, dtype=np.int64).ravel()
        ordinary = names.bits(hashes[words])[1].reshape(-1, 2).tolist()
        found = [
            self._named(view, pair, part, pair in tied)
            for pair, doubt in zip(pairs, ordinary, strict=True)
            if pair in tied or not is_ordinary(view, pair, doubt)
        ]
        for first, last in runs[len(pairs) :]:
            if (first, last) in tied:
                span = view.page.original(view.starts[first], view.ends[last])
                grade = CERTAIN if self._tells(view.word(last)) else NAMESAKE
                found.append(mention_of(part, span, grade, "", view.word(last)))
        return found

    def _are_listed(self, hashes: Hashes) -> Flags:
        if len(hashes) < MANY:
            return self._rosters.has(WORD, hashes)
        each, back = np.unique(hashes, return_inverse=True)
        return np.asarray(self._rosters.has(WORD, each)[back])

    def _around(self, bundle: Bundle) -> tuple[list[Dated], list[Numbered]]:
        """Dates and numbers by their places in a bundle."""
        begins = dict(zip(bundle.parts, bundle.starts, strict=True))
        dates = [
            Dated(begins[part] + one.start, one.births)
            for part in bundle.parts for one in self._dates.get(part, ())
        ]  # fmt: skip
        numbers = [
            one._replace(start=begins[one.part] + one.start)
            for one in self._numbers if one.part in begins
        ]  # fmt: skip
        return dates, numbers

    def _pairs(self, view: View, at: Positions) -> list[tuple[int, int]]:
        """Listed words side by side that are one patient's first and last name; none twice."""
        hashes = view.page.tokens.hashes
        ones, others = [], []
        for step in range(1, WIDEST + 1):
            left, right = at[:-step], at[step:]
            near = right - left <= WIDEST
            ones.append(left[near])
            others.append(right[near])
        one, other = np.concatenate(ones), np.concatenate(others)
        if not len(one):
            return []
        listed = nonzero(self._rosters.has_pair(hashes[one], hashes[other]))
        found = zip(one[listed].tolist(), other[listed].tolist(), strict=True)
        chosen: list[tuple[int, int]] = []
        for first, last in sorted(found, key=lambda pair: (pair[0], -pair[1])):
            if chosen and first <= chosen[-1][1]:
                continue
            if goes_together(view, first, last):
                chosen.append((first, last))
        return chosen

    def _tied(
        self, view: View, runs: Sequence[tuple[int, int]], bundle: Bundle
    ) -> set[tuple[int, int]]:
        """Those beside the birth date or the number of the patient they name."""
        dates, numbers = self._around(bundle)
        if not dates and not numbers:
            return set()
        whole, family, bearer = Asked(), Asked(), Asked()
        hashes: Sequence[int] = view.page.tokens.hashes.data
        for run in runs:
            words = {hashes[run[0]], hashes[run[1]]}
            at, reach = view.page.original(view.starts[run[0]], view.ends[run[0]])[0], NEAR
            if run[0] == run[1]:
                reach = BESIDE
            births = {birth for date in nearest(dates, at, reach) for birth in date.births}
            if run[0] == run[1]:
                family.add(run, *((hashes[run[0]], birth) for birth in births))
            else:
                whole.add(run, *((min(words), max(words), birth) for birth in births))
            for one in nearest(numbers, at, reach):
                bearer.add((run, one.order), *((word, one.key) for word in words))
        tied = whole.answered(self._rosters, NAMED_BIRTH)
        tied |= family.answered(self._rosters, LAST_BIRTH)
        theirs = bearer.answered(self._rosters, LAST_NUMBER)
        self._sure |= {order for _, order in theirs}
        return tied | {run for run, _ in theirs}

    def _named(self, view: View, pair: tuple[int, int], part: int, tied: bool) -> Mention:
        names = load_names()
        first, last = (view.word(word) for word in pair)
        if view.gaps[pair[0]] == COMMA or names.first(first) is None is not names.first(last):
            first, last = last, first
        span = view.page.original(view.starts[pair[0]], view.ends[pair[1]])
        grade = CERTAIN if tied else LIKELY if self._is_rare(first, last) else NAMESAKE
        return mention_of(part, span, grade, first, last)

    def _tells(self, last: str) -> bool:
        """Whether few enough patients bear a last name for a birth date to tell one of them."""
        names = load_names()
        family = names.last(last)
        share = family.share if family else names.rare_last_share
        return share * self._rosters.patients / DAYS < STRANGERS

    def _is_rare(self, first: str, last: str) -> bool:
        """Whether strangers hardly bear a name, whichever of the two is the last name."""
        names = load_names()
        share = 0.0
        for one, other in ((first, last), (last, first)):
            given, family = names.first(one), names.last(other)
            here = given.share if given else names.rare_first_share
            share = max(share, here * (family.share if family else names.rare_last_share))
        return share * self._rosters.patients < STRANGERS


class Asked:
    """Rows to be looked up at once, and for whom each was asked."""

    def __init__(self) -> None:
        self._whose: list[Any] = []
        self._rows: list[tuple[int, ...]] = []

    def add(self, whose: Any, *rows: tuple[int, ...]) -> None:
        self._rows += rows
        self._whose += [whose] * len(rows)

    def answered(self, rosters: Rosters, kind: str) -> set[Any]:
        """For whom some row is listed."""
        if not self._rows:
            return set()
        table = np.array(self._rows, dtype=np.uint64)
        listed = rosters.has(kind, *(np.ascontiguousarray(column) for column in table.T))
        return {*compress(self._whose, listed.tolist())}


P = TypeVar("P", Dated, Numbered)


def nearest(places: Sequence[P], at: int, reach: int) -> Sequence[P]:
    """Of places in order those within reach, a few on either side."""
    middle = bisect_left(places, at, key=attrgetter("start"))
    few = places[max(0, middle - MOST_NEAR) : middle + MOST_NEAR]
    return [one for one in few if abs(one.start - at) <= reach]


def is_ordinary(view: View, pair: tuple[int, int], doubt: Sequence[float]) -> bool:
    """Two words that are hardly ever names ("will may"), in small letters sooner."""
    if all(view.shapes[word] & CAPITAL for word in pair):
        return min(doubt) >= EVERYDAY
    return max(doubt) >= SELDOM


def goes_together(view: View, first: int, last: int) -> bool:
    """One name: nothing but particles, initials, first names and words with a capital between."""
    for at in range(first, last):
        gap, single = view.gaps[at], view.shapes[at] & SINGLE
        if gap not in (BETWEEN if last - first == 1 else JOINING) or (gap == DOT and not single):
            return False
        if view.starts[at + 1] - view.ends[at] > CLOSE:
            return False
    return all(
        view.shapes[at] & (SINGLE | CAPITAL) or view.words[at] & PARTICLE or view.names[at] & FIRST
        for at in range(first + 1, last)
    )


def mention_of(part: int, span: tuple[int, int], grade: str, first: str, last: str) -> Mention:
    return Mention(
        Kind.PERSON, part, *span, CONFIDENCE[grade], RULE, (ROSTER, grade),
        "" if grade == NAMESAKE else PATIENT, first, last, sex_of(first),
        form=MentionForm.FULL_NAME if first else MentionForm.TITLE_SURNAME,
    )  # fmt: skip


def candidates(text: str) -> Iterator[tuple[int, int, str]]:
    """What may be a number of somebody, with its form: as a whole, and without letters before."""
    for match in NUMBERS.finditer(text):
        form = number_form(match.group())
        if not form:
            continue
        yield match.start(), match.end(), form
        bare = form.lstrip(LETTERS)
        if bare != form and number_form(bare):
            yield match.end() - len(match.group().lstrip(LEADING)), match.end(), bare


def joined(found: list[Mention], listed: list[Mention]) -> list[Mention]:
    """Mentions of the text and of the rosters as one list: of a person found both ways the part
    that the text gives them stays, and the roster makes it sure.
    """
    people = [one for one in found if one.kind is Kind.PERSON]
    kept = [one for one in found if one.kind is not Kind.PERSON]
    rest = sorted(listed, key=lambda one: one.start)
    for one in people:
        at = next(
            (i for i, hit in enumerate(rest) if hit.start < one.end and one.start < hit.end), -1
        )
        if at < 0:
            kept.append(one)
            continue
        hit = rest[at]
        role = one.role or hit.role
        if one.start <= hit.start and hit.end <= one.end:
            rest.pop(at)
            kept.append(one._replace(
                evidence=(*one.evidence, *hit.evidence), role=role,
                confidence=max(one.confidence, hit.confidence),
            ))  # fmt: skip
        else:
            rest[at] = hit._replace(role=role, evidence=(*hit.evidence, *one.evidence))
            if one.confidence > hit.confidence:
                kept.append(one)
    return kept + rest


def with_numbers(findings: Sequence[Finding], numbers: Sequence[Finding]) -> tuple[Finding, ...]:
    """The numbers of patients take the place of what was less sure of the same signs."""
    busy = sorted((one.part, one.start, one.end) for one in numbers)

    def is_less(one: Finding) -> bool:
        at = bisect_left(busy, (one.part, one.end, 0)) - 1
        over = at >= 0 and busy[at][0] == one.part and busy[at][2] > one.start
        return over and one.kind in NUMBER_KINDS and one.confidence <= CONFIDENCE[CERTAIN]

    kept = [one for one in findings if not is_less(one)]
    sure = {(one.part, one.start) for one in kept if one.kind is Kind.ID}
    return (*kept, *(one for one in numbers if (one.part, one.start) not in sure))
