"""What to write instead of a risky term: the most specific thing above it that is safe.

In: a term, the test of disclosure.  Out: a choice: words, their concept, bits kept.

MeSH comes first, then WordNet, then a word for the kind of thing ("condition", "medicine"); a term
that is in none of them is removed.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from dlp.knowledge.inference import load_inference
from dlp.knowledge.marks import REMOVED
from dlp.knowledge.mesh import Mesh, load_mesh
from dlp.knowledge.phrases import fold_words
from dlp.knowledge.topic_words import KIND_WORDS, load_related
from dlp.knowledge.wordnet import WordNet, load_wordnet
from dlp.sanitise.disclosure import Disclosure
from dlp.sanitise.replacement_grammar import one_of
from dlp.sanitise.term_finder import LONGEST, Term, TermFinder

# Tops of WordNet that a reader learns nothing from; a word above them is not better.
VAGUE = frozenset({
    "abstraction", "attribute", "entity", "group", "object", "thing", "whole", "matter",
    "relation", "communication", "measure", "event", "state", "act", "cognition", "artifact",
    "unit", "human activity", "instrumentality", "physical entity", "psychological feature",
    "causal agent", "physical object", "biology", "life science", "science",
    "content", "mental object", "subject", "field",
})  # fmt: skip
STATES = frozenset({KIND_WORDS["disease"], KIND_WORDS["symptom"]})
# What lies above every illness and complaint in WordNet.
STATE_NAMES = frozenset({
    "condition", "feeling", "symptom", "evidence", "disposition", "trouble", "behavior",
    "bodily_process", "injury", "harm", "change", "growth", "disturbance",
})  # fmt: skip
VERB_FORM = re.compile(r"[a-z]{3,}(?:ed|ing)$")
UNWELL = "unwell"  # instead of an adjective
CATALOGUE = re.compile(
    r"(?:phenomen|disciplin|occupation|concept|scienc|knowledge|domain)\w*$", re.IGNORECASE
)
ADJECTIVE = re.compile(r"(?:ous|ive|ed|ful|less|al|ic|sy|ed|ent|ant|able|ile)$")
SENSES = 3  # of a noun that count; rarer ones lead astray


@dataclass(frozen=True, slots=True)
class Choice:
    words: str = field(repr=False)
    concept: int | None = None
    bits: float = 0.0
    noun: bool = True


class Generaliser:
    def __init__(self, disclosure: Disclosure, finder: TermFinder) -> None:
        self._finder = finder
        self._written: dict[str, bool] = {}
        self._disclosure = disclosure
        self._information = disclosure.information
        self._mesh: Mesh = load_mesh()
        self._wordnet: WordNet = load_wordnet()
        self._inference = load_inference()
        related = load_related()
        self._never, self._wording = related.never, related.wording
        self._medicines = related.medicines

    def choices(self, term: Term) -> Iterator[Choice]:
        """Safe replacements from the most specific on; the last one always exists."""
        if term.instead:
            yield Choice(term.instead, noun=False)
            return
        kind = KIND_WORDS.get(term.kind, "")
        if self._is_done(term):  # "relapsed": what somebody did has no class
            yield Choice(REMOVED, noun=False)
            return
        if kind in STATES and not self._is_state(term):  # "half a bottle of vodka" is no condition
            yield from self._curated(term)
            yield Choice(REMOVED, noun=False)
            return
        chemical = term.kind == "drug"
        adjective = kind != "" and self._is_adjective(term)
        if (
            chemical or adjective or kind not in STATES
        ):  # what people say for it is better than a class
            yield from self._curated(term)
            yield from self._purposes(term)
        if adjective and not self._disclosure.of_words(UNWELL):
            yield Choice(UNWELL, noun=False)
        for concept in self.above(term.concepts):
            if chemical and not self._is_class_of_drugs(concept):
                continue
            words = self.name(concept)
            if self._safe(words, (concept,)) and _readable(words):
                yield Choice(words, concept, self._information.ic(concept))
        if not kind:
            yield from self._from_wordnet(term)
        elif not self._disclosure.of_words(kind):
            yield Choice(kind)
        yield Choice(REMOVED, noun=False)

    def _is_done(self, term: Term) -> bool:
        word = term.text.lower()
        return VERB_FORM.fullmatch(word) is not None and not self._wordnet.synsets(word)

    def _is_state(self, term: Term) -> bool:
        """Whether what is written is a state by its head, or nothing a dictionary knows."""
        head = (fold_words(re.split(r" of | with | for ", term.text)[0]) or ("",))[-1]
        if self._is_illness(term.text):
            return True
        if term.text.isupper():  # a short form that stands for a house or a test as well
            return False
        senses = self._wordnet.synsets(head)
        if not senses:
            return VERB_FORM.fullmatch(head) is None
        above = (self._wordnet.subsumers(sense) for sense in senses)
        names = {lemma for held in above for one in held for lemma in self._wordnet.lemmas(one)}
        return bool(names & STATE_NAMES)

    def _is_illness(self, words: str) -> bool:
        trees = (
            tree for index in self._mesh.find(words) for tree in self._mesh.tree_numbers(index)
        )
        return any(tree[0] in "BCF" for tree in trees)

    def _purposes(self, term: Term) -> Iterator[Choice]:
        """A drug by the field of medicine of what it is most often for: "antiviral medicine"."""
        if term.kind != "drug":
            return
        named = (
            *term.records,
            term.text,
            *(self._mesh.ids[concept] for concept in term.concepts[:1]),
        )
        implied = next(filter(None, map(self._inference.implied, named)), ())
        for disease, _ in sorted(implied, key=lambda pair: -pair[1])[:1]:
            if disease not in self._mesh:
                continue
            index = self._mesh.index(disease)
            held = {index, *self.above((index,))}
            for concept, words in self._medicines.items():
                if concept in held and self._safe(words, (concept,)):
                    yield Choice(words, concept, self._information.ic(concept))

    def _is_class_of_drugs(self, concept: int) -> bool:
        return "D27" in self._mesh.categories(concept)

    def _curated(self, term: Term) -> Iterator[Choice]:
        for topic in self._disclosure.topics:
            for pattern, words in topic.instead:
                if pattern.fullmatch(term.text) and not self._disclosure.of_words(words):
                    yield Choice(words, noun=bool(self._wordnet.synsets(words.split()[-1])))

    def _is_adjective(self, term: Term) -> bool:
        """Whether a state is named by one word that is no noun: "unresponsive", "tearful"."""
        word = term.text.lower()
        is_state = term.kind in {"symptom", "disease"} and word.isalpha()
        return is_state and ADJECTIVE.search(word) is not None and not self._wordnet.synsets(word)

    def above(self, concepts: tuple[int, ...]) -> list[int]:
        """Everything above, the most informative first."""
        found = {a for c in concepts for a in self._mesh.ancestors(c).tolist()}
        usable = found - self._never - set(concepts)
        return sorted(usable, key=lambda c: (-self._information.ic(c), -self._mesh.depth(c), c))

    def _safe(self, words: str, concepts: tuple[int, ...]) -> bool:
        """Neither the concept nor any term its name holds may disclose."""
        if self._disclosure.of_words(words) or self._disclosure.of_concepts(concepts):
            return False
        key = words.lower()
        if key not in self._written:
            terms = self._finder.find(words)
            self._written[key] = not any(map(self._disclosure.of_term, terms))
        return self._written[key]

    def _from_wordnet(self, term: Term) -> Iterator[Choice]:
        """What lies above every usual sense of a noun; one above a single sense may mislead."""
        wordnet = self._wordnet
        head = fold_words(term.text)
        for noun in dict.fromkeys((" ".join(head), head[-1] if head else "")):
            senses = wordnet.synsets(noun)[:SENSES]
            if not senses:
                continue
            shared = frozenset.intersection(*(wordnet.subsumers(s) - {s} for s in senses))
            for above in sorted(shared, key=lambda s: (-wordnet.ic(s), s)):
                words = wordnet.lemmas(above)[0].replace("_", " ")
                found = self._mesh.find(words)
                if words.lower() not in VAGUE and self._safe(words, found) and _readable(words):
                    bits = min(wordnet.ic(above), self._information.most)
                    yield Choice(words, found[0] if found else None, bits)

    @functools.lru_cache(maxsize=4096)  # noqa: B019 - one generaliser lives as long as a run
    def name(self, concept: int) -> str:
        """A heading as one writes it in a sentence: "Pneumonia, Viral" -> "viral pneumonia"."""
        if concept in self._wording:
            return self._wording[concept]
        heading = self._mesh.name(concept)
        parts = heading.split(", ")
        if len(parts) <= 3 and " and " not in heading:
            heading = " ".join(reversed(parts))
        words = [w if _keeps_capitals(w) else w.lower() for w in heading.split()]
        words[-1] = one_of(words[-1]) if words[-1].isalpha() else words[-1]
        return " ".join(words)


def _readable(words: str) -> bool:
    """Short, without a list in it, and of something: "phenomena" are what a catalogue has."""
    if CATALOGUE.search(words):
        return False
    return " and " not in f" {words} " and "," not in words and len(words.split()) <= LONGEST


def _keeps_capitals(word: str) -> bool:
    return sum(map(str.isupper, word)) > 1 or any(map(str.isdigit, word))


def bits_of(term: Term, disclosure: Disclosure) -> float:
    """The information of a term: of its rarest concept, else of the noun it is."""
    information = disclosure.information
    if term.concepts:
        return max(information.ic(c) for c in term.concepts)
    return _noun_bits(" ".join(fold_words(term.text)), information.most)


@functools.lru_cache(maxsize=16384)
def _noun_bits(words: str, most: float) -> float:
    wordnet = load_wordnet()
    for noun in (words, words.rpartition(" ")[2]):
        senses = wordnet.synsets(noun)
        if senses:
            return min(wordnet.ic(senses[0]), most)
    return most / 2  # unknown to the dictionary: neither common nor the rarest
