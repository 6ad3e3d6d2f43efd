"""Everyday files written by somebody who never saw the rules: how many leaks are found at first sight.

Whoever writes rules does not read these files, and this test names none of them: once they are
looked at, they measure nothing any more. Only the counts may rise.
"""

from pathlib import Path

import pytest

from dlp.assembly import Analysis
from dlp.config import Settings
from dlp.model import FileRef

FOLDER = Path(__file__).parents[2] / "corpus" / "blind"
# batch: files of each kind, leaks found, false alarms
BATCHES = {"l": (70, 61, 3), "q": (60, 41, 4)}


@pytest.fixture(scope="module")
def alarms():
    analysis = Analysis(Settings(), key=bytes(32))

    def count(batch, kind, files):
        paths = sorted((FOLDER / batch / kind).iterdir())
        assert len(paths) == files
        found = 0
        for path in paths:
            with path.open("rb") as source:
                record = analysis(FileRef("share", path.name.encode()), source)
            found += record["container"] == "phi"
        return found

    return count


@pytest.mark.parametrize("batch", BATCHES)
def test_leaks_nobody_tuned_on_are_found(alarms, batch):
    files, found, _ = BATCHES[batch]
    assert alarms(batch, "leak", files) >= found


@pytest.mark.parametrize("batch", BATCHES)
def test_harmless_files_nobody_tuned_on_are_left_alone(alarms, batch):
    files, _, most = BATCHES[batch]
    assert alarms(batch, "harmless", files) <= most
