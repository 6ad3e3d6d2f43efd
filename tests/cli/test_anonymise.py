"""`dlp anonymise` writes a complete table or nothing, in any of its formats, and says what it did."""

import csv
import json
import os
import re
import stat
import sys

import openpyxl
import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dlp.cli.main import main

HEADERS = ["MRN", "name", "age", "dx", "seen", "comment"]


def rows(count=40):
    codes = ["250.00", "250.01", "428.0", "428.9", "715.9"]
    return [
        [f"M{n:06d}", f"Person {n}", 20 + n % 17, codes[n % 5], f"2021-03-{n % 28 + 1:02d}",
         f"Person {n} telephoned about the appointment of next week"]
        for n in range(count)
    ]  # fmt: skip


def write_csv(path, delimiter=",", encoding="utf-8"):
    with path.open("w", newline="", encoding=encoding) as out:
        csv.writer(out, delimiter=delimiter).writerows([HEADERS, *rows()])
    return path


def read_csv(path, delimiter=","):
    with path.open(newline="") as source:
        return list(csv.reader(source, delimiter=delimiter))


def run(*arguments):
    given = list(map(str, arguments))
    if "--text" not in given and "--assess" not in given:
        given += ["--text", "silence"]  # one test goes through the text sanitiser
    return CliRunner().invoke(main, ["anonymise", *given])


def smallest_class(table):
    head, *body = table
    places = [at for at, name in enumerate(head) if name in {"age", "dx", "seen"}]
    seen = [tuple(row[at] for at in places) for row in body]
    return min(seen.count(row) for row in seen)


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_a_delimited_file(tmp_path, delimiter):
    source = write_csv(tmp_path / "in.csv", delimiter)
    found = run(source, "-o", tmp_path / "out.csv", "--k", 4)
    assert found.exit_code == 0, found.output
    table = read_csv(tmp_path / "out.csv", delimiter)
    assert table[0] == ["MRN", "age", "dx", "seen", "comment"]
    assert len(table) == 41
    assert smallest_class(table) >= 4
    assert "Person" not in (tmp_path / "out.csv").read_text()
    assert "appointment" not in (tmp_path / "out.csv").read_text()
    assert stat.S_IMODE((tmp_path / "out.csv").stat().st_mode) == 0o600
    assert "direct" in found.output
    assert "the header names a direct identifier" in found.output


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252"])
def test_other_encodings(tmp_path, encoding):
    source = write_csv(tmp_path / "in.csv", encoding=encoding)
    assert run(source, "-o", tmp_path / "out.tsv", "--k", 2).exit_code == 0
    assert smallest_class(read_csv(tmp_path / "out.tsv", "\t")) >= 2


def test_a_workbook_needs_a_choice_of_sheet_and_only_that_sheet_comes_out(tmp_path):
    book = openpyxl.Workbook()
    book.active.title = "cover"
    page = book.create_sheet("visits")
    for row in [HEADERS, *rows()]:
        page.append(row)
    book.save(tmp_path / "in.xlsx")
    target = tmp_path / "out.xlsx"
    refused = run(tmp_path / "in.xlsx", "-o", target)
    assert refused.exit_code == 16
    assert "cover, visits" in refused.output
    assert not target.exists()
    assert run(tmp_path / "in.xlsx", "-o", target, "--sheet", "nope").exit_code == 16
    assert run(tmp_path / "in.xlsx", "-o", target, "--sheet", "visits", "--k", 4).exit_code == 0
    written = openpyxl.load_workbook(target)
    assert written.sheetnames == ["visits"]
    table = [list(row) for row in written["visits"].iter_rows(values_only=True)]
    assert smallest_class(table) >= 4
    assert all(isinstance(row[1], int) for row in table[1:])


def test_parquet(tmp_path):
    pa = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    columns = list(zip(*rows(), strict=True))
    parquet.write_table(
        pa.table(dict(zip(HEADERS, map(list, columns), strict=True))), tmp_path / "in.parquet"
    )
    found = run(tmp_path / "in.parquet", "-o", tmp_path / "out.parquet", "--k", 3)
    assert found.exit_code == 0, found.output
    masked = parquet.read_table(tmp_path / "out.parquet")
    assert masked.column_names == ["MRN", "age", "dx", "seen", "comment"]
    table = [masked.column_names, *(list(row.values()) for row in masked.to_pylist())]
    assert smallest_class(table) >= 3


