"""What words tell about a confidential topic: the plain ones between the terms, or every one.

In: a text, its terms, topics and α.  Out: words to leave out, with the risk; what is left, in bits.

Words that no ontology lists still point to a topic: records say how much. A word that tells
IC(c)/α by itself goes, and so do the most telling words of a sentence whose words together tell
as much. Together is the sum: given the topic, words are taken as independent, which overstates what
they tell and is on the safe side. For a broad topic sums mean nothing, since every sentence about
health tells a little of it, and only single words count; the same holds for the words of a form,
which everybody gets alike. Where a site has compiled its own texts, they are asked beside MEDLINE,
and a word tells what it tells to the one that learns more.

Against somebody who knows texts like these (Against.WORDS) words inside terms and replacements
count too, by the site's own texts, and paragraphs are summed like sentences.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dlp.knowledge.cooccurrence import (
    SUPPORT,
    SUPPORT_JOINT,
    TOKEN,
    WORD,
    Cowords,
    load_cowords,
    load_own_words,
)
from dlp.knowledge.marks import marked
from dlp.knowledge.people import load_people
from dlp.knowledge.site_knowledge import site_folder
from dlp.knowledge.topic_words import load_related, without_labels
from dlp.sanitise.disclosure import Risk
from dlp.sanitise.information_content import Information, popcount
from dlp.sanitise.protected_topics import Topic
from dlp.sanitise.remaining_disclosure import PARAGRAPH, SENTENCE
from dlp.sanitise.term_finder import FUNCTION, Term
from dlp.text.reader import read_structure

FLOOR = 0.15  # of IC(c): what a word tells below it is noise; bench/attack.py picked it
FLOOR_EVERYWHERE = 0.1  # against who weighs every word, and much noise too; picked by --half tuning
BROAD_BITS = 5.0  # IC(c) of a topic on more than 3 % of the records
OWN_BITS = 2.0  # of a topic on more than a quarter of a site's texts nothing can be learnt there
PRIOR = 2.0  # records that speak for nothing, added to those of a word
CALENDAR = frozenset({
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december", "monday", "tuesday", "wednesday", "thursday", "friday",
    "saturday", "sunday", "today", "yesterday", "year", "month", "week", "day",
})  # fmt: skip


class Place(NamedTuple):
    start: int
    end: int
    word: str
    inside: bool = False  # of a term


class Source:
    """Records that say what words tell: MEDLINE's, or those of a site's own texts."""

    def __init__(self, information: Information, words: Cowords, least: float = 0.0) -> None:
        self._information, self.words, self._least = information, words, least
        self._about: dict[str, npt.NDArray[np.bool_]] = {}

    def ratio(self, topic: Topic, word: str) -> float:
        row, bits = self._information.row(topic), self._information.topic_ic(topic)
        if topic.name not in self._about:
            self._about[topic.name] = np.unpackbits(row.view(np.uint8)).astype(np.bool_)
        held = self.words.holding(word)
        joint, alone = int(self._about[topic.name][held].sum()), popcount(row)
        if alone < SUPPORT or joint < SUPPORT_JOINT or bits < self._least:
            return 0.0
        chance = alone / self._information.records
        ratios = math.log2((joint + PRIOR * chance) / (len(held) + PRIOR) / chance)
        return max(0.0, ratios / bits)


class PlainWords:
    """Words between the terms; `everywhere`, those inside terms and replacements as well."""

    def __init__(
        self,
        topics: Iterable[Topic],
        alpha: float,
        information: Information,
        said: Iterable[str],
        *,
        everywhere: bool = False,
    ) -> None:
        self._topics = [topic for topic in topics if topic.counted]
        self._share = 1 / alpha
        self._information = information
        self._everywhere = everywhere
        self._floor = FLOOR_EVERYWHERE if everywhere else FLOOR
        self._sources = [Source(information, load_cowords())]
        if own := load_own_words(site_folder()):
            self._sources.append(Source(Information(own[0]), own[1], least=OWN_BITS))
        self._never = FUNCTION | CALENDAR | set(load_people().titles)
        if not everywhere:
            # Words that replacements are made of would be taken out again, and again.
            self._never |= {w for t in (*load_related().plain, *said) for w in WORD.findall(t)}
        self._ratios: dict[tuple[str, str, bool], float] = {}

    def places(self, text: str, terms: Sequence[Term]) -> list[Place]:
        """Words that records know, and not of a mark; those inside terms only when asked for."""
        busy = np.zeros(len(text) + 1, dtype=np.bool_)
        for term in terms:
            busy[term.start : term.end] = True
        return [
            Place(hit.start(), hit.end(), hit.group(), bool(busy[hit.start()]))
            for hit in TOKEN.finditer(without_labels(text).lower())
            if (self._everywhere or not busy[hit.start()])
            and any(hit.group() in source.words for source in self._sources)
            and not marked(text, *hit.span())
        ]

    def ratio(self, topic: Topic, word: str, *, inside: bool = False) -> float:
        """PMI(c; w) / IC(c), drawn towards nothing where few records hold the word.

        What a word inside a term tells to MEDLINE is the term's affair, whose concept it knows.
        """
        key = (topic.name, word, inside)
        if key not in self._ratios:
            asked = self._sources[1:] if inside else self._sources
            ratios = (source.ratio(topic, word) for source in asked)
            self._ratios[key] = 0.0 if word in self._never else max(ratios, default=0.0)
        return self._ratios[key]

    def risky(self, text: str, terms: Sequence[Term]) -> dict[str, Risk]:
        """Words to leave out wherever they stand in the document."""
        found: dict[str, Risk] = {}
        places, printed = self.places(text, terms), is_printed(text)
        for topic in self._topics:
            for context in self._contexts(text, places):
                rest = [place for place in context if place.word not in found]
                for word, ratio in self._too_much(topic, rest, printed=printed):
                    found[word] = Risk(topic.name, "words", min(ratio, 1.0))
        return found

    def _ratios_of(self, topic: Topic, places: Sequence[Place]) -> dict[str, float]:
        """What each word of a context tells, where that is more than noise."""
        ratios: dict[str, float] = {}
        for place in places:
            ratio = self.ratio(topic, place.word, inside=place.inside)
            if ratio >= self._floor:
                ratios[place.word] = max(ratio, ratios.get(place.word, 0.0))
        return ratios

    def _too_much(
        self, topic: Topic, places: Sequence[Place], *, printed: bool = False
    ) -> Iterator[tuple[str, float]]:
        """The most telling words, until the rest of the context is safe.

        Words of terms come last: with them goes the information that a reader wants.
        """
        ratios, inside = self._ratios_of(topic, places), {p.word for p in places if p.inside}
        left = sum(ratios.values()) if self._summed(topic, printed=printed) else 0.0
        alone = {word for word in ratios if ratios[word] >= self._share}
        for word in sorted(ratios, key=lambda w: (w not in alone, w in inside, -ratios[w], w)):
            if word not in alone and left < self._share:
                return
            left -= ratios[word]
            yield word, ratios[word]

    def _summed(self, topic: Topic, *, printed: bool) -> bool:
        return self._information.topic_ic(topic) >= BROAD_BITS and not printed

    def most(self, text: str, terms: Sequence[Term]) -> dict[str, float]:
        """What words, alone or in a context, still tell about each topic."""
        most, printed = dict.fromkeys((t.name for t in self._topics), 0.0), is_printed(text)
        places = self.places(text, terms)
        for topic in self._topics:
            for context in self._contexts(text, places):
                ratios = self._ratios_of(topic, context).values()
                added = self._summed(topic, printed=printed)
                sums = sum(ratios) if added else max(ratios, default=0.0)
                most[topic.name] = max(most[topic.name], sums)
        return most

    def _contexts(self, text: str, places: Sequence[Place]) -> Iterator[list[Place]]:
        """Sentences; against who weighs every word, paragraphs as well."""
        for pattern in (SENTENCE, PARAGRAPH) if self._everywhere else (SENTENCE,):
            yield from _cut(text, places, pattern)


def is_printed(text: str) -> bool:
    """Whether a text is a form: what is printed says the same to everybody who gets one."""
    return read_structure(text).is_form


def _cut(text: str, places: Sequence[Place], pattern: re.Pattern[str]) -> Iterator[list[Place]]:
    borders = [hit.end() for hit in pattern.finditer(text)]
    number = 0
    for border in (*borders, len(text) + 1):
        inside = []
        while number < len(places) and places[number].start < border:
            inside.append(places[number])
            number += 1
        if inside:
            yield inside
