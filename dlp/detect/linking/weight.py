"""Weigh a short text: how likely it tells of the health of somebody in it.

In: Case after linking.  Out: facts["weight"], a chance and what spoke for it; facts["faint"], what
finds whom a text names too faintly for linking.

Nothing is worked out before somebody asks, and whoever asks only whether it reaches a bar is told
so as soon as what is left to count cannot change the answer.

A sum of features and plain words with learnt weights, squeezed to a chance: nothing that cannot be
read in rules/evidence.toml and rules/weights.toml. Longer texts are not weighed: the weights were
learnt on letters, notes, chats, lists and forms of a page or two.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache, partial
from typing import Any

from dlp.detect.linking.counted import is_strong
from dlp.detect.linking.drafts import Draft, id_of, subject_of
from dlp.detect.linking.evidence import (
    Evidence,
    compiled,
    texts_of,
)
from dlp.detect.linking.scale import Feature, Scale, Weight, squeezed
from dlp.detect.linking.vocabulary import Words
from dlp.detect.linking.wording import counted
from dlp.detect.naming.mention import CLINICIAN, Mention
from dlp.errors import RuleError
from dlp.model import HEALTH_KINDS, Case, Document, Kind, Subject
from dlp.prepared import read_table
from dlp.resources import rules_folder

FILE, WEIGHTS = "evidence.toml", "weights.toml"
READ = frozenset({"en", "und", None})
LONGEST = 4000  # characters
REACHED = frozenset({Kind.EMAIL, Kind.PHONE})  # a number may be of a note without a name
# a name that no dictionary has: "Y. Brightmere", "Brightmere, Y.", "BRIGHTMERE, Yorick"
NAME = re.compile(
    r"\b[A-Z]\. ?[A-Z][a-z]{3,}|\b[A-Z][a-z]{3,}, [A-Z]\.|\b[A-Z]{4,}, [A-Z][a-z]+"
    r"|\b(?:name|patient|client|pt|re)\s?:\s?[A-Z][a-z]+ [A-Z][a-z]+",
)
# The same by RE2, several times as quick; its words and blanks are those of ASCII only.
PLAIN_NAME = compiled(NAME.pattern.replace(r"\s", r"[\t-\r\x1c- ]"))
LETTERS = re.compile(r"[A-Za-z]+")
SAID = 2  # different words for an illness, a body, a treatment
UNDECIDED = 0.5
ROUNDING = 1e-6  # far more than two sums of the same numbers can differ by


class Weighing:
    """The weight of a case, worked out as far as somebody asks for it."""

    def __init__(
        self,
        case: Case,
        evidence: Evidence,
        scale: Scale,
        spans: Mapping[str, tuple[float, float]],
    ) -> None:
        """`spans` is what each of the shapes can pull."""
        self._case, self._evidence, self._scale, self._spans = case, evidence, scale, spans
        self._texts = texts_of(case)
        self._shaped: dict[str, float] = {}  # as far as they are counted
        # as far as they are known
        self._little: bool | None = None
        self._features: dict[str, float] | None = None
        self._weight: Weight | None = None

    def __repr__(self) -> str:
        return repr(self._whole)

    @property
    def score(self) -> float:
        return self._whole.score

    @property
    def speaks_for(self) -> tuple[str, ...]:
        return self._whole.speaks_for

    @property
    def speaks_against(self) -> tuple[str, ...]:
        return self._whole.speaks_against

    def reaches(self, bar: float) -> bool:
        """Whether the score is at least that, without the shapes that cannot change it."""
        if self._is_little() and bar > UNDECIDED:
            return False
        silent, least, most = self._scale.outline(self._spans)
        words = self._scale.pull_of_words(self._texts)
        pull = silent + words + self._over()
        for name, (lower, upper) in self._spans.items():
            if squeezed(pull + most) < bar - ROUNDING:
                return False
            if squeezed(pull + least) > bar + ROUNDING:
                return True
            pull += self._scale.pull_of(name, self._shape(name))
            least, most = least - lower, most - upper
        return self.score >= bar

    def _over(self) -> float:
        """What all features but the shapes pull beyond what they do at 0, up to rounding."""
        return self._scale.pull_over(self._told())

    def _told(self) -> dict[str, float]:
        if self._features is None:
            self._features = self._evidence.told(self._case, self._case.facts["genre"])
        return self._features

    def _is_little(self) -> bool:
        """Asked first: half of all texts say next to nothing, and the rest goes uncounted."""
        if self._little is None:
            self._little = not any(
                f.kind in HEALTH_KINDS and is_strong(f) for f in self._case.findings
            ) and self._evidence.says_little(self._case, SAID)
        return self._little

    def _shape(self, name: str) -> float:
        if name not in self._shaped:
            self._shaped[name] = self._evidence.shape(name, "\n".join(self._texts))
        return self._shaped[name]

    @property
    def _whole(self) -> Weight:
        if self._weight is None:
            found = self._told() | {name: self._shape(name) for name in self._evidence.shapes}
            weight = self._scale.weigh(found, self._scale.known(self._texts))
            if self._is_little():  # one word is no evidence
                weight = weight._replace(score=min(weight.score, UNDECIDED))
            self._weight = weight
        return self._weight


class WeighEvidence:
    name = "detect.evidence"
    requires = frozenset({"document"})
    provides = frozenset({"findings"})

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._evidence = load_evidence()
        self._scale = load_scale()
        self._spans = self._scale.spans(self._evidence.shapes)

    def __call__(self, case: Case) -> Case:
        if not is_weighed(case):
            return case
        weight = Weighing(case, self._evidence, self._scale, self._spans)
        # only a verdict by weight speaks of somebody so faint; nobody else takes them for a subject
        somebody = None if case.facts.get("subjects") else partial(faint, case, self._key)
        return case.but(facts={**case.facts, "weight": weight, "faint": somebody})


def is_weighed(case: Case) -> bool:
    """A page or two in English that name somebody, or that somebody can be reached by."""
    if case.language not in READ or "genre" not in case.facts:
        return False
    if case.document is None or is_long(case.document):
        return False
    for finding in case.findings:
        if finding.kind in REACHED:
            return True
    mentions: Iterable[Mention] = case.facts.get("mentions", ())
    for mention in mentions:
        if mention.kind is Kind.PERSON and mention.role != CLINICIAN:
            return True
    parts = case.document.parts
    if len(parts) == 1:  # as nearly always
        return names_somebody(parts[0].text)
    return any(names_somebody(part.text) for part in parts)


def is_long(document: Document) -> bool:
    left = LONGEST
    for part in document.parts:
        left -= len(part.text)
    return left < 0


def names_somebody(text: str) -> bool:
    """Whether there is a name that no dictionary has."""
    return (PLAIN_NAME if text.isascii() else NAME).search(text) is not None


def words_of(case: Case) -> Counter[str]:
    return counted(texts_of(case))


def faint(case: Case, key: bytes) -> Subject:
    """Whom a text names too faintly for linking: the fullest name in it, if any."""
    assert case.document
    names = [(m.first, m.last) for m in case.facts.get("mentions", ())
             if m.kind is Kind.PERSON and m.role != CLINICIAN]  # fmt: skip
    for part in case.document.parts if not names else ():
        names += [split(found[0]) for found in NAME.finditer(part.text)]
    named = max(names, key=lambda name: (bool(name[0]) + bool(name[1]), name), default=("", ""))
    draft = Draft("weighed", first=named[0], last=named[1])
    reached = [finding for finding in case.findings if finding.kind in REACHED]
    if not names and reached:  # a number or an address is all there is
        draft.direct.add(reached[0].rule_id)
        draft.prints.add(f"{reached[0].kind.value}:{reached[0].fingerprint}")
    return subject_of(draft, id_of(draft, key, repr(case.ref.path)), key)


def split(name: str) -> tuple[str, str]:
    """First and last name of what `NAME` finds."""
    words = LETTERS.findall(name.rpartition(":")[2])
    return (words[1], words[0].capitalize()) if "," in name else (words[0], words[-1])


def read(name: str) -> dict[str, Any]:
    try:
        return read_table(rules_folder() / name)
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise RuleError("cannot be read", where=name, fix="restore the file") from error


@cache
def load_evidence() -> Evidence:
    raw = read(FILE)
    return Evidence(Words(raw["words"]), raw["shapes"])


@cache
def load_scale() -> Scale:
    raw = read(WEIGHTS)
    features = {name: Feature(*row) for name, row in raw["features"].items()}
    return Scale(raw["bias"], features, raw["words"])
