"""Metafiles: the words a drawing shows are read as words, whatever is cut off."""

import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dlp.decode.formats.metafile import extract
from dlp.model import GapCode
from tests.support.reading import gaps, is_sound, items, parts


def emr(kind, payload):
    payload += b"\0" * (-len(payload) % 4)
    return struct.pack("<II", kind, 8 + len(payload)) + payload


def header(title=""):
    raw = title.encode("utf-16-le")
    body = bytes(32) + b" EMF" + struct.pack("<IIIHHII", 0x10000, 0, 0, 0, 0, len(title), 88)
    return emr(1, body.ljust(80, b"\0") + raw)


def text_wide(text, x, y, step=10):
    raw = text.encode("utf-16-le") + b"\0" * (len(text) % 2 * 2)
    body = bytes(16) + struct.pack("<III", 1, 0, 0)
    body += (
        struct.pack("<iiIII", x, y, len(text), 76, 0) + bytes(16) + struct.pack("<I", 76 + len(raw))
    )
    return emr(84, body + raw + struct.pack(f"<{len(text)}i", *[step] * len(text)))


def small_text(text, x, y):
    return emr(108, struct.pack("<iiIIIff", x, y, len(text), 0x300, 1, 0, 0) + text.encode())


def plus_text(text):
    payload = struct.pack("<III4f", 0, 0, len(text), 0, 0, 0, 0) + text.encode("utf-16-le")
    payload += b"\0" * (-len(payload) % 4)
    record = struct.pack("<HHII", 0x401C, 0, 12 + len(payload), len(payload)) + payload
    return emr(70, struct.pack("<I4s", 4 + len(record), b"EMF+") + record)


END = emr(14, bytes(12))


def wmf(*records, placeable=True):
    body = b"".join(
        struct.pack("<IH", 3 + len(payload) // 2, kind) + payload for kind, payload in records
    )
    head = struct.pack("<HHHIHIH", 1, 9, 0x300, 0, 0, 0, 0)
    return (
        (b"\xd7\xcd\xc6\x9a" + bytes(18) if placeable else b"")
        + head
        + body
        + struct.pack("<IH", 3, 0)
    )


def wmf_text(text, x, y):
    raw = text.encode("cp1252")
    return 0x0A32, struct.pack("<hhHH", y, x, len(raw), 0) + raw + b"\0" * (len(raw) % 2)


def test_pieces_drawn_side_by_side_join_and_words_keep_their_gap():
    raw = (
        header("Excel\0Jane Roe\0\0")
        + text_wide("Ja", 0, 0)
        + text_wide("ne", 20, 0)
        + text_wide("Roe", 60, 0)
    )
    raw += text_wide("HIV", 0, 30) + END
    assert parts(extract, raw) == {"title": "Excel\nJane Roe", "body": "Jane Roe\nHIV"}
    assert not gaps(extract, raw)
    assert "Jane" not in repr(items(extract, raw))


@pytest.mark.parametrize("record", [small_text("Jane Roe", 1, 2), plus_text("Jane Roe")])
def test_other_text_records(record):
    assert parts(extract, header() + record + END) == {"body": "Jane Roe"}


@pytest.mark.parametrize("placeable", [True, False])
def test_wmf_text(placeable):
    short = (0x0521, struct.pack("<H", 4) + b"Jane" + struct.pack("<hh", 0, 0))
    assert parts(
        extract, wmf(short, wmf_text("Roe", 50, 0), wmf_text("HIV", 0, 9), placeable=placeable)
    ) == {"body": "Jane Roe\nHIV"}


def test_a_bitmap_inside_needs_eyes():
    assert gaps(extract, header() + emr(81, bytes(30_000)) + END) == {GapCode.NEEDS_OCR}
    assert gaps(extract, wmf((0x0F43, bytes(30_000)))) == {GapCode.NEEDS_OCR}


def test_a_cut_off_drawing_gives_its_start_and_a_gap():
    raw = header() + text_wide("Jane Roe", 0, 0) + text_wide("HIV", 0, 30)
    assert parts(extract, raw)["body"].startswith("Jane Roe")
    assert gaps(extract, raw) == {GapCode.CORRUPT}
    assert gaps(extract, raw[:-5]) == {GapCode.CORRUPT}


PIECES = st.sampled_from([
    header(), header("a"), text_wide("Jane", 0, 0), small_text("x", 0, 0), plus_text("x"), END, emr(84, b""), emr(108, b"\1"),
    emr(70, b"\0\0\0\0EMF+\x1c\x40"), emr(1, bytes(9)), b"\xff" * 9, bytes(8), struct.pack("<II", 84, 0), b"\xd7\xcd\xc6\x9a",
    wmf(wmf_text("a", 0, 0)), struct.pack("<IH", 9, 0x0A32), struct.pack("<IH", 0, 5),
])  # fmt: skip


@given(st.lists(PIECES, max_size=10).map(b"".join), st.integers(0, 100))
@settings(max_examples=200, deadline=None)
def test_any_arrangement_of_its_own_records_is_read_or_a_gap(raw, cut):
    assert is_sound(extract, raw)
    assert is_sound(extract, raw[cut:])
    assert is_sound(extract, header() + raw)
