"""Read Rich Text Format files.

In: an open rtf.  Out: body, headers, notes, comments, deletions, fields, labels, properties,
pictures and objects inside.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from dlp.decode.contract import Budget, BudgetExceededError, Embedded, Item, Limits, Title, at_most
from dlp.decode.office import properties
from dlp.decode.office.ole_package import unwrap_ole1, unwrap_package
from dlp.decode.office.rtf import RtfReader, texts
from dlp.model import Gap, GapCode, Part

MEDIA_TYPES = frozenset({"application/rtf", "text/rtf"})
WHITE = b" \r\n\t\0\xef\xbb\xbf"


def extract(source: BinaryIO, limits: Limits) -> Iterator[Item]:
    content = at_most(source, limits.max_inflated_bytes + 1)
    if len(content) > limits.max_inflated_bytes:
        yield Gap(GapCode.TOO_LARGE, "body")
        content = content[: limits.max_inflated_bytes]
    try:
        yield from read_rtf(content, Budget(limits))
    except BudgetExceededError as error:
        yield error.gap


def read_rtf(content: bytes, budget: Budget) -> Iterator[Item]:
    reader = RtfReader()
    reader.read(content)
    for stream, text in texts(reader):
        budget.take_text(len(text), stream)
        if text.strip():
            yield Part(stream, text)
    if reader.properties:
        yield properties.labelled("properties", reader.properties)
        yield from (Title(value) for name, value in reader.properties if name == "title")
    yield from files(reader, budget)
    behind = content[reader.end :].strip(WHITE) if reader.end else b""
    if behind:
        yield Embedded("behind", "", behind)
    if not content.lstrip(WHITE).startswith(b"{\\rt") or reader.open_groups:
        yield Gap(GapCode.CORRUPT, "body")
    if reader.depth_exceeded:
        yield Gap(GapCode.TOO_DEEP, "body")


def files(reader: RtfReader, budget: Budget) -> Iterator[Item]:
    for number, (kind, data) in enumerate(reader.files, start=1):
        locator = f"{'media' if kind == 'pict' else 'embedded'}:{number}"
        budget.take_bytes(len(data), locator)
        name = ""
        if kind != "pict" and (wrapped := unwrap_ole1(data)) is not None:
            label, path, data = wrapped  # noqa: PLW2901 - what is inside replaces the wrapping
            yield Part(f"{locator}.labels", "\n".join(filter(None, (label, path))))
            if (packed := unwrap_package(data)) is not None:
                name, data = packed  # noqa: PLW2901
        if data:
            yield Embedded(locator, name, data)
