"""Where tesseract is installed pictures are read, behind the sandbox too; elsewhere they are gaps."""

import io
import os

import pytest
from PIL import Image, ImageDraw, ImageFont

from dlp.decode import catalogue, ocr
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


@pytest.mark.skipif(not ocr.available(), reason="tesseract is not installed")
def test_confined_workers_read_pictures():
    catalogue.preload()
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
