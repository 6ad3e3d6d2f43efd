"""The terms of a text: what an ontology or a curated list knows, longest first.

In: text.  Out: terms with their place, their MeSH concepts and their kind.

Runs of words are looked up in the health lexicon and in all of MeSH; a parser is not needed for
that, and the same words are found the same way on every page.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from dlp.knowledge.allergies import allergens, allergy_places
from dlp.knowledge.belief import believe
from dlp.knowledge.foreign_terms import load_terms
from dlp.knowledge.health import HealthLexicon, load_health
from dlp.knowledge.hits import Flag
from dlp.knowledge.mesh import Mesh, load_mesh
from dlp.knowledge.phrases import fold_words
from dlp.knowledge.sensitivity import rare_headings
from dlp.knowledge.spelling import singular
from dlp.knowledge.topic_words import load_related, without_labels, word_pattern
from dlp.knowledge.wordnet import load_wordnet
from dlp.sanitise.protected_topics import Topic
from dlp.text.folding import fold

LONGEST = 5  # words; longer headings are formal names, and the lexicon has those people write
UNSURE = Flag.PUNCTUATED | Flag.INVERTED | Flag.DEFINED  # only a scan sees what these ask for
# Anatomy, organisms, diseases, substances, behaviour, kinds of people.
MEDICAL = sum(1 << ord(letter) - ord("A") for letter in "ABCDFM")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_BREAK = re.compile(r"[^\s\-'’/]|\n\s*\n")
# Words that MeSH lists as short forms of something else and every text uses.
FUNCTION = frozenset({
    "a", "about", "after", "all", "also", "an", "and", "any", "are", "as", "at", "be", "been",
    "before", "but", "by", "can", "cause", "causes", "did", "do", "does", "for", "from", "get",
    "had", "has", "have", "he", "her", "here", "him", "his", "how", "if", "in", "into", "is",
    "it", "its", "may", "more", "most", "no", "nor", "not", "of", "off", "on", "one", "only",
    "or", "other", "our", "out", "over", "own", "same", "she", "so", "some", "such", "than",
    "that", "the", "their", "them", "then", "there", "these", "they", "this", "those", "through",
    "to", "too", "under", "until", "up", "was", "we", "were", "what", "when", "where", "which",
    "while", "who", "whom", "why", "will", "with", "you", "your",
})  # fmt: skip


# "d/c" is a discharge; only "D&C" is the operation.
SLASHED = re.compile(r"\w/\w")


@dataclass(frozen=True, slots=True)
class Term:
    start: int
    end: int
    text: str = field(repr=False)
    key: str = field(repr=False)  # the same for every way to write the same concept
    concepts: tuple[int, ...] = ()
    kind: str = ""  # disease, symptom, drug, procedure, test; nothing for the rest of MeSH
    instead: str = field(default="", repr=False)  # fixed by a rule about phrases
    topic: str = ""  # of that rule
    nested: tuple[int, ...] = ()  # concepts of shorter terms inside
    records: tuple[str, ...] = ()  # ids that MeSH keeps outside its tree, of shorter terms too
    allergy: bool = False  # what somebody must not be given: no sign of what it is given for


class TermFinder:
    def __init__(
        self,
        topics: Iterable[Topic],
        lexicon: HealthLexicon | None = None,
        mesh: Mesh | None = None,
    ) -> None:
        self._topics = tuple(topics)
        self._lexicon = lexicon or load_health()
        self._mesh = mesh or load_mesh()
        # what a phrase was replaced by is as vague as a listed plain word
        written = {phrase.instead.lower() for topic in self._topics for phrase in topic.phrases}
        self._plain = load_related().plain | written
        self._words = word_pattern({w for topic in self._topics for w in topic.words})
        self.languages: tuple[str, ...] = ()  # of the document, beside English

    def find(self, text: str) -> list[Term]:
        """All terms, none overlapping another, in order."""
        text = without_labels(text)
        found = [*self._phrases(text), *self._health(text), *self._mesh_terms(text)]
        found += self._curated(text)
        found += self._foreign(text)
        found = [t for t in found if t.instead or t.text.lower() not in self._plain]
        found = [t for t in found if t.concepts or not SLASHED.fullmatch(t.text)]
        found.sort(key=lambda t: (not t.instead, t.start - t.end, t.start))
        owner = [-1] * len(text)
        kept: list[Term] = []
        for term in found:
            holders = {owner[place] for place in range(term.start, term.end)}
            if holders == {-1}:
                owner[term.start : term.end] = [len(kept)] * (term.end - term.start)
                kept.append(term)
            else:  # inside a longer term, or sharing a word with it: "live birth certificate"
                outer = kept[number := max(holders)]
                kept[number] = replace(
                    outer,
                    nested=(*outer.nested, *term.concepts),
                    records=(*outer.records, *term.records),
                )
        return sorted(self._with_allergies(text, kept), key=lambda t: t.start)

    def _with_allergies(self, text: str, terms: list[Term]) -> Iterator[Term]:
        places = list(allergy_places(text))
        for term in terms:
            inside = any(start <= term.start and term.end <= end for start, end in places)
            concepts = {*term.concepts, *term.nested}
            allergy = inside and bool(concepts) and concepts <= allergens(self._mesh)
            yield replace(term, allergy=True) if allergy else term

    def _phrases(self, text: str) -> Iterator[Term]:
        for topic in self._topics:
            for phrase in topic.phrases:
                for hit in phrase.pattern.finditer(text):
                    key = f"phrase:{phrase.pattern.pattern}"
                    yield Term(
                        *hit.span(), hit.group(), key, instead=phrase.instead, topic=topic.name
                    )

    def _health(self, text: str) -> Iterator[Term]:
        for hit in believe(self._lexicon.scan(text, abbreviations=True), text):
            concepts = tuple(dict.fromkeys(i for c in hit.concepts for i in self._nodes(c)))
            written = text[hit.start : hit.end]
            key = hit.concepts[0] if concepts else " ".join(fold_words(written))
            outside = tuple(c for c in hit.concepts if c not in self._mesh)
            kind = hit.kind.value
            yield Term(hit.start, hit.end, written, key, concepts, kind, records=outside)

    def _foreign(self, text: str) -> Iterator[Term]:
        for language in self.languages:
            for word in load_terms(language).scan(text):
                written = text[word.start : word.end]
                concepts = tuple(self._nodes(word.concept))
                key = f"{language}:{word.concept or fold(written)}"
                yield Term(word.start, word.end, written, key, concepts, word.kind.value)

    def _nodes(self, concept: str) -> Iterator[int]:
        mesh = self._mesh
        for ident in (concept,) if concept in mesh else rare_headings().get(concept, ()):
            if ident in mesh:
                yield mesh.index(ident)

    def _mesh_terms(self, text: str) -> Iterator[Term]:
        """Runs of words that MeSH lists, in any order, number and spelling."""
        hits = list(_WORD.finditer(text))
        words = [hit.group().lower() for hit in hits]
        broken = _breaks(text, hits)
        for first, word in enumerate(words):
            if word in FUNCTION:
                continue
            for last in range(first, min(first + LONGEST, len(words))):
                if broken[last] != broken[first]:
                    break
                if words[last] in FUNCTION:
                    continue
                start, end = hits[first].start(), hits[last].end()
                owners: tuple[int, ...] = ()
                if last > first or _is_word(word):
                    owners = _owners(tuple(words[first : last + 1]))
                if last == first:  # a single word of the other trees is everyday language
                    owners = tuple(o for o in owners if self._letters(o) & MEDICAL)
                    owners = () if self._in_small_letters(text[start:end]) else owners
                yield from self._listed(text[start:end], start)
                if owners:
                    yield Term(start, end, text[start:end], self._mesh.ids[owners[0]], owners)

    def _listed(self, written: str, start: int) -> Iterator[Term]:
        """A run the lexicon lists though its scan gave the words to something longer."""
        sense = self._lexicon.sense(written)
        if sense is None or sense.flags & UNSURE:
            return
        if sense.flags & Flag.CASED and sum(map(str.isupper, written)) < 2:
            return
        if is_bare_acronym(sense.flags):
            return
        concepts = tuple(dict.fromkeys(i for c in sense.concepts for i in self._nodes(c)))
        outside = tuple(c for c in sense.concepts if c not in self._mesh)
        if concepts or outside:
            end, key = start + len(written), sense.concepts[0]
            yield Term(start, end, written, key, concepts, sense.kind.value, records=outside)

    def _in_small_letters(self, written: str) -> bool:
        """Whether a word is an acronym only in capitals and stands in small ones: hearing aids."""
        sense = self._lexicon.sense(written)
        cased = sense is not None and bool(sense.flags & Flag.CASED)
        return cased and sum(map(str.isupper, written)) < 2

    def _letters(self, concept: int) -> int:
        return int(self._mesh.letters[concept])

    def _curated(self, text: str) -> Iterator[Term]:
        if self._words:
            for hit in self._words.finditer(text):
                yield Term(*hit.span(), hit.group(), f"word:{_stem(hit.group())}")


def is_bare_acronym(flags: int) -> bool:
    """An acronym of an ontology, which means something else more often than not: MD, BP.

    The scan believes it where the text spells out the concept; by itself it tells nothing.
    """
    return bool(flags & Flag.CASED and flags & Flag.AMBIGUOUS and not flags & Flag.SHORTHAND)


@functools.lru_cache(maxsize=1 << 17)
def _owners(words: tuple[str, ...]) -> tuple[int, ...]:
    return load_mesh().find(" ".join(words))


def _breaks(text: str, hits: list[re.Match[str]]) -> list[int]:
    """The number of signs before each word that a term does not cross."""
    count, previous, numbers = 0, 0, []
    for hit in hits:
        count += bool(_BREAK.search(text, previous, hit.start()))
        numbers.append(count)
        previous = hit.end()
    return numbers


@functools.lru_cache(maxsize=65536)
def _is_word(word: str) -> bool:
    """A single word is a term when it is a noun; short forms in small letters are not."""
    if word in FUNCTION or len(word) < 3 or word.isdigit():
        return False
    return len(word) > 5 or bool(load_wordnet().synsets(word))


def _stem(word: str) -> str:
    return " ".join(map(singular, fold_words(word)))
