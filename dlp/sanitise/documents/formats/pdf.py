"""Rewrite PDF: letters really leave the page, and only the pages stay.

In: a PDF.  Out: a PDF of one revision that reads as edited; locked ones are refused, and signed
ones unless the signature is to be dropped. A page whose text cannot be edited becomes a picture.
"""

from __future__ import annotations

import io
import time
from collections.abc import Iterator
from typing import Any

import pikepdf
import pypdfium2
from pikepdf import Dictionary

from dlp.errors import SanitiseError
from dlp.sanitise.documents.contract import Job, refuse
from dlp.sanitise.documents.pdf_flatten import (
    check,
    edit_fields,
    flatten_page,
    instructions_of,
    plain_font,
    strip,
    unparse,
)
from dlp.sanitise.documents.pdf_redraw import DOTS, redraw_page
from dlp.sanitise.documents.pdf_text import Page, read_page
from dlp.sanitise.documents.pdf_text_operators import BOLD, PLAIN, edited_instructions

MEDIA_TYPES = frozenset({"application/pdf"})
TROUBLE = (pikepdf.PdfError, pypdfium2.PdfiumError)
SAMPLE_PAGES = 20  # say how long the rest will take
ROUNDS = 4
UNREADABLE = 0.2  # of a page's letters; bullets and signs of symbol fonts are fewer


def rewrite(data: bytes, job: Job) -> bytes:
    try:
        pdf = pikepdf.open(io.BytesIO(data))
    except pikepdf.PasswordError:
        raise refuse(
            "the document is locked by a password", fix="save it without a password"
        ) from None
    with pdf:
        check(pdf, job)
        edit_fields(pdf, lambda text: settled(text, job))
        strip(pdf)
        flat = saved(pdf)
    left: frozenset[int] = frozenset()
    pictures: set[int] = set()
    for again in range(ROUNDS):
        # What the edit finds in its own result is edited once more, then redrawn.
        flat, replaced, redrawn = edited_copy(flat, left if again > 1 else frozenset(), job)
        pictures |= redrawn
        left = frozenset(unproven(flat, replaced, job))
        if not left:
            for number in sorted(pictures):
                job.note(f"page {number + 1} is a picture ({DOTS} dpi) with a new text layer")
            return flat
    raise refuse(f"text of page {min(left) + 1} cannot be taken out of its drawing")


def edited_copy(
    flat: bytes, redrawn: frozenset[int], job: Job
) -> tuple[bytes, list[int], frozenset[int]]:
    """The pages edited; which of them were, and which had to be redrawn as pictures."""
    with pikepdf.open(io.BytesIO(flat)) as pdf:
        replaced, redrawn = edit_pages(pdf, flat, redrawn, job)
        out = saved(pdf)
    with pikepdf.open(io.BytesIO(out)) as pdf:
        if "/ID" in pdf.trailer:
            del pdf.trailer["/ID"]  # it would remember the first writing
        out = saved(pdf)  # qpdf orders what it compressed by itself only when it reads it again
    return out, replaced, redrawn


def saved(pdf: Any) -> bytes:
    """Everything reachable, once, in one revision; equal pages give equal bytes."""
    out = io.BytesIO()
    pdf.save(
        out, deterministic_id=True, object_stream_mode=pikepdf.ObjectStreamMode.disable,
        compress_streams=True, normalize_content=False, linearize=False, preserve_pdfa=False,
    )  # fmt: skip
    return out.getvalue()


def edit_pages(
    pdf: Any, flat: bytes, redrawn: frozenset[int], job: Job
) -> tuple[list[int], frozenset[int]]:
    """Edit each page that the edit touches; say which, and which became pictures."""
    touched, pictures = [], set(redrawn)
    started = time.process_time()
    document = pypdfium2.PdfDocument(flat)
    try:
        for number in range(len(pdf.pages)):
            in_time(time.process_time() - started, number, len(pdf.pages), job)
            page = read(document, number)
            admit(page, number, job)
            text = page.text
            edited = settled(text, job)
            if edited == text:
                continue
            touched.append(number)
            if number not in redrawn:
                try:
                    replace_text(pdf, pdf.pages[number], page, edited)
                    continue
                except SanitiseError:
                    pictures.add(number)
            redraw_page(pdf, pdf.pages[number], document[number], page, edited)
    finally:
        document.close()
    return touched, frozenset(pictures)


def settled(text: str, job: Job) -> str:
    """Edited until the edit finds nothing more: a word can look like a name beside a mark."""
    for _ in range(ROUNDS):
        before, text = text, job.edit(text)
        if text == before:
            break
    return text


def in_time(spent: float, done: int, pages: int, job: Job) -> None:
    """Refuse a book after its first pages rather than after an hour."""
    expected = spent / done * pages if done >= SAMPLE_PAGES else spent
    if expected > job.bounds.cpu_seconds:
        raise refuse(
            f"its {pages} pages would take longer than {job.bounds.cpu_seconds:g} s to rewrite",
            fix="split the document, or quarantine it instead",
        )


def read(document: Any, number: int) -> Page:
    page = document[number]
    try:
        return read_page(page.raw)
    finally:
        page.close()


def admit(page: Page, number: int, job: Job) -> None:
    unknown = sum(not letter.known for letter in page.letters)
    if unknown > UNREADABLE * len(page.letters) + 20:
        raise refuse(f"page {number + 1} is set in a font that does not say its letters")
    if page.pictures:
        job.note("words inside pictures are not read")


def replace_text(pdf: Any, page: Any, letters: Page, edited: str) -> None:
    instructions = list(instructions_of(page))
    page.obj.Contents = pdf.make_stream(unparse(edited_instructions(instructions, letters, edited)))
    fonts = page.obj.Resources.get("/Font", Dictionary())
    fonts[PLAIN], fonts[BOLD] = plain_font(), plain_font("/Helvetica-Bold")
    page.obj.Resources.Font = fonts
    flatten_page(pdf, page, frozenset())  # so that a second pass finds nothing to rename


def unproven(out: bytes, numbers: list[int], job: Job) -> Iterator[int]:
    """Read the new pages again: where the edit still finds something to do, it is not done."""
    document = pypdfium2.PdfDocument(out)
    try:
        for number in numbers:
            words = document[number].get_textpage().get_text_range()
            text = words.replace("\r", "").replace("\ufffe", "").replace("\0", "")
            if job.edit(text) != text:
                yield number
    finally:
        document.close()
