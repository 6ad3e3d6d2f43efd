"""Read PDF: pages first, then everything people do not see at once.

In: an open PDF.  Out: body, form, notes, properties, attachments, earlier revisions; scans as gaps.
"""

from __future__ import annotations

import io
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, BinaryIO

import pikepdf
import pypdfium2
import pypdfium2.raw as pdfium
from lxml import etree

from dlp.decode import ocr, pdf_form, pdf_unseen
from dlp.decode.contract import BudgetExceededError, Embedded, Item, Limits, Title, at_most
from dlp.decode.labelled import LabelledText
from dlp.decode.pdf_form import FormField
from dlp.model import Gap, GapCode, Part

MEDIA_TYPES = frozenset({"application/pdf"})
MAX_BYTES = 200_000_000
END = b"%%EOF"
MAX_REVISIONS = 4
# A page that is a picture with a stamped line or page number still is a picture, and so is one
# with a printed header: its lines are a small part of the height.
SCAN_TEXT_CHARS, SCAN_AREA = 60, 0.03  # two lines of print fill so much of a page; a logo less
HEADER_CHARS, HEADER_HEIGHT = 2_000, 0.15
SCATTERED_WORDS, SCATTERED_SHARE = 40, 0.3
OUTLINED_TEXT = 100  # curves on a page without a letter: more than a frame and some rules
DRAWN = [pdfium.FPDF_PAGEOBJ_IMAGE, pdfium.FPDF_PAGEOBJ_PATH]
OCR_SCALE = 200 / 72  # 200 dots an inch: tesseract's documentation asks for 200 to 300
PRINTED = frozenset({"alternates", "outline"})  # the page's own words once more
TIME_SHARE = 0.7  # of the wall time for pages; the rest is for what else the file holds

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

VALUES, TEMPLATE = "datasets", "template"
# The frame, and packets whose schema holds settings and no text of an author.
XFA_MACHINERY = frozenset({
    "preamble", "postamble", "xdp:xdp", "</xdp:xdp>", "config", "localeSet", "connectionSet",
    "sourceSet", "stylesheet",
    "PDFSecurity", "signature",
})  # fmt: skip
WORDS = frozenset({"text", "exData", "toolTip", "speak"})
SCRIPTS = frozenset({"script"})
PRESET = "field"  # a text behind its <value> was filled in before the form was given out


def extract(source: BinaryIO, limits: Limits) -> Iterator[Item]:
    data = at_most(source, MAX_BYTES)
    if source.read(1):
        yield Gap(GapCode.TOO_LARGE, "body")
    try:
        document = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        sealed = getattr(error, "err_code", None) in {
            pdfium.FPDF_ERR_PASSWORD,
            pdfium.FPDF_ERR_SECURITY,
        }
        yield Gap(GapCode.ENCRYPTED if sealed else GapCode.CORRUPT, "body")
        return
    seen: set[str] = set()
    for item in contents(document, data, limits):
        if isinstance(item, Part):
            seen.update(map(str.strip, item.text.splitlines()))
        yield item
    if END not in data[-4096:]:
        yield Gap(GapCode.CORRUPT, "end")
    yield from revisions(data, seen, limits)
    yield from pdf_unseen.unseen(data, seen, limits, ends_of(data)[-MAX_REVISIONS - 1 : -1])


def contents(document: Any, data: bytes, limits: Limits) -> Iterator[Item]:
    """Pages, form and objects; the document is closed when its pages are read."""
    fields, count = pdf_form.read_fields(data), len(document)
    try:
        yield from pages(document, limits, fields)
    finally:
        document.close()
    yield from pdf_form.items_of(fields, limits)
    is_form = any(pdf_form.is_form_page(fields, page) for page in range(count))
    for item in objects(data, limits):
        if is_form and isinstance(item, Part) and item.locator in PRINTED:
            yield replace(item, template=((0, len(item.text)),))
        else:
            yield item


