"""Invented everyday files, as people really write them: which leak, and which only look like it.

The texts were written without looking at the rules; where one is still judged wrongly, it is named
here, so that a mended rule takes it off the list.
"""

from pathlib import Path

import pytest

from dlp.assembly import Analysis
from dlp.config import Settings
from dlp.model import FileRef

FOLDER = Path(__file__).parent / "everyday"
LEAKS = sorted((FOLDER / "leak").iterdir())
HARMLESS = sorted((FOLDER / "harmless").iterdir())
# A bypass nobody calls surgery, a name only in a greeting, an army's shorthand, a torn ligament, a
# child known only through her mother, a birth date without separators.
STILL_MISSED = {
    "15_voicemail.txt",
    "16_html_portal.html",
    "25_army.txt",
    "10b.txt",
    "19b.txt",
    "20b.txt",
}


@pytest.fixture(scope="module")
def analysis():
    return Analysis(Settings())


def judge(analysis, path):
    with path.open("rb") as source:
        return analysis(FileRef("share", path.name.encode()), source)


@pytest.mark.parametrize("path", LEAKS, ids=lambda path: path.name)
def test_what_leaks_is_found(analysis, path):
    found = judge(analysis, path)["container"] == "phi"
    assert found != (path.name in STILL_MISSED)


@pytest.mark.parametrize("path", HARMLESS, ids=lambda path: path.name)
def test_what_is_harmless_is_left_alone(analysis, path):
    record = judge(analysis, path)
    assert record["container"] != "phi", record["reason"]
