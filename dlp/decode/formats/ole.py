"""Read OLE compound files by the streams in them: Word, Excel, PowerPoint before 2007, Outlook.

In: an open doc, xls, ppt, msg, or anything else of that family.  Out: parts, files inside, gaps; an
encrypted file is a gap. Macros are unpacked by MS-OVBA 2.4.1: chunks of up to 4,096 bytes, each a
run of literals and references backwards.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from dlp.decode.compound_file import Compound, DamagedError, Storage
from dlp.decode.contract import Budget, BudgetExceededError, Embedded, Item, Limits, Title, at_most
from dlp.decode.office import excel_binary, outlook, powerpoint_binary, properties, word_binary
from dlp.decode.office.binary_runs import readable_runs
from dlp.decode.office.embedded import unwrap_package
from dlp.model import Gap, GapCode, Part

SEALED = ("EncryptedPackage", "EncryptedSummary", "\x09DRMContent", "\x09DRMViewerContent")
READERS = {
    "WordDocument": word_binary.read,
    "Workbook": excel_binary.read,
    "Book": excel_binary.read,
    "PowerPoint Document": powerpoint_binary.read,
    outlook.TABLE: outlook.read,
}
NATIVE = "\x01Ole10Native"
# Streams that are a file of their own.
FILES = ("Package", "CONTENTS", "EmbeddedOdf", "VisioDocument.vsdx")
# Plumbing: class names, positions, format tables that the readers above already used.
PLUMBING = frozenset({
    "\x01compobj", "\x03objinfo", "0table", "1table", "data", "current user", "pictures",
    "\x03linkinfo", "\x03eprint", "\x03print", "\x01olelink", "\x03accesssobjsitedata",
    "encryptioninfo",
})  # fmt: skip
PASSED_THROUGH = {"objectpool", "mattoolsobjects"}
OUTLOOK_FOLDERS = ("__recip", "__nameid")
PIVOTS = "_sx_db_cur"

MEDIA_TYPES = frozenset({
    "application/x-ole-storage",
    "application/x-ole-encrypted",
    "application/cdfv2",
    "application/CDFV2",
    "application/encrypted",
    "application/msword",
    "application/vnd.ms-outlook",
    "application/vnd.ms-powerpoint",
    "application/vnd.ms-excel",
})  # fmt: skip


MACRO_MARK = b"\0Attribut"  # every module's source begins with its attributes, just compressed
MACRO_CHUNK = 4096


def extract(source: BinaryIO, limits: Limits) -> Iterator[Item]:
    budget = Budget(limits)
    try:
        for item in read_source(source, budget):
            if isinstance(item, Part):
                if not item.text.strip():
                    continue
                if item.fields is None:
                    budget.take_text(len(item.text), item.locator)
            yield item
    except BudgetExceededError as error:
        yield error.gap


def read_source(source: BinaryIO, budget: Budget) -> Iterator[Item]:
    head = source.read(8)
    if head[:2] in {b"\x09\x00", b"\x09\x02", b"\x09\x04", b"\x09\x08"}:
        # Before Office 95 a sheet was a bare stream of records.
        content = head + at_most(source, budget.limits.max_inflated_bytes)
        yield from excel_binary.read_stream(content, budget)
        return
    try:
        compound = Compound(source, budget)
    except DamagedError:
        source.seek(0)
        yield Part("runs", readable_runs(at_most(source, budget.limits.max_inflated_bytes)))
        yield Gap(GapCode.CORRUPT, "body")
        return
    yield from read_storage(Storage(compound), 0)
    if compound.damaged:
        yield Gap(GapCode.CORRUPT, "container")


def read_storage(storage: Storage, depth: int) -> Iterator[Item]:
    where = storage.where
    if depth > storage.compound.budget.limits.max_depth:
        yield Gap(GapCode.TOO_DEEP, f"{where}body")
        return
    if any(name in storage for name in SEALED):
        yield Gap(GapCode.ENCRYPTED, f"{where}body")
        return
    kinds = [name for name in READERS if name in storage]
    for kind in kinds[:1]:
        yield from READERS[kind](storage)
    yield from read_properties(storage)
    yield from read_others(storage, kinds)
    yield from read_folders(storage, depth)
    if not kinds and not depth and not is_wrapping(storage):
        yield Gap(GapCode.UNSUPPORTED, f"{where}body")


def is_wrapping(storage: Storage) -> bool:
    """Whether all there is, is a file inside, a macro project, or a drawing of an object."""
    left = {name.lower() for name in storage.names} - PLUMBING
    wrapped = {name.lower() for name in (*FILES, NATIVE)}
    folders = {name.lower() for name in storage.folders}
    return bool(left & wrapped) or "vba" in folders or "macros" in folders or not left


def read_properties(storage: Storage) -> Iterator[Item]:
    pairs: list[tuple[str, str]] = []
    for name in (properties.SUMMARY, properties.DOCUMENT_SUMMARY):
        if name in storage:
            pairs += properties.read_property_set(name, storage.read(name))
    yield properties.labelled(f"{storage.where}properties", pairs)
    if not storage.where:
        yield from (Title(value) for name, value in pairs if name == "title")


def read_others(storage: Storage, kinds: list[str]) -> Iterator[Item]:
    """Streams that no reader asked for: files of their own, else their words."""
    known = {name.lower() for name in kinds} | PLUMBING
    words: list[str] = []
    for number, name in enumerate(storage.names, start=1):
        lowered = name.lower()
        if lowered in known or lowered.startswith(("__substg", "__properties", "\x05")):
            continue
        locator = f"{storage.where}stream:{number}"
        content = storage.read(name)
        if name == NATIVE:
            yield from read_native(content, locator)
        elif name in FILES or lowered == "contents":
            yield Embedded(locator, "", content)
        else:
            words.append(macro_source(content) or readable_runs(content))
    yield Part(f"{storage.where}streams", "\n".join(filter(None, words)))


def read_native(content: bytes, locator: str) -> Iterator[Item]:
    """A size, then the packaged file or the object's own bytes."""
    packed = unwrap_package(content[4:])
    if packed is not None:
        yield Embedded(locator, packed[0], packed[1])
    else:
        yield Embedded(locator, "", content[4:])


