"""Where tesseract is installed pictures are read, behind the sandbox too; elsewhere they are gaps."""

import io
import os

import pikepdf
import pytest
from PIL import Image, ImageDraw, ImageFont

from dlp.decode import format_registry, ocr
from dlp.decode.contract import Limits
from dlp.decode.extract import read
from dlp.decode.sandbox import confine
from dlp.model import GapCode

WORDS = "Ada Example has asthma"


def written(kind="PNG"):
    picture = Image.new("RGB", (900, 1200), "white")
    font = ImageFont.load_default(size=36)
    ImageDraw.Draw(picture).text((60, 100), WORDS, fill="black", font=font)
    out = io.BytesIO()
    picture.save(out, kind)
    return out.getvalue()


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "PDF", "TIFF"])
def test_a_picture_is_read_or_a_gap(kind):
    reading = read(io.BytesIO(written(kind)), f"x.{kind.lower()}")
    text = "\n".join(part.text for part in reading.document.parts)
    if ocr.available():
        assert WORDS in text
        assert reading.gaps == ()
    else:
        assert {gap.code for gap in reading.gaps} == {GapCode.NEEDS_OCR}


def scan_with_header(lines):
    """A scanned page over which a program printed lines of text."""
    picture = Image.new("RGB", (900, 1200), "white")
    for row in range(20):
        place, font = (60, 200 + 40 * row), ImageFont.load_default(size=22)
        ImageDraw.Draw(picture).text(place, f"{WORDS} and a cough.", fill="black", font=font)
    scan, out = io.BytesIO(), io.BytesIO()
    picture.save(scan, "PDF")
    with pikepdf.open(scan) as pdf:
        page, name = pdf.pages[0], pikepdf.Name
        font = pikepdf.Dictionary(Type=name.Font, Subtype=name.Type1, BaseFont=name.Helvetica)
        shown = " ".join(f"({line}) Tj 0 -14 Td" for line in lines)
        key = page.add_resource(font, name.Font)
        page.contents_add(f"BT {key} 10 Tf 40 1180 Td {shown} ET".encode())
        pdf.save(out)
    return out.getvalue()


@pytest.mark.parametrize("lines", [1, 4])
def test_a_scanned_page_below_a_printed_header_is_read_or_a_gap(lines):
    header = ["Received by the document service on the second floor, batch twelve of forty"] * lines
    reading = read(io.BytesIO(scan_with_header(header)), "x.pdf")
    text = "\n".join(part.text for part in reading.document.parts)
    assert header[0] in text
    if ocr.available():
        assert WORDS in text
    else:
        assert {gap.code for gap in reading.gaps} == {GapCode.NEEDS_OCR}


@pytest.mark.skipif(not ocr.available(), reason="tesseract is not installed")
def test_confined_workers_read_pictures():
    format_registry.preload()
    results, sink = os.pipe()
    child = os.fork()
    if not child:
        try:
            confine(Limits())
            reading = read(io.BytesIO(written()), "x.png")
            os.write(sink, "\n".join(part.text for part in reading.document.parts).encode())
        finally:
            os._exit(0)
    os.close(sink)
    with os.fdopen(results) as source:
        assert WORDS in source.read()
    os.waitpid(child, 0)


@pytest.mark.skipif(not ocr.available(), reason="tesseract is not installed")
def test_a_picture_met_again_is_known_by_all_its_pixels():
    picture = Image.open(io.BytesIO(written())).convert("L")
    changed = picture.copy()
    ImageDraw.Draw(changed).rectangle((0, 0, 900, 200), fill="white")
    ImageDraw.Draw(changed).text((60, 400), "Bob", fill=0, font=ImageFont.load_default(size=36))
    ocr.memory().clear()
    first = [ocr.read_picture(lambda: picture) for _ in range(2)]
    assert first[0] == first[1]
    assert WORDS in first[0].text
    assert len(ocr.memory()) == 1
    assert WORDS not in ocr.read_picture(lambda: changed).text
    assert len(ocr.memory()) == 2
    assert ocr.read_picture(lambda: picture) == first[0]


@pytest.mark.skipif(not ocr.available(), reason="tesseract is not installed")
def test_the_memory_of_pictures_stays_small(monkeypatch):
    monkeypatch.setattr(ocr, "REMEMBERED", 2)
    ocr.memory().clear()
    for size in range(100, 105):
        sheet = Image.new("L", (size, 100), 255)
        sheet.putpixel((50, 50), 0)
        ocr.read_picture(lambda sheet=sheet: sheet)
    assert len(ocr.memory()) == 2


@pytest.mark.skipif(not ocr.available(), reason="tesseract is not installed")
@pytest.mark.parametrize("shade", [0, 128, 255])
def test_tesseract_finds_nothing_on_a_sheet_of_one_shade(shade):
    sheet = Image.new("L", (300, 200), shade)
    assert ocr.read_picture(lambda: sheet) == ocr.Seen(sure=True)
    assert ocr.ask(ocr.engine(), sheet, sheet.tobytes(), ocr.MIN_DOTS)[0] == ""
