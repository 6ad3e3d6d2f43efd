"""Read dBase and FoxPro tables.

In: an open .dbf.  Out: one line a record, each cell labelled by its column; deleted records too.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from dlp.decode import encoding
from dlp.decode.contract import Embedded, Item, Limits
from dlp.decode.labelled import LabelledText
from dlp.model import Gap, GapCode

MEDIA_TYPES = frozenset({"application/x-dbf"})
END_OF_COLUMNS = 0x0D
MEMO = frozenset("MGPBW")  # the cell holds a number; the text is in a second file beside it
SAMPLE_BYTES = 65_536


def extract(source: BinaryIO, limits: Limits) -> Iterator[Item]:
    head = source.read(32)
    if len(head) < 32:
        yield Gap(GapCode.CORRUPT, "header")
        return
    count, header_bytes, record_bytes = (
        int.from_bytes(head[4:8], "little"),
        int.from_bytes(head[8:10], "little"),
        int.from_bytes(head[10:12], "little"),
    )
    columns = columns_of(source.read(max(0, header_bytes - 32)))
    if not columns or sum(width for _, _, width in columns) + 1 > record_bytes:
        yield Gap(GapCode.CORRUPT, "header")
        return
    source.seek(header_bytes)
    codec = encoding.guess(source.read(SAMPLE_BYTES).replace(b"\0", b" ")) or "cp1252"
    source.seek(header_bytes)
    lines = LabelledText("body", limits)
    for record in range(count):
        row = source.read(record_bytes)
        if len(row) < record_bytes:
            yield Gap(GapCode.CORRUPT, "end")
            break
        add_row(lines, columns, row, record, codec)
        if lines.full:
            break
    yield from lines.items()
    if not lines.full and (rest := source.read(SAMPLE_BYTES).strip(b"\x1a\0")):
        yield Embedded("behind", "", rest)
    if any(kind in MEMO for _, kind, _ in columns):
        yield Gap(GapCode.UNSUPPORTED, "memo")


def columns_of(block: bytes) -> list[tuple[str, str, int]]:
    """Name, type letter and width of each column; descriptions are 32 bytes each."""
    columns = []
    for start in range(0, len(block) - 31, 32):
        if block[start] == END_OF_COLUMNS:
            break
        name = block[start : start + 11].partition(b"\0")[0].decode("latin-1").strip()
        columns.append((name or "column", chr(block[start + 11]), block[start + 16]))
    return columns


def add_row(
    lines: LabelledText, columns: list[tuple[str, str, int]], row: bytes, record: int, codec: str
) -> None:
    place = 1  # the first byte marks deleted records, which are still there
    for name, kind, width in columns:
        value = encoding.decode(row[place : place + width], codec).strip("\0 ")
        place += width
        if not value:
            continue
        if kind == "D" and len(value) == 8 and value.isdigit():
            value = f"{value[:4]}-{value[4:6]}-{value[6:]}"
        lines.write(f"{name}: ")
        lines.add_value(name, value, record)
        lines.write("; ")
    lines.write("\n")
