"""Read what a PDF holds beside its pages: drawings no page shows, loose streams, bytes around it.

In: the bytes of a PDF and the lines read already.  Out: parts and files to read next.
"""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Iterator, Sequence
from typing import Any

import pikepdf
import pypdfium2

from dlp.decode import encoded_text
from dlp.decode.contract import Embedded, Item, Limits
from dlp.model import Gap, GapCode, Part

Number = tuple[int, int]

MAX_DRAWINGS = 100
MAX_STREAM = 4_000_000
START, END = b"%PDF-", b"%%EOF"
REMARK = re.compile(rb"^%([ -~]{24,})\r?$", re.MULTILINE)
# What a script says to people: its strings and remarks. Its names are no words of a text.
SPOKEN = re.compile(r"\"(?:[^\"\\\r\n]|\\.)*\"|'(?:[^'\\\r\n]|\\.)*'|//[^\r\n]*|/\*(?s:.*?)\*/")
SCRIPT = re.compile(rb"/JS (\d+) (\d+) R")
SIX_WORDS = re.compile(r"(?:[A-Za-z]{2,}[\s,.:;-]+){6}")
MAPPED = re.compile(rb"<([0-9a-fA-F]{2})>\s*<([0-9a-fA-F]{4})>")
SIMPLE_FONTS, FEW_LIES = ("/Type1", "/TrueType"), 10
MACHINERY = frozenset({"/XRef", "/ObjStm", "/EmbeddedFile", "/CMap"})
FONT_OR_PICTURE = frozenset({"/Image", "/Type1C", "/CIDFontType0C", "/OpenType", "/PS"})
BROKEN = (pikepdf.PdfError, pypdfium2.PdfiumError, ValueError, TypeError, KeyError, AttributeError,
          IndexError, NotImplementedError, RuntimeError, OverflowError, AssertionError)  # fmt: skip


def unseen(
    data: bytes, seen: set[str], limits: Limits, earlier: Sequence[int] = ()
) -> Iterator[Item]:
    """`seen`: the lines of all parts that were read, `earlier`: where earlier states end."""
    yield from around(data)
    try:
        with pikepdf.open(io.BytesIO(data)) as pdf:
            yield from loose_streams(pdf, limits, drawn_in(data, earlier))
            text = drawn_text(pdf)
            if has_lying_font(pdf):
                yield Gap(GapCode.UNSUPPORTED, "fonts")
    except pikepdf.PasswordError:
        return
    except BROKEN:
        yield Gap(GapCode.CORRUPT, "drawings")
        return
    known = "\n".join(seen)
    fresh = [line for line in map(str.strip, text.splitlines()) if line and line not in known]
    yield Part("drawings", "\n".join(dict.fromkeys(fresh)))


def around(data: bytes) -> Iterator[Item]:
    """What stands before the mark of the format, behind its end, and in remarks between objects."""
    front, behind = data[: max(0, data.find(START))], data[data.rfind(END) + len(END) :]
    for where, rest in (("front", front), ("behind", behind if END in data else b"")):
        if rest.strip(b"\0\r\n\t "):
            yield Embedded(where, "", rest)
    remarks = [remark.decode("ascii") for remark in REMARK.findall(data)]
    yield Part("comments", "\n".join(filter(SIX_WORDS.search, remarks)))


def loose_streams(
    pdf: Any, limits: Limits, drawn_before: frozenset[Number] = frozenset()
) -> Iterator[Item]:
    """Streams of written text that are no part of a page, a font or a picture."""
    read = drawn_before.union(drawings_of(pdf))
    read |= {stream.objgen for stream in read_elsewhere(pdf)}
    scripts = {number for item in pdf.objects for number in scripts_of(item)}
    said: list[str] = []
    number = 0
    for item in pdf.objects:
        if not isinstance(item, pikepdf.Stream) or item.objgen in read or is_machinery(item):
            continue
        raw = bytes_of(item)
        if item.objgen in scripts:
            said.append(said_in(raw.decode("utf-8", "replace")))
            continue
        is_text = encoded_text.kind_of(raw) == encoded_text.TEXT and b"begincmap" not in raw
        if is_text or raw.lstrip()[:1] == b"<":
            number += 1
            yield Embedded(f"stream:{number}", "", raw[: limits.max_inflated_bytes])
    yield Part("scripts/streams", "\n".join(said))


def said_in(script: str) -> str:
    """Its strings and remarks; all of it where words follow each other as in no code."""
    if SIX_WORDS.search(SPOKEN.sub(";", script)):
        return script
    return "\n".join(SPOKEN.findall(script))


def scripts_of(item: Any) -> Iterator[Number]:
    """The streams that an object names as scripts; a short one is a string among the others."""
    if isinstance(item, pikepdf.Stream):
        item = item.stream_dict
    if isinstance(item, pikepdf.Dictionary | pikepdf.Array):
        for number, generation in SCRIPT.findall(item.unparse(resolved=True)):
            yield int(number), int(generation)


