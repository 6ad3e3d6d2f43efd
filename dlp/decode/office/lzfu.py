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
    window = bytearray(PRELOADED.ljust(WINDOW, b"\0"))
    write = len(PRELOADED)
    out = bytearray()
    at = 16
    while at < len(content) and len(out) < size:
        control = content[at]
        at += 1
        for bit in range(8):
            if at >= len(content) or len(out) >= size:
                break
            if not control >> bit & 1:
                out.append(content[at])
                window[write] = content[at]
                write = (write + 1) % WINDOW
                at += 1
                continue
            reference = int.from_bytes(content[at : at + 2], "big")
            at += 2
            read, length = reference >> 4, (reference & 0xF) + 2
            if read == write:
                return bytes(out)  # the end mark
            for _ in range(length):
                letter = window[read]
                out.append(letter)
                window[write] = letter
                read, write = (read + 1) % WINDOW, (write + 1) % WINDOW
    return bytes(out[:size])