def pages(document: Any, limits: Limits, fields: Sequence[FormField]) -> Iterator[Item]:
    deadline = time.monotonic() + limits.wall_seconds * TIME_SHARE
    texts: list[str] = []
    gaps: list[Gap] = []
    template: list[tuple[int, int]] = []
    length = 0
    for number in range(1, len(document) + 1):
        text, gap = page_text(document, number, fields)
        if fields and pdf_form.is_form_page(fields, number - 1):
            template += pdf_form.template_spans(text, length + len(texts))
        texts.append(text)
        length += len(text)
        if gap:
            gaps.append(gap)
        if length > limits.max_text_chars:
            gaps.append(Gap(GapCode.TOO_LARGE, f"page:{number}"))
            break
        if time.monotonic() > deadline:
            gaps.append(Gap(GapCode.TIMEOUT, f"page:{number}"))
            break
    body = "\f".join(texts)[: limits.max_text_chars]
    yield Part("body", body, template=tuple(template))
    yield from gaps


def page_text(document: Any, number: int, fields: Sequence[FormField]) -> tuple[str, Gap | None]:
    try:
        page = document[number - 1]
    except pypdfium2.PdfiumError:
        return "", Gap(GapCode.CORRUPT, f"page:{number}")
    try:
        words = page.get_textpage()
        if fields:
            pdf_form.label_page(fields, number - 1, words)
        raw = words.get_text_range()
        # U+FFFE stands for a hyphen at a line's end: the word goes on
        text = raw.replace("\r\n", "\n").replace("\ufffe", "").replace("\0", "")
        scanned = is_hardly_written(page, words, text) and is_scan(page, empty=not text.strip())
        if scanned or is_scattered(text):
            read = ocr.read_picture(lambda: page.render(scale=OCR_SCALE, grayscale=True).to_pil())
            text = f"{text}\n{read.text}"
            if not read.sure:
                return text, Gap(GapCode.NEEDS_OCR, f"page:{number}")
    except (pypdfium2.PdfiumError, AssertionError, ValueError):
        return "", Gap(GapCode.CORRUPT, f"page:{number}")
    finally:
        page.close()
    return text, None


def is_scattered(text: str) -> bool:
    """Whether letters are placed one by one, so that words fall apart."""
    words = text.split()
    alone = sum(len(word) == 1 and word.isalpha() for word in words)
    return len(words) >= SCATTERED_WORDS and alone > SCATTERED_SHARE * len(words)


def is_hardly_written(page: Any, words: Any, text: str) -> bool:
    """Whether a page has few letters, or lines that fill little of its height."""
    length = len(text.strip())
    if length < SCAN_TEXT_CHARS or length > HEADER_CHARS:
        return length < SCAN_TEXT_CHARS
    lines = {(round(r[1]), round(r[3])) for r in map(words.get_rect, range(words.count_rects()))}
    filled = sum(top - bottom for bottom, top in lines)
    return bool(filled < HEADER_HEIGHT * float(page.get_height()))


def is_scan(page: Any, *, empty: bool) -> bool:
    """Whether pictures, or letters drawn as curves, say what the few words do not."""
    width, height = page.get_size()
    covered, curves = 0.0, 0
    for thing in page.get_objects(filter=DRAWN, max_depth=3):
        if thing.type == pdfium.FPDF_PAGEOBJ_PATH:
            curves += 1
            continue
        left, bottom, right, top = thing.get_bounds()
        covered += max(0.0, right - left) * max(0.0, top - bottom)
    enough = 0.0 if empty else SCAN_AREA
    return bool(covered > enough * width * height) or (empty and curves > OUTLINED_TEXT)


def objects(data: bytes, limits: Limits) -> Iterator[Item]:
    try:
        with pikepdf.open(io.BytesIO(data)) as pdf:
            yield from object_items(pdf, limits)
    except pikepdf.PasswordError:
        yield Gap(GapCode.ENCRYPTED, "objects")
    except BROKEN:
        yield Gap(GapCode.CORRUPT, "objects")


