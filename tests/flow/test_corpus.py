"""The manifest of corpus/ names every text once, with a label that its folder repeats."""

import csv
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "corpus"
BESIDE = {"manifest.tsv", "README.md"}


def rows():
    with (FOLDER / "manifest.tsv").open(encoding="utf-8", newline="") as source:
        return list(csv.DictReader(source, delimiter="\t"))


def test_every_text_is_listed_once():
    files = {str(path.relative_to(FOLDER)) for path in FOLDER.rglob("*") if path.is_file()}
    listed = [row["path"] for row in rows()]
    assert len(listed) == len(set(listed))
    assert set(listed) == files - BESIDE


def test_labels_are_those_of_the_folders():
    for row in rows():
        batch, label, _ = row["path"].rsplit("/", 2)
        assert (batch, label) == (row["batch"], row["label"])
        assert row["use"] in {"fit", "sums"}
        assert (row["use"] == "sums") == row["batch"].startswith("blind/")
