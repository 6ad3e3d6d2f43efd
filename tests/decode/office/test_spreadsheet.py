"""A cell reads as its author meant it, under the label its column has."""

import datetime as dt
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlp.decode.formats.ooxml import extract
from dlp.decode.office.sheet_text import classify, find_header, masked, number_text
from dlp.model import Gap, GapCode, Part
from tests.support import office_builder as build
from tests.support.reading import gaps, items, parts

DAY_ZERO = dt.date(1899, 12, 30)


def sheet(*rows, before=""):
    """Rows of cells; a pair is (stored number, style)."""
    xml = []
    for number, row in enumerate(rows, start=1):
        cells = "".join(
            cell(f"{chr(65 + place)}{number}", value) for place, value in enumerate(row)
        )
        xml.append(f'<row r="{number}">{cells}</row>')
    return f'<worksheet xmlns="{build.X}">{before}<sheetData>{"".join(xml)}</sheetData></worksheet>'


def cell(reference, value):
    if isinstance(value, tuple):
        return f'<c r="{reference}" s="{value[1]}"><v>{value[0]}</v></c>'
    return f'<c r="{reference}" t="inlineStr"><is><t>{value}</t></is></c>'


def first_sheet(raw):
    return next(
        item for item in items(extract, raw) if isinstance(item, Part) and item.locator == "sheet:1"
    )


def test_columns_are_labelled_by_the_header_row():
    part = first_sheet(build.build_xlsx(sheet=sheet(
        ["Patients of the ward"],
        ["Name", "Birth date", "NHS no"],
        ["Jane Roe", (29280, 1), (9434765919, 0)],
        ["John Doe", (29281, 1), (9434765870, 0)],
    )))  # fmt: skip
    assert part.text.splitlines()[2] == "Jane Roe\t1980-02-29\t9434765919"
    labelled = [(f.label, part.text[f.start : f.end], f.record) for f in part.fields]
    assert ("Birth date", "1980-02-29", 3) in labelled
    assert ("NHS no", "9434765870", 4) in labelled
    assert ("Name", "John Doe", 4) in labelled


def test_a_form_is_labelled_from_the_left():
    part = first_sheet(
        build.build_xlsx(sheet=sheet(["Date of birth:", (29280, 1)], ["Name:", "Jane Roe"]))
    )
    assert {(f.label, part.text[f.start : f.end]) for f in part.fields} >= {
        ("Date of birth", "1980-02-29"),
        ("Name", "Jane Roe"),
    }


def test_a_forged_extent_hides_nothing():
    raw = build.build_xlsx(sheet=sheet(["Name"], ["Jane Roe"], before='<dimension ref="A1:A1"/>'))
    assert "Jane Roe" in parts(extract, raw)["sheet:1"]


def test_a_cell_in_the_last_column_costs_nothing():
    xml = f'<worksheet xmlns="{build.X}"><sheetData><row r="1048576"><c r="XFD1048576"><v>7</v></c></row></sheetData></worksheet>'
    assert parts(extract, build.build_xlsx(sheet=xml))["sheet:1"] == "7"


def test_empty_cells_keep_their_place():
    names = ("Name", "Ward", "Birth date", "Diagnosis")
    header = "".join(cell(f"{letter}1", name) for letter, name in zip("ABCD", names, strict=True))
    gap = (
        f'{cell("A2", "Jane Roe")}<c r="B2" s="4"/><c t="inlineStr"><is><t>1980-02-29</t></is></c>'
    )
    late = f"{cell('A3', 'John Doe')}<c/><c/>{cell('D3', 'Asthma')}"
    rows = f'<row r="1">{header}</row><row r="2">{gap}</row><row r="3">{late}</row>'
    xml = f'<worksheet xmlns="{build.X}"><sheetData>{rows}</sheetData></worksheet>'
    part = first_sheet(build.build_xlsx(sheet=xml))
    labelled = {(f.label, part.text[f.start : f.end]) for f in part.fields}
    assert labelled >= {("Birth date", "1980-02-29"), ("Diagnosis", "Asthma")}


