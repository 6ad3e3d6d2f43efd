"""The health lexicon: find diseases, symptoms, drugs, procedures, tests and providers in text.

In: text and the artefact "health".  Out: hits with the offsets of the original characters.

No automaton: phrase keys of all runs of words that can start a term are looked up in one mapped
table (docs/adr/0030). That costs no load time and little memory, keeps offsets by construction,
and reads over line breaks, double spaces and hyphens. A hit must then pass the conditions of its
term (capitals, signs, commas) and is widened to the whole mention: "breast and ovarian cancer" is
one mention of two diseases.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Sequence
from itertools import starmap
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from dlp.knowledge.abbreviations import follow_definitions
from dlp.knowledge.arrays import nonzero
from dlp.knowledge.artefact import Artefact, load
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
from dlp.knowledge.site_knowledge import artefact_folder, site_folder, site_has
from dlp.model import Kind

_ILLNESSES = (Kind.DISEASE, Kind.SYMPTOM)
ILLNESS = frozenset(_ILLNESSES)
_REACH = 48  # characters before a hit in which its partner stands
_MOST = 4  # partners of one head
_LINKED = re.compile(
    r"(?<![\w-])([^\W\d_][\w-]*)(?:\s*/\s*|-|,?\s+and/or\s+|,?\s+and\s+|,?\s+or\s+|,\s+)$"
)
_INHERITED = re.compile(
    r"(?<![\w-])(?:autosomal[\s-](?:dominant|recessive)|x[\s-]linked(?:[\s-](?:dominant|recessive))?"
    r"|familial|hereditary|inherited|sporadic)\s+$",
    re.IGNORECASE,
)
# The last letters of the word before: and, or, X-linked, dominant, recessive, familial ...
_LINKING_ENDS = frozenset(("and", " or", "/or", "\nor"))
_INHERITED_ENDS = frozenset(("ked", "ant", "ive", "ial", "ary", "ted", "dic"))
_LEFT_ENDS = _LINKING_ENDS | _INHERITED_ENDS
# "Steven-Johnson syndrome": the name before belongs to the same eponym, with or without its s.
_PARTNER = re.compile(r"(?<!\w)([A-Z][a-z]{2,})(?:['\u2019]?s)?[\s-]$")
_EPONYMS = ("syndrome", "disease")
_TYPE = re.compile(r"\s+type\s+(?:[IVX]{1,4}|[0-9]{1,2}|[A-Z])[A-Za-z]?(?!\w)")
_BARE = re.compile(r"\s+(?:disease|syndrome)(?!\w)")
Sensing = Callable[[str], Sense | None]


def widen(text: str, hits: list[TermHit], sense: Sensing) -> list[TermHit]:
    """Change the hits that are part of a longer mention, in place."""
    size = len(text)
    for place in range(len(hits)):
        hit = hits[place]
        if hit.kind not in ILLNESS:
            continue
        if text[hit.start : hit.start + 1].isupper():
            hits[place] = hit = _with_partner(text, hit, sense)
        start, end = hit.start, hit.end
        # Two glances at the neighbouring characters spare nine hits of ten the search.
        left = start > 4 and (text[start - 1] in "/-" or text[start - 4 : start - 1] in _LEFT_ENDS)
        right = end + 2 < size and text[end + 1] in "tds"
        if not (left or right):
            continue
        wider = hit
        if right:
            ceiling = hits[place + 1].start if place + 1 < len(hits) else size
            wider = _to_the_right(text, wider, ceiling)
        if left:
            floor = hits[place - 1].end if place else 0
            wider = _to_the_left(text, wider, floor, sense)
        hits[place] = wider
    return hits


def _with_partner(text: str, hit: TermHit, sense: Sensing) -> TermHit:
    """A misspelt double eponym is its own disease, not that of its second name alone."""
    words = text[hit.start : hit.end]
    if not words.endswith(_EPONYMS):
        return hit
    base = max(0, hit.start - _REACH)
    match = _PARTNER.search(text[base : hit.start])
    known = sense(f"{match[1].removesuffix('s')}s {words}") if match else None
    if match is None or known is None or known.kind not in ILLNESS:
        return hit
    return hit._replace(start=base + match.start(), concepts=known.concepts)


def _to_the_right(text: str, hit: TermHit, ceiling: int) -> TermHit:
    for pattern in (_BARE, _TYPE):
        match = pattern.match(text, hit.end)
        if match and match.end() <= ceiling:
            hit = hit._replace(end=match.end())
    return hit


def _to_the_left(text: str, hit: TermHit, floor: int, sense: Sensing) -> TermHit:
    _, space, head = text[hit.start : hit.end].partition(" ")
    for _ in range(_MOST if space else 0):
        base = max(floor, hit.start - _REACH)
        match = _LINKED.search(text[base : hit.start])
        known = sense(f"{match[1]} {head}") if match else None
        if match is None or known is None or known.kind not in ILLNESS:
            break
        concepts = tuple(dict.fromkeys((*hit.concepts, *known.concepts)))
        hit = hit._replace(start=base + match.start(1), concepts=concepts)
    base = max(floor, hit.start - _REACH)
    before = text[base : hit.start]
    # its last letters tell most apart; other signs may stand for plain letters
    may_be = before.rstrip()[-3:].lower() in _INHERITED_ENDS or not before.isascii()
    if may_be and (match := _INHERITED.search(before)):
        hit = hit._replace(start=base + match.start())
    return hit


# Spaces, dashes, apostrophes, slashes, soft hyphens and the signs of D&C and HLA-B*5701 join the
# words of one term.
_SOFT = (
    " \n\r\u00a0\u2002\u2003\u2007\u2009\u200a\u202f\u00ad\u200b\u200c\u200d\u2060\ufeff"
    "-\u2010\u2011\u2012\u2013\u2014\u2212/_&*"
    "'\u2018\u2019\u02bc`\u00b4,"
)
_SIZE = 0x10000
_HARD, _PERIOD, _NEWLINE, _COMMA = range(1, 5)
# Signs that end a term; letters and rare signs of other scripts do not.
_SIGN_CLASS = np.zeros(_SIZE, dtype=np.uint8)
_SIGN_CLASS[
    [code for code in (*range(0x100), *range(0x2000, 0x2C00)) if not chr(code).isalnum()]
] = _HARD
_SIGN_CLASS[[ord(character) for character in _SOFT]] = 0
_SIGN_CLASS[[ord(character) for character in ".\n,"]] = _PERIOD, _NEWLINE, _COMMA
_ASCII_SIGN_CLASS = _SIGN_CLASS[:256].tobytes()
_INITIAL = 2  # "E. coli", "St. John's wort": a full stop after so few letters abbreviates
BROKEN = -1


class Gaps:
    """The gaps of one text."""

    __slots__ = ("_ends", "_signs", "_starts")

    def __init__(self, points: npt.NDArray[Any], words: Words) -> None:
        ascii_ = points.dtype == np.uint8
        self._signs = (
            points.tobytes().translate(_ASCII_SIGN_CLASS)
            if ascii_
            else _SIGN_CLASS.take(points).tobytes()
        )
        self._starts, self._ends = words.starts.data, words.ends.data

    def crossed(self, first: int, last: int) -> int:
        """BROKEN when a term cannot go from the first word to the last, 1 over a comma, else 0."""
        # signs within a word (a trade mark) count as behind it
        between = self._signs[self._starts[first] + 1 : self._starts[last] + 1]
        if not between.strip(b"\0"):
            return 0
        stops = _PERIOD in between or between.count(_NEWLINE) > 1
        if _HARD in between or (stops and any(map(self._ends_term, range(first, last)))):
            return BROKEN
        return int(_COMMA in between)

    def _ends_term(self, word: int) -> bool:
        """Whether a full stop or a blank line behind a word ends a term."""
        start, end, behind = self._starts[word], self._ends[word], self._starts[word + 1]
        gap = self._signs[end:behind]
        stopped = _PERIOD in gap and behind - end > 1 and end - start > _INITIAL
        return stopped or gap.count(_NEWLINE) > 1


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
        self._alone = RowCache()
        self._pairs: npt.NDArray[np.uint16] = artefact["pairs"]
        self._flags: npt.NDArray[np.uint8] = artefact["flags"]
        self._weights: npt.NDArray[np.uint8] = artefact["weight"]
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


_CACHE_BITS = 16
_CACHE_SHIFT = np.uint64(64 - _CACHE_BITS)


class RowCache:
    """One slot for each value of a key's leading bits; the last key that wants a slot has it."""

    __slots__ = ("_keys", "_rows")

    def __init__(self) -> None:
        # No list holds the key 0, so an empty slot answers for it rightly.
        self._keys = np.zeros(1 << _CACHE_BITS, dtype=np.uint64)
        self._rows = np.full(1 << _CACHE_BITS, -1, dtype=np.int64)

    def recall(self, keys: Keys) -> tuple[Positions, Positions]:
        """The row of each key, and which of them are new: what is said of these means nothing."""
        slots = (keys >> _CACHE_SHIFT).view(np.int64)
        return self._rows.take(slots), nonzero(self._keys.take(slots) != keys)

    def learn(self, keys: Keys, rows: Positions) -> None:
        slots = (keys >> _CACHE_SHIFT).view(np.int64)
        self._keys[slots], self._rows[slots] = keys, rows


