"""Compile the list of English words: how frequent, and how often written with a capital.

In: wordfreq (frequencies), spacy-lookups-data (probabilities that keep case).  Out: words.bin.
"""

from __future__ import annotations

import gzip
import json
import math
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import srsly

from dlp.knowledge.artefact import Array, write
from dlp.knowledge.compile.source_packages import read_member
from dlp.knowledge.hashing import WORD, HashTable, fold_word, hash_words

NAME = "words"
PACKAGES = ("wordfreq", "spacy-lookups-data")
KEPT = 220_000  # the rarest kept word occurs about 40 times in a thousand million
UNKNOWN = 255


def build(packages: Mapping[str, Path], out: Path) -> str:
    centizipf = read_frequencies(packages["wordfreq"])
    kept = sorted(centizipf, key=lambda word: (-centizipf[word], word))[:KEPT]
    shares = read_capital_shares(packages["spacy-lookups-data"], frozenset(kept))
    table, order = HashTable.pack("word", hash_words(kept))
    zipf = np.array([centizipf[word] for word in kept], dtype=np.uint16)
    share = np.array([shares.get(word, UNKNOWN) for word in kept], dtype=np.uint8)
    arrays: dict[str, Array] = {**table, "zipf": zipf[order], "capital": share[order]}
    return write(out, arrays, {"words": len(kept), "with_capital_share": len(shares)})


def read_frequencies(package: Path) -> dict[str, int]:
    """Read hundredths of a Zipf unit per folded word; spellings that fold together add up."""
    raw = read_member(package, "wordfreq/data/large_en.msgpack.gz")
    # item n lists the words whose frequency is 10^(-n/100); item 0 is a header
    levels: list[Any] = srsly.msgpack_loads(gzip.decompress(raw))
    frequency: defaultdict[str, float] = defaultdict(float)
    for level, words in enumerate(levels[1:]):
        for word in words:
            if WORD.fullmatch(word) and not any(map(str.isdigit, word)):
                frequency[fold_word(word)] += 10 ** (-level / 100)
    return {word: round(100 * (9 + math.log10(f))) for word, f in frequency.items()}


def read_capital_shares(package: Path, wanted: frozenset[str]) -> dict[str, int]:
    """Read per word Capitalised / (Capitalised + lower) in 1/250.

    ALL CAPITALS say nothing about a word that is also written otherwise, and everything about
    one that hardly ever is: USA, NYC.
    """
    raw = read_member(package, "data/en_lexeme_prob.json.gz")
    lower, capital, shouted = (defaultdict[str, float](float) for _ in range(3))
    for spelling, log_probability in json.loads(gzip.decompress(raw)).items():
        word = fold_word(spelling)
        if word not in wanted:
            continue
        if spelling == spelling.lower():
            lower[word] += math.exp(log_probability)
        elif spelling[0].isupper() and spelling[1:] == spelling[1:].lower():
            capital[word] += math.exp(log_probability)
        elif spelling == spelling.upper():
            shouted[word] += math.exp(log_probability)
    shares = {}
    for word in sorted(lower.keys() | capital.keys() | shouted.keys()):
        named = capital[word]
        if shouted[word] > lower[word] + capital[word]:
            named += shouted[word]
        shares[word] = round(250 * named / (named + lower[word]))
    return shares
