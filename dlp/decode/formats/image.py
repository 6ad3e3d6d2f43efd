"""Read what travels with a picture, and the picture itself where tesseract is installed.

In: an open picture.  Out: its properties and comments; a picture nobody could read is a gap.
"""

from __future__ import annotations

import io
import re
import struct
import warnings
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, BinaryIO

import re2
from PIL import ExifTags, Image, IptcImagePlugin, TiffImagePlugin

from dlp.decode import ocr
from dlp.decode.contract import Embedded, Item, Limits
from dlp.decode.labelled import LabelledText
from dlp.model import Gap, GapCode, Part

MEDIA_TYPES = frozenset({
    "image/png", "image/jpeg", "image/gif", "image/tiff", "image/bmp", "image/webp", "image/jp2",
    "image/vnd.adobe.photoshop", "image/x-pcx", "image/x-icns", "image/x-dcx",
    "image/avif", "image/x-portable-pixmap", "image/vnd.microsoft.icon", "image/x-icon",
})  # fmt: skip
BROKEN = (OSError, ValueError, TypeError, KeyError, IndexError, SyntaxError, AttributeError,
          EOFError, OverflowError, struct.error, zlib.error, NotImplementedError)  # fmt: skip
SMALL, THIN = 64, 8  # pixels: icons, bullets and rules hold no sentence
SMALL_FILE = 50_000
MAX_FRAMES = 50
MAX_CHUNKS = 100_000
TEXT_CHUNKS = frozenset({b"tEXt", b"zTXt", b"iTXt"})
MAX_VALUE = 100_000
MAX_UNSEEN = 64_000_000
# Long runs only: eight printable bytes in a row turn up every few kB of pixels.
SENTENCES = re2.compile(rb"[\x20-\x7e\t\r\n]{24,}")
WIDE_SENTENCES = re2.compile(rb"(?:[\x20-\x7e\t\r\n]\x00){24,}")
SIX_WORDS = re.compile(r"(?:[A-Za-z]{2,}[\s,.:;-]+){6}")
LONG_CHUNK = 64
PNG_CHUNKS = frozenset(
    b"""
    IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV cLLI tEXt zTXt iTXt bKGD hIST pHYs
    sPLT eXIf tIME acTL fcTL fdAT oFFs pCAL sCAL sTER gIFg gIFx dSIG caBX iDOT CgBI vpAg caNv orNT
""".split()
)
FOLDERS = (ExifTags.IFD.Exif, ExifTags.IFD.GPSInfo, ExifTags.IFD.Interop)
# Windows writes titles and comments in UTF-16, as bytes.
WIDE = frozenset({0x9C9B, 0x9C9C, 0x9C9D, 0x9C9E, 0x9C9F})
USER_COMMENT = 0x9286
IPTC_CHARSET = (1, 90)

# The size is asked below, before anything is decoded; Pillow would only warn.
Image.MAX_IMAGE_PIXELS = None


def extract(source: BinaryIO, limits: Limits) -> Iterator[Item]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield from read(source, limits)


def read(source: BinaryIO, limits: Limits) -> Iterator[Item]:
    try:
        picture = Image.open(source)
    except BROKEN:
        yield from packet_of(source)
        yield Gap(GapCode.CORRUPT, "body")
        return
    with picture:
        lines = LabelledText("metadata", limits)
        for properties in (exif, iptc, remarks):
            try:
                for label, value in properties(picture):
                    lines.add(label, value)
            except BROKEN:
                yield Gap(GapCode.CORRUPT, properties.__name__)
        if picture.format == "PNG":
            for label, value in png_texts(source):
                lines.add(label, value)
        yield from lines.items()
        yield from packet_of(source)
        yield from unseen(source, picture.format or "")
        yield from frames(picture, source.seek(0, io.SEEK_END))


def exif(picture: Any) -> Iterator[tuple[str, str]]:
    found = picture.getexif()
    for tag, value in found.items():
        if text := readable(tag, value):
            yield ExifTags.TAGS.get(tag, f"tag {tag}"), text
    for folder in FOLDERS:
        names = ExifTags.GPSTAGS if folder == ExifTags.IFD.GPSInfo else ExifTags.TAGS
        for tag, value in found.get_ifd(folder).items():
            if text := readable(tag, value):
                yield str(names.get(tag, f"tag {tag}")), text


def readable(tag: int, value: Any) -> str:
    if isinstance(value, bytes):
        if tag == USER_COMMENT:
            value = value[8:]  # the first eight bytes name its character set
        codec = "utf-16-le" if tag in WIDE else "utf-8"
        text = value[:MAX_VALUE].decode(codec, "replace").strip("\0 ")
        return text if text.isprintable() and "\ufffd" not in text else ""
    if isinstance(value, tuple | list):
        return " ".join(str(item) for item in value[:16])
    return str(value)[:MAX_VALUE].strip("\0 ")


def iptc(picture: Any) -> Iterator[tuple[str, str]]:
    if not isinstance(picture, TiffImagePlugin.TiffImageFile) and "photoshop" not in picture.info:
        return
    for key, value in (IptcImagePlugin.getiptcinfo(picture) or {}).items():
        for raw in value if isinstance(value, list) else [value]:
            text = raw.decode("utf-8", "replace").strip("\0 ")
            if text and text.isprintable() and key != IPTC_CHARSET:
                yield f"IPTC {key[0]}:{key[1]}", text


