"""How common an English word is, and how often it is written as a name.

In: words.  Out: Zipf frequencies (log₁₀ of occurrences per thousand million) and shares.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from dlp.knowledge.artefact import Artefact, load
from dlp.knowledge.hashing import Hashes, HashTable, hash_words

UNKNOWN = 255
# "the", "after", "because" start a sentence and carry a capital in about one case of twelve.
SENTENCE_STARTS = 0.08
Floats = npt.NDArray[np.float64]


class Words:
    """The 220,000 most frequent words of English; what is not among them has frequency 0."""

    def __init__(self, artefact: Artefact) -> None:
        self.table = HashTable(artefact, "word")
        self._zipf = artefact["zipf"]
        self._capital = artefact["capital"]

    def __len__(self) -> int:
        return len(self.table)

    @property
    def columns(self) -> tuple[npt.NDArray[np.uint16], npt.NDArray[np.uint8]]:
        """A hundred times the frequency of each word, 250 times the share of its capitals."""
        return self._zipf, self._capital

    def zipf(self, word: str) -> float:
        """Zipf frequency: "the" 7.7, "patient" 4.8, "metformin" 2.5; 0 when unknown."""
        return float(self.zipfs([word])[0])

    def zipfs(self, words: Sequence[str]) -> Floats:
        return self.look_up(hash_words(words))[0]

    def proper_share(self, word: str) -> float:
        """How often the word is a proper noun: near 0 for "patient", near 1 for "john".

        Counted from capitals; NaN when no count exists.
        """
        return float(self.proper_shares([word])[0])

    def proper_shares(self, words: Sequence[str]) -> Floats:
        return self.look_up(hash_words(words))[1]

    def look_up(self, hashes: Hashes) -> tuple[Floats, Floats]:
        """Zipf frequencies and proper shares of words hashed before."""
        found = self.table.find(hashes)
        zipf = np.where(found < 0, 0.0, self._zipf[found] / 100)
        stored = self._capital[found]
        share = (stored / 250 - SENTENCE_STARTS) / (1 - SENTENCE_STARTS)
        unknown = (found < 0) | (stored == UNKNOWN)
        return zipf, np.where(unknown, np.nan, np.clip(share, 0, 1))

    def look_up_one(self, key: int) -> tuple[float, float | None]:
        """The same for one word; no share when no count exists."""
        found = self.table.find_one(key)
        if found < 0:
            return 0.0, None
        stored = int(self._capital[found])
        share = (stored / 250 - SENTENCE_STARTS) / (1 - SENTENCE_STARTS)
        known = stored != UNKNOWN
        return int(self._zipf[found]) / 100, min(max(share, 0.0), 1.0) if known else None

    def contains(self, words: Sequence[str]) -> npt.NDArray[np.bool_]:
        return self.table.find(hash_words(words)) >= 0


@functools.cache
def load_words(folder: Path | None = None) -> Words:
    return Words(load("words", folder))
