"""Rewrite pictures: the pixels stay, everything said beside them goes.

In: PNG, JPEG or GIF.  Out: the same pixels without comments, Exif or previews.
"""

from __future__ import annotations

import struct

from dlp.sanitise.documents.contract import Job, refuse

PNG = b"\x89PNG\r\n\x1a\n"
PNG_KEPT = frozenset({
    b"IHDR", b"PLTE", b"IDAT", b"IEND", b"tRNS", b"gAMA", b"cHRM", b"sRGB", b"sBIT", b"bKGD",
    b"pHYs",
})  # fmt: skip
# JFIF and Adobe's colour mark; ICC profiles carry names of people's machines
JPEG_KEPT = frozenset({0xE0, 0xEE, *range(0xC0, 0xD0), 0xDA, 0xDB, 0xDD})
# The smallest grey picture: it stands where a picture cannot be checked.
BLANK = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108000000003a7e9b55"
    "0000000a49444154789c6338030000ce00cdd46690b00000000049454e44ae426082"
)


def bare_picture(data: bytes) -> bytes | None:
    try:
        if data.startswith(PNG):
            return bare_png(data)
        if data.startswith(b"\xff\xd8\xff"):
            return bare_jpeg(data)
        if data.startswith((b"GIF87a", b"GIF89a")):
            return bare_gif(data)
    except (struct.error, IndexError, ValueError):
        return None
    return None


def bare_png(data: bytes) -> bytes:
    out, place = [PNG], len(PNG)
    while place + 12 <= len(data):
        (length,) = struct.unpack_from(">I", data, place)
        kind = data[place + 4 : place + 8]
        if place + 12 + length > len(data):
            raise ValueError("cut off")
        if kind in PNG_KEPT:
            out.append(data[place : place + 12 + length])
        place += 12 + length
        if kind == b"IEND":
            return b"".join(out)
    raise ValueError("no end")


def bare_jpeg(data: bytes) -> bytes:
    out, place = [b"\xff\xd8"], 2
    while place < len(data):
        if data[place] != 0xFF:
            raise ValueError("no marker")
        marker = data[place + 1]
        if marker == 0xFF:
            place += 1
            continue
        if marker == 0xD9:
            return b"".join((*out, b"\xff\xd9"))
        (length,) = struct.unpack_from(">H", data, place + 2)
        end = place + 2 + length
        if marker in JPEG_KEPT:
            # a JFIF mark may hold a preview behind its 14 bytes
            segment = data[place:end] if marker != 0xE0 else bare_jfif(data[place:end])
            out.append(segment)
        if marker == 0xDA:
            scan = end_of_scan(data, end)
            out.append(data[end:scan])
            end = scan
        place = end
    raise ValueError("no end")


def bare_jfif(segment: bytes) -> bytes:
    if segment[4:9] != b"JFIF\0" or len(segment) < 18:
        return b""
    return b"\xff\xe0\x00\x10" + segment[4:16] + b"\0\0"


def end_of_scan(data: bytes, place: int) -> int:
    while True:
        place = data.index(b"\xff", place)
        if data[place + 1] == 0 or 0xD0 <= data[place + 1] <= 0xD7:
            place += 2
        elif data[place + 1] == 0xFF:
            place += 1
        else:
            return place


def bare_gif(data: bytes) -> bytes:
    place = 13 + colours(data[10])
    out = [data[:place]]
    while place < len(data):
        if data[place] == 0x3B:
            return b"".join((*out, b"\x3b"))
        start = place
        if data[place] == 0x21:
            kept = data[place + 1] == 0xF9
            place = end_of_blocks(data, place + 2)
        elif data[place] == 0x2C:
            kept = True
            place = end_of_blocks(data, place + 11 + colours(data[place + 9]))
        else:
            raise ValueError("no block")
        if kept:
            out.append(data[start:place])
    raise ValueError("no end")


def colours(flags: int) -> int:
    return 3 << ((flags & 7) + 1) if flags & 0x80 else 0


def end_of_blocks(data: bytes, place: int) -> int:
    while data[place]:
        place += data[place] + 1
    return place + 1


MEDIA_TYPES = frozenset({"image/png", "image/jpeg", "image/gif"})


def rewrite(data: bytes, job: Job) -> bytes:
    bare = bare_picture(data)
    if bare is None:
        raise refuse("the picture is damaged")
    job.note("words inside pictures are not read")
    return bare
