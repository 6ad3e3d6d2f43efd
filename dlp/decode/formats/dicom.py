"""Read DICOM headers, structured reports and documents wrapped in DICOM.

In: an open DICOM file.  Out: one labelled line a data element; pixels likely to hold text as a gap.
"""

from __future__ import annotations

import struct
import warnings
from collections.abc import Iterator
from typing import Any, BinaryIO

import pydicom
from pydicom import config
from pydicom.errors import BytesLengthException, InvalidDicomError

from dlp.decode.contract import Embedded, Item, Limits
from dlp.decode.labelled import LabelledText
from dlp.model import Gap, GapCode

MEDIA_TYPES = frozenset({"application/dicom"})
BROKEN = (InvalidDicomError, BytesLengthException, ValueError, TypeError, KeyError, OSError,
          AttributeError, IndexError, EOFError, NotImplementedError, struct.error,
          OverflowError)  # fmt: skip
DOCUMENT = 0x00420011  # EncapsulatedDocument
# Ultrasound, secondary capture and visible-light pictures usually carry the name in the picture.
WRITTEN_ON = frozenset({"US", "SC", "OT", "ES", "XC", "GM", "SM", "DOC", "IVUS", "OP", "DG"})
BINARY = frozenset({"OB", "OW", "OF", "OD", "OL", "OV"})
MAX_LEVELS = 30
MAX_VALUE = 1_000_000  # bytes of one element that no name explains

config.settings.reading_validation_mode = config.IGNORE
config.convert_wrong_length_to_UN = True  # bytes that fit no type may still be words


def extract(source: BinaryIO, limits: Limits) -> Iterator[Item]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its warnings quote values
        try:
            header = pydicom.dcmread(source, stop_before_pixels=True, force=True)
        except BROKEN:
            yield Gap(GapCode.CORRUPT, "body")
            return
        lines = LabelledText("body", limits)
        items = [*elements(header, lines, 0)]
    if not lines.length and not items:
        yield Gap(GapCode.CORRUPT, "body")
        return
    yield from lines.items()
    yield from items
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if has_written_pixels(header):
            yield Gap(GapCode.NEEDS_OCR, "pixels")


def elements(data: Any, lines: LabelledText, record: int, level: int = 0) -> Iterator[Item]:
    if level > MAX_LEVELS:
        yield Gap(GapCode.TOO_DEEP, "body")
        return
    for tag in sorted(data.keys()):
        try:
            element = data[tag]
            value = element.value
        except BROKEN:
            yield Gap(GapCode.CORRUPT, f"element:{tag}")
            continue
        if element.VR == "SQ":
            for number, item in enumerate(value or [], 1):
                yield from elements(item, lines, record * 1000 + number, level + 1)
        elif int(tag) == DOCUMENT and isinstance(value, bytes):
            yield Embedded(
                "document", "", value, str(data.get("MIMETypeOfEncapsulatedDocument", ""))
            )
        elif text := readable(element.VR, value):
            lines.add(element.keyword or str(element.tag), text, record, shown_name(element))


def shown_name(element: Any) -> str:
    """PatientBirthDate reads as "Patient Birth Date"."""
    keyword = element.keyword or str(element.tag)
    return "".join(
        f" {c}" if c.isupper() and i and keyword[i - 1].islower() else c
        for i, c in enumerate(keyword)
    )


def readable(kind: str, value: Any) -> str:
    if value is None or value == "":
        return ""
    if isinstance(value, bytes):
        if kind in BINARY and len(value) > MAX_VALUE:
            return ""
        text = value[:MAX_VALUE].rstrip(b"\0 ").decode("utf-8", "replace")
        return text if text.isprintable() and "\ufffd" not in text else ""
    if kind == "PN":
        names = value if isinstance(value, list | tuple) or hasattr(value, "append") else [value]
        return "; ".join(person(str(name)) for name in names)
    if kind == "DA":
        days = value if hasattr(value, "append") else [value]
        return "; ".join(day(str(one)) for one in days)
    if hasattr(value, "append"):
        return "; ".join(str(one) for one in value)
    return str(value)


def person(name: str) -> str:
    """Family^Given^Middle^Prefix^Suffix, up to three writings apart by '='."""
    writings = []
    for writing in name.split("="):
        family, _, rest = writing.partition("^")
        given = " ".join(rest.replace("^", " ").split())
        writings.append(", ".join(filter(None, (family.strip(), given))))
    return " = ".join(filter(None, writings))


def day(value: str) -> str:
    plain = len(value) == 8 and value.isdigit()
    return f"{value[:4]}-{value[4:6]}-{value[6:]}" if plain else value


def has_written_pixels(header: Any) -> bool:
    if "Rows" not in header:
        return False
    answer = str(header.get("BurnedInAnnotation", "")).upper()
    modality = str(header.get("Modality", "")).upper()
    return answer == "YES" or (answer != "NO" and modality in WRITTEN_ON)


def preload() -> None:
    """Make pydicom import what it imports late: character sets, value types."""
    from pydicom import charset, values  # noqa: PLC0415

    charset.python_encoding.keys()
    values.converters.keys()
    pydicom.datadict.keyword_for_tag(0x00100010)
