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
from math import log1p

import re2

from dlp.detect.linking.intimates import HEADERS
from dlp.detect.linking.vocabulary import WORD, Words
from dlp.detect.naming.mention import AUTHOR, CLINICIAN, CORRESPONDENT, PATIENT, RELATIVE, Mention
from dlp.detect.sentences import sentence_starts
from dlp.model import (
    ASSERTED,
    HEALTH_KINDS,
    RECORDED,
    Case,
    Document,
    Finding,
    Kind,
    Part,
    Subject,
)

OFF = frozenset({"general", "hypothetical", "template", "negated"})
WEAK = frozenset({Kind.SYMPTOM, Kind.TEST})
SURE = 0.9
REACH = 60  # characters behind a name in which an illness may be theirs
FAR = 400  # characters between a name and a fact that say nothing any more
HEAD = 120  # characters in which a note names whom it is about
GENRES = (
    "clinical", "letter", "personal", "animal", "published", "instructive", "fiction", "resume",
    "template", "private",
)  # fmt: skip
KINDS = {Kind.AGE: "age", Kind.ID: "number", Kind.PHONE: "phone", Kind.EMAIL: "mail",
         Kind.ADDRESS: "address", Kind.PLACE: "place"}  # fmt: skip
AILING = frozenset({"illness", "body", "care", "jargon", "term"})
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


class Evidence:
    def __init__(self, words: Words, shapes: Mapping[str, str]) -> None:
        self._words = words
        more = ("person", "term")  # classes that no list of words has
        self._bits = words.bits | {name: 1 << len(words.bits) + at for at, name in enumerate(more)}
        self._ailing = sum(self._bits[name] for name in AILING & self._bits.keys())
        self._shapes = {name: compiled(pattern) for name, pattern in shapes.items()}

    def classes(self, word: str) -> set[str]:
        return self._words.of(word)

    @property
    def shapes(self) -> AbstractSet[str]:
        """The features that patterns count: the dearest, so they are asked for by themselves."""
        return self._shapes.keys()

    def of(self, case: Case, genre: Mapping[str, int]) -> dict[str, float]:
        """The features of a document that is not long."""
        return self.told(case, genre) | self.shaped(case)

    def shaped(self, case: Case) -> dict[str, float]:
        """How often each shape stands in it: the logarithm of one and a count, never below 0."""
        assert case.document
        whole = "\n".join(case.document.parts[n].text for n in body_of(case.document))
        return {name: log1p(len(s.findall(whole))) for name, s in self._shapes.items()}

    def told(self, case: Case, genre: Mapping[str, int]) -> dict[str, float]:
        """All features but the shapes."""
        assert case.document
        numbers = body_of(case.document)
        people = [
            m for m in case.facts.get("mentions", ())
            if m.kind is Kind.PERSON and m.role != CLINICIAN
        ]  # fmt: skip
        told = [f for f in case.findings if f.kind in HEALTH_KINDS]
        found = self._worded(
            [(case.document.parts[n], [m for m in people if m.part == n],
              [f for f in told if f.part == n and not f.context & OFF]) for n in numbers]
        )  # fmt: skip
        found |= {f"like_{name}": float(min(genre.get(name, 0), 5)) for name in GENRES}
        found |= of_facts(told)
        found |= of_people(case.facts.get("mentions", ()), people)
        found |= of_links(case.facts.get("subjects", ()), people, told)
        kinds = {f.kind for f in case.findings}
        found |= {f"has_{name}": float(kind in kinds) for kind, name in KINDS.items()}
        found["has_birth"] = float(any("birth" in f.rule_id for f in case.findings))
        tables = (case.document.parts[n].fields is not None for n in numbers)
        found["table"] = float(any(tables))  # the headers of a mail are none
        return found

    def _worded(
        self, parts: Sequence[tuple[Part, list[Mention], list[Finding]]]
    ) -> dict[str, float]:
        """Classes of words, and the sentences in which they meet somebody."""
        said: dict[str, int] = {}
        often: Counter[str] = Counter()
        meetings: Counter[str] = Counter()
        words = lines = 0
        names = self._words.names
        for part, people, told in parts:
            starts = sentence_starts(part.text)
            here = self._words.read(part.text, starts)
            words += here.words
            said |= here.said
            often.update(dict(zip(names, here.often, strict=False)))
            for name, places in (("person", people), ("term", told)):
                for one in places:
                    here.sentences[bisect_right(starts, one.start) - 1] |= self._bits[name]
            for marks, count in Counter(filter(self._ailing.__and__, here.sentences)).items():
                for kind in meets({name for name in self._bits if self._bits[name] & marks}):
                    meetings[kind] += count
            lines += part.text.count("\n")
        size = max(words, 20)
        found = {"size": log1p(size), "lines": log1p(lines)}
        different = Counter(said.values())
        for name in names:
            bit = self._bits[name]
            several = sum(count for marks, count in different.items() if marks & bit)
            many = often[name] if name in COUNTED else several
            found[name] = log1p(many)
            found[f"{name}_rate"] = min(3.0, 20 * many / size)
        ill = {word for word, marks in said.items() if marks & self._ailing}
        ill |= {part.text[f.start : f.end].lower() for part, _, told in parts for f in told}
        ailing = len(ill)
        found["ailing"] = log1p(ailing)
        found["beside"] = log1p(sum(self._beside(*part) for part in parts))
        found["both"] = log1p(ailing) * bool(often["kin"] or any(people for _, people, _ in parts))
        return found | {f"meet_{kind}": log1p(meetings[kind]) for kind in MEETINGS}

    def _beside(self, part: Part, people: Sequence[Mention], told: Sequence[Finding]) -> int:
        """People whose line goes on with an illness: "Ada Hale, leukaemia", "Ada - bad hip"."""
        starts = sorted(finding.start for finding in told)
        count = 0
        for one in people:
            line = part.text.find("\n", one.end)
            end = min(one.end + REACH, len(part.text) if line < 0 else line)
            at = bisect_right(starts, one.end)
            if at < len(starts) and starts[at] < end:
                count += 1
            else:
                words = (word.group().lower() for word in WORD.finditer(part.text, one.end, end))
                count += any(AILING & self._words.of(word) for word in words)
        return count


