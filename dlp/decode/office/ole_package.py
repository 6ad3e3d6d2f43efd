"""Unwrap what OLE puts around a file: the old object header and the packager.

In: bytes of an embedded object.  Out: the name and the bytes of the file in it.
"""

from __future__ import annotations

import struct


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
