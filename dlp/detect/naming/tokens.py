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
Flags = npt.NDArray[np.bool_]
NEW_LINE, COLON_SIGN, EQUALS, LOW_S, HIGH_S = (ord(sign) for sign in "\n:=sS")
# The signs a gap may begin with: what each makes of it, and how wide the gap may be. An underscore
# joins as a blank does, and nothing may stand beside it: Ada_Hale, as accounts are called.
SIGN_GAPS = ((" ", SPACE, WIDEST_SPACE), (".", DOT, WIDEST_GAP), (",", COMMA, WIDEST_GAP),
             ("-", HYPHEN, 1), ("_", SPACE, 1))  # fmt: skip
BEYOND_SIGNS = 127
GAP_BEHIND = np.full(BEYOND_SIGNS + 1, OTHER, dtype=np.uint8)
WIDTH_BEHIND = np.zeros(BEYOND_SIGNS + 1, dtype=np.int64)
for signs, gap, width in SIGN_GAPS:
    GAP_BEHIND[[*signs.encode()]], WIDTH_BEHIND[[*signs.encode()]] = gap, width


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
    classes = classes_of(points)
    marks = nonzero(classes == APOSTROPHE)
    edges = word_edges(classes, marks)
    starts, full = edges[0::2], edges[1::2]
    moved = possessives(points, starts, full, marks) if len(marks) else marks
    ends = full
    if len(moved):
        ends = full.copy()
        ends[moved] -= 2
    hashing = SpanHashes(points)
    whole = hashes = hashing(starts, ends)
    if len(moved):
        whole = hashes.copy()
        whole[moved] = hashing(starts[moved], full[moved])
    opened = starts.searchsorted(nonzero(points == NEW_LINE))
    line_of = np.bincount(opened, minlength=len(starts) + 1)[:-1].cumsum()
    return Tokens(starts, ends, hashes, whole, shapes_of(classes, starts, ends, moved),
                  gaps_of(points, starts, full, line_of), line_of)  # fmt: skip


def word_edges(classes: Bits, marks: Positions) -> Positions:
    """Starts and ends of words: letters and digits, and apostrophes (marks) between them."""
    inside = np.zeros(len(classes) + 2, dtype=np.bool_)
    np.not_equal(classes, 0, out=inside[1:-1])
    if len(marks):
        marks = marks + 1
        inside[marks] = False
        inside[marks] = inside[marks - 1] & inside[marks + 1]
    return nonzero(inside[1:] != inside[:-1])


def possessives(points: Points, starts: Positions, ends: Positions, marks: Positions) -> Positions:
    """The words that end in an apostrophe and an s; an s that is all of its word owns nothing."""
    behind = points[np.minimum(marks + 1, len(points) - 1)]
    owning = marks[(behind == LOW_S) | (behind == HIGH_S)] + 2
    at = ends.searchsorted(owning)
    there = at < len(ends)
    at, owning = at[there], owning[there]
    return np.asarray(at[(ends[at] == owning) & (starts[at] < owning - 2)])


def shapes_of(classes: Bits, starts: Positions, ends: Positions, owned: Positions) -> Bits:
    def words_at(signs: Flags) -> Positions:
        return starts.searchsorted(nonzero(signs), side="right") - 1

    letters = ends - starts
    one = letters == 1
    high = classes == UPPER
    opens = high.take(starts)
    high[starts] = False  # the few that are left stand within a word
    upper = np.bincount(words_at(high), minlength=len(starts))
    upper += opens
    shapes = opens.view(np.uint8) * CAPITAL
    shapes |= ((upper == letters) & ~one).view(np.uint8) * ALL_CAPS
    shapes |= ((upper > 1) & (upper < letters)).view(np.uint8) * MIXED
    digits = classes == DIGIT
    digits[1:] &= ~digits[:-1]  # the first of some side by side speaks for all
    shapes[words_at(digits)] |= NUMBER
    shapes |= one.view(np.uint8) * SINGLE
    shapes[owned] |= POSSESSIVE
    return np.asarray(shapes)


def gaps_of(points: Points, starts: Positions, ends: Positions, lines: Positions) -> Bits:
    """What follows each word before the next; the last word is followed by OTHER."""
    gaps = np.full(len(starts), OTHER, dtype=np.uint8)
    if len(starts) < 2:
        return gaps
    between = gaps[:-1]
    before = ends[:-1]
    size = starts[1:] - before
    second = points.take(before + 1, mode="clip")
    # a sign is followed by the next word, or by a blank and no more than it may
    near = (second == 32) | (size == 1)
    signs = np.minimum(points.take(before), BEYOND_SIGNS)
    near &= size <= WIDTH_BEHIND.take(signs)
    np.copyto(between, GAP_BEHIND.take(signs), where=near)
    between[lines[1:] > lines[:-1]] = LINE
    few = size <= 40
    colons = nonzero((points == COLON_SIGN) | (points == EQUALS))
    if len(colons):
        labels = starts.searchsorted(colons) - 1
        labels = labels[(labels >= 0) & (labels < len(between))]
        gaps[labels[few[labels]]] = COLON
    # "Name ....... Ada": a leader of dots or a line to write on says what a colon says
    wide = nonzero((size >= LEADER) & few & (between == OTHER))
    if len(wide):
        inside = points[ends[wide] + 2]
        dotted = (inside == points[ends[wide] + 3]) & ((inside == ord(".")) | (inside == ord("_")))
        gaps[wide[dotted]] = COLON
    return gaps


def classes_of(points: Points) -> Bits:
    if points.dtype != np.uint8:
        return look_up(character_classes(), points)
    # translating bytes is twice as quick as a table of numbers
    return np.frombuffer(points.tobytes().translate(ascii_classes()), np.uint8)


@functools.cache
def ascii_classes() -> bytes:
    return character_classes()[:256].tobytes()


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
