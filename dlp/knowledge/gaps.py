"""What stands between the words of a run: whether a term may go over it.

In: the characters and words of a text, a run of words.  Out: BROKEN, or whether it crosses a comma.

Few runs of a text are listed anywhere, so the gaps of those few are looked at, one by one.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from dlp.knowledge.phrases import Words

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
_signs = np.zeros(_SIZE, dtype=np.uint8)
_signs[[code for code in (*range(0x100), *range(0x2000, 0x2C00)) if not chr(code).isalnum()]] = (
    _HARD
)
_signs[[ord(character) for character in _SOFT]] = 0
_signs[[ord(character) for character in ".\n,"]] = _PERIOD, _NEWLINE, _COMMA
_ASCII = _signs[:256].tobytes()
_INITIAL = 2  # "E. coli", "St. John's wort": a full stop after so few letters abbreviates
BROKEN = -1


class Gaps:
    """The gaps of one text."""

    __slots__ = ("_ends", "_signs", "_starts")

    def __init__(self, points: npt.NDArray[Any], words: Words) -> None:
        ascii_ = points.dtype == np.uint8
        self._signs = (
            points.tobytes().translate(_ASCII) if ascii_ else _signs.take(points).tobytes()
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
