"""A table leaks when its rows fit hardly anybody else, though it names nobody."""

import io
import json
import random
import re
import zipfile
from datetime import date, timedelta

import openpyxl
import pytest

from dlp.assembly import Analysis
from dlp.cli.explain import explain
from dlp.config import Settings
from dlp.decode.formats.csv import label_cells
from dlp.model import Case, Document, FileRef, Part
from dlp.sanitise.tables.scan_risk import AssessTables
from tests.support.clock import least_cpu

ZIPS = ("04609", "05401", "59718", "82001")
ILLNESSES = ("HIV infection", "epilepsy", "hepatitis C", "breast cancer")


ANALYSIS = Analysis(Settings())
COLUMNS = ("birth_date", "sex", "zip", "diagnosis")


def judge(content, name=b"export.csv"):
    content = content if isinstance(content, bytes) else content.encode()
    return ANALYSIS(FileRef("", name), io.BytesIO(content))


def csv_of(headers, rows, comma=","):
    return "\n".join(comma.join(map(str, row)) for row in (headers, *rows)) + "\n"


def day(chance):
    return date(1932, 1, 1) + timedelta(days=chance.randrange(26_000))


def patients(count, seed=1):
    chance = random.Random(seed)
    return [
        (day(chance), chance.choice("FM"), chance.choice(ZIPS), chance.choice(ILLNESSES))
        for _ in range(count)
    ]


def xlsx_of(headers, rows):
    book = openpyxl.Workbook()
    for row in (headers, *rows):
        book.active.append(list(row))
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def ods_of(headers, rows):
    cell = "<table:table-cell office:value-type='string'><text:p>{}</text:p></table:table-cell>"
    lines = "".join(
        f"<table:table-row>{''.join(cell.format(one) for one in row)}</table:table-row>"
        for row in (headers, *rows)
    )
    names = "".join(
        f" xmlns:{name}='urn:oasis:names:tc:opendocument:xmlns:{name}:1.0'"
        for name in ("office", "table", "text")
    )
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as pack:
        pack.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        pack.writestr(
            "content.xml",
            f"<office:document-content{names}><office:body><office:spreadsheet>"
            f"<table:table table:name='a'>{lines}</table:table>"
            "</office:spreadsheet></office:body></office:document-content>",
        )
    return out.getvalue()


FORMATS = {
    b"export.csv": csv_of,
    b"export.tsv": lambda headers, rows: csv_of(headers, rows, "\t"),
    b"export.xlsx": xlsx_of,
    b"export.ods": ods_of,
}


@pytest.mark.parametrize("name", FORMATS, ids=bytes.decode)
def test_unnamed_patients_are_a_leak_in_every_kind_of_table(name):
    record = judge(FORMATS[name](COLUMNS, patients(60)), name)
    (table,) = record["tables"]
    assert (table["rows"], table["unique"], table["k"]) == (60, 60, 1)
    assert table["columns"] == ["birth", "sex", "place"]
    assert record["container"] == "phi"
    assert record["identifiability"] > 0.9
    assert len(record["persons"]) > 45  # the largest town hides a few


def test_codes_tell_as_much_as_words():
    codes = {"HIV infection": "B20", "epilepsy": "G40.9", "hepatitis C": "B18.2"}
    rows = [(b, s, z, codes.get(ill, "C50.9")) for b, s, z, ill in patients(40)]
    record = judge(csv_of(("DOB", "Gender", "ZIP Code", "ICD10"), rows))
    assert record["container"] == "phi"
    assert {finding["concept"] for finding in record["findings"]} >= {"D015658"}


def test_a_code_is_a_code_only_where_the_column_says_so():
    rows = [(f"2024-01-{n + 10}", "250.00", "C50.9") for n in range(9)]
    found = judge(csv_of(("opened", "price", "shelf"), rows))["findings"]
    assert not [one for one in found if one["rule"] == "icd-code"]


HARMLESS = {
    "ages and states": (
        ("age", "sex", "state", "diagnosis"),
        [(20 + n % 60, "FM"[n % 2], ("MA", "NY")[n % 2], ILLNESSES[n % 4]) for n in range(90)],
    ),
    "counts by region": (
        ("state", "sex", "diagnosis", "cases"),
        [(state, sex, ill, 40) for state in ("MA", "NY") for sex in "FM" for ill in ILLNESSES],
    ),
    "every row five times": (
        COLUMNS,
        [(*row[:3], ill) for row in patients(9) for ill in (*ILLNESSES, "asthma")],
    ),
    "shops": (
        ("store", "city", "state", "zip", "opened"),
        [(f"S{n}", "Bangor", "ME", ZIPS[n % 4], row[0]) for n, row in enumerate(patients(40))],
    ),
}


@pytest.mark.parametrize("what", HARMLESS)
def test_a_table_that_singles_nobody_out_is_no_leak(what):
    record = judge(csv_of(*HARMLESS[what]))
    assert record["container"] == "possible"
    assert record["persons"] == []


def test_visits_of_one_patient_are_one_person_not_a_crowd():
    visits = [row for row in patients(12) for _ in range(7)] + patients(3, seed=2)
    record = judge(csv_of(COLUMNS, visits))
    assert record["container"] == "phi"
    assert 10 <= len(record["persons"]) <= 15


def test_birth_dates_without_illness_are_not_health_information():
    rows = [(b, s, z, 40_000) for b, s, z, _ in patients(40)]
    record = judge(csv_of(("birth_date", "sex", "zip", "salary"), rows))
    assert record["container"] == "probable"


def test_named_patients_are_scored_by_their_names():
    rows = [(f"Quillon{n}", f"Zebedee{n}", *row) for n, row in enumerate(patients(12))]
    record = judge(csv_of(("last_name", "first_name", *COLUMNS), rows))
    assert record["tables"][0]["unique"] == 12
    assert "single out" not in record["reason"]


def test_more_patients_rank_higher_only_by_number():
    few, many = (judge(csv_of(COLUMNS, patients(count))) for count in (20, 80))
    assert len(many["persons"]) > 2 * len(few["persons"])


def test_neither_record_nor_explanation_shows_a_cell():
    record = judge(csv_of(COLUMNS, patients(30)))
    shown = json.dumps(record) + "\n".join(explain(record))
    assert "30 of 30 rows unique by birth, sex, place; 30 in groups below 5" in shown
    shown = re.sub(r"[0-9a-f]{12,}", "", shown)  # a keyed fingerprint may hold any digits
    for born, _, code, _ in patients(30):
        assert str(born) not in shown
        assert code not in shown


def test_counting_is_cheap():
    text = csv_of(COLUMNS, patients(20_000))
    case = Case(FileRef("", b""), Document("text/csv", (Part("body", text, label_cells(text)),)))
    assert AssessTables()(case).facts["tables"][0].rows == 20_000
    assert least_cpu(lambda: AssessTables()(case)) < 0.5
