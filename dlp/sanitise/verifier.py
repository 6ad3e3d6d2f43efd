"""Check a sanitised text against its certificate, without the code that sanitised it.

In: the texts of an output, a certificate.  Out: violations in words; nothing when it holds.

Terms are looked up afresh run by run, and probabilities counted from the records themselves: a
fault in finding, deciding, generalising or writing shows here.
"""

from __future__ import annotations

import functools
import itertools
import math
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from dlp.knowledge.allergies import allergens, allergy_places
from dlp.knowledge.cooccurrence import (
    SUPPORT,
    SUPPORT_JOINT,
    Cooccurrence,
    Cowords,
    Row,
    load_cooccurrence,
    load_cowords,
    load_own_words,
)
from dlp.knowledge.health import load_health
from dlp.knowledge.hits import Flag
from dlp.knowledge.icd import code_places, load_icd
from dlp.knowledge.inference import ALMOST_ONLY, DECISIVE, load_inference
from dlp.knowledge.marks import marked
from dlp.knowledge.mesh import load_mesh
from dlp.knowledge.people import load_people
from dlp.knowledge.sensitivity import load_sensitivity, rare_headings
from dlp.knowledge.site_knowledge import site_folder
from dlp.knowledge.topic_words import load_related, without_labels, word_pattern
from dlp.sanitise.certificate import knowledge_hashes
from dlp.sanitise.information_content import GROUP_SUPPORT
from dlp.sanitise.plan import Against
from dlp.sanitise.protected_topics import Topic, topic_for
from dlp.sanitise.term_finder import FUNCTION, SLASHED, is_bare_acronym
from dlp.sanitise.word_disclosure import (
    BROAD_BITS,
    CALENDAR,
    FLOOR,
    FLOOR_EVERYWHERE,
    OWN_BITS,
    PRIOR,
)
from dlp.text.reader import read_structure

# Check the words of an output, alone, by the sentence and paragraph, afresh.
#
# Everything is counted afresh from the records: MEDLINE's, and those of the site's own texts where
# it compiled some. Shared with the sanitiser are only the numbers that say what counts.

_LETTERS = re.compile(
    r"(?<![\w.,])\d{1,4}(?:mcg|mg|ml|g)(?!\w)|(?<![^\W_])[^\W\d_]+(?![^\W_])", re.IGNORECASE
)
_ENDS = re.compile(r"[.!?]\s|\n")
_BLANK = re.compile(r"\n\s*\n")