def revisions(data: bytes, seen: set[str], limits: Limits) -> Iterator[Item]:
    """What an incremental save left behind: earlier states, still whole inside the file."""
    for age, end in enumerate(reversed(ends_of(data)[:-1]), 1):
        if age > MAX_REVISIONS:
            yield Gap(GapCode.TOO_LARGE, "revisions")
            return
        fresh: list[str] = []
        for item in revision(data[:end], limits):
            if isinstance(item, Part):
                lines = [
                    line for line in map(str.strip, item.text.splitlines()) if line not in seen
                ]
                seen.update(lines)
                fresh.extend(lines)
        if fresh:
            yield Part(f"revision:{age}", "\n".join(fresh))


def ends_of(data: bytes) -> list[int]:
    """Where the states of a file end, the present one last."""
    ends = []
    place = data.find(END)
    while place >= 0:
        ends.append(place + len(END))
        place = data.find(END, place + 1)
    # the first end mark of a file for the web closes no revision
    return ends[1:] if b"/Linearized" in data[:1024] else ends


def revision(data: bytes, limits: Limits) -> Iterator[Item]:
    try:
        document = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError:
        return
    yield from contents(document, data, limits)


def object_items(pdf: Any, limits: Limits) -> Iterator[Item]:
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


def xfa_items(xfa: Any, limits: Limits) -> Iterator[Item]:
    most = limits.max_inflated_bytes
    packets = list(named_packets(xfa))
    if values := b"".join(data for name, data in packets if name == VALUES):
        yield Embedded("xfa", "", values[:most], "application/xml")
    for name, data in packets:
        if name == TEMPLATE:
            yield from printed(data[:most])
        elif name not in XFA_MACHINERY and name != VALUES:
            yield Embedded("xfa_template" if values else "xfa", "", data[:most], "application/xml")


def named_packets(xfa: Any) -> Iterator[tuple[str, bytes]]:
    if isinstance(xfa, pikepdf.Stream):
        yield from cut(xfa.read_bytes())
        return
    for name, packet in pairwise(list(xfa or [])):
        if isinstance(packet, pikepdf.Stream) and not isinstance(name, pikepdf.Stream):
            yield str(name), packet.read_bytes()


def cut(whole: bytes) -> Iterator[tuple[str, bytes]]:
    """The packets of one document; as it stands where it is none."""
    root = parsed(whole)
    if root is None or local(root) != "xdp":
        yield "", whole
        return
    for packet in root:
        if isinstance(packet.tag, str):
            yield local(packet), etree.tostring(packet)


def parsed(data: bytes) -> Any:
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, recover=True, remove_comments=True,
        remove_pis=True, huge_tree=False,
    )  # fmt: skip
    try:
        return etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError):
        return None


def printed(data: bytes) -> Iterator[Item]:
    root = parsed(data)
    if root is None:
        yield Part("xfa_template/raw", data.decode("utf-8", "replace"))
        return
    shown: dict[str, None] = {}
    preset: dict[str, None] = {}
    code: dict[str, None] = {}
    for element in root.iter():
        if not isinstance(element.tag, str):
            continue
        name = local(element)
        kept = preset if is_preset(element) else shown if name in WORDS else None
        kept = code if name in SCRIPTS else kept
        if kept is not None and (text := " ".join("".join(element.itertext()).split())):
            kept[text] = None
    for where, texts in (("xfa_template", shown), ("xfa/preset", preset), ("scripts", code)):
        if texts:
            yield Part(where, "\n".join(texts))


def is_preset(element: Any) -> bool:
    value = element.getparent()
    if local(element) not in WORDS or value is None or local(value) != "value":
        return False
    holder = value.getparent()
    return holder is not None and local(holder) == PRESET


def local(element: Any) -> str:
    return str(etree.QName(element).localname) if isinstance(element.tag, str) else ""
