"""Read a file and everything inside it, and say what went unread.

In: an open file and its name.  Out: Reading: a Document and the gaps in it.
"""

from __future__ import annotations

import io
import logging
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import BinaryIO

import re2

from dlp.decode import encoded_text
from dlp.decode.contract import (
    Budget,
    BudgetExceededError,
    Embedded,
    Extractor,
    Item,
    Limits,
    Title,
    at_most,
)
from dlp.decode.format_registry import registry
from dlp.decode.identify import EMPTY, Identity, identify
from dlp.decode.roles import is_template, name_part, role_of
from dlp.knowledge.marks import is_blank
from dlp.model import Case, Document, FieldMap, Gap, GapCode, Part, PartRole

# Pick readable words out of a format nobody here can read.

MAX_BYTES = 16_000_000
MAX_CHARS = 4_000_000
# Shorter runs are chance: eight printable bytes in a row turn up every few kB of noise.
# RE2, because noise costs the standard library 50 ms a megabyte and RE2 five.
NARROW = re2.compile(rb"[\x20-\x7e\t\r\n]{8,}")
WIDE = re2.compile(rb"(?:[\x20-\x7e\t\r\n]\x00){8,}")
WORDS = re.compile(r"[A-Za-z]{2,}[\s,.:;_-]+\w|\d{6,}|[\w.]+@\w")
NOISE = re.compile(r"[^\w\s,.:;@'()/-]")
HALF_OF_A_PAIR = re.compile("[\ud800-\udfff]")
# Sound, pictures, programs and packed bytes hold no sentences, only look-alikes.
NO_WORDS = re.compile(
    r"(audio|video|image|font|model)/|application/(x-(elf|mach-binary|java|lz4|snappy|compress|archive"
    r"|cpio|lzma|shockwave-flash)|zstd|vnd\.(rar|ms-cab|microsoft\.portable))"
)


def extractor(media_type: str) -> Extractor:
    return nothing if NO_WORDS.match(media_type) else extract


def nothing(_source: BinaryIO, _limits: Limits) -> Iterator[Item]:
    return iter(())


def extract(source: BinaryIO, limits: Limits) -> Iterator[Item]:
    data = at_most(source, MAX_BYTES)
    room = min(MAX_CHARS, limits.max_text_chars)
    kept: list[str] = []
    for pattern, codec in ((NARROW, "ascii"), (WIDE, "utf-16-le")):
        for hit in pattern.finditer(data):
            text = hit[0].decode(codec).strip()
            # Words with few odd signs between them; code and chance have many.
            if WORDS.search(text) and len(NOISE.findall(text)) * 8 <= len(text):
                kept.append(text)
                room -= len(text) + 1
                if room < 0:
                    break
    yield Part("strings", "\n".join(kept)[: limits.max_text_chars])


log = logging.getLogger(__name__)
# Parsers log what they stumble over, and that is content.
for talkative in (
    "pydicom",
    "PIL",
    "py7zr",
    "pypdfium2",
    "pikepdf",
    "charset_normalizer",
    "olefile",
):
    logging.getLogger(talkative).disabled = True


# Nothing came out of a damaged file; its plain words may still.
BROKEN = frozenset({GapCode.CORRUPT, GapCode.INTERNAL})


@dataclass(frozen=True, slots=True)
class Reading:
    document: Document
    gaps: tuple[Gap, ...]


def read(source: BinaryIO, name: str = "", limits: Limits | None = None) -> Reading:
    """Read everything that fits the limits; whatever does not is a gap, never an exception."""
    limits = limits or Limits()
    started = time.monotonic()
    identity = identify(source, name, limits.extra_encodings)
    reader = Reader(limits, started)
    reader.read(identity, source, "", 0)
    title = reader.title or name
    document = Document(identity.media_type, tuple(reader.parts), title, metadata_of(identity))
    return Reading(document, tuple(reader.gaps))


