"""Read plain text in whatever encoding it is.

In: an open text file.  Out: one part, the whole text, with the offsets of the file.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from dlp.decode.contract import Item, Limits
from dlp.decode.encoding import read_text
from dlp.model import Gap, GapCode, Part

MEDIA_TYPES = frozenset({"text/plain"})


def extract(source: BinaryIO, limits: Limits) -> Iterator[Item]:
    text, longer = read_text(source, limits, keep_mark=True)
    yield Part("body", text)
    if longer:
        yield Gap(GapCode.TOO_LARGE, "body")
