"""Find health terms and hear how each is meant.

In: Document.  Out: findings of the health kinds with concept and context.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from operator import attrgetter

from dlp.detect.bundle import bundles
from dlp.detect.illness.asserted import assert_findings
from dlp.detect.illness.codes import RULE as CODE
from dlp.detect.illness.codes import announced_codes, find_codes
from dlp.detect.illness.context import Contexts, load_contexts
from dlp.detect.illness.filled import answers, is_medical_form
from dlp.detect.illness.spanish import load_spanish
from dlp.detect.overlap import is_free
from dlp.knowledge.health import HealthLexicon, load_health
from dlp.knowledge.hits import Flag, TermHit
from dlp.knowledge.icd import load_icd
from dlp.model import HEALTH_KINDS, Case, Finding, Kind, Part

AMBIGUOUS = int(Flag.AMBIGUOUS)
BEFORE = 24  # characters in which a diagnosis is announced
ANNOUNCED = re.compile(
    r"(?:diagnosed (?:with|as)|diagnosis(?: of| is)?|dx|treated for|suffers? from|positive for)"
    r"[\s:]+(?:an? )?$",
    re.IGNORECASE,
)
ANNOUNCING = ("with", "as", "is", "of", "dx", "for", "from", "a", "an")  # how those may end
# "diagnosed with relapsing MS", "has MS", "her CF": an illness by its letters
LETTERED = re.compile(
    r"(?:\b(?:diagnos\w+|living with|suffer\w* from|treated for)\b[^.;\n]{0,40}[\s:]"
    r"|\b(?:ha[sd]|have|got|his|her|my|severe|relapsing|known|early|late|end[ -]stage)[\s]+)$",
    re.IGNORECASE,
)
LETTERED_BEFORE = 60  # characters
LETTERED_WORDS = ("diagnos", "living with", "suffer", "treated for")  # what it needs to match:
LETTERED_ENDS = (  # one of those, or one of these at the end
    "has", "had", "have", "got", "his", "her", "my", "severe", "relapsing", "known", "early",
    "late", "stage",
)  # fmt: skip
COMPANY = 120  # characters: an ambiguous term counts beside a plain one this near
SURE, DOUBTFUL = 0.9, 0.6
SPANISH = "health-term-es"
ANSWER = "health-answer"
READ = frozenset({"en", "und", None})
LONG = 6  # letters; in another language a short word is rarely the English term it looks like


class FindHealth:
    name = "detect.health"
    requires = frozenset({"document"})
    provides = frozenset({"findings"})

    def __init__(
        self, lexicon: HealthLexicon | None = None, contexts: Contexts | None = None
    ) -> None:
        self._lexicon = lexicon or load_health()
        self._contexts = contexts or load_contexts("en")

    def __call__(self, case: Case) -> Case:
        assert case.document  # requires= promised it
        found: list[Finding] = []
        abroad = case.language not in READ
        parts = case.document.parts
        terms = self.find_all([part.text for part in parts], abroad=abroad)
        medical = is_medical_form(parts)
        for index, part in enumerate(parts):
            here = terms[index]
            if case.language == "es":
                here = without_overlap(self.find_spanish(part.text, index), here)
            if abroad:
                here = [f for f in here if f.end - f.start >= LONG or f.rule_id == SPANISH]
            here = [*self.find_codes(part, index, here), *here]
            if not abroad and (places := answers(part, medical=medical)):
                here += self.find_answers(part.text, index, here, places)
            found += assert_findings(part, index, here, self.find)
        return case.but(findings=(*case.findings, *found)) if found else case

    def find_all(self, texts: Sequence[str], *, abroad: bool) -> list[list[Finding]]:
        """The terms of each text; small texts are read together."""
        if len(texts) == 1:
            return [self.find(texts[0], abbreviations=not abroad)]
        found: list[list[Finding]] = [[] for _ in texts]
        for bundle in bundles(texts):
            here = self.find(bundle.text, bundle.parts[0], abbreviations=not abroad)
            if len(bundle.parts) == 1:
                found[bundle.parts[0]] = here
                continue
            for term in here:
                part, begin = bundle.place(term.start)
                start, end = term.start - begin, term.end - begin
                found[part].append(term._replace(part=part, start=start, end=end))
        return found

    def find(self, text: str, part: int = 0, *, abbreviations: bool = True) -> list[Finding]:
        hits = self._lexicon.scan(text, abbreviations=abbreviations)
        if not hits or not (hits := believable(text, hits)):
            return []
        contexts = self._contexts.of(text, hits)
        return [
            Finding(kind, "health-term", part, start, end, DOUBTFUL if flags & AMBIGUOUS else SURE,
                    (), concepts[0] if concepts else "", "", "", context)
            for (start, end, kind, concepts, _, flags), context in zip(hits, contexts, strict=True)
        ]  # fmt: skip

    def find_codes(self, part: Part, index: int, terms: list[Finding]) -> list[Finding]:
        """Diagnosis codes, by the name of their column or the words before them."""
        codes = list(find_codes(part, index))
        told = announced_codes(part.text)
        if not told:
            return codes
        taken = sorted((one.start, one.end) for one in (*codes, *terms))
        told = [hit for hit in told if is_free(hit.start, hit.end, taken)]
        contexts = self._contexts.of(part.text, told)
        return codes + [
            Finding(hit.kind, CODE, index, hit.start, hit.end, SURE,
                    concept=hit.concepts[0] if hit.concepts else "", context=context)
            for hit, context in zip(told, contexts, strict=True)
        ]  # fmt: skip

    def find_answers(
        self, text: str, part: int, terms: list[Finding], places: list[tuple[int, int]]
    ) -> list[Finding]:
        """What a form was told about an illness, in words no lexicon has."""
        taken = sorted((one.start, one.end) for one in terms)
        places = [place for place in places if is_free(*place, taken)]
        contexts = self._contexts.of(text, places)
        return [
            Finding(Kind.DISEASE, ANSWER, part, start, end, DOUBTFUL, context=context)
            for (start, end), context in zip(places, contexts, strict=True)
        ]

    def find_spanish(self, text: str, part: int = 0) -> list[Finding]:
        words = load_spanish().scan(text)
        contexts = load_contexts("es").of(text, words)
        return [
            Finding(kind, SPANISH, part, start, end, SURE, (), concept, "", "", context)
            for (start, end, kind, concept), context in zip(words, contexts, strict=True)
        ]

    @staticmethod
    def preload() -> None:
        """A sandboxed worker cannot open the lists of codes or of another language any more."""
        load_spanish()
        load_contexts("es")
        load_icd()


def without_overlap(own: list[Finding], others: list[Finding]) -> list[Finding]:
    """Words of the file's own language, apart and in order, and what else stands clear of them."""
    taken = [(one.start, one.end) for one in own]
    kept, free = own, 0
    for one in sorted(others, key=attrgetter("start")):
        if one.start >= free and is_free(one.start, one.end, taken):
            kept.append(one)
            free = one.end
    return sorted(kept, key=attrgetter("start"))


