"""Lists of names of several words, and where a text holds them.

In: names, the tokens of a text.  Out: half-open token ranges with the position in the list.

A small table says, for the first word of a run, how many words the longest name has that begins
like it. Nine words in ten begin no longer name, so a long list costs little more than a short one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import starmap
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dlp.knowledge.arrays import nonzero
from dlp.knowledge.hashing import (
    ALL_BITS,
    Arrays,
    Hashes,
    HashTable,
    Phrases,
    Positions,
    Q,
    hash_phrase,
    hash_phrases,
    hash_words,
    words_of,
)

STARTER_BITS = 16
FEW = 8  # beginnings in a text that are followed one by one
MULTIPLIER = int(Q)
SHIFT = np.uint64(64 - STARTER_BITS)


Flags = npt.NDArray[np.bool_]
Found = tuple[int, int, int]  # as in Span


class Span(NamedTuple):
    start: int
    end: int
    row: int  # position in the list


class Gazetteer:
    __slots__ = ("_starters", "_table")

    def __init__(self, artefact: Arrays, key: str) -> None:
        self._table = HashTable(artefact, key)
        self._starters: npt.NDArray[np.uint8] = artefact[f"{key}.starters"]

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
        return self.spans_from(Phrases(hash_words(tokens)), np.arange(len(tokens)))

    def spans_from(
        self, phrases: Phrases, start: Positions, alone: Flags | None = None
    ) -> list[Span]:
        """The same for words hashed before, with names beginning at the given words only.

        `alone` says which of these may be a name by themselves, where somebody has asked before.
        """
        return list(starmap(Span, self.apart(phrases, start, alone)))

    def apart(self, phrases: Phrases, start: Positions, alone: Flags | None = None) -> list[Found]:
        """The same as plain tuples; the words to begin at are in order."""
        found = self._found(phrases, start, alone)
        return found if len(found) < 2 else _without_overlap(found)

    def _found(self, phrases: Phrases, start: Positions, alone: Flags | None) -> list[Found]:
        """Every name, overlapping or not, by its beginning and its end."""
        hashes = phrases.words
        longest = self._starters.take((hashes.take(start) >> SHIFT).view(np.int64))
        begun_by = nonzero(longest != 0 if alone is None else longest > ~alone)
        start = start.take(begun_by)
        longest = np.minimum(longest.take(begun_by), phrases.room(start))
        if len(start) <= FEW:
            few = zip(start.tolist(), longest.tolist(), strict=True)
            return [*self._spans_of_few(hashes, few)]
        # one question for all lengths: a look-up costs more than its few hundred rows
        total = longest.cumsum()
        first = start.repeat(longest)
        last = np.arange(int(total[-1])) + (start - total + longest).repeat(longest)
        rows = self._table.find(phrases(first, last))
        hit = nonzero(rows >= 0)
        return [
            *zip(first[hit].tolist(), (last[hit] + 1).tolist(), rows[hit].tolist(), strict=True)
        ]

    def _spans_of_few(self, hashes: Hashes, begun: Iterable[tuple[int, int]]) -> Iterator[Found]:
        """The same, word by word: dozens of calls for arrays cost more than these."""
        find = self._table.find_one
        for first, longest in begun:
            run = 0
            for place, word in enumerate(hashes[first : first + longest].tolist(), first + 1):
                run = (run * MULTIPLIER + word) & ALL_BITS
                row = find(run)
                if row >= 0:
                    yield first, place, row


def _without_overlap(found: list[Found]) -> list[Found]:
    """The longest of those that hang together, then what is clear of it."""
    found.sort()
    kept: list[Found] = []
    cluster: list[Found] = []
    reach = -1
    for span in found:
        if span[0] >= reach:
            kept += cluster if len(cluster) < 2 else _longest_first(cluster)
            cluster, reach = [span], span[1]
        else:
            cluster.append(span)
            reach = max(reach, span[1])
    return kept + _longest_first(cluster)


def _longest_first(cluster: list[Found]) -> list[Found]:
    if len(cluster) < 2:
        return cluster
    begin = cluster[0][0]
    taken = bytearray(max(end for _, end, _ in cluster) - begin)
    kept: list[Found] = []
    for span in sorted(cluster, key=lambda span: (span[0] - span[1], span[0])):
        first, last = span[0] - begin, span[1] - begin
        if not any(taken[first:last]):
            taken[first:last] = b"\1" * (last - first)
            kept.append(span)
    return sorted(kept)
