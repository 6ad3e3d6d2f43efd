"""Read PDF: pages first, then everything people do not see at once.

In: an open PDF.  Out: body, form, notes, properties, attachments, earlier revisions; scans as gaps.
"""

from __future__ import annotations

import io
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, BinaryIO

import pikepdf
import pypdfium2
import pypdfium2.raw as pdfium

from dlp.decode import ocr, pdf_form, pdf_objects
from dlp.decode.contract import Item, Limits, at_most
from dlp.decode.pdf_form import FormField
from dlp.model import Gap, GapCode, Part

MEDIA_TYPES = frozenset({"application/pdf"})
MAX_BYTES = 200_000_000
END = b"%%EOF"
MAX_REVISIONS = 4
# A page that is a picture with a stamped line or page number still is a picture.
SCAN_TEXT_CHARS, SCAN_AREA = 60, 0.5
OUTLINED_TEXT = 100  # curves on a page without a letter: more than a frame and some rules
DRAWN = [pdfium.FPDF_PAGEOBJ_IMAGE, pdfium.FPDF_PAGEOBJ_PATH]
OCR_SCALE = 200 / 72  # 200 dots an inch: tesseract's documentation asks for 200 to 300
PRINTED = frozenset({"alternates", "outline"})  # the page's own words once more
TIME_SHARE = 0.7  # of the wall time for pages; the rest is for what else the file holds


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
        if len(text.strip()) < SCAN_TEXT_CHARS and is_scan(page, empty=not text.strip()):
            read = ocr.read_picture(lambda: page.render(scale=OCR_SCALE, grayscale=True).to_pil())
            if read is None:
                return text, Gap(GapCode.NEEDS_OCR, f"page:{number}")
            text = f"{text}\n{read}"
    except (pypdfium2.PdfiumError, AssertionError, ValueError):
        return "", Gap(GapCode.CORRUPT, f"page:{number}")
    finally:
        page.close()
    return text, None


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
            yield from pdf_objects.items_of(pdf, limits)
    except pikepdf.PasswordError:
        yield Gap(GapCode.ENCRYPTED, "objects")
    except pdf_objects.BROKEN:
        yield Gap(GapCode.CORRUPT, "objects")


def revisions(data: bytes, seen: set[str], limits: Limits) -> Iterator[Item]:
    """What an incremental save left behind: earlier states, still whole inside the file."""
    ends = []
    place = data.find(END)
    while place >= 0:
        ends.append(place + len(END))
        place = data.find(END, place + 1)
    if b"/Linearized" in data[:1024]:
        ends = ends[1:]  # its first end mark closes no revision
    for age, end in enumerate(reversed(ends[:-1]), 1):
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


def revision(data: bytes, limits: Limits) -> Iterator[Item]:
    try:
        document = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError:
        return
    yield from contents(document, data, limits)
