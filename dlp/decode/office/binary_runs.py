"""Pick readable words out of bytes whose structure nobody needs.

In: bytes.  Out: runs of ASCII and UTF-16 text, a line each.
"""

from __future__ import annotations

import re

import re2

BYTES = re2.Options()
BYTES.encoding = re2.Options.Encoding.LATIN1  # else it takes them for UTF-8
NARROW = re.compile(rb"[\x20-\x7e]{6,}")
# Four letters of a western alphabet, or six of any from Latin Extended to Hebrew. RE2: noise
# costs the standard library twenty times as much.
WIDE = re2.compile(
    rb"(?:[\x20-\x7e\xa0-\xff]\x00){4,}|(?:[\x20-\x7e\xa0-\xff]\x00|[\x00-\xff][\x01-\x05]){6,}",
    BYTES,
)


def readable_runs(content: bytes) -> str:
    narrow = [hit.group().decode("ascii") for hit in NARROW.finditer(content)]
    return "\n".join(dict.fromkeys([*wide_texts(content), *narrow]))


def wide_runs(content: bytes) -> str:
    return "\n".join(dict.fromkeys(wide_texts(content)))


def wide_texts(content: bytes) -> list[str]:
    return [hit.group().decode("utf-16-le") for hit in WIDE.finditer(content)]
