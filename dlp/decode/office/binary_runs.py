"""Pick readable words out of bytes whose structure nobody needs.

In: bytes.  Out: runs of ASCII and UTF-16 text, a line each.
"""

from __future__ import annotations

import re

import numpy as np
import re2

BYTES = re2.Options()
BYTES.encoding = re2.Options.Encoding.LATIN1  # else it takes them for UTF-8
NARROW = re.compile(rb"[\x20-\x7e]{6,}")
SHORTEST, SHORTEST_WIDE = 6, 8  # bytes
LONG = 8192  # bytes; from here on a glance at all of them costs less than a look at each
BLOCK = 1 << 20
# Four letters of a western alphabet, or six of any from Latin Extended to Hebrew. RE2: noise
# costs the standard library twenty times as much.
WIDE = re2.compile(
    rb"(?:[\x20-\x7e\xa0-\xff]\x00){4,}|(?:[\x20-\x7e\xa0-\xff]\x00|[\x00-\xff][\x01-\x05]){6,}",
    BYTES,
)


def readable_runs(content: bytes) -> str:
    if len(content) < SHORTEST:
        return ""
    return "\n".join(dict.fromkeys([*wide_texts(content), *narrow_texts(content)]))


def wide_runs(content: bytes) -> str:
    return "\n".join(dict.fromkeys(wide_texts(content)))


def wide_texts(content: bytes) -> list[str]:
    if len(content) < SHORTEST_WIDE:
        return []
    return [hit.group().decode("utf-16-le") for hit in WIDE.finditer(content)]


def narrow_texts(content: bytes) -> list[str]:
    if len(content) < LONG:
        return [run.decode("ascii") for run in NARROW.findall(content)]
    places = changes(content)
    return [
        content[start : end + SHORTEST - 1].decode("ascii")
        for start, end in zip(places[::2], places[1::2], strict=True)
    ]


def changes(content: bytes) -> list[int]:
    """Where stretches begin and end, in turn, at each place of which a run still has its length."""
    octets = np.frombuffer(content, np.uint8)
    last = len(content) - SHORTEST + 1
    found: list[int] = []
    inside = False
    for start in range(0, last, BLOCK):
        block = octets[start : min(start + BLOCK, last) + SHORTEST - 1]
        shown = block - np.uint8(0x20) < 0x5F  # below a space it wraps round
        pairs = shown[:-1] & shown[1:]
        full = pairs[:-4] & pairs[2:-2] & pairs[4:]
        if full[0] != inside:
            found.append(start)
        found += (np.flatnonzero(full[1:] != full[:-1]) + (start + 1)).tolist()
        inside = bool(full[-1])
    return [*found, last] if inside else found