def metadata_of(identity: Identity) -> dict[str, str]:
    _, encoding, mismatch, also = identity
    metadata = {"mismatch": mismatch} if mismatch else {}
    if encoding:
        metadata["encoding"] = encoding
    if also:
        metadata["polyglot"] = " ".join(also)
    return metadata


class Reader:
    """Collects parts and gaps over all nesting, under one budget."""

    __slots__ = ("budget", "deadline", "exhausted", "gaps", "limits", "parts", "title")

    def __init__(self, limits: Limits, started: float) -> None:
        self.limits = limits
        self.parts: list[Part] = []
        self.gaps: dict[Gap, None] = {}
        self.title = ""
        self.exhausted = False
        self.budget = Budget(limits)
        self.deadline = started + limits.wall_seconds

    def read(self, identity: Identity, source: BinaryIO, prefix: str, depth: int) -> None:
        known = identity.media_type in registry().media_types
        # Text or a zip that no module claims is still text or a zip.
        media_type = identity.media_type if known else identity.family
        self.read_as(media_type, source, prefix, depth)
        for media_type in identity.also:
            self.read_as(media_type, source, f"{prefix}behind/", depth)

    def read_as(self, media_type: str, source: BinaryIO, prefix: str, depth: int) -> None:
        if media_type == EMPTY:
            return
        extract = registry().extractor(media_type)
        if extract is None:
            self.gap(GapCode.UNSUPPORTED, f"{prefix}body")
            extract = extractor(media_type)
        parts, gaps = len(self.parts), len(self.gaps)
        self.run(extract, media_type, source, prefix, depth)
        if len(self.gaps) == gaps:
            return
        broken = any(gap.code in BROKEN for gap in islice(self.gaps, gaps, None))
        if broken and len(self.parts) == parts and not self.exhausted:
            self.run(extractor(media_type), media_type, source, prefix, depth)

    def run(
        self, extract: Extractor, media_type: str, source: BinaryIO, prefix: str, depth: int
    ) -> None:
        source.seek(0)
        names: list[str] | None = []
        try:
            for item in extract(source, self.remaining()):
                if isinstance(item, Part) and item.locator == "names":
                    names = None  # the format lists them itself
                elif isinstance(item, Embedded) and item.name and names is not None:
                    names.append(item.name)
                self.take(item, prefix, depth)
                if time.monotonic() > self.deadline:
                    self.gap(GapCode.TIMEOUT, f"{prefix}body")
                    self.exhausted = True
                if self.exhausted:
                    break
        except BudgetExceededError as error:
            self.gap(error.gap.code, prefix + error.gap.where)
        except MemoryError:
            self.gap(GapCode.TOO_LARGE, f"{prefix}body:memory")
        except RecursionError:
            self.gap(GapCode.TOO_DEEP, f"{prefix}body")
        except Exception as error:  # noqa: BLE001 - one bad attachment must not cost the message
            # The text of the exception can quote the file.
            log.warning(
                "extractor failed", extra={"format": media_type, "error": type(error).__name__}
            )
            self.gap(GapCode.INTERNAL, f"{prefix}body")
        if names:
            # names of attachments are content too: they name patients and diagnoses
            locator, role = f"{prefix}names", PartRole.FILE_NAME
            self.parts.append(Part(locator, encodable("\n".join(names)), role=role))

    def take(self, item: Item, prefix: str, depth: int) -> None:
        match item:
            case Part():
                part = replace(item, locator=prefix + item.locator) if prefix else item
                self.keep(part)
                self.take_encoded(part, depth)
            case Gap():
                self.gap(item.code, prefix + item.where)
            case Title():
                if not depth and not self.title:
                    self.title = " ".join(encodable(item.text).split())
            case Embedded():
                self.descend(item, prefix + item.locator, depth + 1)

    def take_encoded(self, part: Part, depth: int) -> None:
        """What the text holds in another form; its plain spelling holds nothing more."""
        if not self.exhausted and not part.locator.endswith("/plain"):
            for item in encoded_text.items_of(part):
                self.take(item, "", depth)

    def keep(self, part: Part) -> None:
        part = without_blank_fields(part)
        if (text := encodable(part.text)) is not part.text:
            part = replace(part, text=text)
        room = self.limits.max_text_chars - self.budget.characters
        if len(part.text) > room:
            self.gap(GapCode.TOO_LARGE, part.locator)
            self.exhausted = True
            part = cut(part, room)
        self.budget.take_text(len(part.text), part.locator)
        if part.text and not part.text.isspace():
            if (role := role_of(part)) is not part.role:
                part = replace(part, role=role)
            if role is PartRole.PROPERTY and is_template(part.locator):
                part = replace(part, template=((0, len(part.text)),))
            self.parts.append(part)

    def descend(self, item: Embedded, where: str, depth: int) -> None:
        if depth > self.limits.max_depth:
            self.gap(GapCode.TOO_DEEP, where)
            return
        try:
            self.budget.take_entry(where)
            self.budget.take_bytes(len(item.data), where)
        except BudgetExceededError as error:
            self.exhausted = True  # the levels above stop as well
            self.gaps[error.gap] = None
            return
        source = io.BytesIO(item.data)
        identity = identify(source, item.name, self.limits.extra_encodings, item.media_type)
        self.read(identity, source, f"{where}/", depth)

    def gap(self, code: GapCode, where: str) -> None:
        self.gaps[Gap(code, where)] = None

    def remaining(self) -> Limits:
        """What is left of the budget: an extractor inside must not start afresh."""
        limits, spent = self.limits, self.budget
        return replace(
            limits,
            max_text_chars=max(0, limits.max_text_chars - spent.characters),
            max_inflated_bytes=max(0, limits.max_inflated_bytes - spent.inflated),
            max_entries=max(0, limits.max_entries - spent.entries),
            wall_seconds=max(0.0, self.deadline - time.monotonic()),
        )


