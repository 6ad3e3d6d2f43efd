"""Everyday files written by somebody who never saw the rules: how many leaks are found at first sight.

Whoever writes rules does not read these files, and this test names none of them: once they are
looked at, they measure nothing any more. Only the counts may rise.
"""

from pathlib import Path

import pytest

from dlp.assembly import Analysis
from dlp.config import Settings
from dlp.model import FileRef

FOLDER = Path(__file__).parent / "blind"
LEAKS_FOUND = 58  # of 70
FALSE_ALARMS = 3  # of 70


@pytest.fixture(scope="module")
def alarms():
    analysis = Analysis(Settings(), key=bytes(32))

    def count(folder):
        found = 0
        for path in sorted((FOLDER / folder).iterdir()):
            with path.open("rb") as source:
                record = analysis(FileRef("share", path.name.encode()), source)
            found += record["container"] == "phi"
        return found

    return count


def test_leaks_nobody_tuned_on_are_found(alarms):
    assert len(list((FOLDER / "leak").iterdir())) == 70
    assert alarms("leak") >= LEAKS_FOUND


def test_harmless_files_nobody_tuned_on_are_left_alone(alarms):
    assert len(list((FOLDER / "harmless").iterdir())) == 70
    assert alarms("harmless") <= FALSE_ALARMS
