"""What speaks for and against a leak in a short text, counted: its words, people, facts and shape.

In: a Case after linking.  Out: a number for each feature, the same for the same text.

Every feature is something a reader can point at: sentences that name somebody and speak of a body,
years long past, prices, blanks, words of vets. Nothing here decides; weight.py adds them up.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from math import log1p
from typing import Any, NamedTuple

import re2

from dlp.detect.linking.counted import OFF, of_facts, of_links, of_people
from dlp.detect.linking.intimates import HEADERS
from dlp.detect.linking.vocabulary import Told, Words, bearers
from dlp.detect.naming.mention import CLINICIAN, Mention
from dlp.detect.sentences import sentence_starts
from dlp.detect.spans import count_in
from dlp.model import HEALTH_KINDS, Case, Document, Finding, Kind, Part

REACH = 60  # characters behind a name in which an illness may be theirs
GENRES = (
    "clinical", "letter", "personal", "animal", "published", "instructive", "fiction", "resume",
    "template", "private",
)  # fmt: skip
KINDS = {Kind.AGE: "age", Kind.ID: "number", Kind.PHONE: "phone", Kind.EMAIL: "mail",
         Kind.ADDRESS: "address", Kind.PLACE: "place"}  # fmt: skip
LIKE = tuple((name, f"like_{name}") for name in GENRES)
HAS = {kind: f"has_{name}" for kind, name in KINDS.items()}
NOT_HEARD = dict.fromkeys([*HAS.values(), *(like for _, like in LIKE)], 0.0)
MOST_CUES = 5
AILING = frozenset({"illness", "body", "care", "jargon", "term"})
FEWEST_WORDS = 20  # a text of fewer counts as of so many
PER_WORDS = 20  # a rate is of so many words,
MOST_RATE = 3.0  # and no higher
COUNTED = ("he_she", "me", "you", "us", "them", "may", "many")


def compiled(pattern: str) -> re.Pattern[str]:
    """By RE2, which is several times as quick, unless the pattern looks around."""
    options = re2.Options()
    options.log_errors = False
    try:
        found: re.Pattern[str] = re2.compile(pattern, options=options)
    except re2.error:
        return re.compile(pattern)
    return found


class Page(NamedTuple):
    """A part that says something."""

    part: Part
    people: list[Mention]
    told: list[Finding]  # of somebody's health, as far as nothing takes it back
    words: Told


class Reading(NamedTuple):
    people: list[Mention]
    told: list[Finding]  # of health
    pages: list[Page]
    ailing: int  # different words that speak of an illness, a body, a treatment


class Evidence:
    def __init__(self, words: Words, shapes: Mapping[str, str]) -> None:
        self._words = words
        more = ("person", "term")  # classes that no list of words has
        self._bits = words.bits | {name: 1 << len(words.bits) + at for at, name in enumerate(more)}
        self._ailing = sum(self._bits[name] for name in AILING & self._bits.keys())
        self._meetings = lru_cache(maxsize=4096)(self._meet)
        # most of them are 0 in most texts
        self._rates = [(name, f"{name}_rate", name in COUNTED) for name in words.names]
        named = (*words.names, *(rate for _, rate, _ in self._rates), *MEETINGS.values())
        self._silent = NOT_HEARD | dict.fromkeys(named, 0.0)
        patterns = {name: compiled(pattern) for name, pattern in shapes.items()}
        quickest = sorted(patterns, key=lambda name: isinstance(patterns[name], re.Pattern))
        self._shapes = {name: patterns[name] for name in quickest}

    def classes(self, word: str) -> set[str]:
        return self._words.of(word)

    @property
    def words(self) -> Words:
        return self._words

    @property
    def bits(self) -> Mapping[str, int]:
        """A bit for each class of words, and for people and health terms."""
        return self._bits

    @property
    def shapes(self) -> AbstractSet[str]:
        """The features that patterns count: the dearest, so they are asked for by themselves.

        Those that RE2 counts come first, which is several times as quick.
        """
        return self._shapes.keys()

    def of(self, case: Case, genre: Mapping[str, int]) -> dict[str, float]:
        """The features of a document that is not long."""
        return self._silent | self.told(case, genre) | self.shaped(case)

    def shaped(self, case: Case) -> dict[str, float]:
        """How often each shape stands in it."""
        whole = "\n".join(texts_of(case))
        return {name: self.shape(name, whole) for name in self._shapes}

    def shape(self, name: str, whole: str) -> float:
        """The logarithm of one and a count, never below 0."""
        pattern: Any = self._shapes[name]
        if isinstance(pattern, re.Pattern):
            return log1p(len(pattern.findall(whole)))
        return log1p(count_in(pattern, whole.encode()))

    def read(self, case: Case) -> Reading:
        """The words, people and health findings of a case, which all other features go by."""
        assert case.document
        people = [
            m for m in case.facts.get("mentions", ())
            if m.kind is Kind.PERSON and m.role != CLINICIAN
        ]  # fmt: skip
        told = [f for f in case.findings if f.kind in HEALTH_KINDS]
        pages = []
        for number in body_of(case.document):
            part = case.document.parts[number]
            firm = [f for f in told if f.part == number and not f.context & OFF]
            words = self._words.read(part.text, sentence_starts(part.text))
            pages.append(Page(part, [m for m in people if m.part == number], firm, words))
        return Reading(people, told, pages, self._words_of_illness(pages))

    def says_little(self, case: Case, enough: int) -> bool:
        """Whether fewer different words than these speak of an illness, a body, a treatment.

        The same as `Reading.ailing`, without a reading of all the others.
        """
        assert case.document
        ill: set[str] = set()
        for number in body_of(case.document):
            text = case.document.parts[number].text
            ill.update([
                text[f.start : f.end].lower()
                for f in case.findings
                if f.part == number and f.kind in HEALTH_KINDS and not f.context & OFF
            ])  # fmt: skip
            if len(ill) < enough:
                ill |= self._words.some(text, self._ailing, enough)
            if len(ill) >= enough:
                return False
        return True

    def _words_of_illness(self, pages: Sequence[Page]) -> int:
        ailing = self._ailing
        ill: set[str] = set()
        for part, _, told, words in pages:
            ill.update([word for word, marks in words.said.items() if marks & ailing])
            ill.update([part.text[f.start : f.end].lower() for f in told])
        return len(ill)

    def told(self, case: Case, genre: Mapping[str, int]) -> dict[str, float]:
        """All features but the shapes, and but most that are 0."""
        people, told, pages, ailing = self.read(case)
        found = self._worded(pages)
        found["ailing"] = log1p(ailing)
        kin = found.get("kin") or any(page.people for page in pages)
        found["both"] = log1p(ailing) * bool(kin)
        for name, like in LIKE:
            if cues := genre.get(name):
                found[like] = float(min(cues, MOST_CUES))
        found |= of_facts(told)
        found |= of_people(case.facts.get("mentions", ()), people)
        found |= of_links(case.facts.get("subjects", ()), people, told)
        for kind in {f.kind for f in case.findings} & HAS.keys():
            found[HAS[kind]] = 1.0
        found["has_birth"] = float(any("birth" in f.rule_id for f in case.findings))
        tables = (page.part.fields is not None for page in pages)
        found["table"] = float(any(tables))  # the headers of a mail are none
        return found

    def _worded(self, pages: Sequence[Page]) -> dict[str, float]:
        """Classes of words, and the sentences in which they meet somebody."""
        meetings: dict[str, int] = {}
        lines = beside = 0
        for part, people, told, here in pages:
            starts = sentence_starts(part.text)
            for name, places in (("person", people), ("term", told)):
                bit = self._bits[name]
                for one in places:
                    here.sentences[bisect_right(starts, one.start) - 1] |= bit
            for marks, count in Counter(filter(self._ailing.__and__, here.sentences)).items():
                for kind in self._meetings(marks):
                    meetings[kind] = meetings.get(kind, 0) + count
            lines += part.text.count("\n")
            beside += self._beside(part, people, told)
        words, often, different = together([page.words for page in pages], len(self._rates))
        size = max(words, FEWEST_WORDS)
        found = {"size": log1p(size), "lines": log1p(lines), "beside": log1p(beside)}
        for place, (name, rate, is_counted) in enumerate(self._rates):
            if many := often[place] if is_counted else different[place]:
                found[name] = log1p(many)
                found[rate] = min(MOST_RATE, PER_WORDS * many / size)
        for kind, count in meetings.items():
            found[MEETINGS[kind]] = log1p(count)
        return found

    def _meet(self, marks: int) -> tuple[str, ...]:
        return tuple(meets({name for name in self._bits if self._bits[name] & marks}))

    def _beside(self, part: Part, people: Sequence[Mention], told: Sequence[Finding]) -> int:
        """People whose line goes on with an illness: "Ada Hale, leukaemia", "Ada - bad hip"."""
        starts = sorted(finding.start for finding in told)
        text, count, length = part.text, 0, 0
        behind: list[str] = []
        places: list[int] = []
        for one in people:
            line = text.find("\n", one.end)
            end = min(one.end + REACH, len(text) if line < 0 else line)
            at = bisect_right(starts, one.end)
            if at < len(starts) and starts[at] < end:
                count += 1
            else:
                behind.append(text[one.end : end])
                places.append(length)
                length += len(behind[-1]) + 1
        # read together, a line each: no word runs across the end of one
        lines = self._words.read("\n".join(behind), places).sentences if behind else ()
        return count + sum(bool(self._ailing & marks) for marks in lines)


def together(told: Sequence[Told], classes: int) -> tuple[int, Sequence[int], Sequence[int]]:
    """How many words several pages have, how many of each class, and how many different ones."""
    if len(told) == 1:
        words, _, often, different, _ = told[0]
        return words, often, different
    said: dict[str, int] = {}
    for page in told:
        said |= page.said
    often = [sum(page.often[place] for page in told) for place in range(classes)]
    return sum(page.words for page in told), often, bearers(said.values(), classes)


def texts_of(case: Case) -> list[str]:
    """What the parts say that say something."""
    assert case.document
    return [case.document.parts[number].text for number in body_of(case.document)]


def body_of(document: Document) -> list[int]:
    """The parts that say something: all but the headers of a mail."""
    parts = document.parts
    if len(parts) == 1:  # as nearly always
        return [0]
    return [n for n, part in enumerate(parts) if part.locator != HEADERS] or [*range(len(parts))]


WHO = {"person": "named", "he_she": "spoken", "me": "mine", "kin": "kin", "you": "yours"}
ELSE = {"many": "many", "may": "maybe", "things": "thing", "story": "story", "sale": "sale"}
ELSE |= {"lesson": "lesson"}
ILL = frozenset({"illness", "term"})
MET = (*WHO.values(), *(f"{who}_ill" for who in WHO.values()), *ELSE.values(), "told", "loose")
MEETINGS = {kind: f"meet_{kind}" for kind in MET}


def meets(classes: set[str]) -> Iterable[str]:
    """Who and what else is in a sentence that speaks of a body, an illness or a treatment."""
    if not classes & AILING:
        return
    ill = "_ill" if classes & ILL else ""
    who = [name for word, name in WHO.items() if word in classes]
    yield from (name + ill for name in who)
    yield from (name for word, name in ELSE.items() if word in classes)
    if "told" in classes and who:
        yield "told"
    if not who:
        yield "loose"
