"""Which of the words that could be of a name are worth a look, and which hang together.

In: Page, words that could be of a name.  Out: two flags for each of them.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from dlp.detect.naming.known_words import MOSTLY_FIRST
from dlp.detect.naming.lexicon import AFTER, BEFORE, CREDENTIAL, TITLE
from dlp.detect.naming.page import Page
from dlp.detect.naming.surname_first import SURE
from dlp.detect.naming.tokens import (
    COLON,
    COMMA,
    DOT,
    GAPS,
    HYPHEN,
    NUMBER,
    POSSESSIVE,
    SINGLE,
    SPACE,
)
from dlp.knowledge.hashing import Positions
from dlp.knowledge.names import FIRST, LAST, WORD

WIDEST_JOIN = 3  # words from one word of a name to the next, particles between
JOINING = np.isin(np.arange(len(GAPS)), (SPACE, HYPHEN, DOT, COMMA))
Flags = npt.NDArray[np.bool_]


def worth_and_joins(page: Page, fit: Positions) -> tuple[Flags, Flags]:
    """Which words are worth a look by themselves, and which may be joined to the one before.

    A word by itself is, when a word beside it or the dictionary speaks for it. The flags of joining
    are one more: the last says that no word follows.
    """
    gaps, shapes, names = page.tokens.gaps, page.tokens.shapes, page.names[fit]
    joins = np.zeros(len(fit) + 1, dtype=np.bool_)
    if not len(fit):
        return joins[:0], joins
    behind = gaps[fit]
    joining = JOINING.take(behind) & ((shapes[fit] & POSSESSIVE) == 0)
    joining &= (behind != DOT) | ((shapes[fit] & SINGLE) != 0)
    joins[1:-1] = (fit[1:] - fit[:-1] <= WIDEST_JOIN) & joining[:-1]
    before = page.words.take(fit - 1, mode="clip")
    before[:1] *= fit[0] > 0
    next_ = np.minimum(fit + 1, len(gaps) - 1)
    clear = page.ordinary[fit] < SURE
    told = ((shapes[next_] & NUMBER) != 0) & clear & ((names & (FIRST | LAST)) != 0)  # an age
    told |= (page.words[next_] & (AFTER | CREDENTIAL)) != 0
    told[-1:] &= fit[-1] + 1 < len(gaps)
    told |= (behind == COLON) & ((names & FIRST) != 0)
    worth = (before & (BEFORE | TITLE)) != 0
    worth |= ((names & MOSTLY_FIRST) != 0) & clear
    worth |= told & ((names & (WORD | MOSTLY_FIRST)) != WORD)  # "Sunny was hospitalised"
    return worth, joins
