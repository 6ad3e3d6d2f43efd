"""Read the small picture of the first page that documents carry.

In: the bytes of a thumbnail.  Out: its metadata, or the picture itself when it is large.

The page it shows is read as text, so a thumbnail is no reason to ask for OCR; what a camera or an
editor wrote into it is still read.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import replace

from dlp.decode.contract import Embedded, Item, Limits
from dlp.decode.formats import image
from dlp.model import Gap, GapCode, Part

SMALL = 65_536  # bytes: 256 pixels wide, as every office program writes them
MARKS = (b"\x89PNG", b"\xff\xd8\xff", b"BM", b"GIF8")


def read(content: bytes, limits: Limits) -> Iterator[Item]:
    if len(content) > SMALL or not content.startswith(MARKS):
        yield Embedded("thumbnail", "", content)
        return
    for item in image.extract(io.BytesIO(content), limits):
        if isinstance(item, Part):
            yield replace(item, locator=f"thumbnail/{item.locator}")
        elif isinstance(item, Gap) and item.code is not GapCode.NEEDS_OCR:
            yield Gap(item.code, f"thumbnail/{item.where}")