def bytes_of(stream: Any) -> bytes:
    """Nothing for a picture whose filter is no filter of bytes."""
    if int(stream.get("/Length", 0)) >= MAX_STREAM:
        return b""
    try:
        return bytes(stream.read_bytes())
    except pikepdf.PdfError:
        return bytes(stream.read_raw_bytes())


def drawings_of(pdf: Any) -> Iterator[Number]:
    return (stream.objgen for page in pdf.pages for stream in contents_of(page))


def drawn_in(data: bytes, ends: Sequence[int]) -> frozenset[Number]:
    """The streams that pages of earlier states draw: their text is read with those states."""
    found: set[Number] = set()
    for end in ends:
        with contextlib.suppress(*BROKEN), pikepdf.open(io.BytesIO(data[:end])) as pdf:
            found.update(drawings_of(pdf))
    return frozenset(found)


def contents_of(page: Any) -> Iterator[Any]:
    held = page.obj.get("/Contents")
    yield from held if isinstance(held, pikepdf.Array) else [held] if held is not None else []


def read_elsewhere(pdf: Any) -> Iterator[Any]:
    """The properties and the packets of a form, which have readers of their own."""
    if "/Metadata" in pdf.Root:
        yield pdf.Root.Metadata
    packets = pdf.Root.get("/AcroForm", {}).get("/XFA", [])
    for packet in packets if isinstance(packets, pikepdf.Array | list) else [packets]:
        if isinstance(packet, pikepdf.Stream):
            yield packet


def has_lying_font(pdf: Any) -> bool:
    """Whether letters are shown by their own codes, and a map calls most of them other letters."""
    for font in pdf.objects:
        if not isinstance(font, pikepdf.Dictionary) or font.get("/Subtype") not in SIMPLE_FONTS:
            continue
        encoding, table = font.get("/Encoding"), font.get("/ToUnicode")
        subset = "+" in str(font.get("/BaseFont", ""))
        plain = isinstance(encoding, pikepdf.Name) or (encoding is None and not subset)
        if plain and isinstance(table, pikepdf.Stream):
            pairs = [(int(a, 16), int(b, 16)) for a, b in MAPPED.findall(table.read_bytes())]
            if sum(chr(a).isalpha() and a < 128 and a != b for a, b in pairs) >= FEW_LIES:
                return True
    return False


def is_machinery(stream: Any) -> bool:
    kind, subtype = str(stream.get("/Type", "")), str(stream.get("/Subtype", ""))
    return (
        kind in MACHINERY
        or subtype in FONT_OR_PICTURE
        or subtype == "/Form"
        or any(key in stream for key in ("/Length1", "/FunctionType", "/PatternType", "/N"))
    )


def drawn_text(pdf: Any) -> str:
    """The text of forms, patterns and pages that no page leads to, drawn on pages of their own."""
    scratch = pikepdf.new()
    shown = {page.obj.objgen for page in pdf.pages}
    listed = {form.objgen for page in pdf.pages for form in forms_of(page.obj, 0)}
    for item in pdf.objects:
        if len(scratch.pages) >= MAX_DRAWINGS:
            break
        if isinstance(item, pikepdf.Stream):
            is_form = item.get("/Subtype") == "/Form" or item.get("/PatternType") == 1
            if is_form and item.objgen not in listed and b"T" in bytes_of(item):
                hang(scratch, scratch.copy_foreign(item))
        elif is_page(item) and item.objgen not in shown:
            scratch.pages.append(pikepdf.Page(item))
    if not scratch.pages:
        return ""
    out = io.BytesIO()
    scratch.save(out)
    document = pypdfium2.PdfDocument(out.getvalue())
    try:
        return "\n".join(page.get_textpage().get_text_range() for page in document)
    finally:
        document.close()


def is_page(item: Any) -> bool:
    return isinstance(item, pikepdf.Dictionary) and item.get("/Type") == "/Page"


def forms_of(holder: Any, depth: int) -> Iterator[Any]:
    """Forms that a page or another form names; pages draw them."""
    resources = holder.get("/Resources")
    drawings = resources.get("/XObject") if isinstance(resources, pikepdf.Dictionary) else None
    if not isinstance(drawings, pikepdf.Dictionary) or depth > 4:
        return
    for form in drawings.values():
        if isinstance(form, pikepdf.Stream) and form.get("/Subtype") == "/Form":
            yield form
            yield from forms_of(form, depth + 1)


def hang(scratch: Any, form: Any) -> None:
    form.Type, form.Subtype = pikepdf.Name.XObject, pikepdf.Name.Form
    scratch.add_blank_page(page_size=(2000, 2000))
    page = scratch.pages[-1]
    page.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(X=form))
    page.Contents = scratch.make_stream(b"/X Do")
