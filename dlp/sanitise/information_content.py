"""How many bits a term or a group of terms tells about a topic.

In: topics, MeSH indices.  Out: IC and PMI in bits, None where the evidence is thin.

Counts follow Resnik: an occurrence counts for everything above it. So p(t AND g(t)) = p(t), and
counts are contextualised by their generalisations as they stand.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from dlp.knowledge.cooccurrence import (
    SUPPORT,
    SUPPORT_JOINT,
    Cooccurrence,
    Row,
    load_cooccurrence,
)
from dlp.sanitise.protected_topics import Topic

# Records that hold a group, and the topic with it. A page has a thousand groups and only a hundred
# terms, so chance alone shows many that fewer records would seem to prove: with half as many, one
# harmless term in a hundred more goes and no attacker of bench/attack.py learns less.
GROUP_SUPPORT = (30, 12)
# Records about a topic, below which counts say nothing: a term must share SUPPORT_JOINT of them to
# be judged at all, and with 9 records about a topic two terms in 30,000 do.
TOPIC_SUPPORT = 30


class Information:
    """Counts of topics (unions of concepts) and of groups of concepts, remembered."""

    def __init__(self, statistics: Cooccurrence | None = None) -> None:
        self._counts = statistics or load_cooccurrence()
        self.records = self._counts.records
        self.most = math.log2(self.records / SUPPORT)  # bits of anything too rare to count
        self._topics: dict[frozenset[int], Row] = {}
        self._pmi: dict[tuple[frozenset[int], tuple[int, ...]], float | None] = {}

    def row(self, topic: Topic) -> Row:
        """The records that hold the topic."""
        row = self._topics.get(topic.roots)
        if row is None:
            row = np.zeros(-(-self.records // 64), dtype=np.uint64)
            for root in topic.roots:
                row = row | self._counts.row(root)
            self._topics[topic.roots] = row
        return row

    def concept_row(self, concept: int) -> Row:
        return self._counts.row(concept)

    def ic(self, concept: int) -> float:
        """Bits of a concept; what is too rare to count tells the same as the rarest counted."""
        return min(self._counts.ic(concept), self.most)

    def count(self, *concepts: int) -> int:
        return self._counts.count(*concepts)

    def topic_ic(self, topic: Topic) -> float:
        count = popcount(self.row(topic))
        return min(math.log2(self.records / max(count, 0.5)), self.most) if count else self.most

    def measurable(self, topic: Topic) -> bool:
        """Whether records, or a category that lists were read and measured for, can tell of it.

        A list alone knows a third of what gives such a topic away (bench/results/sanitise.md).
        """
        counted = topic.counted and popcount(self.row(topic)) >= TOPIC_SUPPORT
        return bool(topic.category) or counted

    def pmi(self, topic: Topic, *terms: int) -> float | None:
        """Bits that terms together tell about a topic; None when too few records hold them."""
        key = (topic.roots, terms)
        if key not in self._pmi:
            self._pmi[key] = self._measure(topic, terms)
        return self._pmi[key]

    def _measure(self, topic: Topic, terms: tuple[int, ...]) -> float | None:
        about = self.row(topic)
        row = self.together(terms)
        alone, given, joint = popcount(about), popcount(row), popcount(about & row)
        few, few_joint = (SUPPORT, SUPPORT_JOINT) if len(terms) == 1 else GROUP_SUPPORT
        if alone < SUPPORT or given < few or joint < few_joint:
            return None
        return math.log2(joint * self.records / (alone * given))

    def together(self, terms: Sequence[int]) -> Row:
        row = self._counts.row(terms[0])
        for term in terms[1:]:
            row = row & self._counts.row(term)
        return row


def popcount(row: Row) -> int:
    return int(np.bitwise_count(row).sum())
