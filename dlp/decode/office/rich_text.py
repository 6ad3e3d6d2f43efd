"""Read Rich Text Format with a kernel, where there is one.

In: the bytes of an RTF file.  Out: a reader that has read them: streams, properties, files inside.
"""

from __future__ import annotations

from functools import cache
from typing import Any, cast

from dlp.decode.office.rtf import PARAGRAPH_ENDS, RtfReader, file_of, shown_of
from dlp.decode.office.rtf_words import (
    BINARY,
    CHARACTERS,
    CODEPAGES,
    DESTINATIONS,
    NAMED,
    PROPERTIES,
    SPOKEN_SHAPE,
    THROUGH,
    codec_of,
)
from dlp.native import kernel

KERNEL: Any = kernel("rtf")


def read(content: bytes) -> RtfReader:
    reader = RtfReader() if KERNEL is None else KERNEL.Reader(tables())
    reader.read(content)
    return cast("RtfReader", reader)


@cache
def is_plain(codec: str) -> bool:
    """Whether the bytes of ASCII are the signs of ASCII in it."""
    return bytes(range(128)).decode(codec, "replace") == "".join(map(chr, range(128)))


@cache
def tables() -> Any:
    """What the kernel has to know of words, as it counts them."""
    does = dict(KERNEL.constants()["words"])
    kinds = KERNEL.constants()["kinds"]
    does.update(dict.fromkeys(BINARY, kinds["DIGITS"]))
    signs = [""] * kinds["CHARACTER"]
    for name, sign in CHARACTERS.items():
        does[name] = len(signs) | (kinds["PARAGRAPH"] if name in PARAGRAPH_ENDS else 0)
        signs.append(sign)
    words = {name.encode(): number for name, number in does.items()}
    sets = (PROPERTIES, THROUGH, SPOKEN_SHAPE, NAMED)
    asked = (codec_of, is_plain, file_of, shown_of)
    return KERNEL.Tables(words, signs, DESTINATIONS, CODEPAGES, sets, sorted(BINARY), asked)
