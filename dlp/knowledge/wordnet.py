"""General nouns: what a word can mean, what each meaning is a kind of, how informative it is.

In: a noun, singular or plural.  Out: numbers of senses (synsets), their names and relations.

Information content is -log2 of the share of noun occurrences in the British National Corpus that
are of this sense or below it; it never grows upwards, and the root has none.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from dlp.knowledge.artefact import Array, Artefact, load

# WordNet's own rules for regular plurals: ending -> endings of the singular, in this order.
ENDINGS = (
    ("ches", "ch"),
    ("shes", "sh"),
    ("ses", "s"),
    ("xes", "x"),
    ("zes", "z"),
    ("men", "man"),
    ("ies", "y"),
    ("s", ""),
)


class WordNet:
    def __init__(self, artefact: Artefact) -> None:
        self._lemma = SortedStrings(artefact, "lemma")
        self._exception = SortedStrings(artefact, "exception")
        self._exception_lemma = artefact["exception.lemma"]
        self._sense, self._above = artefact["sense"], artefact["above"]
        self._sense_end = np.cumsum(artefact["sense.length"], dtype=np.int64)
        self._above_end = np.cumsum(artefact["above.length"], dtype=np.int64)
        self._preferred = artefact["preferred"]
        self._information = artefact["information"]

    def __len__(self) -> int:
        return len(self._information)

    def synsets(self, noun: str) -> tuple[int, ...]:
        """Return the senses of a noun, the most frequent first; plurals are understood."""
        for lemma in self.singulars(noun):
            at = self._lemma.find(lemma)
            if at is not None:
                return _items(self._sense, self._sense_end, at)
        return ()

    def lemma(self, noun: str) -> str | None:
        """Return the noun as the dictionary lists it: "Mice" -> "mouse"."""
        known = (lemma for lemma in self.singulars(noun) if self._lemma.find(lemma) is not None)
        return next(known, None)

    def singulars(self, noun: str) -> Iterator[str]:
        """Yield what the noun could be the plural of, itself first; each guess may be no word."""
        word = " ".join(noun.lower().replace("_", " ").split())
        yield word
        irregular = self._exception.find(word)
        if irregular is not None:
            yield self._lemma[int(self._exception_lemma[irregular])]
        if word.endswith("ss") or len(word) <= 2:
            return
        for ending, singular in ENDINGS:
            if word.endswith(ending):
                yield word[: -len(ending)] + singular

    def lemmas(self, synset: int) -> tuple[str, ...]:
        """Return the words for a sense; the first is the one to write."""
        first = int(self._preferred[synset])
        start = int(np.searchsorted(self._by_synset[0], synset))
        end = int(np.searchsorted(self._by_synset[0], synset, "right"))
        others = sorted({int(lemma) for lemma in self._by_synset[1][start:end]} - {first})
        return tuple(self._lemma[lemma] for lemma in (first, *others))

    def hypernyms(self, synset: int) -> tuple[int, ...]:
        """Return what the sense is directly a kind or an instance of."""
        return _items(self._above, self._above_end, synset)

    def subsumers(self, synset: int) -> frozenset[int]:
        """Return the sense and everything it is a kind of, up to "entity"."""
        found: set[int] = set()
        waiting = [synset]
        while waiting:
            current = waiting.pop()
            if current not in found:
                found.add(current)
                waiting += self.hypernyms(current)
        return frozenset(found)

    def ic(self, synset: int) -> float:
        """Information content in bits: 0 for "entity", 10 for "disease", 22 for "chlamydia"."""
        return float(self._information[synset]) / 1000

    @functools.cached_property
    def _by_synset(self) -> tuple[Array, Array]:
        """Senses sorted, with the lemma of each; the file keeps only the other direction."""
        lengths = np.diff(self._sense_end, prepend=np.int64(0))
        lemma = np.repeat(np.arange(len(lengths), dtype=np.uint32), lengths)
        order = np.argsort(self._sense, kind="stable")
        return self._sense[order], lemma[order]


class SortedStrings:
    """A sorted table of strings; memory views answer single questions ten times as fast."""

    __slots__ = ("_bytes", "_offsets")

    def __init__(self, artefact: Artefact, key: str) -> None:
        self._offsets = artefact[f"{key}.offsets"].data
        self._bytes = artefact[f"{key}.bytes"].data

    def __getitem__(self, index: int) -> str:
        return self._raw(index).decode()

    def find(self, text: str) -> int | None:
        """Look a string up by halving."""
        wanted = text.encode()
        low, high = 0, len(self._offsets) - 1
        while low < high:
            middle = (low + high) // 2
            if self._raw(middle) < wanted:
                low = middle + 1
            else:
                high = middle
        return low if low < len(self._offsets) - 1 and self._raw(low) == wanted else None

    def _raw(self, index: int) -> bytes:
        return bytes(self._bytes[self._offsets[index] : self._offsets[index + 1]])


def _items(flat: Array, ends: Array, row: int) -> tuple[int, ...]:
    start = int(ends[row - 1]) if row else 0
    return tuple(flat[start : int(ends[row])].tolist())


@functools.cache
def load_wordnet(folder: Path | None = None) -> WordNet:
    return WordNet(load("wordnet", folder))