def test_parquet_without_pyarrow_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    (tmp_path / "in.parquet").write_bytes(b"PAR1")
    found = run(tmp_path / "in.parquet", "-o", tmp_path / "out.parquet")
    assert found.exit_code == 16
    assert "dlp[parquet]" in found.output


def test_json_and_report_hold_figures_and_no_cells(tmp_path):
    source = write_csv(tmp_path / "in.csv")
    page = tmp_path / "report.html"
    found = run(source, "-o", tmp_path / "out.csv", "--k", 4, "--report", page, "--json")
    figures = json.loads(found.output)
    assert figures["after"]["k"] >= 4 > figures["before"]["k"]
    assert figures["columns"]["dx"] == {
        "role": "quasi", "kind": "icd9", "reason": "the values are ICD-9 codes",
    }  # fmt: skip
    assert set(figures["loss"]["columns"]) == {"age", "dx", "seen"}
    html = page.read_text()
    assert "<svg" in html
    assert "http" not in html
    for text in (html, found.output):
        assert "Person" not in text
        assert "250.0" not in text


def test_assess_measures_and_writes_nothing(tmp_path):
    source = write_csv(tmp_path / "in.csv")
    found = run(source, "--assess", "--json", "--population", 1000)
    figures = json.loads(found.output)
    assert figures["after"] is None
    assert figures["before"]["unique"] > 0
    assert figures["before"]["journalist"] < figures["before"]["prosecutor"]
    assert os.listdir(tmp_path) == ["in.csv"]


BAD = {
    "k is 99": (HEADERS, rows(), ["--k", "99"]),
    "occur more than once": (["a", "b", "a", "c", "d", "e"], rows(), []),
    "only 1 row": (HEADERS, rows(1), []),
    "row 2 has 6 cells": (HEADERS[:5], rows(), []),
    "no column is called": (HEADERS, rows(), ["--quasi", "agee"]),
    "is no role": (HEADERS, rows(), ["--role", "age=secret"]),
    "above the 0.001": (HEADERS, rows(), ["--max-loss", "0.001"]),
}


@pytest.mark.parametrize("message", BAD)
def test_what_cannot_be_done_leaves_no_file(tmp_path, message):
    headers, body, options = BAD[message]
    source = tmp_path / "in.csv"
    with source.open("w", newline="") as out:
        csv.writer(out).writerows([headers, *body])
    found = run(source, "-o", tmp_path / "out.csv", *options)
    assert found.exit_code == 16
    assert message in found.output
    assert os.listdir(tmp_path) == ["in.csv"]


@pytest.mark.parametrize(
    "name, content",
    [("a.csv", b""), ("a.csv", b"\0\1\2"), ("a.xlsx", b"PK"), ("a.parquet", b"x"), ("a.dat", b"a")],
)
def test_what_is_no_table_is_refused(tmp_path, name, content):
    (tmp_path / name).write_bytes(content)
    found = run(tmp_path / name, "-o", tmp_path / "out.csv")
    assert found.exit_code == 16
    assert "DLP-600" in found.output


def test_the_original_is_not_overwritten(tmp_path):
    source = write_csv(tmp_path / "in.csv")
    before = source.read_bytes()
    assert run(source, "-o", source).exit_code == 2
    assert source.read_bytes() == before
    assert run(source).exit_code == 2


def test_a_hierarchy_file(tmp_path):
    source = tmp_path / "in.csv"
    source.write_text("colour\nred\norange\nblue\nteal\n")
    (tmp_path / "h.csv").write_text("red;warm;*\norange;warm;*\nblue;cold;*\nteal;cold;*\n")
    found = run(source, "-o", tmp_path / "out.csv", "--k", 2, "--quasi", "colour",
                "--keep-order", "--hierarchy", f"colour={tmp_path / 'h.csv'}")  # fmt: skip
    assert found.exit_code == 0, found.output
    cells = [row[0] for row in read_csv(tmp_path / "out.csv")[1:]]
    assert cells[0] == cells[1] != cells[2] == cells[3]


