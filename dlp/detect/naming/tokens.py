"""Cut a text into words, with what their letters and the gaps behind them look like.

In: text (folded).  Out: arrays over its words: spans, hashes, shapes, gaps.

No Python loop: a million characters take about forty milliseconds.
"""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dlp.knowledge.arrays import nonzero
from dlp.knowledge.hashing import (
    APOSTROPHES,
    FOLDED_BELOW,
    Hashes,
    Points,
    Positions,
    SpanHashes,
    code_points,
    look_up,
)

LOWER, UPPER, DIGIT, APOSTROPHE, JOINER = 1, 2, 3, 4, 5
# What stands between a word and the next one.
SPACE, DOT, COMMA, COLON, LINE, HYPHEN, OTHER, PART = range(8)
GAPS = ("space", "dot", "comma", "colon", "line", "hyphen", "other", "part")
WIDEST_GAP = 3  # spaces and a comma; more is a column of a table
LEADER = 5  # signs between a label and its value, at least
WIDEST_SPACE = 2  # "Kaylee Brandt   Grade 3" is two fields
# Shapes of a word.
CAPITAL, ALL_CAPS, NUMBER, POSSESSIVE, SINGLE, MIXED = 1, 2, 4, 8, 16, 32
Bits = npt.NDArray[np.uint8]


class Tokens(NamedTuple):
    starts: Positions
    ends: Positions  # without a possessive 's
    hashes: Hashes
    whole: Hashes  # with it: "st vincents" is how a hospital is listed
    shapes: Bits
    gaps: Bits  # gaps[i] stands behind word i
    lines: Positions  # number of the line a word starts in


def tokenise(text: str) -> Tokens:
    points = code_points(text)
    classes = look_up(character_classes(), points)
    edges = word_edges(classes)
    starts, full = edges[0::2], edges[1::2]
    ends = without_possessive(points, classes, starts, full)
    hashing = SpanHashes(points)
    hashes = hashing(starts, ends)
    moved = nonzero(ends != full)
    whole = hashes.copy()
    whole[moved] = hashing(starts[moved], full[moved])
    line_of = np.searchsorted(nonzero(points == ord("\n")), starts)
    return Tokens(starts, ends, hashes, whole, shapes_of(classes, starts, ends, full),
                  gaps_of(points, starts, full, line_of), line_of)  # fmt: skip


def word_edges(classes: Bits) -> Positions:
    """Starts and ends of words: letters and digits, and apostrophes between them."""
    solid = (classes != 0) & (classes != APOSTROPHE)
    inside = np.zeros(len(classes) + 2, dtype=np.bool_)
    inside[1:-1] = solid
    marks = nonzero(classes == APOSTROPHE) + 1
    inside[marks] = inside[marks - 1] & inside[marks + 1]
    return nonzero(inside[1:] != inside[:-1])


def without_possessive(
    points: Points, classes: Bits, starts: Positions, ends: Positions
) -> Positions:
    long = ends - starts > 2
    last = np.maximum(ends - 1, 0)
    s = (points[last] == ord("s")) | (points[last] == ord("S"))
    owned = long & s & (classes[np.maximum(ends - 2, 0)] == APOSTROPHE)
    return np.where(owned, ends - 2, ends)


def shapes_of(classes: Bits, starts: Positions, ends: Positions, full: Positions) -> Bits:
    def count(kind: int) -> Positions:
        at = np.searchsorted(starts, nonzero(classes == kind), side="right") - 1
        return np.bincount(at, minlength=len(starts))

    capital = classes[starts] == UPPER
    upper, digits = count(UPPER), count(DIGIT)
    letters = ends - starts
    shapes = np.where(capital, CAPITAL, 0)
    shapes |= np.where((upper == letters) & (letters > 1), ALL_CAPS, 0)
    shapes |= np.where((upper > 1) & (upper < letters), MIXED, 0)
    shapes |= np.where(digits > 0, NUMBER, 0)
    shapes |= np.where(full != ends, POSSESSIVE, 0)
    shapes |= np.where(letters == 1, SINGLE, 0)
    return shapes.astype(np.uint8)


def gaps_of(points: Points, starts: Positions, ends: Positions, lines: Positions) -> Bits:
    """What follows each word before the next; the last word is followed by OTHER."""
    gaps = np.full(len(starts), OTHER, dtype=np.uint8)
    if len(starts) < 2:
        return gaps
    size = starts[1:] - ends[:-1]
    first = points[ends[:-1]]
    second = points[np.minimum(ends[:-1] + 1, len(points) - 1)]
    blank = (first == 32) | (first == 9)
    close = size <= WIDEST_GAP
    spaced = (second == 32) | (second == 9)
    kinds = [
        ((size <= WIDEST_SPACE) & blank & (spaced | (size == 1)), SPACE),
        (close & (first == ord(".")) & (spaced | (size == 1)), DOT),
        (close & (first == ord(",")) & (spaced | (size == 1)), COMMA),
        ((size == 1) & (first == ord("_")), SPACE),  # Ada_Hale, as accounts are called
        ((size == 1) & (first == ord("-")), HYPHEN),
    ]
    for where, kind in kinds:
        gaps[:-1][where] = kind
    colons = nonzero((points == ord(":")) | (points == ord("=")))
    behind = np.searchsorted(starts, colons) - 1
    labelled = np.zeros(len(starts), dtype=np.bool_)
    labelled[behind[behind >= 0]] = True
    gaps[:-1][lines[1:] > lines[:-1]] = LINE
    gaps[:-1][labelled[:-1] & (size <= 40)] = COLON
    # "Name ....... Ada": a leader of dots or a line to write on says what a colon says
    wide = nonzero((size >= LEADER) & (size <= 40) & (gaps[:-1] == OTHER))
    inside = points[ends[wide] + 2]
    dotted = (inside == points[ends[wide] + 3]) & ((inside == ord(".")) | (inside == ord("_")))
    gaps[wide[dotted]] = COLON
    return gaps


@functools.cache
def character_classes() -> Bits:
    table = np.zeros(FOLDED_BELOW + 1, dtype=np.uint8)
    for code in range(FOLDED_BELOW):
        character = chr(code)
        if character in APOSTROPHES:
            table[code] = APOSTROPHE
        elif character.isdigit():
            table[code] = DIGIT
        elif character.isalpha():
            table[code] = UPPER if character.isupper() else LOWER
        elif code in {0xAD, 0x200B, 0x200C, 0x200D, 0x2060} or 0x300 <= code < 0x370:
            table[code] = JOINER
    return table
