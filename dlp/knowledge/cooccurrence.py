"""How often concepts and plain words appear in records, alone and together.

In: the artefact "cooccurrence", a site's "ownwords".  Out: information content and mutual
information of concepts; how many records hold a word, and how many of a topic's records.

An occurrence counts for all ancestors (Resnik), so a concept never counts less than what lies below
it and information content never grows upwards. Records of a concept are a row of bits: one for each
record; appearing together is the AND of rows. Where the evidence is thin the answer is None.

A word is kept when at least FEWEST records and at most a tenth of them hold it: rarer words prove
nothing and could be names, commoner ones tell next to nothing. Its records are written as gaps,
seven bits to a byte. Articles are not written as notes are: "mane" or "tearful" stand on thousands
of notes and in no abstract. A site that compiles its own texts (`dlp knowledge build --words DIR`)
has both collections, and the one in which a word tells more decides.
"""

from __future__ import annotations

import functools
import math
import os
import re
from collections import OrderedDict, defaultdict
from collections.abc import Collection, Iterable
from pathlib import Path

import numpy as np
import numpy.typing as npt

from dlp.knowledge.artefact import Array, Artefact, load, pack_strings
from dlp.knowledge.mesh import Mesh, load_mesh
from dlp.knowledge.site_knowledge import artefact_folder

Row = npt.NDArray[np.uint64]
REMEMBERED = 4096  # rows of 6 kB each: at most 26 MB a process
# Fewer records than this say nothing about a concept, and fewer joint records nothing about a pair.
SUPPORT = 5
SUPPORT_JOINT = 3


class Cooccurrence:
    def __init__(self, artefact: Artefact, mesh: Mesh) -> None:
        self.records = int(artefact.meta["records"])
        self.source: str = artefact.meta["source"]
        self._mesh = mesh
        self._record = artefact["record"]
        ends = np.cumsum(artefact["length"], dtype=np.int64)
        starts = ends - artefact["length"]
        self._span: dict[int, tuple[int, int]] = {
            mesh.index(ident): (start, end)
            for ident, start, end in zip(
                artefact.strings("concept").all(), starts.tolist(), ends.tolist(), strict=True
            )
            if ident in mesh
        }
        counted = artefact.strings("counted").all()
        self._pubmed = dict(zip(counted, artefact["pubmed"].tolist(), strict=True))
        self._rows: OrderedDict[int, Row] = OrderedDict()

    def count(self, *concepts: int) -> int:
        """Count the records that hold all these concepts, each itself or something below it."""
        if not concepts:
            return self.records
        row = self.row(concepts[0])
        for concept in concepts[1:]:
            row = row & self.row(concept)
        return int(np.bitwise_count(row).sum())

    def p(self, *concepts: int) -> float:
        return self.count(*concepts) / self.records

    def ic(self, concept: int) -> float:
        """Information content in bits; a concept never seen counts as seen half a time."""
        return math.log2(self.records / max(self.count(concept), 0.5))

    def pmi(self, concept: int, *terms: int) -> float | None:
        """How many bits the terms together tell about the concept; None when support is thin.

        Never more than ic(concept). A pair seen once or twice proves nothing; a pair never seen
        proves something only where chance alone would have shown it.
        """
        alone, given = self.count(concept), self.count(*terms)
        if alone < SUPPORT or given < SUPPORT:
            return None
        joint = self.count(concept, *terms)
        by_chance = alone * given / self.records
        if joint < SUPPORT_JOINT and by_chance < SUPPORT_JOINT:
            return None
        return math.log2(max(joint, 0.5) / by_chance)

    def pubmed(self, concept: int) -> int | None:
        """Return the articles in all of PubMed under a disease heading itself, if counted."""
        return self._pubmed.get(self._mesh.ids[concept])

    def row(self, concept: int) -> Row:
        """One bit per record that holds the concept or something below it."""
        row = self._rows.get(concept)
        if row is None:
            row = self._rows[concept] = self._read(concept)
            if len(self._rows) > REMEMBERED:
                self._rows.popitem(last=False)
        return row

    def _read(self, concept: int) -> Row:
        held = np.zeros(-(-self.records // 64) * 64, dtype=np.bool_)
        for below in (concept, *self._mesh.descendants(concept).tolist()):
            if span := self._span.get(below):
                held[self._record[span[0] : span[1]]] = True
        return np.packbits(held).view(np.uint64)


@functools.cache
def load_cooccurrence(folder: Path | None = None) -> Cooccurrence:
    """The site's own statistics when they were compiled, else MEDLINE's."""
    artefact = load("cooccurrence", folder or artefact_folder("cooccurrence"))
    return Cooccurrence(artefact, load_mesh(folder))


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