def test_free_text_goes_through_the_text_sanitiser(tmp_path):
    source = tmp_path / "in.csv"
    text = (
        "Mrs. Eleanor Whitcombe, born 03/04/1951, telephoned 617-555-0143 about her asthma inhaler."
    )
    with source.open("w", newline="") as out:
        csv.writer(out).writerows(
            [
                ["age", "notes"],
                *([n % 4, text] for n in range(8)),
                [2, "All quiet on the ward this week, nothing else to say."],
            ]
        )
    found = run(source, "-o", tmp_path / "out.csv", "--k", 2, "--text", "sanitise")
    assert found.exit_code == 0, found.output
    assert "notes: free text sanitised" in found.output
    cells = [row[1] for row in read_csv(tmp_path / "out.csv")[1:]]
    for cell in cells[:8]:
        assert "Whitcombe" not in cell
        assert "617-555-0143" not in cell
        assert "03/04" not in cell


ODD = st.one_of(
    st.sampled_from(
        [
            "",
            "NA",
            "1e400",
            "-1e99",
            "0001-01-01",
            "9999-12-31",
            "2020-02-30",
            "=1+1",
            '"',
            "250.0",
            "Paris",
        ]
    ),
    st.integers().map(str),
    st.text(max_size=6),
)


@given(
    st.lists(st.lists(ODD, min_size=3, max_size=3), min_size=1, max_size=12),
    st.sampled_from(["", "--classic"]),
)
@settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_odd_cells_end_in_a_table_or_a_message(tmp_path, body, form):
    source, target = tmp_path / "odd.csv", tmp_path / "odd_out.csv"
    target.unlink(missing_ok=True)
    with source.open("w", newline="", encoding="utf-8", errors="replace") as out:
        csv.writer(out).writerows([["age", "zip", "thing"], *body])
    found = run(source, "-o", target, "--k", 2, *filter(None, [form]))
    assert found.exit_code in {0, 16}, found.exception
    assert target.exists() == (found.exit_code == 0)


def test_a_sheet_of_charts_is_refused(tmp_path):
    book = openpyxl.Workbook()
    book.create_chartsheet("chart")
    book.save(tmp_path / "in.xlsx")
    assert run(tmp_path / "in.xlsx", "-o", tmp_path / "out.csv", "--sheet", "chart").exit_code == 16


def test_a_scan_finds_nobody_in_the_pseudonyms_of_rows(tmp_path):
    source, out = tmp_path / "in.csv", tmp_path / "out.csv"
    with source.open("w", newline="") as sheet:
        writer = csv.writer(sheet)
        writer.writerow(["name", "birth year", "sex", "diagnosis"])
        for n in range(40):
            family = ["Baptiste", "Jankowski", "Lindqvist", "Castellano"][n % 4]
            writer.writerow([f"Edith {family}", 1950 + n % 9, "FM"[n % 2], "hypertension"])
    assert run(source, "-o", out, "--k", 5).exit_code == 0
    assert read_csv(out)[1][0] == "R0000001"
    verdicts = {
        path: CliRunner().invoke(main, ["explain", str(path)]).output.split("verdict")[1].split()[0]
        for path in (source, out)
    }
    assert verdicts[source] == "phi:"
    assert verdicts[out] in {"possible:", "clean:"}


def test_delimiter_quotes_and_ends_of_lines_are_kept(tmp_path):
    source, target = tmp_path / "in.csv", tmp_path / "out.csv"
    rows = "".join(f'"{20 + n}";"{5 + n / 10:.1f}"\r\n'.replace(".", ",") for n in range(30))
    source.write_bytes(('"age";"weight"\r\n' + rows).encode())
    arguments = ["anonymise", str(source), "-o", str(target), "--k", "3", "--keep-order"]
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == 0, done.output
    lines = target.read_bytes().decode().split("\r\n")
    assert lines[0] == '"age";"weight"'
    assert all(re.fullmatch(r'"\d+";"\d+,\d"', line) for line in lines[1:-1]), lines[:4]
