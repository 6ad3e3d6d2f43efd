"""Find the pictures that Office drawings carry.

In: bytes that hold drawing records somewhere.  Out: the pictures, metafiles inflated.

MS-ODRAW 2.2.23: a record per picture, known by a type and an instance that must fit together.
"""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Iterator

from dlp.decode.contract import Budget

METAFILES = {0xF01A: (0x3D4, 0x3D5), 0xF01B: (0x216, 0x217), 0xF01C: (0x542, 0x543)}
BITMAPS = {
    0xF01D: (0x46A, 0x46B, 0x6E2, 0x6E3), 0xF02A: (0x46A, 0x46B, 0x6E2, 0x6E3),
    0xF01E: (0x6E0, 0x6E1), 0xF01F: (0x7A8, 0x7A9), 0xF029: (0x6E4, 0x6E5),
}  # fmt: skip
# Instances with two identifiers in front of the picture instead of one.
TWO_IDENTIFIERS = frozenset({0x3D5, 0x217, 0x543, 0x46B, 0x6E3, 0x6E1, 0x7A9, 0x6E5})
HEADER = re.compile(rb"[\x00-\xf0][\x21\x3d\x46\x54\x6e\x7a][\x1a-\x1f\x29\x2a]\xf0", re.DOTALL)
MOST_PICTURES = 5000
DIB = b"\x28\0\0\0"
MARKS = (b"\x89PNG", b"\xff\xd8\xff", b"II*\0", b"MM\0*", b"BM", b"GIF8")


def pictures(content: bytes, budget: Budget) -> Iterator[bytes]:
    at = 0
    for _ in range(MOST_PICTURES):
        hit = HEADER.search(content, at)
        if hit is None or hit.start() + 8 > len(content):
            return
        start = hit.start()
        options, kind, length = struct.unpack_from("<HHI", content, start)
        instance = options >> 4
        first = start + 8 + (32 if instance in TWO_IDENTIFIERS else 16)
        end = start + 8 + length
        picture = b""
        if instance in BITMAPS.get(kind, ()) and looks_like_bitmap(content, first + 1):
            picture = bitmap(content[first + 1 : end])
        elif instance in METAFILES.get(kind, ()):
            picture = metafile(content[first:end], budget)
        if not picture:
            at = start + 1  # bytes that only look like a header
            continue
        yield picture
        at = min(end, len(content))


def looks_like_bitmap(content: bytes, at: int) -> bool:
    return content.startswith((*MARKS, DIB), at)


def bitmap(content: bytes) -> bytes:
    """Give a picture other programs can open; a device-independent bitmap lacks its file header."""
    if content.startswith(DIB):
        return b"BM" + struct.pack("<IHHI", len(content) + 14, 0, 0, 14 + 40) + content
    return content


def metafile(record: bytes, budget: Budget) -> bytes:
    """Size, bounds and packing stand in front; 0 means deflated."""
    if len(record) < 34:
        return b""
    body = record[34:]
    if record[32] != 0:
        return body
    try:
        content = zlib.decompressobj().decompress(body, budget.limits.max_inflated_bytes)
    except zlib.error:
        return b""
    budget.take_bytes(len(content), "media")
    return content