def remarks(picture: Any) -> Iterator[tuple[str, str]]:
    """Comments of JPEG and GIF, and text Pillow meets before the pixels."""
    for key, value in picture.info.items():
        text = value.decode("utf-8", "replace") if isinstance(value, bytes) else value
        words = isinstance(text, str) and key not in {"exif", "icc_profile", "photoshop", "xmp"}
        if words and text.strip() and "\0" not in text and "\ufffd" not in text:
            yield str(key), text[:MAX_VALUE]


def png_texts(source: BinaryIO) -> Iterator[tuple[str, str]]:
    """All text chunks, also those after the pixels, which Pillow gives only by decoding them."""
    source.seek(8)
    for _ in range(MAX_CHUNKS):
        head = source.read(8)
        if len(head) < 8:
            return
        length = int.from_bytes(head[:4], "big")
        if head[4:] in TEXT_CHUNKS:
            key, _, rest = source.read(min(length, MAX_VALUE * 4)).partition(b"\0")
            yield key.decode("latin-1"), chunk_text(head[4:], rest)
            length -= min(length, MAX_VALUE * 4)
        source.seek(length + 4, 1)


def chunk_text(kind: bytes, rest: bytes) -> str:
    if kind == b"tEXt":
        return rest.decode("latin-1")
    if kind == b"zTXt":
        packed, text = True, rest[1:]
    else:  # iTXt: flag, method, language, translated keyword
        packed = rest[:1] == b"\1"
        text = rest[2:].split(b"\0", 2)[-1]
    if packed:
        try:
            text = zlib.decompressobj().decompress(text, MAX_VALUE)
        except zlib.error:
            return ""
    return text.decode("utf-8", "replace")


def unseen(source: BinaryIO, kind: str) -> Iterator[Item]:
    """Sentences anywhere between the pixels, unknown chunks, and what follows the picture's end."""
    source.seek(0)
    data = source.read(MAX_UNSEEN)
    found = [hit[0].decode("ascii") for hit in SENTENCES.finditer(data)]
    found += [hit[0].decode("utf-16-le") for hit in WIDE_SENTENCES.finditer(data)]
    words = [text for text in found if SIX_WORDS.search(text) and not text.lstrip().startswith("<")]
    yield Part("strings", "\n".join(words))
    if kind == "PNG":
        yield from unknown_chunks(data)
    end = ENDS[kind](data) if kind in ENDS else len(data)
    if 0 < end < len(data) and data[end:].strip(b"\0\r\n "):
        yield Embedded("behind", "", data[end:])


def unknown_chunks(data: bytes) -> Iterator[Item]:
    place = 8
    for _ in range(MAX_CHUNKS):
        length, kind = int.from_bytes(data[place : place + 4], "big"), data[place + 4 : place + 8]
        if not kind or kind == b"IEND":
            return
        if kind not in PNG_CHUNKS and length > LONG_CHUNK:
            yield Embedded("chunk", "", data[place + 8 : place + 8 + length])
        place += length + 12


def end_of_png(data: bytes) -> int:
    return data.find(b"IEND\xaeB`\x82") + 8


def end_of_jpeg(data: bytes) -> int:
    """Behind the first end mark after the pixels begin: before, thumbnails have marks of theirs."""
    place = 2
    while data[place : place + 1] == b"\xff" and data[place + 1 : place + 2] != b"\xda":
        place += 2 + int.from_bytes(data[place + 2 : place + 4], "big")
    end = data.find(b"\xff\xd9", place)
    return end + 2 if end > 0 else len(data)


def end_of_gif(data: bytes) -> int:
    place = 13 + color_bytes(data[10])
    while place < len(data) and data[place] != GIF_END:
        image = data[place] == GIF_IMAGE
        place += 11 + color_bytes(data[place + 9]) if image else 2
        while place < len(data) and data[place]:
            place += data[place] + 1
        place += 1
    return place + 1


def color_bytes(flags: int) -> int:
    """Of the table of colours that may follow."""
    return 3 << ((flags & 7) + 1) if flags & 0x80 else 0


GIF_END, GIF_IMAGE = 0x3B, 0x2C
ENDS: dict[str, Callable[[bytes], int]] = {
    "PNG": end_of_png,
    "JPEG": end_of_jpeg,
    "GIF": end_of_gif,
    "BMP": lambda data: int.from_bytes(data[2:6], "little"),
    "WEBP": lambda data: int.from_bytes(data[4:8], "little") + 8,
}


def packet_of(source: BinaryIO) -> Iterator[Item]:
    """The XMP packet: XML put into a picture for readers that know nothing else about it."""
    source.seek(0)
    data = source.read(16_000_000)
    start = data.find(b"<x:xmpmeta")
    end = data.find(b"</x:xmpmeta>", start)
    if 0 <= start < end:
        yield Embedded("xmp", "", data[start : end + 12], "application/xml")


def frames(picture: Any, size_bytes: int) -> Iterator[Item]:
    small = max(picture.size) < SMALL or min(picture.size) < THIN
    if small and size_bytes < SMALL_FILE:  # a raw photograph shows its thumbnail first
        return
    for number in range(frame_count(picture) if ocr.available() else 1):
        read = ocr.read_picture(partial(turned, picture, number))
        yield Part("body" if not number else f"frame:{number + 1}", read.text)
        if not read.sure:
            yield Gap(GapCode.NEEDS_OCR, "picture")
            return


def frame_count(picture: Any) -> int:
    try:
        return min(int(getattr(picture, "n_frames", 1)), MAX_FRAMES)
    except BROKEN:
        return 1


def turned(picture: Any, number: int) -> Any:
    picture.seek(number)
    picture.load()
    return picture


def preload() -> None:
    Image.init()
