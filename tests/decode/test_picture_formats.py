"""A picture is opened by whatever of Pillow reads it; what hardly any file needs loads on demand."""

import io
import subprocess
import sys

import pytest
from PIL import Image, UnidentifiedImageError

from dlp.decode.formats import image

PROGRAM = """
import io, sys
from PIL import Image
from dlp.decode.formats import image
from dlp.lazy_resources import NotLoadedError, lazy_registry

image.preload()
lazy_registry().seal()
data = io.BytesIO(bytes.fromhex(sys.argv[1]))
try:
    image.opened(data)
except NotLoadedError as error:
    lazy_registry().supply(error.name)
    print(error.name, image.opened(data).format)
else:
    print("at once")
"""


def picture(form: str) -> bytes:
    written = io.BytesIO()
    Image.new("RGB", (70, 40), "white").save(written, form)
    return written.getvalue()


@pytest.mark.parametrize("form, said", [("PNG", "at once"), ("SGI", "pictures SGI")])
def test_rare_formats_are_asked_for(form, said):
    command = [sys.executable, "-c", PROGRAM, picture(form).hex()]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == said


@pytest.mark.parametrize(
    "form", ["PNG", "JPEG", "GIF", "TIFF", "BMP", "WEBP", "JPEG2000", "PCX", "ICO", "PPM", "SGI"]
)
def test_all_that_pillow_opens_is_opened(form):
    data = picture(form)
    assert image.opened(io.BytesIO(data)).format == Image.open(io.BytesIO(data)).format == form


def test_what_is_no_picture_is_none():
    with pytest.raises(UnidentifiedImageError):
        image.opened(io.BytesIO(b"no picture at all"))


def test_usual_formats_are_tried_in_the_order_of_pillow():
    usual = image.usual_formats()
    Image.init()
    assert [name for name in Image.ID if name in usual] == list(usual)