def believable(text: str, hits: list[TermHit]) -> list[TermHit]:
    """Health kinds only; an ambiguous single word needs a plain term in its company."""
    health = [hit for hit in hits if hit.kind in HEALTH_KINDS]
    plain = [hit.start for hit in health if not hit.flags & AMBIGUOUS]
    return [
        hit
        for hit in health
        if not hit.flags & AMBIGUOUS or in_company(hit, plain) or is_believed(text, hit)
    ]


def is_believed(text: str, hit: TermHit) -> bool:
    """Whether its own words or those before it speak for an ambiguous term."""
    return (
        (hit.kind is Kind.DISEASE and " " in text[hit.start : hit.end])
        or is_announced(text[max(0, hit.start - BEFORE) : hit.start])
        or is_lettered(text, hit)
    )


def is_announced(before: str) -> bool:
    """A glance at the last letters of the words before spares nine in ten the search."""
    if before.isascii() and not before.replace(":", " ").rstrip().lower().endswith(ANNOUNCING):
        return False
    return ANNOUNCED.search(before) is not None


def is_lettered(text: str, hit: TermHit) -> bool:
    """An illness in capitals that the words before say somebody has, on a line that is not loud."""
    if hit.kind is not Kind.DISEASE or not text[hit.start : hit.end].isupper():
        return False
    before = text[max(0, hit.start - LETTERED_BEFORE) : hit.start]
    return not before.isupper() and may_letter(before) and LETTERED.search(before) is not None


def may_letter(before: str) -> bool:
    """A look for its words spares most the search; other signs may stand for plain letters."""
    low = before.lower()
    ends = low.rstrip().endswith(LETTERED_ENDS)
    return ends or not before.isascii() or any(word in low for word in LETTERED_WORDS)


def in_company(hit: TermHit, plain: list[int]) -> bool:
    near = bisect_left(plain, hit.start - COMPANY)
    return near < len(plain) and plain[near] <= hit.end + COMPANY