def read_folders(storage: Storage, depth: int) -> Iterator[Item]:
    number = 0
    for folder in storage.folders:
        lowered = folder.lower()
        if lowered.startswith(OUTLOOK_FOLDERS) or lowered == "\x06dataspaces":
            continue
        if lowered.startswith("__attach_version1.0"):
            position = outlook.folders(storage, "__attach_version1.0").index(folder) + 1
            inside = storage.inside(folder, f"{storage.where}attachment:{position}/")
            for inner in inside.folders:
                if lowered != "__nameid_version1.0":
                    yield from read_storage(inside.inside(inner, inside.where), depth + 1)
        elif lowered == PIVOTS:
            yield from read_pivots(storage.inside(folder, storage.where))
        elif lowered in PASSED_THROUGH:
            yield from read_folders(storage.inside(folder, f"{storage.where}pool/"), depth + 1)
        else:
            number += 1
            inside = storage.inside(folder, f"{storage.where}object:{number}/")
            yield from read_storage(inside, depth + 1)


def read_pivots(storage: Storage) -> Iterator[Item]:
    """The copies of their sources that pivot tables keep: a stream of strings each."""
    for number, name in enumerate(storage.names, start=1):
        texts = [
            excel_binary.short_text(r.payload, 0, modern=True, codec="cp1252", wide_count=True)
            for r in excel_binary.records(storage.read(name), {0xCD})
        ]
        yield Part(f"{storage.where}pivot:{number}", "\n".join(texts))


def macro_source(stream: bytes) -> str:
    """Find the compressed source behind the compiled code and unpack it."""
    at = stream.find(MACRO_MARK)
    if at < 3:
        return ""
    return unpack_macros(stream[at - 3 :]).decode("cp1252", "replace")


def unpack_macros(content: bytes) -> bytes:
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
        out += unpack_macro_chunk(chunk) if header & 0x8000 else chunk[:MACRO_CHUNK]
        at += size
    return bytes(out)


def unpack_macro_chunk(chunk: bytes) -> bytes:
    out = bytearray()
    at = 0
    while at < len(chunk):
        flags = chunk[at]
        at += 1
        for bit in range(8):
            if at >= len(chunk) or len(out) >= MACRO_CHUNK:
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
            for _ in range(min(length, MACRO_CHUNK)):
                out.append(out[start])
                start += 1
    return bytes(out)
