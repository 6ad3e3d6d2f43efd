"""Read winmail.dat attachments.

In: an open TNEF stream.  Out: headers, body, HTML or RTF, attachments.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import BinaryIO

from dlp.decode.contract import Budget, BudgetExceededError, Embedded, Item, Limits, Title, at_most
from dlp.decode.encoding import codec_of
from dlp.decode.office import outlook, properties
from dlp.decode.office.properties import moment
from dlp.model import Gap, GapCode, Part

MEDIA_TYPES = frozenset({"application/vnd.ms-tnef", "application/ms-tnef"})

SIGNATURE = 0x223E9F78
# Attributes by number; the type above it is a claim nobody needs.
SUBJECT, BODY, CODEPAGE, FROM = 0x8004, 0x800C, 0x9007, 0x8000
MESSAGE, ATTACHMENT, NEW_ATTACHMENT = 0x9003, 0x9005, 0x9002
CONTENT, FILE_NAME, PREVIEW = 0x800F, 0x8010, 0x8011
FIXED = {2: 4, 3: 4, 4: 4, 5: 8, 6: 8, 7: 8, 0xA: 4, 0xB: 4, 0x14: 8, 0x40: 8, 0x48: 16}
NARROW, WIDE, BINARY, OBJECT, TIME, MANY = 0x1E, 0x1F, 0x102, 0x0D, 0x40, 0x1000
MOST_VALUES = 10_000


def extract(source: BinaryIO, limits: Limits) -> Iterator[Item]:
    content = at_most(source, limits.max_inflated_bytes + 1)
    if len(content) > limits.max_inflated_bytes:
        yield Gap(GapCode.TOO_LARGE, "body")
        return
    budget = Budget(limits)
    try:
        for item in read(content, budget):
            if isinstance(item, Part):
                if not item.text.strip():
                    continue
                budget.take_text(len(item.text), item.locator)
            yield item
    except BudgetExceededError as error:
        yield error.gap


@dataclass(slots=True)
class Folder:
    """The message, or one attachment."""

    texts: outlook.Properties = field(default_factory=dict)
    binaries: dict[int, bytes] = field(default_factory=dict)
    content: bytes = b""


def read(content: bytes, budget: Budget) -> Iterator[Item]:
    message, attached, whole = parse(content)
    for subject in message.texts.get(outlook.SUBJECT, []):
        yield Title(subject)
    yield properties.labelled("headers", outlook.labelled(message.texts))
    yield Part("transport", "\n".join(message.texts.get(outlook.TRANSPORT, [])))
    yield Part("body", "\n".join(message.texts.get(outlook.BODY, [])))
    if html := message.binaries.get(outlook.HTML):
        yield Embedded("html", "", html, "text/html")
    if packed := message.binaries.get(outlook.RTF):
        rtf, complete = outlook.unpack_rtf(packed, budget.limits.max_inflated_bytes)
        budget.take_bytes(len(rtf), "rtf")
        yield Embedded("rtf", "", rtf, "application/rtf")
        whole &= complete
    for number, folder in enumerate(attached, start=1):
        names = [*folder.texts.get(outlook.LONG_NAME, []), *folder.texts.get(FILE_NAME, [])]
        data = folder.binaries.get(outlook.CONTENT) or folder.content
        yield Embedded(f"attachment:{number}", (names or [""])[0], data)
    if not whole:
        yield Gap(GapCode.CORRUPT, "body")


def parse(content: bytes) -> tuple[Folder, list[Folder], bool]:
    """Give the message, its attachments, and whether the stream was whole."""
    message, attached = Folder(), list[Folder]()
    codec = "cp1252"
    at = 6
    while at + 9 <= len(content):
        level, attribute, length = struct.unpack_from("<BHxxI", content, at)
        payload = content[at + 9 : at + 9 + length]
        at += 9 + length + 2
        if attribute == NEW_ATTACHMENT or (level == 2 and not attached):
            attached.append(Folder())
        folder = attached[-1] if level == 2 else message
        if attribute == CODEPAGE and len(payload) >= 4:
            codec = codec_of(int.from_bytes(payload[:4], "little"))
        elif attribute in {MESSAGE, ATTACHMENT}:
            try:
                take_properties(payload, folder, codec)
            except struct.error:
                return message, attached, False
        elif attribute in {CONTENT, PREVIEW}:
            folder.content = folder.content or payload
        elif attribute in TEXTS:
            text = payload.rstrip(b"\0").decode(codec, "replace")
            folder.texts.setdefault(TEXTS[attribute], []).append(text)
    marked = content[:4] == SIGNATURE.to_bytes(4, "little")
    return message, attached, marked and at == len(content)


TEXTS = {SUBJECT: outlook.SUBJECT, BODY: outlook.BODY, FROM: 0x0C1A, FILE_NAME: FILE_NAME}


def take_properties(payload: bytes, folder: Folder, codec: str) -> None:
    (count,) = struct.unpack_from("<I", payload)
    at = 4
    for _ in range(min(count, MOST_VALUES)):
        kind, number = struct.unpack_from("<HH", payload, at)
        at += 4
        if number >= 0x8000:
            at = after_name(payload, at)
        values = 1
        single = kind & ~MANY
        if kind & MANY or single in {NARROW, WIDE, BINARY, OBJECT}:
            (values,) = struct.unpack_from("<I", payload, at)
            at += 4
        for _ in range(min(values, MOST_VALUES)):
            size, start = FIXED.get(single, 0), at
            if not size:
                (size,) = struct.unpack_from("<I", payload, at)
                start = at + 4
            take_value(folder, number, single, payload[start : start + size], codec)
            at = start + (size + 3) // 4 * 4
            if at > len(payload) + 3:
                raise struct.error


def take_value(folder: Folder, number: int, kind: int, raw: bytes, codec: str) -> None:
    text = ""
    if kind == WIDE:
        text = raw.decode("utf-16-le", "replace").rstrip("\0")
    elif kind == NARROW:
        text = raw.decode(codec, "replace").rstrip("\0")
    elif kind == TIME and number in outlook.DATES:
        text = moment(int.from_bytes(raw, "little")).removesuffix(" 00:00:00")
    elif kind == BINARY:
        folder.binaries[number] = raw
    elif kind == OBJECT:
        folder.binaries[number] = raw[16:]  # behind the name of its interface
    if text and text not in folder.texts.get(number, []):
        folder.texts.setdefault(number, []).append(text)


def after_name(payload: bytes, at: int) -> int:
    """Step over the name of a named property: a number, or text of its own."""
    (kind,) = struct.unpack_from("<I", payload, at + 16)
    if kind == 0:
        return at + 24
    length = int.from_bytes(payload[at + 20 : at + 24], "little")
    return at + 24 + (min(length, len(payload)) + 3) // 4 * 4
