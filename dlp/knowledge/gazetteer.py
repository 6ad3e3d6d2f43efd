"""Lists of names of several words, and where a text holds them.

In: names, the tokens of a text.  Out: half-open token ranges with the position in the list.

A small table says, for the first word of a run, how many words the longest name has that begins
like it. Nine words in ten begin no longer name, so a long list costs little more than a short one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dlp.knowledge.arrays import nonzero
from dlp.knowledge.hashing import (
    ALL_BITS,
    Arrays,
    Hashes,
    HashTable,
    Positions,
    Q,
    hash_phrase,
    hash_phrases,
    hash_words,
    words_of,
)

STARTER_BITS = 16
FEW = 8  # beginnings in a text that are followed one by one
SHIFT = np.uint64(64 - STARTER_BITS)


class Span(NamedTuple):
    start: int
    end: int
    row: int  # position in the list


class Gazetteer:
    __slots__ = ("_longest", "_starters", "_table")

    def __init__(self, artefact: Arrays, key: str) -> None:
        self._table = HashTable(artefact, key)
        self._starters: npt.NDArray[np.uint8] = artefact[f"{key}.starters"]
        self._longest = int(self._starters.max(initial=0))

    def __len__(self) -> int:
        return len(self._table)

    @staticmethod
    def pack(key: str, names: Sequence[str]) -> tuple[dict[str, npt.NDArray[Any]], Positions]:
        """Return the arrays to store and the order in which the names stand in them."""
        arrays, order = HashTable.pack(key, hash_phrases(names))
        split = [words_of(name) for name in names]
        starters = np.zeros(1 << STARTER_BITS, dtype=np.uint8)
        slots = hash_words([words[0] for words in split]) >> SHIFT
        np.maximum.at(starters, slots, np.array([len(words) for words in split], dtype=np.uint8))
        return {**arrays, f"{key}.starters": starters}, order

    def row(self, name: str) -> int:
        """The position of a name in the list, or -1."""
        return self._table.find_one(hash_phrase(name))

    def rows(self, hashes: Hashes) -> Positions:
        """The positions of single words, or -1."""
        return self._table.find(hashes)

    def spans(self, tokens: Sequence[str]) -> list[Span]:
        """Find the names in a text, the longest first; ranges do not overlap, and are in order."""
        return self.spans_from(hash_words(tokens), np.arange(len(tokens)))

    def spans_from(self, hashes: Hashes, start: Positions) -> list[Span]:
        """The same for words hashed before, with names beginning at the given words only."""
        longest = np.minimum(self._starters[hashes[start] >> SHIFT], len(hashes) - start)
        begun_by = nonzero(longest)
        if len(begun_by) <= FEW:
            few = zip(start[begun_by].tolist(), longest[begun_by].tolist(), strict=True)
            return _without_overlap([*self._spans_of_few(hashes, few)], len(hashes))
        run = np.zeros(len(start), dtype=np.uint64)
        begun: list[Positions] = []
        runs: list[Hashes] = []
        for size in range(1, self._longest + 1):
            keep = longest >= size
            start, run, longest = start[keep], run[keep], longest[keep]
            if not len(start):
                break
            run = run * Q + hashes[start + size - 1]
            begun.append(start)
            runs.append(run)
        if not runs:
            return []
        # one question for all lengths: a look-up costs more than its few hundred rows
        rows = self._table.find(np.concatenate(runs))
        hit = nonzero(rows >= 0)
        first = np.concatenate(begun)[hit].tolist()
        sizes = np.repeat(np.arange(1, len(runs) + 1), [len(one) for one in runs])[hit].tolist()
        found = [
            Span(a, a + n, row) for a, n, row in zip(first, sizes, rows[hit].tolist(), strict=True)
        ]
        return _without_overlap(found, len(hashes))

    def _spans_of_few(self, hashes: Hashes, begun: Iterable[tuple[int, int]]) -> Iterator[Span]:
        """The same, word by word: dozens of calls for arrays cost more than these."""
        for first, longest in begun:
            run = 0
            for place in range(first, first + longest):
                run = (run * int(Q) + int(hashes[place])) & ALL_BITS
                row = self._table.find_one(run)
                if row >= 0:
                    yield Span(first, place + 1, row)


def _without_overlap(found: list[Span], length: int) -> list[Span]:
    if len(found) < 2:
        return found
    taken = bytearray(length)
    kept = []
    for span in sorted(found, key=lambda span: (span.start - span.end, span.start)):
        if not any(taken[span.start : span.end]):
            taken[span.start : span.end] = b"\1" * (span.end - span.start)
            kept.append(span)
    return sorted(kept)
