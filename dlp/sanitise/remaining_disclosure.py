"""What an output still discloses, and the stretches of text in which terms disclose together.

In: a text, its terms.  Out: the terms of each sentence and paragraph; the most left, by topic.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from dlp.sanitise.term_finder import Term

SENTENCE = re.compile(r"(?<=[.!?])\s+|\n")
PARAGRAPH = re.compile(r"\n\s*\n")


@dataclass(slots=True)
class Remaining:
    """The most that still tells about each topic, as a share of its information."""

    terms: dict[str, float] = field(default_factory=dict)
    groups: dict[str, float] = field(default_factory=dict)
    words: dict[str, float] = field(default_factory=dict)  # plain ones, alone or in a sentence
    # What a topic became (MeSH ids), and the most that another term tells beside it.
    beside: dict[str, dict[str, float]] = field(default_factory=dict)
    unchecked: int = 0  # paragraphs too long for groups across sentences

    def over(self, alpha: float) -> list[str]:
        """Topics that are still disclosed."""
        each = (self.terms, self.groups, self.words)
        most = ((t, max(ratios.get(t, 0) for ratios in each)) for t in self._topics())
        return sorted(topic for topic, ratio in most if ratio >= 1 / alpha)

    def _topics(self) -> set[str]:
        return {*self.terms, *self.groups, *self.words}

    def note(self, where: dict[str, float], topic: str, ratio: float) -> None:
        where[topic] = max(where.get(topic, 0.0), ratio)


def contexts(text: str, page: Sequence[Term], pattern: re.Pattern[str]) -> Iterator[list[Term]]:
    """The terms of each sentence or paragraph that holds more than one, allergies apart."""
    borders = [hit.end() for hit in pattern.finditer(text)]
    place = 0
    for border in (*borders, len(text) + 1):
        inside = []
        while place < len(page) and page[place].start < border:
            if not page[place].allergy:
                inside.append(page[place])
            place += 1
        if len(inside) > 1:
            yield inside
