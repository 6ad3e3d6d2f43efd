"""Fold text for matching: tricks and typography out, every position kept.

In: text.  Out: folded text whose positions lead back to the original.

People hide numbers (and Word, PDF and phones mangle them) with zero-width characters, soft
hyphens, no-break spaces, typographic dashes, full-width or foreign digits and letters that only
look Latin. Patterns see the plain form; findings point into the text as it is.
"""

from __future__ import annotations

import functools
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain, starmap

import numpy as np
import numpy.typing as npt

from dlp.knowledge.arrays import cached, nonzero

Offsets = npt.NDArray[np.int64]

DROP = 0xFFFFFFFF
PLANES = 0x20000  # above, only tags and the variation selectors of the supplement are folded
TAGS, SELECTORS = range(0xE0020, 0xE007F), range(0xE0100, 0xE01F0)
# Letters that are signs to Unicode: where each run of 26 begins, and with which letter.
DRAWN_LETTERS = (
    *((0x24B6, "A"), (0x24D0, "a"), (0x249C, "a"), (0x1F110, "A"), (0x1F130, "A")),
    *((0x1F150, "A"), (0x1F170, "A"), (0x1F1E6, "A")),
)
SYMBOL_FONT = range(0xF020, 0xF07F)  # how Office keeps the letters of its symbol fonts
INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180e\u200b\u200c\u200d\u200e"
    "\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2061\u2062\u2063\u2064\u2066\u2067\u2068\u2069"
    "\u206a\u206b\u206c\u206d\u206e\u206f\ufe00\ufe01\ufe0e\ufe0f\ufeff\u3164\uffa0\ufff9\ufffa\ufffb"
    "\U0001d173\U0001d174\U0001d175\U0001d176\U0001d177\U0001d178\U0001d179\U0001d17a"
    "\u0335\u0336\u0337\u0338\u20d2\u20d3\u20e5"  # strokes through letters
)
SPACES = (
    "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007"
    "\u2008\u2009\u200a\u202f\u205f\u3000\u2800"
)
DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2e3a\u2e3b\ufe58\ufe63\uff0d\u2043\u02d7"
# Cyrillic and Greek capitals and letters drawn like Latin ones (Unicode TR 39 confusables).
LOOKALIKES = {
    "\u0410\u0412\u0415\u0405\u0406\u0408\u041a\u041c\u041d\u041e": "ABESIJKMHO",
    "\u0420\u0421\u0422\u0423\u0425\u04ae\u050c\u051a\u051c\u04c0": "PCTYXYGQWI",
    "\u0430\u0432\u0435\u0455\u0456\u0458\u043a\u043c\u043d\u043e": "abesijkmho",
    "\u0440\u0441\u0442\u0443\u0445\u04bb\u0501\u051b\u051d": "pctyxhdqw",
    "\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f": "ABEZHIKMNO",
    "\u03a1\u03a4\u03a5\u03a7": "PTYX",
    "\u03bf\u03b9\u03ba\u03c1\u03c5\u03bd": "oikpuv",
    "\u0250\u0254\u01dd\u025f\u0183\u0265\u0131\u027e\u029e\u026f": "acefghijkm",  # turned
    "\u0279\u0287\u028c\u028d\u028e": "rtvwy",
    "\u2018\u2019\u201a\u201b\u2032\u02bc\uff07": "'''''''",
    "\u2215\u2044\u29f8\uff0f": "////",
    "\uff0e\u3002\u2024": "...",
    "\uff1a\u02d0\u2236": ":::",
    "\uff20\ufe6b": "@@",
}
ORDINALS = frozenset("\u00aa\u00ba")  # 2\u00ba is "second", not 20


@dataclass(frozen=True, slots=True)
class Folded:
    """Text ready for matching; `positions` is None when nothing moved."""

    text: str = field(repr=False)
    positions: Offsets | None = field(default=None, repr=False)

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Lead a half-open span back: the last character counts with all that was hidden in it."""
        if self.positions is None:
            return start, end
        if start >= end:
            return int(self.positions[start]), int(self.positions[start])
        return int(self.positions[start]), int(self.positions[end - 1]) + 1

    def places(self, originals: Sequence[int]) -> Offsets:
        """Where these places of the original stand in the folded text."""
        asked = np.array(originals, dtype=np.int64)
        return asked if self.positions is None else np.searchsorted(self.positions, asked)


def fold(text: str) -> Folded:
    if text.isascii():
        return Folded(text)
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    foreign = nonzero(points > 0x7F)
    wide = points[foreign]
    low = wide < PLANES
    image = wide.copy()
    image[low] = folding_table()[wide[low]]
    if not low.all():
        image[~low] = folded_high(wide[~low])
    if np.array_equal(image, wide):
        return Folded(text)
    folded = points.copy()
    folded[foreign] = image
    kept = folded != DROP
    if kept.all():
        return Folded(as_text(folded))
    positions = np.append(nonzero(kept), len(text))
    return Folded(as_text(folded[kept]), positions)


def folded_high(wide: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint32]:
    """Tag letters are the ASCII they repeat; selectors show nothing."""
    tags = (wide >= TAGS.start) & (wide < TAGS.stop)
    image = np.where(tags, wide - 0xE0000, wide)
    hidden = (wide >= SELECTORS.start) & (wide < SELECTORS.stop)
    return np.where(hidden, DROP, image).astype(wide.dtype)


def as_text(points: npt.NDArray[np.uint32]) -> str:
    return points.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")


# All but the Chinese, Korean, private and cuneiform ranges, which hold no digit and no letter that
# is read as a Latin one: two code points in three.
FOLDING = (
    (0x80, 0x3400),
    (0xA000, 0xAC00),
    (0xD7A4, 0xE000),
    (0xF900, 0x12000),
    (0x16A00, 0x17000),
    (0x18D80, PLANES),
)


@functools.cache
def folding_table() -> npt.NDArray[np.uint32]:
    return cached("foldings", foldings, "text")


def foldings() -> npt.NDArray[np.uint32]:
    """For each code point of planes 0 and 1 the one it is read as, or DROP."""
    table = np.arange(PLANES, dtype=np.uint32)
    for character in map(chr, chain(*starmap(range, FOLDING))):
        if character.isdecimal():
            table[ord(character)] = ord("0") + unicodedata.digit(character)
        elif unicodedata.decomposition(character) and is_folded(character):
            plain = unicodedata.normalize("NFKC", character)
            if len(plain) == 1 and plain.isascii():
                table[ord(character)] = ord(plain)  # full-width and mathematical letters
    for first, letter in DRAWN_LETTERS:
        table[first : first + 26] = np.arange(ord(letter), ord(letter) + 26)
    table[SYMBOL_FONT.start : SYMBOL_FONT.stop] = np.arange(0x20, 0x7F)
    for looks, plain in LOOKALIKES.items():
        for look, letter in zip(looks, plain, strict=True):
            table[ord(look)] = ord(letter)
    for group, image in ((SPACES, ord(" ")), (DASHES, ord("-")), (INVISIBLE, DROP)):
        table[[ord(character) for character in group]] = image
    return table


def is_folded(letter: str) -> bool:
    return letter.isalpha() and letter not in ORDINALS
