"""Read the source text of macros.

In: a module stream of a VBA project.  Out: its source.

MS-OVBA 2.4.1: chunks of up to 4,096 bytes, each a run of literals and references backwards.
"""

from __future__ import annotations

MARK = b"\0Attribut"  # every module's source begins with its attributes, just compressed
CHUNK = 4096


def source_of(stream: bytes) -> str:
    """Find the compressed source behind the compiled code and unpack it."""
    at = stream.find(MARK)
    if at < 3:
        return ""
    return unpack(stream[at - 3 :]).decode("cp1252", "replace")


def unpack(content: bytes) -> bytes:
    if not content or content[0] != 1:
        return b""
    out = bytearray()
    at = 1
    while at + 2 <= len(content):
        header = int.from_bytes(content[at : at + 2], "little")
        size = (header & 0x0FFF) + 3
        chunk = content[at + 2 : at + size]
        if header & 0x7000 != 0x3000:
            break
        out += unpack_chunk(chunk) if header & 0x8000 else chunk[:CHUNK]
        at += size
    return bytes(out)


def unpack_chunk(chunk: bytes) -> bytes:
    out = bytearray()
    at = 0
    while at < len(chunk):
        flags = chunk[at]
        at += 1
        for bit in range(8):
            if at >= len(chunk) or len(out) >= CHUNK:
                break
            if not flags >> bit & 1:
                out.append(chunk[at])
                at += 1
                continue
            token = int.from_bytes(chunk[at : at + 2], "little")
            at += 2
            # The further in, the more bits a reference needs for its distance.
            distance_bits = max(4, (len(out) - 1).bit_length())
            length = (token & (0xFFFF >> distance_bits)) + 3
            start = len(out) - (token >> (16 - distance_bits)) - 1
            if start < 0:
                return bytes(out)
            for _ in range(min(length, CHUNK)):
                out.append(out[start])
                start += 1
    return bytes(out)