def test_one_long_string_used_often_is_too_large_but_bounded():
    rows = "".join(f'<row><c t="s"><v>0</v></c></row>' for _ in range(3000))  # noqa: F541
    xml = f'<worksheet xmlns="{build.X}"><sheetData>{rows}</sheetData></worksheet>'
    raw = build.build_xlsx({"cell": "word " * 2000}, sheet=xml)
    assert gaps(extract, raw, max_text_chars=1_000_000) == {GapCode.TOO_LARGE}
    assert len(parts(extract, raw, max_text_chars=1_000_000)["sheet:1"]) <= 1_000_000


def test_what_takes_too_long_gives_its_start_and_a_gap(monkeypatch):
    clock = iter(range(10**6))
    monkeypatch.setattr(
        "dlp.decode.zip_archive.time", SimpleNamespace(monotonic=lambda: next(clock))
    )
    rows = [[f"Person {n} {'x' * 50}", (n, 0)] for n in range(20_000)]
    found = items(extract, build.build_xlsx(sheet=sheet(*rows)), wall_seconds=30)
    assert [item.code for item in found if isinstance(item, Gap)] == [GapCode.TIMEOUT]
    assert any(isinstance(item, Part) and "Person 0" in item.text for item in found)


@given(st.dates(min_value=dt.date(1900, 3, 1), max_value=dt.date(9999, 12, 31)))
def test_every_day_comes_back_as_its_iso_date(day):
    assert number_text(str((day - DAY_ZERO).days), "date") == day.isoformat()


@given(st.integers(-(10**14), 10**14))
def test_whole_numbers_never_grow_a_point(value):
    assert number_text(f"{value}.0") == str(value)
    assert number_text(str(value)) == str(value)
    assert number_text(repr(float(value))) == str(value)


@given(st.text(max_size=12), st.sampled_from(["", "date", "time", "000-00-0000"]))
def test_no_stored_text_is_a_surprise(stored, meaning):
    assert isinstance(number_text(stored, meaning), str)


@pytest.mark.parametrize("code, meaning", [
    ("General", ""), ("0.00", ""), ("#,##0", ""), ("dd/mm/yyyy", "date"), ("[$-409]d-mmm-yy;@", "date"),
    ('"Day "0', ""), ("h:mm AM/PM", "time"), ("[h]:mm", ""), ("yyyy\\-mm\\-dd", "date"), ("mmm", "date"),
    ("000-00-0000", "000-00-0000"), ("00000", "00000"), ("(###) ###-0000", "(###) ###-0000"), ("0.00E+00", ""),
    ("[Red]0", ""), ("0%", ""), ("000\\-00\\-0000", "000-00-0000"),
])  # fmt: skip
def test_formats_say_what_a_number_means(code, meaning):
    assert classify(164, code) == meaning


@pytest.mark.parametrize("value, mask, shown", [
    (78051120, "000-00-0000", "078-05-1120"), (2139, "00000", "02139"), (5551234567, "(###) ###-0000", "(555) 123-4567"),
    (-7, "000", "-007"), (123456, "000", "123456"),
])  # fmt: skip
def test_masks_put_back_what_was_typed(value, mask, shown):
    assert masked(value, mask) == shown


@pytest.mark.parametrize("serial, shown", [
    ("1", "1900-01-01"), ("59", "1900-02-28"), ("61", "1900-03-01"), ("29280.5", "1980-02-29 12:00:00"),
    ("0.75", "18:00:00"), ("-3", "-3"), ("1e300", "1e+300"),
])  # fmt: skip
def test_serial_days_at_the_edges(serial, shown):
    assert number_text(serial, "date") == shown


def test_the_other_day_zero():
    assert number_text("0.0", "date", from_1904=True) == "00:00:00"
    assert number_text("27818", "date", from_1904=True) == "1980-02-29"


def rows(*texts):
    return [dict(enumerate(line.split("|"))) for line in texts]


@pytest.mark.parametrize("table, header", [
    (rows("Id|Value", "A1|77", "B2|88"), 0),
    (rows("Report|", "first_name|lastName", "Jane|Roe", "John|Doe"), 1),
    (rows("Jane|Roe", "John|Doe"), None),
    (rows("1|2", "3|4"), None),
    (rows("only one row"), None),
    ([], None),
])  # fmt: skip
def test_a_header_is_found_where_there_is_one(table, header):
    assert find_header(table) == header
