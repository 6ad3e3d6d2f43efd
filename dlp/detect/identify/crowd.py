"""Sift the many hits of one rule in one block all at once.

In: a rule, its batch, the bytes.  Out: the spans that stand free, and whether context is near.

A page of nothing but postal codes holds thousands of hits; asked alone, each costs three calls.
Below CROWD spans the calls are cheaper than the arrays.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from dlp.detect.identify.prefilter import (
    AFTER,
    DIGIT,
    DOT,
    GLUE,
    GLUE_OF_DATES,
    LOWER,
    RIGHT_AFTER,
    SLASH,
    WORD,
    Batch,
    Words,
)
from dlp.rulebook import IdentifierRule

CROWD = 40  # spans; a batch of fewer is weighed one by one
Mask = npt.NDArray[np.bool_]
Places = npt.NDArray[np.int64]
IS_WORD, IS_DIGIT, IS_LOWER, IS_GLUE, IS_GLUE_OF_DATES = (
    np.frombuffer(one, dtype=np.bool_) for one in (WORD, DIGIT, LOWER, GLUE, GLUE_OF_DATES)
)
BLANK = np.frombuffer(b"  ", dtype=np.uint8)


def sift(rule: IdentifierRule, batch: Batch, raw: bytes) -> tuple[Places, Places, Mask]:
    """Starts and ends of the spans that stand free, and whether context is near."""
    spans = np.array(batch.spans, dtype=np.int64)
    starts, ends = spans[:, 0], spans[:, 1]
    kept = ~touching(raw, starts, ends, rule.edges)
    if batch.against is not None:
        kept &= ~near(batch.against, starts, ends, (rule.reach, RIGHT_AFTER))
    known = np.zeros(len(kept), dtype=np.bool_)
    if batch.context is not None:
        known = near(batch.context, starts, ends, (rule.reach, AFTER))
    return starts[kept], ends[kept], known[kept]


def touching(raw: bytes, starts: Places, ends: Places, edges: str) -> Mask:
    """What prefilter.touches says of each span."""
    if edges == "free":
        return np.zeros(len(starts), dtype=np.bool_)
    # two blanks on either side: the neighbours of the first and the last byte exist
    first = int(starts[0])
    window = np.concatenate(
        (BLANK, np.frombuffer(raw[max(0, first - 2) : int(ends.max()) + 2], dtype=np.uint8), BLANK)
    )
    shift = 2 - max(0, first - 2)
    before, after = window[starts + (shift - 1)], window[ends + shift]
    glued: Mask = IS_WORD[before] | IS_WORD[after]
    if edges == "word":
        return glued
    if edges == "host":
        goes_on: Mask = (after == DOT) & IS_LOWER[window[ends + (shift + 1)]]
        return glued | goes_on
    slashes = np.concatenate(([0], np.cumsum(window == SLASH[0])))
    dated = slashes[ends + shift] > slashes[starts + shift]
    digit_before = IS_DIGIT[window[starts + (shift - 2)]]
    digit_after = IS_DIGIT[window[ends + (shift + 1)]]
    sign_before = np.where(dated, IS_GLUE_OF_DATES[before], IS_GLUE[before])
    sign_after = np.where(dated, IS_GLUE_OF_DATES[after], IS_GLUE[after])
    return glued | (sign_before & digit_before) | (sign_after & digit_after)


def near(words: Words, starts: Places, ends: Places, reach: tuple[int, int]) -> Mask:
    """What Words.near says of each span."""
    first, last = np.array(words.starts), np.array(words.ends)
    place = np.searchsorted(last, starts, side="right") - 1
    close: Mask = (place >= 0) & (first[place] >= starts - reach[0])
    place = np.searchsorted(first, ends, side="left")
    inside = np.minimum(place, len(first) - 1)
    return close | ((place < len(first)) & (last[inside] <= ends + reach[1]))
