"""On which records plain words stand: what the words between the terms of health tell.

In: a word, records of a topic.  Out: how many records hold the word, and how many of the topic's.

The records are those of the co-occurrence artefact. A word is kept when at least FEWEST records
and at most a tenth of them hold it: rarer words prove nothing and could be names, commoner ones
tell next to nothing. Its records are written as gaps, seven bits to a byte.

Articles are not written as notes are: "mane", "speculum" or "tearful" stand on thousands of notes
and in no abstract. A site that compiles its own texts (`dlp knowledge build --words DIR`) has both
collections, and the one in which a word tells more decides.
"""

from __future__ import annotations

import functools
import os
import re
from collections import defaultdict
from collections.abc import Collection, Iterable
from pathlib import Path

import numpy as np
import numpy.typing as npt

from dlp.knowledge.artefact import Array, Artefact, load, pack_strings
from dlp.knowledge.cooccurrence import Cooccurrence
from dlp.knowledge.mesh import load_mesh
from dlp.knowledge.site import artefact_folder

FEWEST = 30  # records
COMMON = 0.1  # share of the records
WORD = re.compile(r"[a-z]{3,}")
# What notes are written in besides: short forms of two letters, and doses ("50mg").
# Letters that touch a digit are pieces of a number: "4ac1" in an identifier.
TOKEN = re.compile(r"(?<![\w.,])\d{1,4}(?:mcg|mg|ml|g)(?!\w)|(?<![a-z\d])[a-z]{2,}(?![a-z\d])")
MORE = 0x80  # a byte with this bit has more bits of the same gap behind it


class Cowords:
    def __init__(self, artefact: Artefact) -> None:
        self.records = int(artefact.meta["records"])
        listed = artefact.strings("word").all() if "word.offsets" in artefact else []
        ends = np.cumsum(artefact["word_bytes"], dtype=np.int64).tolist() if listed else []
        self._end = dict(zip(listed, ends, strict=True))
        self._start = dict(zip(listed, [0, *ends][: len(ends)], strict=True))
        self._gaps = artefact["word_gap"] if listed else np.zeros(0, dtype=np.uint8)

    def __contains__(self, word: str) -> bool:
        return word in self._end

    def __len__(self) -> int:
        return len(self._end)

    def words(self) -> frozenset[str]:
        return frozenset(self._end)

    def holding(self, word: str) -> npt.NDArray[np.int64]:
        """The numbers of the records that hold a word."""
        if word not in self._end:
            return np.zeros(0, dtype=np.int64)
        return unpack(self._gaps[self._start[word] : self._end[word]])


def unpack(raw: Array) -> npt.NDArray[np.int64]:
    last = (raw & MORE) == 0
    number = np.concatenate(([0], np.cumsum(last)[:-1]))
    first = np.concatenate(([True], last[:-1]))
    place = np.arange(len(raw)) - np.flatnonzero(first)[number]
    bits = (raw & ~np.uint8(MORE)).astype(np.int64) << (7 * place)
    gaps = np.bincount(number, weights=bits).astype(np.int64)
    found: npt.NDArray[np.int64] = np.cumsum(gaps) - 1
    return found


def pack(records: Iterable[int]) -> bytes:
    """Gaps to the record before, the first one plus one, low bits first."""
    made, before = bytearray(), -1
    for record in records:
        gap, before = record - before, record
        while gap >= MORE:
            made.append(gap & (MORE - 1) | MORE)
            gap >>= 7
        made.append(gap)
    return bytes(made)


class Collector:
    """Gathers words record by record; only those of a vocabulary when there is one."""

    def __init__(
        self,
        vocabulary: Collection[str] | None = None,
        fewest: int = FEWEST,
        common: float = COMMON,
        pattern: re.Pattern[str] = WORD,
    ) -> None:
        self._pattern = pattern
        self._vocabulary = vocabulary
        self._fewest, self._common = fewest, common
        self._seen: defaultdict[str, list[int]] = defaultdict(list)

    def note(self, record: int, text: str) -> None:
        for word in set(self._pattern.findall(text.lower())):
            if self._vocabulary is None or word in self._vocabulary:
                self._seen[word].append(record)

    def arrays(self, records: int) -> dict[str, Array]:
        kept = {
            word: pack(seen)
            for word, seen in sorted(self._seen.items())
            if self._fewest <= len(seen) <= self._common * records
        }
        return {
            **pack_strings("word", list(kept)),
            "word_bytes": np.array([len(raw) for raw in kept.values()], dtype=np.uint32),
            "word_gap": np.frombuffer(b"".join(kept.values()), dtype=np.uint8),
        }


@functools.cache
def load_cowords(folder: Path | None = None) -> Cowords:
    """Of the site's own texts when they were compiled, else of MEDLINE."""
    return Cowords(load("cooccurrence", folder or artefact_folder("cooccurrence")))


OWN_WORDS = "ownwords"
Own = tuple[Cooccurrence, Cowords]


@functools.cache
def load_own_words(folder: Path) -> Own | None:
    """None where the site compiled nothing for us to read; a damaged file is refused."""
    if not os.path.isfile(
        folder / f"{OWN_WORDS}.bin"
    ):  # which is also so where a folder keeps us out
        return None
    artefact = load(OWN_WORDS, folder)
    return Cooccurrence(artefact, load_mesh()), Cowords(artefact)
