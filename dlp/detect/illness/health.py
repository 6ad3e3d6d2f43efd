"""Find health terms and hear how each is meant.

In: Document.  Out: findings of the health kinds with concept and context.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise
from operator import attrgetter
from typing import Any

from dlp.detect.bundle import bundles
from dlp.detect.illness.animals import of_animals
from dlp.detect.illness.asserted import assert_findings
from dlp.detect.illness.attended import with_settings
from dlp.detect.illness.care import load_care, parts_of_body
from dlp.detect.illness.codes import RULE as CODE
from dlp.detect.illness.codes import announced_codes, find_codes, nine_codes, standing_codes
from dlp.detect.illness.filled import answers, is_medical_form
from dlp.detect.illness.general_statements import with_general
from dlp.detect.illness.misspelt import health_words, misspelt
from dlp.detect.illness.terminologies import (
    LOINC_RULE,
    SNOMED_RULE,
    coded_fields,
    terminology_codes,
)
from dlp.detect.overlap import is_free
from dlp.knowledge.belief import believe, load_abbreviations
from dlp.knowledge.foreign_terms import load_terms
from dlp.knowledge.health import ILLNESS, HealthLexicon, load_health
from dlp.knowledge.hits import Flag, TermHit
from dlp.knowledge.icd import load_icd
from dlp.knowledge.mesh import load_mesh
from dlp.knowledge.stages import AT_START, BEGINNINGS
from dlp.knowledge.words import load_words
from dlp.languages import read_later, spoken_in
from dlp.model import OF_NOBODY, Case, Context, Finding, Kind, Part, PartRole
from dlp.text.context import Contexts, load_contexts
from dlp.text.gloss import InEnglish

AMBIGUOUS = int(Flag.AMBIGUOUS)
ANIMAL = frozenset({Context.ANIMAL.value})
SURE, DOUBTFUL = 0.9, 0.6
PREPOSITIONS = ("with", "of", "in", "by", "for")
PREPOSITION = re.compile(rf"(?:{'|'.join(PREPOSITIONS)})\s+", re.IGNORECASE)
FOREIGN = "health-term-"  # and the code of the language
ANSWER = "health-answer"
TERMINOLOGIES = frozenset({SNOMED_RULE, LOINC_RULE})
READ = frozenset({"en", "und", None})
CONTACTS = frozenset({Kind.ADDRESS, Kind.PHONE, Kind.EMAIL, Kind.URL, Kind.IP})
NEXT_LABEL = re.compile(r"\n[ \t]*[*_]{0,2}[A-Za-z][\w /'-]{0,30}(?:[:=\t]|\s[-–]\s)")
LAST = 1 << 62  # behind every place in a text
VALUE = re.compile(r"\d")
AHEAD = 40  # characters in which the term behind a stage may end
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
        load_abbreviations()

    def __call__(self, case: Case) -> Case:
        assert case.document  # requires= promised it
        found: list[Finding] = []
        taken = places_of_contacts(case.findings)
        abroad = case.language not in READ
        parts = case.document.parts
        terms = self.find_all([part.text for part in parts], abroad=abroad)
        medical = is_medical_form(parts)
        spoken = spoken_in(case)
        for index, part in enumerate(parts):
            here = terms[index]
            for language in spoken:
                here = without_overlap(self.find_foreign(part.text, language, index), here)
            coded = self.find_codes(part, index, here)
            if index in taken:
                here = [f for f in here if is_free(f.start, f.end, taken[index])]
                coded = [f for f in coded if is_free(f.start, f.end, taken[index])]
            if abroad:
                here = [f for f in here if f.end - f.start >= LONG or f.rule_id.startswith(FOREIGN)]
            here = [*coded, *self.find_terminology(part, index), *here]
            if not abroad and (places := answers(part, medical=medical)):
                here += self.find_answers(part.text, index, here, places)
            here = self.within_values(part, here)
            found += assert_findings(part, index, here, self.find)
        if not found:
            return case
        if spoken:
            found = with_english_contexts(case, found, self._contexts)
        codes = {(one.part, one.end) for one in found if one.rule_id in TERMINOLOGIES}
        earlier = case.findings
        if codes:  # "SCT 26929004" is no number of a person
            earlier = tuple(
                one
                for one in earlier
                if one.kind is not Kind.ID or (one.part, one.end) not in codes
            )
        return case.but(findings=(*earlier, *found))

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
        if abbreviations and (more := [*misspelt(text, hits, self._lexicon.sense)]):
            hits = sorted([*(one for one in hits if not is_within(one, more)), *more])
        hits = apart([self._settled(text, hit) for hit in believe(hits, text)]) if hits else []
        if abbreviations:
            hits = with_statements(text, hits)
            hits = with_settings(text, hits)
        if not hits:
            return []
        contexts = with_animals(text, hits, self._contexts.of(text, hits))
        contexts = with_general(text, hits, contexts)
        return [
            Finding(kind, "health-term", part, start, end, DOUBTFUL if flags & AMBIGUOUS else SURE,
                    (), concepts[0] if concepts else "", "", "", context)
            for (start, end, kind, concepts, _, flags), context in zip(hits, contexts, strict=True)
        ]  # fmt: skip

    def _settled(self, text: str, hit: TermHit) -> TermHit:
        """A term without a preposition before it; of several meanings that of the words behind a
        stage: "metastatic prostate cancer" is listed as a carcinoma first.
        """
        low = text[hit.start : hit.end].lower()
        if "\n" in low and NEXT_LABEL.match(text, line := text.index("\n", hit.start)):
            own = self._lexicon.sense(text[hit.start : line].rstrip())
            if own is None or not own.concepts:
                return hit
            # "Diagnosis: migraine / Medication: none" tells of no migraine medication
            hit, low = hit._replace(end=line, kind=own.kind, concepts=own.concepts), ""
        if low.startswith(PREPOSITIONS) and (head := PREPOSITION.match(text, hit.start, hit.end)):
            rest = self._lexicon.sense(text[head.end() : hit.end])
            return hit._replace(start=head.end()) if rest and rest.concepts == hit.concepts else hit
        stage = AT_START.match(text, hit.start, hit.end) if low[:1] in BEGINNINGS else None
        rest = self._lexicon.sense(text[stage.end() : hit.end]) if stage else None
        if stage is None:
            return hit
        # "stage III kidney cancer": not the kidney's stage, but that of the cancer
        ahead = next(iter(self._lexicon.scan(text[stage.end() : hit.end + AHEAD])), None)
        if ahead and not ahead.start and stage.end() + ahead.end > hit.end:
            return ahead._replace(start=stage.end(), end=stage.end() + ahead.end)
        if rest is None or rest.kind not in ILLNESS or not rest.concepts:
            return hit
        if rest.concepts[0] in hit.concepts or is_narrower(rest.concepts[0], hit.concepts[0]):
            return hit._replace(start=stage.end(), kind=rest.kind, concepts=rest.concepts)
        return hit

    def within_values(self, part: Part, found: list[Finding]) -> list[Finding]:
        """Findings in the values of a filled form, meant as the value alone says.

        The label is printed: what it denies or supposes ("If not, explain") is not what was
        written behind it.
        """
        if part.role is not PartRole.FORM_FIELD or not part.fields or not found:
            return found
        spans = sorted((start, end) for _, start, end, _ in part.fields)
        told = []
        for finding in found:
            at = bisect_right(spans, (finding.start, LAST)) - 1
            start, end = spans[at] if at >= 0 else (0, 0)
            if finding.context and start <= finding.start and finding.end <= end:
                place = (finding.start - start, finding.end - start)
                meant = self._contexts.of(part.text[start:end], [place])[0]
                finding = finding._replace(context=meant)  # noqa: PLW2901
            told.append(finding)
        return told

    def find_codes(self, part: Part, index: int, terms: list[Finding]) -> list[Finding]:
        """Diagnosis codes, by the name of their column or the words before them."""
        codes = list(find_codes(part, index))
        told = announced_codes(part.text)
        places = {hit.start for hit in told}
        if part.fields is None:  # a table says by its headings where codes are
            more = (*standing_codes(part.text), *nine_codes(part.text))
            told += [hit for hit in more if hit.start not in places]
        if not told:
            return codes
        told.sort()
        taken = sorted((one.start, one.end) for one in (*codes, *terms))
        told = [hit for hit in told if is_free(hit.start, hit.end, taken)]
        contexts = self._contexts.of(part.text, told)
        return codes + [
            Finding(hit.kind, CODE, index, hit.start, hit.end, SURE,
                    concept=hit.concepts[0] if hit.concepts else "", context=context)
            for hit, context in zip(told, contexts, strict=True)
        ]  # fmt: skip

    def find_terminology(self, part: Part, index: int) -> list[Finding]:
        """Codes of SNOMED CT and LOINC."""
        told = sorted({*terminology_codes(part.text), *coded_fields(part)})
        contexts = self._contexts.of(part.text, told)
        return [
            Finding(kind, rule, index, start, end, SURE, context=context)
            for (start, end, kind, rule), context in zip(told, contexts, strict=True)
        ]

    def find_answers(
        self, text: str, part: int, terms: list[Finding], places: list[tuple[int, int]]
    ) -> list[Finding]:
        """What a form was told about an illness, in words no lexicon has or believes elsewhere."""
        taken = sorted((one.start, one.end) for one in terms)
        places = [place for place in places if is_free(*place, taken)]
        contexts = self._contexts.of(text, places)
        return [
            Finding(Kind.DISEASE, ANSWER, part, start, end, DOUBTFUL, (),
                    self._illness(text[start:end]), context=context)
            for (start, end), context in zip(places, contexts, strict=True)
        ]  # fmt: skip

    def _illness(self, answer: str) -> str:
        """The concept of an answer that is a term as a whole: "shingles" is also on a roof."""
        known = self._lexicon.sense(answer.strip(" ."))
        return known.concepts[0] if known and known.kind in ILLNESS and known.concepts else ""

    def find_foreign(self, text: str, language: str, part: int = 0) -> list[Finding]:
        words = load_terms(language).scan(text)
        contexts = load_contexts(language).of(text, words)
        rule = f"{FOREIGN}{language}"
        return [
            Finding(kind, rule, part, start, end, SURE, (), concept, "", "", context)
            for (start, end, kind, concept), context in zip(words, contexts, strict=True)
        ]

    @staticmethod
    def preload() -> None:
        """A sandboxed worker cannot open the lists of codes or of another language any more."""
        load_abbreviations()
        load_care()
        parts_of_body()
        load_contexts("en")
        read_later(load_terms)
        read_later(load_contexts)
        load_icd()
        health_words()
        load_words()


def is_narrower(concept: str, other: str) -> bool:
    mesh = load_mesh()
    return concept in mesh and other in mesh and mesh.is_a(mesh.index(concept), mesh.index(other))


def apart(hits: list[TermHit]) -> list[TermHit]:
    """Without those that begin inside the one before."""
    found = hits[:1]
    found += [hit for before, hit in pairwise(hits) if hit.start >= before.end]
    return found


def with_statements(text: str, terms: list[TermHit]) -> list[TermHit]:
    """The terms, and the statements of care that stand clear of them.

    A test with its value ("HbA1c is 68 mmol/mol") takes the place of the test's bare name in it.
    """
    care = load_care()
    statements = care.scan(text, terms)
    for one in statements:
        if not care.graver.isdisjoint(one.concepts):
            inside = [t for t in terms if one.start <= t.start and t.end <= one.end]
            terms = [term for term in terms if term not in inside]
    taken = [(one.start, one.end) for one in terms]
    more = [one for one in statements if is_free(one.start, one.end, taken)]
    if len(more) == len(statements):
        return sorted([*terms, *more]) if more else terms
    valued = [
        (statement, within)
        for statement in statements
        if statement.kind is Kind.TEST and VALUE.search(text, statement.start, statement.end)
        and (within := named_in(statement, terms)) is not None
    ]  # fmt: skip
    named = {term for _, term in valued}
    wide = [one._replace(concepts=term.concepts or one.concepts) for one, term in valued]
    return sorted([*(term for term in terms if term not in named), *more, *wide])


def named_in(statement: TermHit, terms: Sequence[TermHit]) -> TermHit | None:
    """The one test that a statement names; one that holds other terms too stays apart from them."""
    inside = [one for one in terms if one.start < statement.end and statement.start < one.end]
    if len(inside) != 1 or inside[0].kind is not Kind.TEST:
        return None
    return (
        inside[0] if statement.start <= inside[0].start and inside[0].end <= statement.end else None
    )


def places_of_contacts(findings: Sequence[Finding]) -> dict[int, list[tuple[int, int]]]:
    """Addresses, numbers and mailboxes by part: letters inside them are no health words."""
    taken: dict[int, list[tuple[int, int]]] = {}
    for one in findings:
        if one.kind in CONTACTS:
            taken.setdefault(one.part, []).append((one.start, one.end))
    for spans in taken.values():
        spans.sort()
    return taken


def with_animals(
    text: str, hits: Sequence[tuple[Any, ...]], contexts: list[frozenset[str]]
) -> list[frozenset[str]]:
    """The contexts, with those of animals that the text names elsewhere."""
    told = of_animals(text, hits)
    return [
        context | ANIMAL if about else context
        for context, about in zip(contexts, told, strict=True)
    ]


def with_english_contexts(case: Case, found: list[Finding], english: Contexts) -> list[Finding]:
    """Findings of a text in another language, with what its English reading says of nobody."""
    read = InEnglish(case.but(findings=tuple(found))).case
    assert read.document
    told: list[Finding] = []
    for number, part in enumerate(read.document.parts):
        here = [one for one in found if one.part == number]
        places = [(one.start, one.end) for one in read.findings if one.part == number]
        if not here:
            continue
        contexts = with_animals(part.text, places, english.of(part.text, places))
        told += [
            one._replace(context=one.context | (context & OF_NOBODY))
            for one, context in zip(here, contexts, strict=True)
        ]
    return told


def without_overlap(own: list[Finding], others: list[Finding]) -> list[Finding]:
    """Words of the file's own language, apart and in order, and what else stands clear of them."""
    taken = [(one.start, one.end) for one in own]
    kept, free = own, 0
    for one in sorted(others, key=attrgetter("start")):
        if one.start >= free and is_free(one.start, one.end, taken):
            kept.append(one)
            free = one.end
    return sorted(kept, key=attrgetter("start"))


def is_within(hit: TermHit, others: Sequence[TermHit]) -> bool:
    """Whether a term is part of a longer one: cancer in "ovarien cancer"."""
    return any(one.start <= hit.start and hit.end <= one.end for one in others)
