"""Walk over the tokens of a sentence, and begin, go on with and end entities as the model says.

In: vectors of tokens.  Out: spans of tokens with a label.

The state is where the walk stands, where the open entity began, and the token before; each adds a
share to a hidden layer that scores the moves. Outside entities the score depends on the token
alone, so that all of them are reckoned at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dlp.detect.naming.learned.network import Floats

BEGIN, INSIDE, LAST, UNIT, OUT = 1, 2, 3, 4, 5  # kinds of moves in the package


class Span(NamedTuple):
    label: str
    first: int
    last: int


class Moves(NamedTuple):
    """Every move in the order of its scores: its kind, and the label it gives."""

    kinds: npt.NDArray[np.int64]
    labels: Sequence[str]

    def of(self, kind: int) -> Mapping[str, int]:
        return {self.labels[at]: at for at in np.flatnonzero(self.kinds == kind).tolist()}


def moves_of(frequencies: Mapping[str, Mapping[str, int]]) -> Moves:
    """In the library's order: by kind, then the most frequent label, then from the end of the ABC.

    Labels of a negative frequency were added later and stand behind all others.
    """
    listed = [
        (-(count < 0), -int(kind) if count >= 0 else 0, count, label, int(kind))
        for kind, labels in frequencies.items()
        for label, count in labels.items()
    ]
    listed.sort(key=lambda one: one[:4], reverse=True)
    return Moves(np.array([one[4] for one in listed]), [one[3] for one in listed])


class Walker:
    def __init__(
        self,
        reduce: tuple[Floats, Floats],
        lower: tuple[Floats, Floats, Floats],
        upper: tuple[Floats, Floats],
        moves: Moves,
    ) -> None:
        weights, bias, missing = lower  # shares × outputs × pieces × inputs
        shares, outputs, pieces, inputs = weights.shape
        self._reduce: Floats = np.ascontiguousarray(reduce[0].T)
        self._reduced = reduce[1]
        flat = weights.transpose(3, 0, 2, 1).reshape(inputs, shares * pieces * outputs)
        self._lower: Floats = np.ascontiguousarray(flat)
        self._bias = np.ascontiguousarray(bias.T)
        self._missing = np.ascontiguousarray(missing[0].transpose(0, 2, 1))
        self._shape = (shares, pieces, outputs)
        self._upper, self._base = upper
        named = np.array([bool(label) for label in moves.labels])
        self._moves = moves
        self._begins = named & (moves.kinds == BEGIN)
        self._units = named & (moves.kinds == UNIT)
        self._outs = moves.kinds == OUT
        self._going_on, self._ending = moves.of(INSIDE), moves.of(LAST)

    def walk(
        self, vectors: Floats, lengths: Sequence[int], spaces: npt.NDArray[np.bool_]
    ) -> list[list[Span]]:
        """The entities of each sentence; `spaces` marks tokens that are nothing else."""
        reduced: Floats = vectors @ self._reduce + self._reduced
        lowered: Floats = reduced @ self._lower
        shares = lowered.reshape(len(vectors), *self._shape)
        ends = np.cumsum(lengths)
        outside = self._outside(shares, ends, spaces)
        return [
            list(self._spans(shares[end - length : end], outside[end - length : end]))
            for length, end in zip(lengths, ends.tolist(), strict=True)
        ]

    def _outside(
        self, shares: Floats, ends: npt.NDArray[np.int64], spaces: npt.NDArray[np.bool_]
    ) -> npt.NDArray[np.int64]:
        """The best move at each token when no entity is open."""
        sums = shares[:, 0] + self._missing[1] + self._missing[2] + self._bias
        scores = sums.max(axis=1) @ self._upper.T + self._base
        begins = ~spaces
        allowed = np.outer(~spaces, self._units) | self._outs
        begins[ends - 1] = False  # the last token ends what it begins
        allowed |= np.outer(begins, self._begins)
        best: npt.NDArray[np.int64] = np.where(allowed, scores, -np.inf).argmax(axis=1)
        return best

    def _spans(self, shares: Floats, outside: npt.NDArray[np.int64]) -> Iterator[Span]:
        kinds, labels = self._moves
        began = -1
        label = ""
        for at, move in enumerate(outside.tolist()):
            if began >= 0:
                if at + 1 == len(shares) or not self._goes_on(shares, began, at, label):
                    yield Span(label, began, at)
                    began = -1
            elif kinds[move] == UNIT:
                yield Span(labels[move], at, at)
            elif kinds[move] == BEGIN:
                began, label = at, labels[move]

    def _goes_on(self, shares: Floats, began: int, at: int, label: str) -> bool:
        hidden = (shares[at, 0] + shares[began, 1] + shares[at - 1, 2] + self._bias).max(axis=0)
        both = [self._going_on[label], self._ending[label]]
        on, end = self._upper[both] @ hidden + self._base[both]
        return bool(on >= end)
