"""Read the text of PowerPoint 97 to 2003 presentations.

In: the streams of a ppt.  Out: slides as body, notes, masters, comments, links, objects inside.

MS-PPT: one stream of nested records. Every save appends, so slides of earlier versions are still
there; all are read.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator

from dlp.decode.compound_file import Storage
from dlp.decode.contract import BudgetExceededError, Embedded, Item
from dlp.decode.office.embedded import pictures
from dlp.model import Gap, GapCode, Part

CONTAINER = 0xF
TEXT_WIDE, TEXT_NARROW, STRING, OLE_OBJECT = 0x0FA0, 0x0FA8, 0x0FBA, 0x1011
CRYPT_SESSION = 0x2F14
SEALED = 0xF3D1C4DF  # header token of an encrypted presentation
LISTS = {0: "body", 1: "masters", 2: "notes"}
STREAMS = {
    0x03EE: "body", 0x03F0: "notes", 0x03F8: "masters", 0x0FD9: "headers", 0x0FD7: "links",
    0x2EE0: "comments", 0x2EB4: "links", 0x0FC9: "masters", 0x0FC8: "labels",
}  # fmt: skip
SLIDE_LIST = 0x0FF0
DEEPEST = 60
MARKS = str.maketrans({"\r": "\n", "\x0b": "\n", "\0": None})


def read(storage: Storage) -> Iterator[Item]:
    content = storage.read("PowerPoint Document")
    user = storage.read("Current User")
    where = storage.where
    if len(user) >= 16 and int.from_bytes(user[12:16], "little") == SEALED:
        yield Gap(GapCode.ENCRYPTED, f"{where}body")
        return
    reader = Reader(content)
    reader.walk()
    if reader.sealed:
        yield Gap(GapCode.ENCRYPTED, f"{where}body")
        return
    for stream, texts in reader.texts.items():
        yield Part(where + stream, "\n".join(texts).strip("\n"))
    for number, (start, end, packed) in enumerate(reader.objects, start=1):
        yield from unpack(storage, content[start:end], f"{where}embedded:{number}", packed=packed)
    for number, picture in enumerate(
        pictures(storage.read("Pictures"), storage.compound.budget), 1
    ):
        yield Embedded(f"{where}media:{number}", "", picture)
    if reader.damaged:
        yield Gap(GapCode.CORRUPT, f"{where}body")


class Reader:
    def __init__(self, content: bytes) -> None:
        self._content = content
        self.texts: dict[str, dict[str, None]] = {"body": {}}
        self.objects: list[tuple[int, int, bool]] = []
        self.sealed = False
        self.damaged = False

    def walk(self) -> None:
        # (end, stream) of the containers we are in; an explicit stack, because depth is theirs.
        inside: list[tuple[int, str]] = []
        at = 0
        while at + 8 <= len(self._content):
            while inside and at >= inside[-1][0]:
                inside.pop()
            options, kind, length = struct.unpack_from("<HHI", self._content, at)
            version, instance = options & 0xF, options >> 4
            start, end = at + 8, at + 8 + length
            if end > len(self._content):
                self.damaged = True
                end = len(self._content)
            stream = inside[-1][1] if inside else "labels"
            if kind == CRYPT_SESSION:
                self.sealed = True
                return
            if version == CONTAINER and len(inside) < DEEPEST:
                if kind == SLIDE_LIST:
                    stream = LISTS.get(instance, "body")
                inside.append((end, STREAMS.get(kind, stream)))
                at = start
                continue
            self._atom(kind, instance, start, end, stream)
            at = end
        self.damaged |= at < len(self._content) and any(self._content[at:])

    def _atom(self, kind: int, instance: int, start: int, end: int, stream: str) -> None:
        raw = self._content[start:end]
        if kind in {TEXT_WIDE, STRING}:
            text = raw.decode("utf-16-le", "replace")
        elif kind == TEXT_NARROW:
            text = raw.decode("latin-1")
        elif kind == OLE_OBJECT:
            self.objects.append((start, end, bool(instance)))
            return
        else:
            return
        text = text.translate(MARKS).strip("\n")
        if text.strip():
            # Each save repeats what did not change; once is enough.
            self.texts.setdefault(stream, {})[text] = None


def unpack(storage: Storage, raw: bytes, locator: str, *, packed: bool) -> Iterator[Item]:
    """Embedded objects are compound files, usually deflated behind their size."""
    if not packed:
        yield Embedded(locator, "", raw)
        return
    inflater = zlib.decompressobj()
    try:
        content = inflater.decompress(raw[4:], storage.compound.budget.limits.max_inflated_bytes)
        storage.compound.budget.take_bytes(len(content), locator)
    except zlib.error:
        yield Gap(GapCode.CORRUPT, locator)
        return
    except BudgetExceededError as error:
        yield error.gap
        return
    yield Embedded(locator, "", content)
