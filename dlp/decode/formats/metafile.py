"""Read Windows metafiles, the drawings Office makes of embedded objects.

In: an open emf or wmf.  Out: its title and the text it draws; a bitmap inside needs OCR.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from dlp.decode.contract import Item, Limits, at_most
from dlp.decode.office import metafile
from dlp.model import Gap, GapCode, Part

MEDIA_TYPES = frozenset({"image/emf", "image/x-emf", "image/wmf", "image/x-wmf"})


def extract(source: BinaryIO, limits: Limits) -> Iterator[Item]:
    content = at_most(source, limits.max_inflated_bytes + 1)
    if len(content) > limits.max_inflated_bytes:
        yield Gap(GapCode.TOO_LARGE, "body")
    for item in metafile.read(content):
        if not isinstance(item, Part) or item.text.strip():
            yield item
