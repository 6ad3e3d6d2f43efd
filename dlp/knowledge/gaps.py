"""What stands between two words: whether a term may run over it.

In: the characters and words of a text.  Out: counts of hard gaps and commas before each word.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dlp.knowledge.arrays import nonzero
from dlp.knowledge.phrases import Positions, Words

# Spaces, dashes, apostrophes, slashes and soft hyphens join the words of one term.
_SOFT = (
    " \n\r\u00a0\u2002\u2003\u2007\u2009\u200a\u202f\u00ad\u200b\u200c\u200d\u2060\ufeff"
    "-\u2010\u2011\u2012\u2013\u2014\u2212/_"
    "'\u2018\u2019\u02bc`\u00b4,"
)
_SIZE = 0x10000
# Signs that end a term; letters and rare signs of other scripts do not.
_hard = np.zeros(_SIZE, dtype=bool)
_hard[[code for code in (*range(0x100), *range(0x2000, 0x2C00)) if not chr(code).isalnum()]] = True
_hard[[ord(character) for character in _SOFT]] = False
_NEWLINE, _COMMA, _PERIOD = (ord(character) for character in "\n,.")
_INITIAL = 2  # "E. coli", "St. John's wort": a full stop after so few letters abbreviates


class Gaps(NamedTuple):
    """Running counts: a run of words i..j crosses a hard gap when hard[j] > hard[i]."""

    hard: Positions
    commas: Positions


def measure_gaps(points: npt.NDArray[Any], words: Words) -> Gaps:
    count = len(words.starts)
    hard = np.zeros(count + 1, dtype=np.int64)
    signs = nonzero(_hard.take(points))
    before = words.starts.searchsorted(signs)
    stop = points[signs] == _PERIOD
    ending = before[stop]
    middle = (ending > 0) & (ending < count)
    ending = ending[middle]
    width = words.starts[ending] - words.ends[ending - 1]
    length = words.ends[ending - 1] - words.starts[ending - 1]
    hard[before[~stop]] = 1
    hard[ending[(width > 1) & (length > _INITIAL)]] = 1
    lines = words.starts.searchsorted(nonzero(points == _NEWLINE))
    hard[nonzero(np.bincount(lines, minlength=count + 1) > 1)] = 1
    commas = np.zeros(count + 1, dtype=np.int64)
    commas[words.starts.searchsorted(nonzero(points == _COMMA))] = 1
    return Gaps(np.cumsum(hard), np.cumsum(commas))
