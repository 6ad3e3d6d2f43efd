"""The cues of a language as tables that a kernel walks.

In: phrases and their cues.  Out: a kernel's object and the sets its answers stand for, or None.

A phrase is heard as RE2 hears it: at words' ends, in any case, over any blanks, the longest of
those that begin at one place. That is a walk down a tree of characters as long as every phrase is
plain and singly spaced, and the text holds no sign that stands for a plain letter in RE2's eyes.
Within a phrase may be letters with accents, of which each has one capital and no other twin; at its
ends RE2 would take them for no letters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from dlp.knowledge.hits import TermHit
from dlp.model import Finding
from dlp.native import kernel

KERNEL = kernel("sentences")
Nodes = npt.NDArray[np.int16]
WAYS = {"forward": 1, "backward": 2, "both": 3}
SILENT = frozenset({"stop", "pseudo"})
STOP = "stop"
MOST_NODES = 1 << 15  # their numbers have 16 bits
MOST_SIGNS = 4  # with which phrases begin
SIGNS = 256  # characters that the kernel has a column for
ACCENTED = "áéíóúñü"
LIKE_LETTERS = ("\u017f", "\u212a")  # the long s and the Kelvin sign: s and k to who ignores case


class Meaning(Protocol):
    @property
    def context(self) -> str: ...
    @property
    def direction(self) -> str: ...
    @property
    def reach(self) -> int: ...


class CueTree:
    """Ready to be asked; `sets` has one set of contexts for each answer."""

    def __init__(self, cues: Mapping[str, Sequence[Meaning]]) -> None:
        names = sorted({cue.context for meant in cues.values() for cue in meant} - SILENT)
        self.sets = [
            frozenset(name for place, name in enumerate(names) if bits >> place & 1)
            for bits in range(1 << len(names))
        ]
        bit_of = {name: 1 << place for place, name in enumerate(names)} | {STOP: 0}
        rows: list[tuple[int, int, int]] = []
        bounds = [0]
        for meant in cues.values():
            # a pseudo cue says nothing; that it was heard keeps a shorter one within it silent
            rows += [
                (bit_of[cue.context], WAYS[cue.direction], cue.reach)
                for cue in meant
                if cue.context in bit_of
            ]
            bounds.append(len(rows))
        letters = sorted(set("".join(cues)))
        table, phrase_at = grow(list(cues), {letter: n for n, letter in enumerate(letters, 1)})
        bits, ways, reach = (np.array(column, np.int32) for column in zip(*rows, strict=True))
        self.asked = KERNEL.Cues(
            columns(letters), len(letters) + 1, table,
            np.array(phrase_at, np.int32), np.array(bounds, np.int32), bits, ways, reach,
        )  # fmt: skip

    def contexts(
        self, text: str, starts: Any, places: Sequence[tuple[Any, ...]]
    ) -> list[frozenset[str]]:
        """The contexts of each place in a text of which a kernel keeps where sentences start."""
        found: list[frozenset[str]] = self.asked.contexts(text, starts, places, self.sets)
        return found

    def findings(self, text: str, starts: Any, hits: list[TermHit], *told: Any) -> list[Finding]:
        """A finding for each hit, as `told` says: its rule, part, doubtful flag and confidences."""
        made: list[Finding] = self.asked.findings(text, starts, hits, self.sets, Finding, *told)
        return made


def grow(phrases: Sequence[str], column: Mapping[str, int]) -> tuple[Nodes, list[int]]:
    """Nodes with the next node for each letter, and which phrase ends at each.

    Nodes are numbered by depth: most walks end after a step or two, near one another in memory.
    """
    width = len(column) + 1
    ways: dict[int, int] = {}  # by node and letter
    nodes = [0] * len(phrases)
    growing = [(number, [column[letter] for letter in one]) for number, one in enumerate(phrases)]
    for depth in range(max(map(len, phrases))):
        growing = [one for one in growing if depth < len(one[1])]
        for number, letters in growing:
            way = nodes[number] * width + letters[depth]
            nodes[number] = ways.setdefault(way, len(ways) + 1)
    table = np.zeros((len(ways) + 1) * width, np.int16)
    table[list(ways)] = list(ways.values())
    phrase_at = [0] * (len(ways) + 1)
    for number, node in enumerate(nodes, 1):
        phrase_at[node] = number
    return table, phrase_at


def columns(letters: Sequence[str]) -> bytes:
    """The column of each of the first characters; capitals are in that of the small letter."""
    wanted = {letter: number for number, letter in enumerate(letters, 1)}
    wanted |= dict.fromkeys("\t\n\r\f", wanted.get(" ", 0))
    return bytes(wanted.get(chr(code).lower(), 0) for code in range(SIGNS))


def plant(cues: Mapping[str, Sequence[Meaning]]) -> CueTree | None:
    """A tree, where there is a kernel and the phrases are such as it hears rightly."""
    plain = all(is_walkable(p) and p == p.lower() and p.split() == p.split(" ") for p in cues)
    plain = plain and sum(map(len, cues)) < MOST_NODES
    plain = plain and len({p[0] for p in cues if not p[0].isalnum()}) <= MOST_SIGNS
    said = any(cue.context != "pseudo" for meant in cues.values() for cue in meant)
    return CueTree(cues) if KERNEL is not None and plain and said else None


def is_walkable(phrase: str) -> bool:
    """Whether it is of signs that the kernel tells apart as RE2 does."""
    ends = phrase[0] + phrase[-1]
    plain = phrase.isascii() or all(sign.isascii() or sign in ACCENTED for sign in phrase)
    return plain and ends.isascii()


def is_plain(text: str) -> bool:
    return text.isascii() or not any(sign in text for sign in LIKE_LETTERS)
