"""Take embedded files out of Office documents: packaged objects, pictures, thumbnails.

In: bytes of an embedded object or of a drawing.  Out: the name and the bytes of the files in it.
"""

from __future__ import annotations

import io
import re
import struct
import zlib
from collections.abc import Iterator
from dataclasses import replace

from dlp.decode.contract import Budget, Embedded, Item, Limits
from dlp.decode.formats import image
from dlp.model import Gap, GapCode, Part

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
PICTURE_MARKS = (b"\x89PNG", b"\xff\xd8\xff", b"II*\0", b"MM\0*", b"BM", b"GIF8")

SMALL = 65_536  # bytes: 256 pixels wide, as every office program writes them
THUMBNAIL_MARKS = (b"\x89PNG", b"\xff\xd8\xff", b"BM", b"GIF8")


def unwrap_ole1(data: bytes) -> tuple[str, str, bytes] | None:
    """Give class, linked path and content of an OLE 1.0 object; None if it is not one.

    MS-OLEDS 2.2: version, kind, three counted strings, size, content.
    """
    if len(data) < 12:
        return None
    _, kind = struct.unpack_from("<II", data)
    if kind not in {1, 2}:
        return None
    at = 8
    strings: list[str] = []
    for _ in range(3):
        if at + 4 > len(data):
            return None
        (length,) = struct.unpack_from("<I", data, at)
        if length > 4096 or at + 4 + length > len(data):
            return None
        strings.append(data[at + 4 : at + 4 + length].rstrip(b"\0").decode("cp1252", "replace"))
        at += 4 + length
    size = struct.unpack_from("<I", data, at)[0] if at + 4 <= len(data) else 0
    return strings[0], " ".join(filter(None, strings[1:])), data[at + 4 : at + 4 + size]


def unwrap_package(data: bytes) -> tuple[str, bytes] | None:
    """Give names and content of a packaged file (Ole10Native); None if it is not one."""
    if data[:2] != b"\2\0":
        return None
    name, at = counted(data, 2)
    source, at = counted(data, at)
    at += 4  # flags
    if at + 4 > len(data):
        return None
    (length,) = struct.unpack_from("<I", data, at)
    target = data[at + 4 : at + 4 + length].rstrip(b"\0").decode("cp1252", "replace")
    at += 4 + length
    if at + 4 > len(data):
        return None
    (size,) = struct.unpack_from("<I", data, at)
    names = dict.fromkeys(text for text in (name, source, target) if text)
    return "\n".join(names), data[at + 4 : at + 4 + size]


def counted(data: bytes, at: int) -> tuple[str, int]:
    """A string that ends with a zero byte."""
    end = data.find(b"\0", at)
    if end < 0:
        return "", len(data)
    return data[at:end].decode("cp1252", "replace"), end + 1


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
    return content.startswith((*PICTURE_MARKS, DIB), at)


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


def read_thumbnail(content: bytes, limits: Limits) -> Iterator[Item]:
    if len(content) > SMALL or not content.startswith(THUMBNAIL_MARKS):
        yield Embedded("thumbnail", "", content)
        return
    for item in image.extract(io.BytesIO(content), limits):
        if isinstance(item, Part):
            yield replace(item, locator=f"thumbnail/{item.locator}")
        elif isinstance(item, Gap) and item.code is not GapCode.NEEDS_OCR:
            yield Gap(item.code, f"thumbnail/{item.where}")
