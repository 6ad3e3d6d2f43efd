"""Outputs are complete, machine-readable, and cannot be forged by a file name."""

import csv
import io
import json

import pytest

from dlp.judge.verdict import Conclude
from dlp.model import Case, Container, Document, FileRef, Finding, Gap, GapCode, Kind, Part, Person
from dlp.report.record import record_of, unread_record
from dlp.report.writers import Csv, JsonLines, Summary, Table, printable

HOSTILE = b"a\nb\x1b[31m\xff=cmd.txt"


def judged(path=b"x.txt", container=Container.POSSIBLE, gaps=(), persons=()):
    case = Case(
        FileRef("test", path),
        document=Document("text/plain", (Part("body", "Zebra has a cold"),)),
        findings=(Finding(Kind.DISEASE, "health", 0, 12, 16, 0.9, concept="D003139"),),
        container=container,
        gaps=gaps,
        persons=persons,
    )
    return Conclude("r1")(case)


def test_a_record_carries_the_whole_contract():
    record = record_of(judged(), 1.5)
    wanted = ["path", "container", "reason", "privacy", "identifiability", "sensitivity", "persons", "findings", "gaps", "media_type", "language", "duplicate_of", "action", "ms"]  # fmt: skip
    assert set(wanted) <= record.keys()
    assert record["findings"][0]["part"] == "body"
    assert "text" not in record["findings"][0]
    assert record_of(judged(), 1, values=True)["findings"][0]["text"] == "cold"


def test_a_file_with_a_gap_is_never_impossible():
    case = judged(container=Container.IMPOSSIBLE, gaps=(Gap(GapCode.ENCRYPTED, "body"),))
    assert case.verdict.container is Container.POSSIBLE
    assert not case.verdict.clean


def test_the_worst_person_gives_the_file_its_score():
    people = (
        Person("a", identifiability=1, sensitivity=0.2),
        Person("b", identifiability=0.5, sensitivity=0.9),
    )
    judgement = judged(container=Container.PHI, persons=people)
    assert judgement.verdict.privacy == pytest.approx(0.45)


def test_one_line_per_file_whatever_its_name():
    out = io.StringIO()
    writer = JsonLines(out)
    writer.add(record_of(judged(HOSTILE), 1))
    assert out.getvalue().count("\n") == 1
    assert "\x1b" not in out.getvalue()
    assert json.loads(out.getvalue())["path"].encode("utf-8", "surrogateescape") == HOSTILE


def test_an_empty_cell_is_empty():
    out = io.StringIO()
    writer = Csv(out)
    writer.add(record_of(judged(), 1.5))
    writer.close()
    row = next(csv.DictReader(io.StringIO(out.getvalue())))
    assert "'" not in row.values()
    assert row["gaps"] == ""


def test_a_spreadsheet_never_runs_a_file_name():
    out = io.StringIO()
    Csv(out).add(record_of(judged(b"=HYPERLINK(1)"), 1))
    assert next(csv.DictReader(io.StringIO(out.getvalue())))["path"] == "'=HYPERLINK(1)"


def test_the_table_puts_the_worst_first_and_shows_no_control_characters():
    out = io.StringIO()
    table = Table(out)
    table.add(record_of(judged(HOSTILE), 1))
    worst = Person("b", identifiability=0.5, sensitivity=0.9)
    table.add(record_of(judged(b"worst.txt", Container.PHI, persons=(worst,)), 1))
    table.close()
    lines = out.getvalue().splitlines()
    assert "worst.txt" in lines[1]
    assert "\x1b" not in out.getvalue()


def test_printable_shows_what_it_cannot_print():
    assert printable("a\nb\x1b\udcff") == "a\\nb\\x1b\\udcff"


@pytest.mark.parametrize("containers,gaps,code", [
    (["possible"], 0, 0), (["possible", "phi"], 1, 1), (["possible"], 1, 3), ([], 0, 0),
])  # fmt: skip
def test_exit_codes(containers, gaps, code):
    summary = Summary()
    for container in containers:
        gap = (Gap(GapCode.CORRUPT, "body"),) if gaps else ()
        summary.add(record_of(judged(container=Container(container), gaps=gap), 1))
    assert summary.exit_code == code


def test_the_closing_line_says_what_was_not_read_and_why():
    summary = Summary()
    summary.add(unread_record(b"x", Gap(GapCode.TIMEOUT, "worker"), 1))
    assert "1 not (timeout 1)" in summary.closing_line(1.0)
