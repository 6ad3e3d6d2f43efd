"""Read sentences with the model: tokens, their features, the network and the walk.

In: what the model's package holds, and sentences.  Out: spans of characters with a label.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from dlp.detect.naming.learned.entity_transitions import Walker
from dlp.detect.naming.learned.hashing import number_of, rows_of
from dlp.detect.naming.learned.network import Encoder
from dlp.detect.naming.learned.tokenizer import Cutter, Token

BATCH = 32  # sentences that go through the network together
LONG, AT_MOST = 100, 4  # characters of a word that has no shape; alike in a row that a shape keeps


class Named(NamedTuple):
    label: str
    start: int
    end: int


class Words(NamedTuple):
    """How strings become numbers: norms of words, and the few that have a number of their own."""

    norms: Mapping[int, str]  # by the number of a word
    numbers: Mapping[str, int]

    def features(self, token: Token) -> tuple[int, int, int, int]:
        word = token.text
        norm = token.norm or self.norms.get(self.number(word)) or word.lower()
        return (
            self.number(norm),
            self.number(word[0]),
            self.number(word[-3:]),
            self.number(shape_of(word)),
        )

    def number(self, string: str) -> int:
        own = self.numbers.get(string)
        return number_of(string) if own is None else own


def shape_of(word: str) -> str:
    """Capitals as X, other letters as x, digits as d; of more than four alike four."""
    if len(word) >= LONG:
        return "LONG"
    shape = ""
    for sign in word:
        if sign.isalpha():
            kind = "X" if sign.isupper() else "x"
        else:
            kind = "d" if sign.isdigit() else sign
        if not shape.endswith(kind * AT_MOST):
            shape += kind
    return shape


class LearnedReader:
    def __init__(
        self,
        cutter: Cutter,
        words: Words,
        encoder: Encoder,
        seeds: Sequence[int],
        walker: Walker,
    ) -> None:
        self._cutter = cutter
        self._words = words
        self._encoder = encoder
        self._seeds = seeds
        self._walker = walker

    def read(self, sentences: Sequence[str]) -> list[list[Named]]:
        found: list[list[Named]] = []
        for at in range(0, len(sentences), BATCH):
            found += self._read([self._cutter.cut(one) for one in sentences[at : at + BATCH]])
        return found

    def _read(self, sentences: Sequence[Sequence[Token]]) -> list[list[Named]]:
        tokens = [token for sentence in sentences for token in sentence]
        if not tokens:
            return [[] for _ in sentences]
        features = np.array([self._words.features(token) for token in tokens], dtype=np.uint64)
        tables = self._encoder.tables
        rows = [
            rows_of(features[:, at], seed, len(table))
            for at, (seed, table) in enumerate(zip(self._seeds, tables, strict=True))
        ]
        filled = [sentence for sentence in sentences if sentence]
        lengths = [len(sentence) for sentence in filled]
        spaces = np.array([token.text.isspace() for token in tokens])
        spans = iter(self._walker.walk(self._encoder(rows, lengths), lengths, spaces))
        return [
            [
                Named(span.label, sentence[span.first].start, end_of(sentence[span.last]))
                for span in next(spans)
            ]
            if sentence
            else []
            for sentence in sentences
        ]


def end_of(token: Token) -> int:
    return token.start + len(token.text)
