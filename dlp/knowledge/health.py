"""The health lexicon: find diseases, symptoms, drugs, procedures, tests and providers in text.

In: text and the artefact "health".  Out: hits with the offsets of the original characters.

No automaton: phrase keys of all runs of words that can start a term are looked up in one mapped
table (docs/adr/0030). That costs no load time and little memory, keeps offsets by construction,
and reads over line breaks, double spaces and hyphens.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from itertools import starmap
from pathlib import Path

import numpy as np
import numpy.typing as npt

from dlp.knowledge import term_prefilter
from dlp.knowledge.arrays import nonzero
from dlp.knowledge.artefact import Artefact, load
from dlp.knowledge.defined_abbreviations import follow_definitions
from dlp.knowledge.gaps import Gaps
from dlp.knowledge.hits import KINDS, LONGEST, PAIR_BITS, Flag, Sense, TermHit
from dlp.knowledge.phrases import (
    Keys,
    KeyTable,
    Positions,
    Runs,
    Words,
    alone_keys,
    fold_words,
    phrase_key,
    points_of,
    words_in,
)
from dlp.knowledge.remembered import Remembered
from dlp.knowledge.site import artefact_folder, site_folder, site_has
from dlp.knowledge.spans import widen
from dlp.knowledge.written import capitals, check
from dlp.model import Kind

OVERLAYS = ("site_terms", "site_mesh")  # a list of the site's own, and a newer MeSH
BLOCK = 1 << 15  # characters; the 64-bit sums of a block stay in the second-level cache
OVERLAP = 1 << 10  # a term that starts in a block is seen whole
# Plain integers: an operation on an enumeration costs as much as a hit.
_CASED, _INVERTED, _SHIELD = int(Flag.CASED), int(Flag.INVERTED), int(Flag.SHIELD)
_SMALL = _CASED | int(Flag.SHORTHAND)
_SHORT_AND_DOUBTFUL = int(Flag.SHORTHAND) | int(Flag.AMBIGUOUS)
_CHECKED = _CASED | int(Flag.PUNCTUATED) | _INVERTED
_MAY_CROSS = int(Flag.COMMA) | _INVERTED
_STEP = 1 << LONGEST.bit_length()  # more than any number of words in a term
_ROOMY = 5  # more bits for the keys that are present: one in 45 or more of the others gets past


class HealthLexicon:
    """Terms by phrase key; every array is a view of the mapped file."""

    def __init__(self, artefact: Artefact, site: Sequence[HealthLexicon] = ()) -> None:
        self.meta = artefact.meta
        self._site = site
        self._table = KeyTable(artefact["key"], artefact["key.buckets"])
        self._alone = Remembered()
        self._pairs: npt.NDArray[np.uint16] = artefact["pairs"]
        self._flags: npt.NDArray[np.uint8] = artefact["flags"]
        self._weights: npt.NDArray[np.uint8] = artefact["weight"]
        self._places, self._opening = term_prefilter.tables_of(artefact)
        # one item of these is an object of Python at once, without one of numpy between
        self._sense_views = [
            artefact[name].data
            for name in ("sense_of", "sense.kind", "sense.bounds", "sense.values")
        ]
        self._concepts = artefact.strings("concept")
        self._senses: dict[int, tuple[Kind, tuple[str, ...]]] = {}  # by row
        self._numbered: dict[int, tuple[Kind, tuple[str, ...]]] = {}

    def __len__(self) -> int:
        return len(self._flags)

    def sense(self, term: str) -> Sense | None:
        """What a whole term means, without regard to case; the site's own list comes first."""
        for lexicon in self._site:
            if (own := lexicon.sense(term)) is not None:
                return own
        row = self._row_of(term)
        if row < 0 or int(self._flags[row]) & _SHIELD:
            return None
        kind, concepts = self._sense_at(row)
        return Sense(kind, concepts, int(self._flags[row]), self.weight(row))

    def _row_of(self, term: str) -> int:
        return self._table.find_one(phrase_key(fold_words(term)))

    def weight(self, term_index: int) -> float:
        """How specific a term is: near 0 for a word of everyday English, 1 for a rare one."""
        return int(self._weights[term_index]) / 255 if term_index >= 0 else 1.0

    def scan(self, text: str, *, abbreviations: bool = False) -> list[TermHit]:
        """All terms in a text, leftmost-longest, whole words, in order.

        With `abbreviations`, short forms that the text defines mean what it says they mean.
        """
        hits = self._scan(text)
        for lexicon in self._site:
            hits = _overlay(hits, lexicon.scan(text))
        if abbreviations and "(" in text:
            hits = follow_definitions(text, hits, self.sense)
        return widen(text, hits, self.sense) if hits else hits

    def _scan(self, text: str) -> list[TermHit]:
        hits: list[TermHit] = []
        position = 0
        while position < len(text):
            last = len(text) - position <= BLOCK + OVERLAP
            border = len(text) if last else position + BLOCK
            block = text[position : len(text) if last else border + OVERLAP]
            hits.extend(self._scan_block(block, position, border - position))
            if last:
                break
            position = _next_word(text, max(border, hits[-1].end if hits else 0))
        return hits

    def _scan_block(self, text: str, offset: int, border: int) -> list[TermHit]:
        points = points_of(text)
        words = words_in(points)
        hits: list[TermHit] = []
        if not len(words.keys):
            return hits
        first, length, row = self._candidates(words)
        last = first + length - 1
        flags = self._flags.take(row)
        starts, ends = words.starts[first], words.ends[last]
        crossed = np.zeros(len(first), dtype=np.int8)
        several = nonzero(length > 1)
        if len(several):
            runs = zip(first[several].tolist(), last[several].tolist(), strict=True)
            crossed[several] = list(starmap(Gaps(points, words).crossed, runs))
        fit = (crossed == 0) | ((crossed > 0) & ((flags & _MAY_CROSS) != 0))
        small = text.islower()  # nobody pressed shift: shorthand may stand in small letters
        cased = nonzero((flags & (_SMALL if small else _CASED)) == _CASED)
        fit[cased] &= capitals(text, points, starts[cased], ends[cased]) > 1
        columns = (first, length, row, flags, starts, ends, crossed)
        fitting = nonzero(fit)
        fitting = fitting[(first[fitting] * _STEP - length[fitting]).argsort()]  # the longest first
        free, senses = 0, self._senses
        for place, size, term, flag, start, end, commas in zip(
            *(column[fitting].tolist() for column in columns), strict=True
        ):
            if place < free:
                continue
            if start >= border:
                break
            if flag & _CHECKED:
                if small and flag & _SMALL == _SMALL:
                    flag = flag & ~_CASED | _SHORT_AND_DOUBTFUL  # noqa: PLW2901
                checked = check(text, start, end, flag, commas)
                if checked is None:
                    continue
                flag = checked  # noqa: PLW2901 - the check may add doubt
            free = place + size
            if flag & _SHIELD:
                continue
            kind, concepts = senses.get(term) or self._sense_at(term)
            hits.append(TermHit(start + offset, end + offset, kind, concepts, term, flag))
        return hits

    def _candidates(self, words: Words) -> tuple[Positions, Positions, Positions]:
        """Every run of words that is a term: first word, number of words, row."""
        count, runs = len(words.keys), Runs(words.keys)
        masks = self._pairs.take((runs.pairs() >> np.uint64(64 - PAIR_BITS)).view(np.int64))
        opening = nonzero(masks != 0)
        # one bit for each number of words that a term which begins so may have
        sizes = np.unpackbits(masks[opening].view(np.uint8), bitorder="little")
        bits = nonzero(sizes.view(np.bool_))
        first, length = opening.take(bits >> 4), (bits & 15) + 2
        fits = nonzero(first + length <= count)
        first, length = first[fits], length[fits]
        together = runs.keys(first, length)
        several = self._likely(together)
        first, length = first[several], length[several]
        alone, new = self._alone.recall(words.keys)
        single_keys = alone_keys(words.keys[new])
        likely = self._likely(single_keys)
        # one question for both: a look-up costs more than its few dozen rows
        rows = self._table.find(np.concatenate((single_keys[likely], together[several])))
        learnt = np.full(len(new), -1, dtype=np.int64)
        learnt[likely], rows = rows[: len(likely)], rows[len(likely) :]
        alone[new] = learnt
        self._alone.learn(words.keys[new], learnt)
        found, single = nonzero(rows >= 0), nonzero(alone >= 0)
        first = np.concatenate((single, first[found]))
        length = np.concatenate((np.ones(len(single), dtype=np.int64), length[found]))
        return first, length, np.concatenate((alone[single], rows[found]))

    @functools.cached_property
    def _present(self) -> npt.NDArray[np.uint8]:
        present = np.zeros(self._mask + 1, dtype=bool)
        present[self._table.arrays[0] & np.uint32(self._mask)] = True
        return np.packbits(present, bitorder="little")

    @functools.cached_property
    def _mask(self) -> int:
        return (1 << min(len(self._flags).bit_length() + _ROOMY, 32)) - 1

    def _likely(self, keys: Keys) -> Positions:
        """Which keys may be of a term; of the others hardly any."""
        places = (keys & np.uint64(self._mask)).view(np.int64)
        bits = self._present.take(places >> 3) >> (places & 7).astype(np.uint8)
        return nonzero((bits & np.uint8(1)).view(np.bool_))

    def _sense_at(self, row: int) -> tuple[Kind, tuple[str, ...]]:
        """What a term means; terms that mean the same share one value."""
        sense_of, kind_of, bounds, concepts = self._sense_views
        number = sense_of[row]
        sense = self._numbered.get(number)
        if sense is None:
            start, end = bounds[number], bounds[number + 1]
            if end - start == 1:  # as most
                meant: tuple[str, ...] = (self._concepts[concepts[start]],)
            else:
                meant = tuple([self._concepts[one] for one in concepts[start:end].tolist()])
            sense = self._numbered[number] = KINDS[kind_of[number]], meant
        self._senses[row] = sense
        return sense


def _overlay(hits: list[TermHit], own: list[TermHit]) -> list[TermHit]:
    """A site's term replaces what it touches, unless that is a longer term around it."""
    for hit in own:
        touched = [other for other in hits if other.start < hit.end and hit.start < other.end]
        if all(other.end - other.start <= hit.end - hit.start for other in touched):
            hits = [other for other in hits if other not in touched]
            hits.append(hit._replace(term_index=-1, flags=hit.flags | Flag.SITE))
    return sorted(hits)


def _next_word(text: str, position: int) -> int:
    """Skip the rest of the word a block border falls in."""
    while position < len(text) and text[position].isalnum() and text[position - 1].isalnum():
        position += 1
    return position


@functools.cache
def load_health(folder: Path | None = None) -> HealthLexicon:
    """The bundled lexicon with what the site imported laid over it."""
    names = [name for name in OVERLAYS if folder is None and site_has(f"{name}.bin")]
    site = [HealthLexicon(load(name, site_folder())) for name in names]
    return HealthLexicon(load("health", folder or artefact_folder("health")), site)
