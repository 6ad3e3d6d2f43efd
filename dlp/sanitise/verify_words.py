"""Check the words of an output, alone, by the sentence and paragraph, afresh.

In: a text, the places of its terms, topics and α.  Out: violations in words.

Everything is counted afresh from the records: MEDLINE's, and those of the site's own texts where it
compiled some. Shared with the sanitiser are only the numbers that say what counts.
"""

from __future__ import annotations

import functools
import math
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from dlp.knowledge.cooccurrence import SUPPORT, SUPPORT_JOINT, Cooccurrence, load_cooccurrence
from dlp.knowledge.cowords import Cowords, load_cowords
from dlp.knowledge.health import load_health
from dlp.knowledge.marks import marked
from dlp.knowledge.mesh import load_mesh
from dlp.knowledge.ownwords import load_own_words
from dlp.knowledge.people import load_people
from dlp.knowledge.related import load_related
from dlp.knowledge.site import site_folder
from dlp.sanitise.plainwords import (
    BROAD_BITS,
    CALENDAR,
    FLOOR,
    FLOOR_EVERYWHERE,
    OWN_BITS,
    PRIOR,
)
from dlp.sanitise.terms import FUNCTION
from dlp.sanitise.topics import Topic

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
        for ends in (_ENDS, _BLANK) if self._everywhere else (_ENDS,):
            kind = "sentence" if ends is _ENDS else "paragraph"
            for words in self._stretches(text, terms, ends):
                for topic in self._topics:
                    yield from self._too_much(topic, words, kind)

    def _too_much(self, topic: Topic, words: Mapping[str, bool], kind: str) -> Iterator[str]:
        floor = FLOOR_EVERYWHERE if self._everywhere else FLOOR
        told = [t for word, plain in words.items() if (t := self.told(topic, word, plain)) >= floor]
        if any(t >= self._share for t in told):
            yield f"a plain word tells too much of {topic.name}"
        narrow = self._bits(topic, self._medline) >= BROAD_BITS
        if narrow and sum(told) >= self._share:
            yield f"the words of a {kind} tell {sum(told):.2f} of {topic.name}"

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
    def told(self, topic: Topic, word: str, plain: bool = True) -> float:
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