_AROUND = 24  # characters either side that tell a line in capitals from a word in capitals
_JOINING_SIGNS = frozenset("/.&+-")
LETTERS = 26
_NO_CAPITALS = bytes(code for code in range(128) if not chr(code).isupper())
_NOT_SMALL = bytes(code for code in range(128) if not chr(code).islower())
_AMBIGUOUS = int(Flag.AMBIGUOUS)
_PUNCTUATED = int(Flag.PUNCTUATED)


def capitals(text: str, points: npt.NDArray[Any], starts: Positions, ends: Positions) -> Positions:
    """How many capitals stand in each stretch; signs beyond the first plane may all be some."""
    if points.dtype == np.uint8:
        high = nonzero(points - np.uint8(ord("A")) < LETTERS)  # what is below wraps round
    else:
        wide = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
        high = nonzero(_upper_case().take(wide, mode="clip"))
    return np.asarray(high.searchsorted(ends) - high.searchsorted(starts))


@functools.cache
def _upper_case() -> npt.NDArray[np.bool_]:
    """Of each character of the first plane whether it is a capital; the last row is the rest."""
    return np.array([*map(str.isupper, map(chr, range(0x10000))), True])


def check(text: str, start: int, end: int, flag: int, crossed: int) -> int | None:
    """The flags of a hit that passes its own conditions, else None."""
    written = text[start:end]
    if flag & _CASED and written.islower():
        return None
    if flag & _INVERTED:
        following = text[end : end + 1]
        if not crossed or not (following in ",;.\n\r)" or end == len(text)):
            return None
    if flag & _PUNCTUATED and not _JOINING_SIGNS.intersection(written):
        return None
    if flag & _CASED:
        high, small = _cases(written)
        if high < 2 or high < small:
            return None
        high, small = _cases(text[max(0, start - _AROUND) : start] + text[end : end + _AROUND])
        if small * 4 < high:
            return flag | _AMBIGUOUS  # a whole line in capitals proves nothing
    return flag


def _cases(text: str) -> tuple[int, int]:
    """How many letters are capitals, and how many are small."""
    if not text.isascii():
        return sum(map(str.isupper, text)), sum(map(str.islower, text))
    raw = text.encode()
    return len(raw.translate(None, _NO_CAPITALS)), len(raw.translate(None, _NOT_SMALL))
