"""Invented everyday files, as people really write them: which leak, and which only look like it.

Some of them taught the weights of rules/attribution.toml, so that the rates are kept here and the
files are not: a list of files still judged wrongly would be a list to fit.
"""

from pathlib import Path

import pytest

from dlp.assembly import Analysis
from dlp.config import Settings
from dlp.model import FileRef

FOLDER = Path(__file__).parents[2] / "corpus" / "everyday"
FOUND, TOO_MUCH = 0.85, 0.04  # of the leaks at least, of the harmless files at most


@pytest.fixture(scope="module")
def records():
    analysis = Analysis(Settings())
    judged = {}
    for kind in ("leak", "harmless"):
        judged[kind] = []
        for path in sorted((FOLDER / kind).iterdir()):
            with path.open("rb") as source:
                judged[kind].append(analysis(FileRef("share", path.name.encode()), source))
    return judged


def share_of(records):
    return sum(record["container"] == "phi" for record in records) / len(records)


def test_what_leaks_is_found(records):
    assert share_of(records["leak"]) >= FOUND


def test_what_is_harmless_is_left_alone(records):
    assert share_of(records["harmless"]) <= TOO_MUCH


def test_whatever_is_found_has_somebody_and_a_weight(records):
    # nothing of it may rank behind a harmless file
    found = [r for kind in records.values() for r in kind if r["container"] == "phi"]
    assert found
    assert all(record["privacy"] > 0 for record in found)


def test_below_phi_the_score_is_zero(records):
    others = [r for kind in records.values() for r in kind if r["container"] != "phi"]
    assert all(record["privacy"] == 0 for record in others)
