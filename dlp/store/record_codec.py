"""A whole record in few bytes, to be had again as if it were told now.

In: a record.  Out: bytes and back; findings are read only if somebody looks.

No path and no value is in a stored record; findings are places, kinds and keyed fingerprints.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Iterator, Sequence
from typing import Any

from dlp.store.details import as_json

SQUEEZE = 1  # level of compression: 1 takes a third of the time of 6 for a tenth more bytes
HEAD = struct.Struct("!I")
TOGETHER = 1 << 31  # in a head: what follows is its length as it was, and one stream holds all
LOCAL = ("path", "duplicate_of", "ms", "spent_ms")  # true of one scan only


class StoredFindings(Sequence[dict[str, Any]]):
    """The findings of a stored record, read only if somebody looks: most outputs count them."""

    def __init__(self, packed: bytes, count: int, start: int = 0) -> None:
        self._packed = packed
        self._count = count
        self._start = start  # of the findings, in what was packed

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, index: Any) -> Any:
        return json.loads(self.as_json())[index]

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(json.loads(self.as_json()))

    @property
    def text(self) -> bytes:
        return zlib.decompress(self._packed)[self._start :]

    def as_json(self) -> str:
        return self.text.decode()


def pack(record: dict[str, Any]) -> bytes:
    """The record without its findings and behind it the findings, squeezed together."""
    findings = record["findings"]
    kept = {**record, "findings": len(findings)}
    for name in LOCAL:
        kept.pop(name, None)
    head = as_json(kept)
    told: bytes | None = getattr(findings, "text", None)  # JSON already, as json writes it
    text = json.dumps(findings).encode() if told is None else told
    return HEAD.pack(TOGETHER | len(head)) + zlib.compress(head + text, SQUEEZE)


def unpack(packed: bytes) -> dict[str, Any]:
    (length,) = HEAD.unpack_from(packed)
    if length & TOGETHER:
        start, rest = length ^ TOGETHER, packed[HEAD.size :]
        head = zlib.decompressobj().decompress(rest, start)
    else:  # by a version before: each on its own
        start, end = 0, HEAD.size + length
        head, rest = zlib.decompress(packed[HEAD.size : end]), packed[end:]
    record: dict[str, Any] = json.loads(head)
    record["findings"] = StoredFindings(rest, record["findings"], start)
    return record


def sum_of(packed: bytes) -> int:
    """By which a file's details know the record they belong to."""
    return zlib.crc32(packed)
