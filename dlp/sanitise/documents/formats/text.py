"""Rewrite plain text.

In: text in any encoding.  Out: the edited text in the same encoding.
"""

from __future__ import annotations

import codecs

from dlp.sanitise.documents.contract import Job

BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def decode(data: bytes) -> tuple[str, str]:
    """Every byte becomes a character: what no encoding explains reads as Latin."""
    for bom, codec in BOMS:
        if data.startswith(bom):
            return data.decode(codec), codec
    head = data[:4096]
    if len(head) > 3 and head[1::2].count(0) > len(head) // 4:
        return data.decode("utf-16-le"), "utf-16-le"
    if len(head) > 3 and head[::2].count(0) > len(head) // 4:
        return data.decode("utf-16-be"), "utf-16-be"
    for codec in ("utf-8", "cp1252"):
        try:
            return data.decode(codec), codec
        except UnicodeDecodeError:
            continue
    return data.decode("latin-1"), "latin-1"


def encode(text: str, codec: str) -> bytes:
    try:
        return text.encode(codec)
    except UnicodeEncodeError:
        return text.encode("utf-8")


MEDIA_TYPES = frozenset({"text/plain"})


def rewrite(data: bytes, job: Job) -> bytes:
    text, codec = decode(data)
    return encode(job.edit(text), codec)
