"""Binary workbooks: cells, dates, names and comments read as from an xlsx."""

import struct

from hypothesis import given, settings
from hypothesis import strategies as st

from dlp.decode.formats.ooxml import extract
from dlp.model import GapCode, Part
from tests.support.office_builder import pack, relations
from tests.support.reading import gaps, is_sound, items, parts


def record(kind, payload=b""):
    number = bytes([kind]) if kind < 128 else bytes([kind & 0x7F | 0x80, kind >> 7])
    length, out = len(payload), b""
    while True:
        length, low = length >> 7, length & 0x7F
        out += bytes([low | (0x80 if length else 0)])
        if not length:
            return number + out + payload


def text(value):
    return struct.pack("<I", len(value)) + value.encode("utf-16-le")


def cell(kind, column, value, style=0):
    return record(kind, struct.pack("<II", column, style) + value)


def build_xlsb(sheet):
    return pack({
        "_rels/.rels": relations("r1 officeDocument xl/workbook.bin"),
        "xl/workbook.bin": record(156, struct.pack("<II", 2, 1) + text("rId1") + text("Hidden tab")),
        "xl/_rels/workbook.bin.rels": relations("rId1 worksheet worksheets/sheet1.bin"),
        "xl/worksheets/sheet1.bin": sheet,
        "xl/sharedStrings.bin": record(19, b"\0" + text("Name")) + record(19, b"\0" + text("Birth date")),
        "xl/styles.bin": record(44, struct.pack("<H", 164) + text("dd/mm/yyyy")) + record(617)
        + record(47, struct.pack("<HH", 0, 0)) + record(47, struct.pack("<HH", 0, 164)) + record(618),
        "xl/comments1.bin": record(632, text("Dr Commenter")) + record(637, b"\0" + text("a comment")),
    })  # fmt: skip


SHEET = (
    record(0, struct.pack("<I", 0)) + cell(7, 0, struct.pack("<I", 0)) + cell(7, 1, struct.pack("<I", 1))
    + record(0, struct.pack("<I", 1)) + cell(6, 0, text("Jane Roe")) + cell(2, 1, struct.pack("<I", 29280 << 2 | 2), 1)
    + cell(5, 2, struct.pack("<d", 20586313.0)) + cell(8, 3, text("from a formula"))
    + record(550, text("a validation list"))
)  # fmt: skip


def test_everything_in_it_is_read():
    raw = build_xlsb(SHEET)
    found = parts(extract, raw)
    assert found["sheet:1"].splitlines()[1] == "Jane Roe\t1980-02-29\t20586313\tfrom a formula"
    words = "\n".join(found.values())
    for place in ("Hidden tab", "Dr Commenter", "a comment", "a validation list"):
        assert place in words
    sheet = next(i for i in items(extract, raw) if isinstance(i, Part) and i.locator == "sheet:1")
    assert ("Birth date", "1980-02-29") in {
        (f.label, sheet.text[f.start : f.end]) for f in sheet.fields
    }
    assert not gaps(extract, raw)
    assert "Jane" not in repr(items(extract, raw))


def test_a_sheet_that_breaks_off_gives_its_start_and_a_gap():
    raw = build_xlsb(SHEET[:-7])
    assert "Jane Roe" in parts(extract, raw)["sheet:1"]
    assert gaps(extract, raw) == {GapCode.CORRUPT}


PIECES = st.sampled_from([
    record(0, b"\1"), record(0, bytes(4)), cell(7, 0, bytes(4)), cell(7, 0, b"\xff" * 4), cell(6, 0, b"\xff" * 4), cell(5, 1, b"\1"),
    cell(2, 9, bytes(4), 99), record(19), record(156, bytes(8)), record(44, b"\1"), record(47), b"\xff", b"\x80", b"\xff" * 5, b"\0",
])  # fmt: skip


@given(st.lists(PIECES, max_size=12).map(b"".join))
@settings(max_examples=150, deadline=None)
def test_any_arrangement_of_its_own_records_is_read_or_a_gap(sheet):
    assert is_sound(extract, build_xlsb(sheet))
