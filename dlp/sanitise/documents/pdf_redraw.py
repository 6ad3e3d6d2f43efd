"""Redraw a PDF page as a picture with a fresh text layer, where its text cannot be edited in place.

In: a flattened page, its letters, the edited text.  Out: the page as a picture without the letters
that go, what replaces them in a standard font, and the letters that stay as invisible text.
"""

from __future__ import annotations

import ctypes
import io
import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pikepdf
import pypdfium2.raw as pdfium
from pikepdf import Array, Dictionary, Name
from PIL import ImageDraw

from dlp.sanitise.documents.contract import refuse
from dlp.sanitise.documents.pdf_flatten import Instruction, plain_font, unparse
from dlp.sanitise.documents.pdf_text import Letter, Page
from dlp.sanitise.documents.pdf_text_operators import (
    NARROWEST,
    PLAIN,
    SAME_LINE,
    fixed_of,
    width_of,
)
from dlp.sanitise.documents.run_alignment import spread

DOTS = 200  # an inch
SCALE = DOTS / 72
MARGIN = 2  # dots around a letter that goes: edges are smoothed
QUALITY = 80  # of the JPEG
MOST_PIXELS = 100_000_000  # of a picture: a page of A0 has 61 million
SMALLEST, LARGEST = 4.0, 40.0  # points of a letter


def redraw_page(pdf: Any, page: Any, drawn: Any, letters: Page, edited: str) -> None:
    """Put a picture of `drawn` (pdfium's page) and a text layer in the place of what `page` has."""
    texts = spread([letter.text for letter in letters.letters], edited, fixed_of(letters))
    drawn.set_rotation(0)  # lines of text run along the picture; the page is turned as before
    if math.prod(drawn.get_size()) * SCALE**2 > MOST_PIXELS:
        raise refuse("a page whose text cannot be edited is too large to be redrawn")
    picture = drawn.render(scale=SCALE).to_pil().convert("RGB")
    place = Placement(drawn, *picture.size)
    pen = ImageDraw.Draw(picture)
    for index, (letter, new) in enumerate(zip(letters.letters, texts, strict=True)):
        if letter.show >= 0 and new != letter.text:
            pen.rectangle(place.box(index), fill="white")
    wide, high = (side / SCALE for side in picture.size)
    layer = text_layer(lines_of(letters, texts), place, high)
    show = [([wide, 0, 0, high, 0, 0], "cm"), ([Name("/DlpPage")], "Do")]
    for key in list(page.obj.keys()):
        if key not in {"/Type", "/Parent", "/Rotate"}:
            del page.obj[key]
    page.obj.MediaBox = Array([0, 0, round(wide, 2), round(high, 2)])
    page.obj.Resources = Dictionary(
        XObject=Dictionary({"/DlpPage": picture_of(pdf, picture)}),
        Font=Dictionary({PLAIN: plain_font()}),
    )
    page.obj.Contents = pdf.make_stream(unparse([([], "q"), *show, ([], "Q"), *layer]))


class Placement:
    """Where the letters of a page stand in its picture, whatever its crop and their direction."""

    def __init__(self, drawn: Any, wide: int, high: int) -> None:
        self._raw, self._size, self._words = drawn.raw, (wide, high), drawn.get_textpage()

    def dots(self, x: float, y: float) -> tuple[int, int]:
        across, down = ctypes.c_int(), ctypes.c_int()
        pdfium.FPDF_PageToDevice(
            self._raw, 0, 0, *self._size, 0, x, y, ctypes.byref(across), ctypes.byref(down)
        )
        return across.value, down.value

    def box(self, index: int) -> tuple[int, int, int, int]:
        """The ink of a letter together with the room that its font gives it."""
        ink, room = (self._words.get_charbox(index, loose=loose) for loose in (False, True))
        corners = [self.dots(*box[i : i + 2]) for box in (ink, room) for i in (0, 2)]
        across, down = ([corner[axis] for corner in corners] for axis in (0, 1))
        return (
            min(across) - MARGIN,
            min(down) - MARGIN,
            max(across) + MARGIN,
            max(down) + MARGIN,
        )


@dataclass(slots=True)
class Line:
    """A stretch of a line, set anew or kept as it was."""

    new: bool
    first: int  # index of its first letter, and of its last
    last: int
    text: str = field(default="", repr=False)


def lines_of(letters: Page, texts: list[str]) -> Iterator[Line]:
    line: Line | None = None
    before: Letter | None = None
    for index, (letter, text) in enumerate(zip(letters.letters, texts, strict=True)):
        if letter.show < 0:  # white space that pdfium inferred
            if line is not None:
                line.text += text
            continue
        new = text != letter.text
        if line is None or before is None or new != line.new or not side_by_side(before, letter):
            if line is not None:
                yield line
            line = Line(new, index, index)
        line.text, line.last, before = line.text + text, index, letter
    if line is not None:
        yield line


def side_by_side(before: Letter, letter: Letter) -> bool:
    return before.show == letter.show or abs(before.y - letter.y) <= SAME_LINE


def text_layer(lines: Iterator[Line], place: Placement, high: float) -> list[Instruction]:
    layer: list[Instruction] = [([], "BT")]
    for line in lines:
        raw = " ".join(line.text.split()).encode("cp1252", "replace")
        if not raw:
            continue
        box, end = place.box(line.first), place.box(line.last)
        size = min(LARGEST, max(SMALLEST, (box[3] - box[1]) / SCALE * 0.8))
        room = max(end[2] - box[0], 1) / SCALE
        stretch = max(NARROWEST, min(100.0, 100 * room / width_of(raw, size)))
        x, y = (box[0] + MARGIN) / SCALE, high - box[3] / SCALE + 0.2 * size
        layer += [
            ([Name(PLAIN), round(size, 2)], "Tf"), ([0 if line.new else 3], "Tr"),
            ([round(stretch, 2)], "Tz"), ([1, 0, 0, 1, round(x, 2), round(y, 2)], "Tm"),
            ([Array([pikepdf.String(raw + b" ")])], "TJ"),
        ]  # fmt: skip
    return [*layer, ([], "ET")]


def picture_of(pdf: Any, picture: Any) -> Any:
    out = io.BytesIO()
    picture.save(out, "JPEG", quality=QUALITY)
    made = pdf.make_stream(out.getvalue())
    made.Type, made.Subtype, made.Filter = Name.XObject, Name.Image, Name.DCTDecode
    made.Width, made.Height = picture.size
    made.ColorSpace, made.BitsPerComponent = Name.DeviceRGB, 8
    return made