class WordCheck:
    """`everywhere` counts words inside terms and replacements too, by the site's own texts."""

    def __init__(self, topics: Sequence[Topic], share: float, *, everywhere: bool = False) -> None:
        self._everywhere = everywhere
        self._topics = [topic for topic in topics if topic.roots]
        self._share = share
        self._medline = load_cooccurrence()
        self._records: list[tuple[Cooccurrence, Cowords, float]]
        self._records = [(self._medline, load_cowords(), 0.0)]
        if own := load_own_words(site_folder()):
            self._records.append((*own, OWN_BITS))
        self._never = FUNCTION | CALENDAR | set(load_people().titles)
        if not everywhere:
            said = (phrase.instead for topic in topics for phrase in topic.phrases)
            written = (*load_related().plain, *said)
            self._never |= {word for text in written for word in text.lower().split()}

    def violations(self, text: str, terms: Collection[int]) -> Iterator[str]:
        """`terms` are the places that words of health take up."""
        form = read_structure(text).is_form
        for ends in (_ENDS, _BLANK) if self._everywhere else (_ENDS,):
            kind = "sentence" if ends is _ENDS else "paragraph"
            for words in self._stretches(text, terms, ends):
                for topic in self._topics:
                    yield from self._too_much(topic, words, kind, form=form)

    def _too_much(
        self, topic: Topic, words: Mapping[str, bool], kind: str, *, form: bool
    ) -> Iterator[str]:
        floor = FLOOR_EVERYWHERE if self._everywhere else FLOOR
        ratios = [
            t for word, plain in words.items() if (t := self.of_word(topic, word, plain)) >= floor
        ]
        if any(t >= self._share for t in ratios):
            yield f"a plain word tells too much of {topic.name}"
        narrow = self._bits(topic, self._medline) >= BROAD_BITS and not form
        if narrow and sum(ratios) >= self._share:
            yield f"the words of a {kind} tell {sum(ratios):.2f} of {topic.name}"

    def _stretches(
        self, text: str, terms: Collection[int], border: re.Pattern[str]
    ) -> Iterable[Mapping[str, bool]]:
        """The words of each sentence or paragraph, and whether one of their places is no term's."""
        ends = [hit.end() for hit in border.finditer(text)]
        found: defaultdict[int, dict[str, bool]] = defaultdict(dict)
        place = 0
        for hit in _LETTERS.finditer(text):
            while place < len(ends) and ends[place] <= hit.start():
                place += 1
            plain, word = hit.start() not in terms, hit.group().lower()
            if (plain or self._everywhere) and not marked(text, *hit.span()):
                found[place][word] = plain or found[place].get(word, False)
        return found.values()

    @functools.lru_cache(maxsize=65536)  # noqa: B019 - one check lives as long as a run
    def of_word(self, topic: Topic, word: str, plain: bool = True) -> float:
        """What any records say; to MEDLINE, words that an ontology knows are checked as terms."""
        if word in self._never:
            return 0.0
        term = not plain or bool(load_mesh().find(word) or load_health().sense(word))
        asked = self._records[1:] if term else self._records
        if term and not self._everywhere:
            return 0.0
        return max((self._by(topic, word, *records) for records in asked), default=0.0)

    def _by(
        self, topic: Topic, word: str, counts: Cooccurrence, words: Cowords, least: float
    ) -> float:
        about, held = self._about(topic, counts), words.holding(word)
        joint, alone = int(about[held].sum()), int(about.sum())
        bits = self._bits(topic, counts)
        if alone < SUPPORT or joint < SUPPORT_JOINT or bits < least:
            return 0.0
        chance = alone / counts.records
        given = (joint + PRIOR * chance) / (len(held) + PRIOR)
        return math.log2(given / chance) / bits

    @functools.lru_cache(maxsize=256)  # noqa: B019 - one check lives as long as a run
    def _about(self, topic: Topic, counts: Cooccurrence) -> npt.NDArray[np.bool_]:
        about = np.zeros(-(-counts.records // 64) * 64, dtype=np.bool_)
        for root in topic.roots:
            about |= np.unpackbits(counts.row(root).view(np.uint8)).astype(np.bool_)
        return about

    def _bits(self, topic: Topic, counts: Cooccurrence) -> float:
        alone = int(self._about(topic, counts).sum())
        rarest = math.log2(counts.records / SUPPORT)
        return min(math.log2(counts.records / alone), rarest) if alone else rarest


RUN = 5  # words
LARGEST = 3  # members of a group; a fourth adds time and, on pages of medicine, nothing
MOST_TERMS = 80
TOLERANCE, TOLERANCE_BITS = 1e-4, 1e-3
_WORDS = re.compile(r"\w+(?:['’]\w+)?")
_APART = re.compile(r"[^\s\-'’/]|\n\s*\n")
_SKIPPED = Flag.PUNCTUATED | Flag.INVERTED | Flag.DEFINED
_EVERYDAY = frozenset("GHIJKLNVZE")


@dataclass(frozen=True, slots=True)
class Seen:
    start: int
    end: int
    concepts: tuple[int, ...]
    names: tuple[str, ...] = ()  # its wording, and numbers that MeSH keeps outside its tree
    allergy: bool = False


class Verifier:
    def __init__(self, certificate: Mapping[str, Any]) -> None:
        self._certificate = certificate
        self._mesh, self._counts = load_mesh(), load_cooccurrence()
        self._lexicon = load_health()
        self._topics = [topic_for(str(entry["topic"])) for entry in certificate["topics"]]
        said = {phrase.instead.lower() for topic in self._topics for phrase in topic.phrases}
        self._plain = load_related().plain | said
        self._share = 1 / float(certificate["alpha"])
        self._records: dict[str, Row] = {t.name: self._union(t) for t in self._topics}
        self._bits = {name: self._information(row) for name, row in self._records.items()}
        everywhere = certificate.get("against") == Against.WORDS
        self._words = WordCheck(self._topics, self._share, everywhere=everywhere)
        self._runs: dict[str, tuple[tuple[int, ...], tuple[str, ...]]] = {}
        self._judged: dict[int, str] = {}

    def violations(self, texts: Sequence[str]) -> list[str]:
        found = list(self._about_certificate(texts))
        most: dict[str, float] = {}
        for text in map(without_labels, texts):
            seen = self._seen(text)
            found += self._words_left(text)
            found += self._terms_left(seen)
            found += self._plain_left(text, seen)
            found += self._codes_left(text)
            found += self._understated(seen)
            for name, ratio in self._groups(text, seen):
                most[name] = max(most.get(name, 0.0), ratio)
        for entry in self._certificate["topics"]:
            name, ratio = entry["topic"], most.get(entry["topic"], 0.0)
            if ratio >= self._share:
                found.append(f"a group tells {ratio:.2f} of {name}")
            elif ratio > float(entry["most_by_a_group"]) + TOLERANCE:
                found.append(f"the certificate understates what groups tell of {name}")
        return list(dict.fromkeys(found))

    def _about_certificate(self, texts: Sequence[str]) -> Iterator[str]:
        if self._certificate["knowledge"] != knowledge_hashes():
            yield "the certificate rests on other knowledge than this installation has"
        for entry, topic in zip(self._certificate["topics"], self._topics, strict=True):
            concepts = sorted(self._mesh.ids[root] for root in topic.roots)
            if concepts != entry["concepts"]:
                yield f"the topic {entry['name']} means other concepts here"
        for item in self._certificate["replacements"]:
            part, start, end = item["part"], item["start"], item["end"]
            if start is None:
                continue
            if part >= len(texts) or texts[part][start:end] != item["with"]:
                yield "a replacement is not where the certificate says"
                return

    # -- single terms

    def _seen(self, text: str) -> list[Seen]:
        """Every run of up to five words that names a concept, whether or not inside another."""
        words, refused = list(_WORDS.finditer(text)), list(allergy_places(text))
        found = []
        for first, start in enumerate(words):
            for last in range(first, min(first + RUN, len(words))):
                if last > first and _APART.search(text, words[last - 1].end(), words[last].start()):
                    break
                run = text[start.start() : words[last].end()]
                if run.lower() in self._plain or marked(text, start.start(), words[last].end()):
                    continue
                concepts, names = self._meaning(run)
                if concepts or names:
                    where = start.start(), words[last].end()
                    allergy = set(concepts) <= allergens(self._mesh) and any(
                        a <= where[0] and where[1] <= b for a, b in refused
                    )
                    found.append(Seen(*where, concepts, names, allergy))
        return found

    def _meaning(self, run: str) -> tuple[tuple[int, ...], tuple[str, ...]]:
        if run not in self._runs:
            named = self._health(run)
            outside = tuple(ident for ident in named if ident not in self._mesh)
            also = (h for ident in outside for h in rare_headings().get(ident, ()))
            inside = (self._mesh.index(i) for i in (*named, *also) if i in self._mesh)
            names = (*outside, run) if named and not SLASHED.fullmatch(run) else ()
            self._runs[run] = tuple(dict.fromkeys((*inside, *self._heading(run)))), names
        return self._runs[run]

    def _health(self, run: str) -> tuple[str, ...]:
        sense = self._lexicon.sense(run)
        if sense is None or sense.flags & _SKIPPED:
            return ()
        if sense.flags & Flag.CASED and sum(map(str.isupper, run)) < 2:
            return ()
        if is_bare_acronym(sense.flags):
            return ()
        return tuple(sense.concepts)

    def _heading(self, run: str) -> Iterator[int]:
        single = " " not in run and "-" not in run
        if single and (len(run) < 6 or not run.isalpha()):
            return  # short words are names of genes and letters of everyday words
        for concept in self._mesh.find(run):
            trees = {tree[0] for tree in self._mesh.tree_numbers(concept)}
            if not single or trees - _EVERYDAY:
                yield concept

    def _words_left(self, text: str) -> Iterator[str]:
        for topic in self._topics:
            pattern = word_pattern(topic.words)
            if pattern is not None and pattern.search(text):
                yield f"a word of the list for {topic.name} is left"
            if any(phrase.pattern.search(text) for phrase in topic.phrases):
                yield f"a phrase that discloses {topic.name} is left"

    def _codes_left(self, text: str) -> Iterator[str]:
        """ICD codes, announced or not: each has a concept of its own."""
        announced = {text[hit.start : hit.end] for hit in load_icd().scan(text)}
        for written in sorted({text[start:end] for start, end in code_places(text)}):
            code = load_icd().find(written)
            if code is None or (code.system != "icd-10-cm" and written not in announced):
                continue  # a price is written like a code of the ninth revision
            for concept in (c for c in code.concepts if c in self._mesh):
                yield from (
                    f"{fault} (as an ICD code)"
                    for fault in self._defined(self._mesh.index(concept))
                )

    def _plain_left(self, text: str, seen: Sequence[Seen]) -> Iterator[str]:
        inside = {place for one in seen for place in range(one.start, one.end)}
        yield from self._words.violations(text, inside)

    def _terms_left(self, seen: Sequence[Seen]) -> Iterator[str]:
        for concept in {c for one in seen for c in one.concepts if one.allergy}:
            yield from self._defined(concept)
        for concept in {c for one in seen for c in one.concepts if not one.allergy}:
            if concept not in self._judged:
                self._judged[concept] = next(self._faults(concept), "")
            if self._judged[concept]:
                yield self._judged[concept]
        names = {(name, one.allergy) for one in seen for name in one.names}
        for topic, (name, allergy) in itertools.product(self._topics, sorted(names)):
            if self._implied(topic, name) >= (ALMOST_ONLY if allergy else DECISIVE):
                yield f"a term implies {topic.name}"

    def _defined(self, concept: int) -> Iterator[str]:
        above = {concept, *self._mesh.ancestors(concept).tolist()}
        category = load_sensitivity().category(self._mesh.ids[concept])
        for topic in self._topics:
            if above & topic.roots or (topic.category and category == topic.category):
                yield f"a term names {topic.name}"
            if above & topic.related:
                yield f"a term on the list for {topic.name} is left"

    def _faults(self, concept: int) -> Iterator[str]:
        yield from self._defined(concept)
        ident = self._mesh.ids[concept]
        for topic in self._topics:
            if self._implied(topic, ident) >= DECISIVE:
                yield f"a term implies {topic.name}"
            ratio = self._ratio(topic, self._counts.row(concept)) if topic.roots else None
            if ratio is not None and ratio >= self._share:
                yield f"a term tells {ratio:.2f} of {topic.name}"

    def _implied(self, topic: Topic, ident: str) -> float:
        table, share = load_sensitivity(), 0.0
        for disease, part in load_inference().implied(ident):
            if disease not in self._mesh:
                continue
            above = self._mesh.ancestors(self._mesh.index(disease)).tolist()
            named = {self._mesh.index(disease), *above} & topic.roots
            if named or (topic.category and table.category(disease) == topic.category):
                share += part
        return share

    # -- groups

    def _groups(self, text: str, seen: Sequence[Seen]) -> Iterator[tuple[str, float]]:
        whole = self._outermost([one for one in seen if one.concepts and not one.allergy])
        for border in (r"(?<=[.!?])\s+|\n", r"\n\s*\n"):
            cuts = [0, *(hit.end() for hit in re.finditer(border, text)), len(text) + 1]
            for start, end in itertools.pairwise(cuts):
                inside = {s.concepts[0] for s in whole if start <= s.start < end}
                if 1 < len(inside) <= MOST_TERMS:
                    yield from self._group_ratios(sorted(inside))
        for entry, topic in zip(self._certificate["topics"], self._topics, strict=True):
            yield from ((topic.name, ratio) for _, ratio in self._beside(whole, entry, topic))

    def _beside(
        self, whole: Sequence[Seen], entry: Mapping[str, Any], topic: Topic
    ) -> Iterator[tuple[str, float]]:
        """What each other term tells beside each generalisation that stands for the topic."""
        for ident in entry["became"]:
            left = self._mesh.index(ident)
            for concept in {s.concepts[0] for s in whole}:
                if not self._related(left, concept):
                    row = self._counts.row(left) & self._counts.row(concept)
                    if (ratio := self._ratio(topic, row, group=True)) is not None:
                        yield ident, ratio

    def _understated(self, seen: Sequence[Seen]) -> Iterator[str]:
        """Sensitive terms beside whose generalisation more is told than is certified, or than τ."""
        whole = self._outermost([one for one in seen if one.concepts and not one.allergy])
        for entry, topic in zip(self._certificate["topics"], self._topics, strict=True):
            said = {one["became"]: one for one in entry.get("sensitive_terms", ())}
            for ident, ratio in self._beside(whole, entry, topic) if said else ():
                told, one = ratio * self._bits[topic.name], said.get(ident)
                if one and (told > one["most_dr"] + TOLERANCE_BITS or told >= one["tau"]):
                    yield f"the certificate understates what tells of {topic.name} beside {ident}"

    @staticmethod
    def _outermost(seen: Sequence[Seen]) -> list[Seen]:
        kept: list[Seen] = []
        for one in sorted(seen, key=lambda s: (s.start - s.end, s.start)):
            if all(one.end <= other.start or other.end <= one.start for other in kept):
                kept.append(one)
        return kept

    def _group_ratios(self, concepts: Sequence[int]) -> Iterator[tuple[str, float]]:
        for topic in self._topics:
            if not topic.roots:
                continue
            about = self._records[topic.name]
            able = [c for c in concepts if _ones(about & self._counts.row(c)) >= GROUP_SUPPORT[1]]
            for size in range(2, LARGEST + 1):
                for group in itertools.combinations(able, size):
                    if any(self._related(a, b) for a, b in itertools.combinations(group, 2)):
                        continue
                    row = np.bitwise_and.reduce([self._counts.row(c) for c in group])
                    if (ratio := self._ratio(topic, row, group=True)) is not None:
                        yield topic.name, ratio

    def _related(self, one: int, other: int) -> bool:
        return self._mesh.is_a(one, other) or self._mesh.is_a(other, one)

    # -- counting

    def _union(self, topic: Topic) -> Row:
        rows = [self._counts.row(root) for root in topic.roots]
        empty = np.zeros(-(-self._counts.records // 64), dtype=np.uint64)
        union: Row = np.bitwise_or.reduce([empty, *rows])
        return union

    def _information(self, row: Row) -> float:
        rarest = self._counts.records / SUPPORT
        return math.log2(min(self._counts.records / _ones(row), rarest) if row.any() else rarest)

    def _ratio(self, topic: Topic, row: Row, *, group: bool = False) -> float | None:
        about = self._records[topic.name]
        alone, given, joint = _ones(about), _ones(row), _ones(about & row)
        few, few_joint = GROUP_SUPPORT if group else (SUPPORT, SUPPORT_JOINT)
        if alone < SUPPORT or given < few or joint < few_joint:
            return None
        ratios = math.log2(joint / given) - math.log2(alone / self._counts.records)
        return ratios / self._bits[topic.name]


def _ones(row: Row) -> int:
    return int(np.bitwise_count(row).sum())
