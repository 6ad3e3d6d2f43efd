"""Whether a term, alone or with others, tells too much about a confidential topic.

In: topics, α, terms.  Out: risks with their reason and PMI/IC ratio; groups to break up.

A topic is disclosed when PMI(c; t) >= IC(c)/α. What names c, or stands on its curated list, is
never left to statistics; where statistics are thin, nearness in the tree decides, on the safe side.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from dlp.knowledge.cooccurrence import SUPPORT, Row
from dlp.knowledge.inference import ALMOST_ONLY, DECISIVE, Inference, load_inference
from dlp.knowledge.mesh import Mesh, load_mesh, sd
from dlp.knowledge.sensitivity import load_sensitivity
from dlp.knowledge.topic_words import word_pattern
from dlp.sanitise.information_content import GROUP_SUPPORT, Information, popcount
from dlp.sanitise.protected_topics import Topic
from dlp.sanitise.term_finder import Term

CLOSE = 0.45  # distance below which a concept without statistics is as good as the topic
LARGEST_GROUP = 4
CONTEXT_TERMS = 80  # of a paragraph; a longer one is checked sentence by sentence only


@dataclass(frozen=True, slots=True)
class Risk:
    topic: str
    why: str  # names, related, implies, tells, close, together, phrase
    ratio: float  # PMI / IC, 1 where the answer does not come from counts


class Disclosure:
    """The test of one plan: topics and α."""

    def __init__(
        self, topics: Iterable[Topic], alpha: float, information: Information | None = None
    ) -> None:
        self.topics = tuple(topics)
        self.alpha = alpha
        self.information = information or Information()
        self._mesh: Mesh = load_mesh()
        self._inference: Inference = load_inference()
        self._patterns = {topic.name: word_pattern(topic.words) for topic in self.topics}
        self._bits = {t.name: self.information.topic_ic(t) for t in self.topics if t.counted}
        self._known: dict[int, Risk | None] = {}

    def of_term(self, term: Term) -> Risk | None:
        """The first reason a term may not stay."""
        if term.instead:
            return Risk(term.topic, "phrase", 1.0)
        named = (*term.concepts, *term.nested)
        if term.allergy:  # neither inference nor counts, which are about those who take it
            matches = (self._by_definition(t, c) for c in named for t in self.topics)
            return (
                next(filter(None, matches), None)
                or self._implied((*term.records, term.text), ALMOST_ONLY)
                or self.of_words(term.text)
            )
        return (
            self.of_concepts(named)
            or self._implied((*term.records, term.text))
            or self.of_words(term.text)
        )

    def _implied(self, named: Iterable[str], least: float = DECISIVE) -> Risk | None:
        """By number and by wording: MeSH keeps many new drugs outside its tree."""
        matches = (t for name in named for t in self.topics if self._implies(t, name, least))
        return next((Risk(topic.name, "implies", 1.0) for topic in matches), None)

    def of_words(self, text: str) -> Risk | None:
        """Whether the wording itself holds a word of a curated list."""
        for topic in self.topics:
            pattern = self._patterns[topic.name]
            if pattern is not None and pattern.search(text):
                return Risk(topic.name, "related", 1.0)
        return None

    def of_concepts(self, concepts: Iterable[int]) -> Risk | None:
        risks = (self._of_concept(concept) for concept in concepts)
        return next((risk for risk in risks if risk), None)

    def _of_concept(self, concept: int) -> Risk | None:
        if concept not in self._known:
            risks = (self._about(topic, concept) for topic in self.topics)
            self._known[concept] = next((risk for risk in risks if risk), None)
        return self._known[concept]

    def _by_definition(self, topic: Topic, concept: int) -> Risk | None:
        if self._names(topic, concept):
            return Risk(topic.name, "names", 1.0)
        if any(self._mesh.is_a(concept, listed) for listed in topic.related):
            return Risk(topic.name, "related", 1.0)
        return None

    def _about(self, topic: Topic, concept: int) -> Risk | None:
        if risk := self._by_definition(topic, concept):
            return risk
        if self._implies(topic, self._mesh.ids[concept]):
            return Risk(topic.name, "implies", 1.0)
        return self._by_counts(topic, concept) if topic.counted else None

    def _names(self, topic: Topic, concept: int) -> bool:
        """A synonym or a specialisation; for a category also what experts read as it."""
        if any(self._mesh.is_a(concept, root) for root in topic.roots):
            return True
        ident = self._mesh.ids[concept]
        return bool(topic.category) and load_sensitivity().category(ident) == topic.category

    def _implies(self, topic: Topic, named: str, least: float = DECISIVE) -> bool:
        """A drug, test or procedure that most often means the topic."""
        share = 0.0
        for disease, part in self._inference.implied(named):
            if disease in self._mesh and self._names(topic, self._mesh.index(disease)):
                share += part
        return share >= least

    def _by_counts(self, topic: Topic, concept: int) -> Risk | None:
        bits = self._bits[topic.name]
        ratio = self.ratio(topic, concept)
        if ratio is not None:
            return Risk(topic.name, "tells", ratio) if ratio * bits >= bits / self.alpha else None
        if self.information.count(concept) >= SUPPORT:
            return None  # seen often enough, with the topic too rarely to speak of
        near = any(sd(concept, root, self._mesh) < CLOSE for root in topic.roots)
        above = [self.ratio(topic, p) or 0.0 for p in self._mesh.parents(concept).tolist()]
        if near or any(r * bits >= bits / self.alpha for r in above):
            return Risk(topic.name, "close", 1.0)
        return None

    def ratio(self, topic: Topic, *concepts: int) -> float | None:
        """PMI / IC of concepts together; at most 1."""
        pmi = self.information.pmi(topic, *concepts)
        return None if pmi is None else pmi / self._bits[topic.name]

    def groups(self, concepts: Sequence[int]) -> Iterable[tuple[Topic, tuple[int, ...], float]]:
        """Groups in one context that tell too much though none of their members does.

        Any group that counts needs records that hold it and the topic, and so does each part of
        it; so groups grow from pairs that pass.
        """
        for topic in self.topics:
            if topic.counted and len(concepts) > 1:
                yield from self._groups(topic, sorted(set(concepts)))

    def _groups(
        self, topic: Topic, concepts: Sequence[int]
    ) -> Iterable[tuple[Topic, tuple[int, ...], float]]:
        information, about = self.information, self.information.row(topic)
        few, few_joint = GROUP_SUPPORT
        able = [c for c in concepts if self._joint(topic, c) >= few_joint]
        level: list[tuple[tuple[int, ...], Row]]
        level = [((c,), information.concept_row(c)) for c in able]
        for size in range(2, LARGEST_GROUP + 1):
            grown: list[tuple[tuple[int, ...], Row]] = []
            for group, row in level:
                later = [c for c in able if c > group[-1]]
                if not later:
                    continue
                rows = np.stack([information.concept_row(c) for c in later]) & row
                together = np.bitwise_count(rows).sum(axis=1)
                joint = np.bitwise_count(rows & about).sum(axis=1)
                for place in np.flatnonzero((joint >= few_joint) & (together >= few)):
                    bigger = (*group, later[place])
                    bits = np.log2(
                        joint[place] * information.records / (popcount(about) * together[place])
                    )
                    grown.append((bigger, rows[place]))
                    if not self._kin(bigger):
                        yield topic, bigger, float(bits) / self._bits[topic.name]
            level = grown if size < LARGEST_GROUP else []

    @functools.cached_property
    def _joints(self) -> dict[tuple[str, int], int]:
        return {}

    def _joint(self, topic: Topic, concept: int) -> int:
        key = (topic.name, concept)
        if key not in self._joints:
            row = self.information.row(topic) & self.information.concept_row(concept)
            self._joints[key] = popcount(row)
        return self._joints[key]

    def _kin(self, group: tuple[int, ...]) -> bool:
        """A concept beside its own generalisation adds nothing to it."""
        pairs = itertools.permutations(group, 2)
        return any(self._mesh.is_a(a, b) for a, b in pairs)

    def beside(
        self, topic: Topic, left: int, concepts: Iterable[int]
    ) -> Iterable[tuple[int, float]]:
        """Concepts that tell too much beside a generalisation left in the text.

        DR(c; t) = PMI(c; t) + IC(g) - PMI(g; t) is PMI(c; {g, t}), since c lies below g.
        """
        for concept in sorted(set(concepts)):
            if not self._kin((left, concept)):
                ratio = self.ratio(topic, *sorted((left, concept)))
                if ratio is not None:
                    yield concept, ratio

    def risky(self, ratio: float) -> bool:
        return ratio >= 1 / self.alpha
