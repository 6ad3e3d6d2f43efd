"""Read what a PDF says outside its pages: forms, notes, outline, properties, attachments, scripts.

In: an opened PDF.  Out: parts by kind, embedded files, the title.

Every object's strings are swept, reachable or not: a reader that only follows the page tree misses
most of the places people leave names in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pikepdf

from dlp.decode.contract import BudgetExceededError, Embedded, Item, Limits, Title
from dlp.decode.labelled import LabelledText
from dlp.decode.pdf_xfa import items_of as xfa_items
from dlp.model import Gap, GapCode, Part

BROKEN = (pikepdf.PdfError, ValueError, TypeError, KeyError, AttributeError, IndexError,
          NotImplementedError, RuntimeError, OverflowError)  # fmt: skip
# A key and its string as qpdf writes them: everything unusual escaped or in hex.
STRING = re.compile(rb"(?:/([^\s/<>()\[\]]+) )?(\((?:[^\\()]++|\\.)*+\)|<[0-9a-f]{2,}>)", re.DOTALL)
LITERAL = re.compile(rb"\\([0-7]{1,3}|[nrtbf]|.)", re.DOTALL)
CONTROL = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f"}
PART_OF = {
    b"Contents": "annotations", b"RC": "annotations", b"Subj": "annotations", b"T": "annotations",
    b"NM": "annotations", b"V": "annotations", b"TU": "annotations", b"URI": "links",
    b"JS": "scripts", b"Alt": "alternates", b"ActualText": "alternates", b"E": "alternates",
    b"Title": "outline",
    b"F": "attachments", b"UF": "attachments", b"Desc": "attachments",
}  # fmt: skip
# Checksums, keys, fonts and page machinery.
MACHINERY = frozenset({
    b"ID", b"O", b"U", b"OE", b"UE", b"Perms", b"Ordering", b"Registry", b"CharSet", b"CheckSum",
    b"DA", b"DS", b"Cert", b"ByteRange", b"Lang", b"FontFamily", b"Panose",
    b"OutputConditionIdentifier",
})  # fmt: skip
FORM_KEYS = frozenset({b"T", b"TU", b"V", b"DV", b"RV"})
MAX_OBJECTS = 300_000
MAX_STREAM = 64_000_000
PRINTABLE = re.compile(r"(?!D:\d{8,14}([Z+-]|$)).*?[^\W_]{2}", re.DOTALL)


def items_of(pdf: Any, limits: Limits) -> Iterator[Item]:
    """Yield everything but the pages; trouble in one place leaves the others."""
    for name, read in (("metadata", properties), ("form", form), ("strings", strings)):
        try:
            yield from read(pdf, limits)
        except BROKEN:
            yield Gap(GapCode.CORRUPT, name)


def properties(pdf: Any, limits: Limits) -> Iterator[Item]:
    lines = LabelledText("metadata", limits)
    info = pdf.trailer.get("/Info")
    if isinstance(info, pikepdf.Dictionary):
        for key, value in info.items():
            if isinstance(value, pikepdf.String):
                name, text = str(key).lstrip("/"), str(value)
                if name == "Title" and text.strip():
                    yield Title(text)
                lines.add(name, text)
    yield from lines.items()
    packet = pdf.Root.get("/Metadata")
    if isinstance(packet, pikepdf.Stream):
        yield from stream_items(packet, "xmp", "application/xml", limits)


def form(pdf: Any, limits: Limits) -> Iterator[Item]:
    forms = pdf.Root.get("/AcroForm")
    if not isinstance(forms, pikepdf.Dictionary):
        return
    yield from xfa_items(forms.get("/XFA"), limits)


def strings(pdf: Any, limits: Limits) -> Iterator[Item]:
    found: dict[str, dict[str, None]] = {}
    files = 0
    info = getattr(pdf.trailer.get("/Info"), "objgen", None)
    for number, item in enumerate(pdf.objects):
        if number > MAX_OBJECTS:
            yield Gap(GapCode.TOO_LARGE, "objects")
            break
        is_stream = isinstance(item, pikepdf.Stream)
        if not is_stream and not isinstance(
            item, pikepdf.Dictionary | pikepdf.Array | pikepdf.String
        ):
            continue
        raw = (item.stream_dict if is_stream else item).unparse(resolved=True)
        if (b"(" in raw or b" <" in raw) and item.objgen != info:  # properties() read that one
            collect(raw, found)
        if b"/EF" in raw and not is_stream:
            for name, stream in files_of(item):
                files += 1
                yield from file_items(stream, f"attachment:{files}", name, limits)
    for kind, texts in found.items():
        yield Part(kind, "\n".join(texts))


def collect(raw: bytes, found: dict[str, dict[str, None]]) -> None:
    if b"/Type /XRef" in raw or b"/Filter /Standard" in raw:
        return
    field = FORM_KEYS if b"/FT " in raw else frozenset()  # form() read those with their labels
    for hit in STRING.finditer(raw):
        key = hit[1] or b""
        if key in MACHINERY or key in field:
            continue
        text = decode_string(hit[2])
        if PRINTABLE.match(text) and "\ufffd" not in text:
            found.setdefault(PART_OF.get(key, "strings"), {})[text] = None


def decode_string(raw: bytes) -> str:
    if raw[:1] == b"<":
        data = bytes.fromhex(raw[1:-1].decode() + "0" * (len(raw) % 2))
    else:
        data = LITERAL.sub(unescape, raw[1:-1])
    if data.startswith(b"\xfe\xff"):
        return data[2:].decode("utf-16-be", "replace")
    if data.startswith(b"\xef\xbb\xbf"):
        return data[3:].decode("utf-8", "replace")
    return data.decode("pdfdoc_pikepdf", "replace")


def unescape(hit: re.Match[bytes]) -> bytes:
    code = hit[1]
    if code.isdigit():
        return bytes([int(code, 8) & 255])
    return CONTROL.get(code, code)


def files_of(item: Any) -> Iterator[tuple[str, Any]]:
    """Every file specification in an object, with its name."""
    waiting = [item]
    for _ in range(10_000):
        if not waiting:
            return
        spec = waiting.pop()
        if isinstance(spec, pikepdf.Array):
            waiting.extend(child for child in spec if not getattr(child, "is_indirect", False))
            continue
        if not isinstance(spec, pikepdf.Dictionary):
            continue
        holder = spec.get("/EF")
        if isinstance(holder, pikepdf.Dictionary):
            stream = holder.get("/UF") or holder.get("/F") or next(iter(holder.values()), None)
            if isinstance(stream, pikepdf.Stream):
                yield str(spec.get("/UF", spec.get("/F", ""))), stream
        else:
            # objects of their own come by themselves
            waiting.extend(
                child for child in spec.values() if not getattr(child, "is_indirect", True)
            )


def file_items(stream: Any, where: str, name: str, limits: Limits) -> Iterator[Item]:
    for item in stream_items(stream, where, "", limits):
        yield Embedded(where, name, item.data) if isinstance(item, Embedded) else item


def stream_items(stream: Any, where: str, media_type: str, limits: Limits) -> Iterator[Item]:
    try:
        data = stream.read_bytes()
    except BROKEN:
        yield Gap(GapCode.CORRUPT, where)
        return
    if len(data) > limits.max_inflated_bytes:
        raise BudgetExceededError(GapCode.TOO_LARGE, where)
    yield Embedded(where, "", data, media_type)
