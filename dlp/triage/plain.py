"""Write a text without what hides a word from a pattern but not from a reader.

In: the parts of a document.  Out: UTF-8, a line for each part.
"""

from __future__ import annotations

import functools
import re
import unicodedata

import numpy as np
import numpy.typing as npt

from dlp.knowledge.arrays import of_unicode
from dlp.native import kernel

# Characters that are drawn as nothing: one inside "dia\u00adbetes" would deafen every pattern.
INVISIBLE = re.compile("[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")
ASKED = ((0x80, 0x33FF), (0xA000, 0xABFF))  # where signs change and join: see `staying_signs`
IDEOGRAPHS = ((0x3400, 0x9FFF), (0xAC00, 0xD7A3))  # and syllables, which all stay
STAYING = "staying signs"  # the name of their table
LISTENING = kernel("listening")


def plain_bytes(texts: list[str]) -> bytes:
    """All of them, a line each, without what hides a word from a pattern but not from a reader."""
    if LISTENING is not None:
        # What stays joins nothing before it, so a text may be cut before each such sign.
        raw: bytes | None = LISTENING.plain_bytes(texts, plain, staying())
        if raw is not None:
            return raw
    text = "\n".join(texts)
    return (text if text.isascii() else plain(text)).encode("utf-8", "replace")


def plain(text: str) -> str:
    return unicodedata.normalize("NFKC", INVISIBLE.sub("", text))


@functools.cache
def staying() -> bytes:
    return of_unicode(STAYING, staying_signs).tobytes()


def staying_signs() -> npt.NDArray[np.uint8]:
    """For the code points of the first plane: 1 where `plain` keeps the sign, whatever is near it.

    Such a sign is its own normal form, and joins no sign before it: it is neither a mark nor the
    second half of any pair that Unicode composes.
    """
    stays = bytearray(0x10000)
    stays[:0x80] = bytes([1]) * 0x80
    for first, last in ASKED:
        signs = [chr(point) for point in range(first, last + 1)]
        pairs = (unicodedata.decomposition(sign).split() for sign in signs)
        seconds = {chr(int(pair[1], 16)) for pair in pairs if len(pair) == 2 and pair[0][0] != "<"}
        for sign in signs:
            own = unicodedata.is_normalized("NFKC", sign) and not unicodedata.combining(sign)
            stays[ord(sign)] = own and sign not in seconds and INVISIBLE.match(sign) is None
    for first, last in IDEOGRAPHS:
        stays[first : last + 1] = bytes([1]) * (last + 1 - first)
    stays[0x1100:0x1200] = bytes(0x100)  # letters of Hangul, which compose by rule
    return np.frombuffer(bytes(stays), dtype=np.uint8)
