"""Unpack the compressed RTF of Outlook messages.

In: the bytes of the property.  Out: RTF.

MS-OXRTFCP: an LZ77 whose window starts filled with words that every RTF uses.
"""

from __future__ import annotations

import struct

PRELOADED = (
    b"{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss "
    b"\\fmodern \\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{"
    b"\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx"
)
PACKED, PLAIN = b"LZFu", b"MELA"
WINDOW = 4096


def unpack(content: bytes, limit: int) -> tuple[bytes, bool]:
    """Give the RTF and whether it was complete."""
    if len(content) < 16:
        return b"", not content
    _, size = struct.unpack_from("<II", content)
    if content[8:12] == PLAIN:
        return content[16 : 16 + size], len(content) >= 16 + size
    if content[8:12] != PACKED:
        return b"", False
    out = inflate(content, min(size, limit))
    return out, len(out) == size


def inflate(content: bytes, size: int) -> bytes:
    # The window is what was written last; place 0 of it is where PRELOADED begins.
    out = bytearray(PRELOADED.rjust(WINDOW, b"\0"))
    origin = WINDOW - len(PRELOADED)
    full = WINDOW + size
    at = 16
    while at < len(content) and len(out) < full:
        control = content[at]
        at += 1
        for bit in range(8):
            if at >= len(content) or len(out) >= full:
                break
            if not control >> bit & 1:
                out.append(content[at])
                at += 1
                continue
            reference = int.from_bytes(content[at : at + 2], "big")
            at += 2
            back, length = (len(out) - origin - (reference >> 4)) % WINDOW, (reference & 0xF) + 2
            if not back:
                return bytes(out[WINDOW:])  # the end mark
            copied = out[len(out) - back : len(out) - back + length]
            # a stretch that overtakes itself repeats: "ab" for five letters is "ababa"
            out += (copied * length)[:length] if back < length else copied
    return bytes(out[WINDOW:full])