def encodable(text: str) -> str:
    """The text with a mark in place of each half of a surrogate pair, which no library takes.

    UTF-7, JSON and names of members can hold such halves. The length stays, and so do places.
    """
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return HALF_OF_A_PAIR.sub("\ufffd", text)
    return text


def without_blank_fields(part: Part) -> Part:
    """The part without the fields that hold nothing but a sanitiser's marks: they are empty."""
    if part.fields is None or not any(mark in part.text for mark in ("]", "**")):
        return part
    filled = FieldMap()
    for label, start, end, record in part.fields:
        if not is_blank(part.text[start:end]):
            filled.add(label, start, end, record)
    return part if len(filled) == len(part.fields) else replace(part, fields=filled)


def cut(part: Part, length: int) -> Part:
    fields = None
    if part.fields is not None:
        fields = FieldMap()
        for label, start, end, record in part.fields:
            if end <= length:
                fields.add(label, start, end, record)
    return replace(part, text=part.text[:length], fields=fields)


class Read:
    """The stage: takes the open file from the case's facts, because paths are not for parsers."""

    name = "decode.extract"
    requires = frozenset({"ref"})
    provides = frozenset({"document"})

    def __init__(self, limits: Limits | None = None) -> None:
        self._limits = limits or Limits()

    def __call__(self, case: Case) -> Case:
        source: BinaryIO = case.facts["source"]
        name = case.ref.path.rpartition(b"/")[2].decode("utf-8", "replace")
        reading = read(source, name, self._limits)
        document = with_name(reading.document, name)
        # each once, in the order of their coming
        return case.but(document=document, gaps=tuple(dict.fromkeys((*case.gaps, *reading.gaps))))


def with_name(document: Document, name: str) -> Document:
    """The document with the file's own name as its last part; a file without text stays so."""
    part = name_part(name) if document.parts else None
    return document if part is None else replace(document, parts=(*document.parts, part))
