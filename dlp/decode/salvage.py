"""Pick readable words out of a format nobody here can read.

In: an open file of any kind.  Out: its readable runs as one part; the caller still reports the gap.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO

import re2

from dlp.decode.contract import Extractor, Item, Limits, at_most
from dlp.model import Part

MAX_BYTES = 16_000_000
MAX_CHARS = 4_000_000
# Shorter runs are chance: eight printable bytes in a row turn up every few kB of noise.
# RE2, because noise costs the standard library 50 ms a megabyte and RE2 five.
NARROW = re2.compile(rb"[\x20-\x7e\t\r\n]{8,}")
WIDE = re2.compile(rb"(?:[\x20-\x7e\t\r\n]\x00){8,}")
WORDS = re.compile(r"[A-Za-z]{2,}[\s,.:;_-]+\w|\d{6,}|[\w.]+@\w")
NOISE = re.compile(r"[^\w\s,.:;@'()/-]")
# Sound, pictures, programs and packed bytes hold no sentences, only look-alikes.
NO_WORDS = re.compile(
    r"(audio|video|image|font|model)/|application/(x-(elf|mach-binary|java|lz4|snappy|compress|archive"
    r"|cpio|lzma|shockwave-flash)|zstd|vnd\.(rar|ms-cab|microsoft\.portable))"
)


def extractor(media_type: str) -> Extractor:
    return nothing if NO_WORDS.match(media_type) else extract


def nothing(_source: BinaryIO, _limits: Limits) -> Iterator[Item]:
    return iter(())


def extract(source: BinaryIO, limits: Limits) -> Iterator[Item]:
    data = at_most(source, MAX_BYTES)
    room = min(MAX_CHARS, limits.max_text_chars)
    kept: list[str] = []
    for pattern, codec in ((NARROW, "ascii"), (WIDE, "utf-16-le")):
        for hit in pattern.finditer(data):
            text = hit[0].decode(codec).strip()
            # Words with few odd signs between them; code and chance have many.
            if WORDS.search(text) and len(NOISE.findall(text)) * 8 <= len(text):
                kept.append(text)
                room -= len(text) + 1
                if room < 0:
                    break
    yield Part("strings", "\n".join(kept)[: limits.max_text_chars])