def body_of(document: Document) -> list[int]:
    """The parts that say something: all but the headers of a mail."""
    parts = range(len(document.parts))
    return [n for n in parts if document.parts[n].locator != HEADERS] or list(parts)


WHO = {"person": "named", "he_she": "spoken", "me": "mine", "kin": "kin", "you": "yours"}
ELSE = {"many": "many", "may": "maybe", "things": "thing", "story": "story", "sale": "sale"}
ELSE |= {"lesson": "lesson"}
ILL = frozenset({"illness", "term"})
MEETINGS = (
    *WHO.values(), *(f"{who}_ill" for who in WHO.values()), *ELSE.values(), "told", "loose"
)  # fmt: skip


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


def of_facts(told: Sequence[Finding]) -> dict[str, float]:
    firm = [f for f in told if not f.context & OFF]
    strong = {f.concept or f.start for f in firm if f.kind not in WEAK and f.confidence >= SURE}
    weak = {f.concept or f.start for f in firm if f.kind in WEAK and f.confidence >= SURE}
    return {
        "facts_strong": log1p(len(strong)),
        "facts_weak": log1p(len(weak)),
        "facts_doubtful": log1p(sum(f.confidence < SURE for f in firm)),
        "facts_general": log1p(sum(bool(f.context & {"general", "hypothetical"}) for f in told)),
        "facts_denied": log1p(sum("negated" in f.context for f in told)),
        "facts_any": float(bool(firm)),
    }


def of_people(mentions: Iterable[Mention], people: Sequence[Mention]) -> dict[str, float]:
    full = {(m.first, m.last) for m in people if len(m.first) > 1 and len(m.last) > 1}
    half = {(m.first, m.last) for m in people} - full
    roles = {m.role for m in people}
    staff = {(m.first, m.last) for m in mentions if m.role == CLINICIAN}
    again = Counter(m.first or m.last for m in people)
    return {
        "people_full": log1p(len(full)),
        "people_half": log1p(len(half)),
        "people_one": float(len(full) == 1),
        "people_any": float(bool(people)),
        "people_staff": log1p(len(staff)),
        "people_again": float(any(count > 1 for count in again.values())),
        "people_first": float(any(m.start < HEAD and m.last for m in people)),
        "role_patient": float(PATIENT in roles),
        "role_relative": float(RELATIVE in roles),
        "role_author": float(AUTHOR in roles),
        "role_greeted": float(CORRESPONDENT in roles),
    }


def of_links(
    subjects: Iterable[Subject], people: Sequence[Mention], told: Sequence[Finding]
) -> dict[str, float]:
    facts = [s.facts for s in subjects if s.role != CLINICIAN]
    contexts = {word for known in facts for fact in known for word in fact.context}
    firm = [f for f in told if not f.context & OFF]
    gaps = [max(f.start - m.end, m.start - f.end) for f in firm for m in people if m.part == f.part]
    return {
        "link_asserted": float(ASSERTED in contexts),
        "link_recorded": float(RECORDED in contexts),
        "link_most": log1p(max(map(len, facts), default=0)),
        "link_far": min([FAR, *gaps]) / 100,
    }
