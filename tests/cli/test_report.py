"""What was scanned is reported in every format: whole files, private, and without a value."""

import csv
import io
import json
import os
import subprocess

import pytest
from click.testing import CliRunner

from dlp import demo_share
from dlp.cli.main import main
from dlp.cli.scan import writer_of
from dlp.config import load
from dlp.judge.verdict import Conclude
from dlp.keys import secret_key
from dlp.model import Case, Container, FileRef, Person
from dlp.report.record import record_of
from dlp.store.database import writing
from dlp.store.ledger import open_ledger
from dlp.store.migrations import open_database

VALUES = ("4471902", "Marisol", "555-0102", "1954-07-02", "clozapine")
FORMATS = ("html", "csv", "jsonl", "sarif", "ocsf", "cef", "syslog")


@pytest.fixture(scope="module")
def catalogue(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    demo_share.build(folder / "share")
    place = folder / "catalogue.db"
    run("scan", str(folder / "share"), "--catalogue", str(place), "--format", "jsonl", code=None)
    return place


def run(*arguments, code=0):
    result = CliRunner().invoke(main, list(map(str, arguments)))
    assert code is None or result.exit_code == code, result.output
    return result


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_is_a_private_file_without_a_value(catalogue, tmp_path, name):
    made = tmp_path / "out"
    run("report", "-o", made, "--format", name, "--catalogue", catalogue)
    assert made.stat().st_mode & 0o777 == 0o600
    text = made.read_text(encoding="utf-8")
    assert "exports" in text
    for value in VALUES:
        assert value not in text
    assert sorted(tmp_path.iterdir()) == [made]


@pytest.mark.parametrize("name", ["a.csv", "a.jsonl", "a.sarif", "a.cef", "a.log", "a.html", "a"])
def test_the_name_says_the_format(catalogue, tmp_path, name):
    starts = {"a.csv": "server,", "a.jsonl": '{"uid"', "a.sarif": '{"$schema"', "a.cef": "CEF:0",
              "a.log": "<1"}  # fmt: skip
    run("report", "-o", tmp_path / name, "--catalogue", catalogue)
    assert (tmp_path / name).read_text().startswith(starts.get(name, "<!doctype html>"))


def test_programs_read_from_the_pipe(catalogue):
    rows = run("report", "--format", "jsonl", "--catalogue", catalogue).stdout.splitlines()
    scores = [json.loads(one)["risk"] for one in rows]
    assert scores == sorted(scores, reverse=True)
    assert json.loads(rows[0])["privacy"] > 0.5


def test_a_week_in_plain_words(catalogue):
    text = run("report", "--weekly", "--catalogue", catalogue).stdout
    assert text.startswith("Privacy risk, ")
    assert "Waiting for you" in text
    assert not [value for value in VALUES if value in text]


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--weekly", "--format", "csv"],
        ["--evidence", "x", "-o", "y"],
        ["--format", "pdf", "-o", "y"],
    ],
)
def test_what_does_not_go_together_is_refused(catalogue, arguments):
    run("report", *arguments, "--catalogue", catalogue, code=2)


def test_a_failing_report_leaves_the_old_one(catalogue, tmp_path, monkeypatch):
    kept = tmp_path / "risk.html"
    kept.write_text("the old one")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("dlp.cli._report_sources.os.replace", full)
    run("report", "-o", kept, "--catalogue", catalogue, code=None)
    assert kept.read_text() == "the old one"
    assert sorted(tmp_path.iterdir()) == [kept]


def test_an_evidence_pack_checks_itself_and_the_ledger(catalogue, tmp_path):
    engine = open_database(catalogue)
    anchor = tmp_path / "anchor"
    settings = tmp_path / "dlp.toml"
    settings.write_text(f'[ledger]\nanchor = "{anchor}"\n')
    settings.chmod(0o600)
    ledger = open_ledger(load(settings), engine, secret_key("ledger", lasting=True))
    with writing(engine) as connection:
        ledger.append(connection, who="operator ann", what="released", item="x1", why="a test")
    ledger.anchor()
    pack = tmp_path / "evidence"
    run("report", "--evidence", pack, "--catalogue", catalogue, "--config", settings)
    checked = subprocess.run(["sha256sum", "-c", "SHA256SUMS"], cwd=pack, capture_output=True, text=True, check=True)  # fmt: skip
    assert checked.stdout.count(": OK") == 9
    assert pack.stat().st_mode & 0o077 == 0
    assert json.loads((pack / "ledger.json").read_text())["whole"]
    with (pack / "activity.csv").open() as source:
        assert [row["what"] for row in csv.DictReader(source)] == ["released"]
    for made in pack.iterdir():
        assert made.stat().st_mode & 0o777 == 0o600
        assert not [value for value in VALUES if value in made.read_text()]
    with engine.begin() as connection:
        connection.exec_driver_sql("UPDATE ledger SET who = 'operator bob'")
    again = tmp_path / "again"
    run("report", "--evidence", again, "--catalogue", catalogue, "--config", settings)
    assert not json.loads((again / "ledger.json").read_text())["whole"]
    engine.dispose()


def test_a_pack_never_mixes_with_other_files(catalogue, tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    run("report", "--evidence", tmp_path, "--catalogue", catalogue, code=2)
    assert os.listdir(tmp_path) == ["notes.txt"]


def test_a_scan_speaks_sarif_too(tmp_path):
    (tmp_path / "note.txt").write_text(
        "Patient: Wenzel Obernauer  DOB: 03/04/1951  MRN: 5510943\nDiagnosis: HIV infection.\n"
    )
    made = run("scan", tmp_path, "--format", "sarif", "--no-catalogue", code=1).stdout
    assert json.loads(made)["runs"][0]["results"][0]["ruleId"] == "phi"
    assert "Obernauer" not in made


@pytest.mark.parametrize("name", ["ocsf", "html"])
def test_records_of_a_scan_become_events_or_a_page(name):
    person = Person(
        "aa", identifiability=1.0, sensitivity=0.8, burden=(("disease", "D015658", 0.8),)
    )
    case = Case(FileRef("", b"/srv/a/note.txt"), container=Container.PHI, persons=(person,))
    out = io.StringIO()
    writer = writer_of(name, None)(out)
    writer.add(record_of(Conclude("r1")(case), 1.0))
    writer.close()
    assert "/srv/a/note.txt" in out.getvalue().replace("<wbr>", "")
    if name == "ocsf":
        assert json.loads(out.getvalue())["class_uid"] == 2006
    else:
        assert "1 file tells the health of 1 person." in out.getvalue()


def test_an_unknown_format_is_named_with_the_known_ones(tmp_path):
    result = run("scan", tmp_path, "--format", "pdf", code=2)
    assert "sarif" in result.output
