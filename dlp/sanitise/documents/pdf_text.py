"""Read a flattened page letter by letter, each with the operator that shows it.

In: an open page.  Out: Page: letters, their operators and places; how many operators show text.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pypdfium2.raw as pdfium

# pdfium's sign for a hyphen at a line's end: the word goes on.
SILENT = frozenset({0x02, 0xFFFE, 0, 0x0D})  # and what is no letter
UNKNOWN = frozenset({0, 0xFFFD})
MOST_LETTERS = 1_000_000


@dataclass(slots=True)  # not frozen: that costs more than reading the letter
class Letter:
    text: str = field(repr=False)
    show: int  # which operator shows it; -1 for a space that pdfium infers
    x: float
    y: float
    right: float  # how far it reaches, along the line, from its origin
    known: bool  # whether the font says which character it is


@dataclass(slots=True)
class Page:
    letters: list[Letter] = field(default_factory=list, repr=False)
    shows: int = 0
    scales: dict[int, float] = field(default_factory=dict)  # page units in one unit of the text
    fonts: dict[int, str] = field(default_factory=dict)
    upright: set[int] = field(default_factory=set)  # operators whose line runs up or down the page
    pictures: int = 0

    @property
    def text(self) -> str:
        return "".join(letter.text for letter in self.letters)


def read_page(page: Any) -> Page:
    """Read what pdfium sees, objects numbered in the order of the stream."""
    found = Page()
    numbers: dict[int, int] = {}
    for index in range(pdfium.FPDFPage_CountObjects(page)):
        thing = pdfium.FPDFPage_GetObject(page, index)
        kind = pdfium.FPDFPageObj_GetType(thing)
        if kind == pdfium.FPDF_PAGEOBJ_IMAGE:
            found.pictures += 1
        if kind != pdfium.FPDF_PAGEOBJ_TEXT:
            continue
        numbers[ctypes.addressof(thing.contents)] = found.shows
        matrix = pdfium.FS_MATRIX()
        pdfium.FPDFPageObj_GetMatrix(thing, matrix)
        found.scales[found.shows] = (matrix.a**2 + matrix.b**2) ** 0.5
        found.fonts[found.shows] = font_name(thing)
        if abs(matrix.b) > abs(matrix.a):
            found.upright.add(found.shows)
        found.shows += 1
    words = pdfium.FPDFText_LoadPage(page)
    try:
        count = max(0, pdfium.FPDFText_CountChars(words))
        if count > MOST_LETTERS:
            raise ValueError("too many letters")
        found.letters = joined(list(letters_of(words, count, numbers)))
    finally:
        pdfium.FPDFText_ClosePage(words)
    return found


def font_name(thing: Any) -> str:
    font = pdfium.FPDFTextObj_GetFont(thing)
    if not font:
        return ""
    room = ctypes.create_string_buffer(128)
    pdfium.FPDFFont_GetBaseFontName(font, room, 128)
    return room.value.decode("latin-1")


def letters_of(words: Any, count: int, numbers: dict[int, int]) -> Iterator[Letter]:
    """One by one; a dense page has three thousand, so nothing is made anew for each."""
    x, y, box = ctypes.c_double(), ctypes.c_double(), pdfium.FS_RECTF()
    to_x, to_y, to_box = ctypes.byref(x), ctypes.byref(y), ctypes.byref(box)
    for index in range(count):
        code = pdfium.FPDFText_GetUnicode(words, index)
        thing = pdfium.FPDFText_GetTextObject(words, index)
        generated = not thing or pdfium.FPDFText_IsGenerated(words, index) == 1
        show = -1 if generated else numbers.get(ctypes.addressof(thing.contents), -1)
        x.value = y.value = box.right = 0.0  # what pdfium does not know it does not write
        pdfium.FPDFText_GetCharOrigin(words, index, to_x, to_y)
        pdfium.FPDFText_GetLooseCharBox(words, index, to_box)
        known = code not in UNKNOWN and pdfium.FPDFText_HasUnicodeMapError(words, index) != 1
        text = "" if code in SILENT else chr(code)
        yield Letter(text, show, x.value, y.value, max(0.0, box.right - x.value), known)


def joined(letters: list[Letter]) -> list[Letter]:
    """Make one character of two halves (UTF-16); the second stays as an empty letter."""
    if not any("\ud800" <= one.text < "\ue000" for one in letters):
        return letters
    out = list(letters)
    for i in range(len(out) - 1):
        first, second = out[i].text, out[i + 1].text
        if first and second and "\ud800" <= first < "\udc00" <= second < "\ue000":
            whole = (first + second).encode("utf-16", "surrogatepass").decode("utf-16")
            out[i] = Letter(whole, out[i].show, out[i].x, out[i].y, out[i].right, known=True)
            out[i + 1] = Letter("", out[i + 1].show, out[i + 1].x, out[i + 1].y, 0.0, known=True)
    return [
        Letter("\ufffd", o.show, o.x, o.y, o.right, known=False)
        if o.text and "\ud800" <= o.text < "\ue000" else o for o in out
    ]  # fmt: skip
