"""How often concepts appear, alone and together: information content and mutual information.

In: MeSH indices.  Out: counts of records, probabilities, bits; None where the evidence is thin.

An occurrence counts for all ancestors (Resnik), so a concept never counts less than what lies below
it and information content never grows upwards. Records of a concept are a row of bits: one for each
record; appearing together is the AND of rows.
"""

from __future__ import annotations

import functools
import math
from collections import OrderedDict
from pathlib import Path

import numpy as np
import numpy.typing as npt

from dlp.knowledge.artefact import Artefact, load
from dlp.knowledge.mesh import Mesh, load_mesh
from dlp.knowledge.site import artefact_folder

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
