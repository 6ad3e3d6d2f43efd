"""Choose the places of a text by which its language is told.

In: the parts of a document.  Out: stretches of it.
"""

from __future__ import annotations

from collections.abc import Sequence

SAMPLE_CHARS = 1500  # about 250 words: the gate is right on 99 % of windows of this size
SAMPLES = 8


def start_of(texts: Sequence[str]) -> str:
    """The first of the samples, unless it is blank."""
    if len(texts) == 1:
        return texts[0][:SAMPLE_CHARS]
    if sum(map(len, texts)) <= SAMPLE_CHARS * SAMPLES:
        return "\n".join(texts)[:SAMPLE_CHARS]
    return slice_across(texts, 0, SAMPLE_CHARS)


def samples(texts: Sequence[str]) -> list[str]:
    """Up to eight stretches: the first, the last, and evenly between, over all parts."""
    whole = sum(map(len, texts))
    if whole <= SAMPLE_CHARS and len(texts) == 1:
        return [] if not whole or texts[0].isspace() else [texts[0]]
    if whole <= SAMPLE_CHARS * SAMPLES:
        joined = "\n".join(texts)
        cuts = range(0, len(joined), SAMPLE_CHARS)
        pieces = [joined[cut : cut + SAMPLE_CHARS] for cut in cuts]
    else:
        step = (whole - SAMPLE_CHARS) / (SAMPLES - 1)
        pieces = [slice_across(texts, round(step * i), SAMPLE_CHARS) for i in range(SAMPLES)]
    whole_ones = [piece for piece in pieces if len(piece) > SAMPLE_CHARS // 4]
    return [piece for piece in whole_ones or pieces if piece and not piece.isspace()]


def slice_across(texts: Sequence[str], start: int, length: int) -> str:
    if len(texts) == 1:
        return texts[0][start : start + length]
    taken: list[str] = []
    for text in texts:
        if start < len(text) and length > 0:
            taken.append(text[start : start + length])
            length -= len(taken[-1])
        start = max(0, start - len(text))
    return "\n".join(taken)
