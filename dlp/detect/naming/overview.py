"""What is asked of all words of a page at once.

In: Page.  Out: places of words; whether its parts are English.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from dlp.detect.naming.lexicon import ENGLISH
from dlp.detect.naming.page import Flags, Page
from dlp.detect.naming.tokens import POSSESSIVE
from dlp.knowledge.arrays import nonzero
from dlp.knowledge.hashing import Positions
from dlp.knowledge.names import PLACE

LITTLE = 0.12  # share of little words


def beginnings(page: Page) -> tuple[Positions, Flags]:
    """Where a listed name may begin, and whether the word there may be a place by itself."""
    begins = nonzero(page.may_begin())
    # the page has asked for most of them
    alone = ~page.asked | ((page.names & PLACE) != 0)
    alone |= (page.tokens.shapes & POSSESSIVE) != 0
    return begins, alone[begins]


def english_parts(page: Page) -> list[bool]:
    """Little words make a part English; without them a strange word is not a name."""
    little = (page.words & ENGLISH) != 0
    parts = pairwise((0, *page.borders.tolist(), len(little)))
    return [bool(np.count_nonzero(little[a:b]) / max(1, b - a) > LITTLE) for a, b in parts]


def marked(page: Page, some: int) -> list[int]:
    """The words of which the lexicon says some of this."""
    found: list[int] = nonzero((page.words & some) != 0).tolist()
    return found


def shaped(page: Page, whole: int) -> list[int]:
    """The words that have all of a shape."""
    found: list[int] = nonzero((page.tokens.shapes & whole) == whole).tolist()
    return found
