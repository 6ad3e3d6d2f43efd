"""What was scanned is ranked, worst first; people show only as pseudonyms."""

import json

import pytest
from click.testing import CliRunner

from dlp import demo_share
from dlp.cli.main import main


@pytest.fixture(scope="module")
def catalogue(tmp_path_factory):
    folder = tmp_path_factory.mktemp("rank")
    demo_share.build(folder / "share")
    place = folder / "catalogue.db"
    CliRunner().invoke(
        main, ["scan", str(folder / "share"), "--catalogue", str(place), "--format", "jsonl"]
    )
    assert place.stat().st_mode & 0o077 == 0
    return place


def rank(catalogue, by):
    arguments = ["rank", "--by", by, "--catalogue", str(catalogue), "--format", "jsonl"]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_files_come_worst_first(catalogue):
    rows = rank(catalogue, "file")
    scores = [row["risk"] for row in rows]
    assert scores == sorted(scores, reverse=True)
    assert rows[0]["privacy"] > 0.5


def test_the_folder_with_most_harm_leads(catalogue):
    first = rank(catalogue, "folder")[0]
    assert first["path"].endswith("exports")
    assert first["people"] >= 4


def test_one_person_in_two_files_is_one_row_and_no_name(catalogue):
    rows = rank(catalogue, "person")
    assert any(row["files"] == 2 for row in rows)
    assert all(row["person"].startswith("P-") for row in rows)
    shown = [{key: value for key, value in row.items() if key != "paths"} for row in rows]
    assert "Quintero" not in json.dumps(shown)


def test_no_value_is_in_the_catalogue(catalogue):
    raw = b"".join(path.read_bytes() for path in catalogue.parent.glob("catalogue.db*"))
    for value in (b"4471902", b"Marisol", b"Schizophrenia", b"555-0102", b"1954-07-02"):
        assert value not in raw


def test_a_second_scan_replaces_the_first(catalogue):
    before = len(rank(catalogue, "file"))
    share = catalogue.parent / "share"
    CliRunner().invoke(
        main, ["scan", str(share), "--catalogue", str(catalogue), "--format", "jsonl"]
    )
    assert len(rank(catalogue, "file")) == before


def test_an_unwritable_place_is_said_plainly(tmp_path):
    (tmp_path / "f").write_text("x")
    result = CliRunner().invoke(main, ["rank", "--catalogue", str(tmp_path / "f" / "c.db")])
    assert result.exit_code == 13
    assert "DLP-300" in result.output
