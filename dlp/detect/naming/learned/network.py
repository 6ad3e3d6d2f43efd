"""The model's network: vectors for the tokens of sentences.

In: for every feature of a token the rows of a table.  Out: a vector for every token.

A token is the sum of four rows for each of its features; five layers mix it with its neighbours,
each choosing the larger of three sums (maxout) and bringing it to one size (layer norm).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Rows = npt.NDArray[np.int64]
TINY = np.float32(1e-8)  # keeps a layer of equal numbers from dividing by nothing


class Maxout(NamedTuple):
    weights: Floats  # inputs × (pieces × outputs)
    bias: Floats
    scale: Floats
    shift: Floats
    pieces: int

    def __call__(self, inputs: Floats) -> Floats:
        sums = inputs @ self.weights
        sums += self.bias
        best: Floats = sums.reshape(len(sums), self.pieces, -1).max(axis=1)
        best -= best.mean(axis=1, keepdims=True)
        spread = np.square(best).mean(axis=1, keepdims=True) + TINY
        best *= spread ** np.float32(-0.5)
        best *= self.scale
        best += self.shift
        return best


def maxout(weights: Floats, bias: Floats, scale: Floats, shift: Floats) -> Maxout:
    """From outputs × pieces × inputs, as packaged; piece after piece is quicker to choose from."""
    outputs, pieces, inputs = weights.shape
    flat = np.ascontiguousarray(weights.transpose(2, 1, 0)).reshape(inputs, pieces * outputs)
    return Maxout(flat, np.ascontiguousarray(bias.T).reshape(-1), scale, shift, pieces)


class Encoder(NamedTuple):
    tables: Sequence[Floats]
    embedding: Maxout
    layers: Sequence[Maxout]  # each sees one neighbour more on both sides

    def __call__(self, rows: Sequence[Rows], lengths: Sequence[int]) -> Floats:
        """`rows`: for each table, four a token, sentence after sentence.

        Sentences stand in line with as much room between them as a token sees. The room goes
        through the layers as in the library, so that the edge of a sentence means the same.
        """
        sums = [table[of].sum(axis=1) for table, of in zip(self.tables, rows, strict=True)]
        tokens = self.embedding(np.concatenate(sums, axis=1))
        room, width = len(self.layers), tokens.shape[1]
        places = np.arange(len(tokens)) + room * np.repeat(np.arange(1, len(lengths) + 1), lengths)
        line = np.zeros((len(tokens) + room * (len(lengths) + 1), width), dtype=np.float32)
        line[places] = tokens
        seen = np.zeros((len(line), 3 * width), dtype=np.float32)
        for layer in self.layers:
            seen[1:, :width] = line[:-1]
            seen[:, width:-width] = line
            seen[:-1, -width:] = line[1:]
            line = line + layer(seen)
        vectors: Floats = line[places]
        return vectors
