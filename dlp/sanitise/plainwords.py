"""What the plain words between the terms tell about a confidential topic.

In: a text, its terms, topics and α.  Out: words to leave out, with the risk; what is left, in bits.

Words that no ontology lists still point to a topic: records say how much. A word that tells
IC(c)/α by itself goes, and so do the most telling words of a sentence whose words together tell
as much. Together is the sum: given the topic, words are taken as independent, which overstates what
they tell and is on the safe side. For a broad topic sums mean nothing, since every sentence about
health tells a little of it, and only single words count. Where a site has compiled its own texts,
they are asked beside MEDLINE, and a word tells what it tells to the one that learns more.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from dlp.knowledge.cooccurrence import SUPPORT, SUPPORT_JOINT
from dlp.knowledge.cowords import WORD, Cowords, load_cowords
from dlp.knowledge.ownwords import load_own_words
from dlp.knowledge.people import load_people
from dlp.knowledge.related import load_related
from dlp.knowledge.site import site_folder
from dlp.sanitise.disclosure import Risk
from dlp.sanitise.information import Information, popcount
from dlp.sanitise.terms import FUNCTION, Term
from dlp.sanitise.topics import Topic

FLOOR = 0.15  # of IC(c): what a word tells below it is noise; bench/attack.py picked it
BROAD_BITS = 5.0  # IC(c) of a topic on more than 3 % of the records
OWN_BITS = 2.0  # of a topic on more than a quarter of a site's texts nothing can be learnt there
PRIOR = 2.0  # records that speak for nothing, added to those of a word
CALENDAR = frozenset(
    [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
        "today",
        "yesterday",
        "year",
        "month",
        "week",
        "day",
    ]
)
SENTENCE = re.compile(r"(?<=[.!?])\s+|\n")
Place = tuple[int, int, str]  # start, end, word


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
        told = math.log2((joint + PRIOR * chance) / (len(held) + PRIOR) / chance)
        return max(0.0, told / bits)


class PlainWords:
    def __init__(
        self, topics: Iterable[Topic], alpha: float, information: Information, said: Iterable[str]
    ) -> None:
        self._topics = [topic for topic in topics if topic.counted]
        self._share = 1 / alpha
        self._information = information
        self._sources = [Source(information, load_cowords())]
        if own := load_own_words(site_folder()):
            self._sources.append(Source(Information(own[0]), own[1], least=OWN_BITS))
        # Words that replacements are made of would be taken out again, and again.
        ours = {w for text in (*load_related().plain, *said) for w in WORD.findall(text)}
        self._ours = ours | FUNCTION | CALENDAR | set(load_people().titles)
        self._ratios: dict[tuple[str, str], float] = {}

    def places(self, text: str, terms: Sequence[Term]) -> list[Place]:
        """Words that are no part of a term, and not of a mark."""
        busy = np.zeros(len(text) + 1, dtype=np.bool_)
        for term in terms:
            busy[term.start : term.end] = True
        return [
            (hit.start(), hit.end(), hit.group())
            for hit in WORD.finditer(text.lower())
            if not busy[hit.start()]
            and any(hit.group() in source.words for source in self._sources)
            and not _inside_mark(text, hit)
        ]

    def ratio(self, topic: Topic, word: str) -> float:
        """PMI(c; w) / IC(c), drawn towards nothing where few records hold the word."""
        key = (topic.name, word)
        if key not in self._ratios:
            self._ratios[key] = 0.0 if word in self._ours else self._measure(topic, word)
        return self._ratios[key]

    def _measure(self, topic: Topic, word: str) -> float:
        return max(source.ratio(topic, word) for source in self._sources)

    def risky(self, text: str, terms: Sequence[Term]) -> dict[str, Risk]:
        """Words to leave out wherever they stand in the document."""
        found: dict[str, Risk] = {}
        places = self.places(text, terms)
        for topic in self._topics:
            for words in self._sentences(text, places):
                for word, ratio in self._too_much(topic, words - found.keys()):
                    found[word] = Risk(topic.name, "words", min(ratio, 1.0))
        return found

    def _too_much(self, topic: Topic, words: set[str]) -> Iterator[tuple[str, float]]:
        """The most telling words, until the rest of the sentence is safe."""
        told = {w: r for w in words if (r := self.ratio(topic, w)) >= FLOOR}
        left = sum(told.values()) if self._summed(topic) else 0.0
        for word in sorted(told, key=lambda w: (-told[w], w)):
            if told[word] < self._share and left < self._share:
                return
            left -= told[word]
            yield word, told[word]

    def _summed(self, topic: Topic) -> bool:
        return self._information.topic_ic(topic) >= BROAD_BITS

    def most(self, text: str, terms: Sequence[Term]) -> dict[str, float]:
        """What words, alone or in a sentence, still tell about each topic."""
        places, most = self.places(text, terms), dict.fromkeys((t.name for t in self._topics), 0.0)
        for topic in self._topics:
            for words in self._sentences(text, places):
                told = [r for w in words if (r := self.ratio(topic, w)) >= FLOOR]
                sums = sum(told) if self._summed(topic) else max(told, default=0.0)
                most[topic.name] = max(most[topic.name], sums)
        return most

    @staticmethod
    def _sentences(text: str, places: Sequence[Place]) -> Iterator[set[str]]:
        borders = [hit.end() for hit in SENTENCE.finditer(text)]
        place = 0
        for border in (*borders, len(text) + 1):
            words = set()
            while place < len(places) and places[place][0] < border:
                words.add(places[place][2])
                place += 1
            if words:
                yield words


def _inside_mark(text: str, hit: re.Match[str]) -> bool:
    opened = text.rfind("[", max(0, hit.start() - 20), hit.start())
    return opened >= 0 and text.find("]", opened, hit.end() + 20) >= hit.end()
