"""Invented everyday files, as people really write them: which leak, and which only look like it.

The texts were written before the rules that judge them now; where one is still judged wrongly, it is
named here, so that a mended rule takes it off the list.
"""

from pathlib import Path

import pytest

from dlp.assembly import Analysis
from dlp.config import Settings
from dlp.model import FileRef

FOLDER = Path(__file__).parent / "everyday"
LEAKS = sorted((FOLDER / "leak").iterdir())
HARMLESS = sorted((FOLDER / "harmless").iterdir())
# A name in low letters, initials only; a friend consoled without a word for it, a chat without times,
# an illness misspelt, the shorthand of audiologists; a reminder that knows a first name only; a
# father who is "Dad" above his name, a clinic list in shorthand, a card in quotation marks.
STILL_MISSED = {
    "11f.txt",
    "15g.txt",
    "02h.txt",
    "05h.eml",
    "07h.txt",
    "14h.txt",
    "17h.txt",
    "21h.txt",
    "08i.txt",
    "13j.txt",
    "20j.txt",
    "31j.txt",
    "32j.txt",
}
# A son in a voice mail, a collection among prices, a soldier, a dentist's bill, a letter to a first
# name, a student whose name no list has.
STILL_MISSED |= {
    "18k.txt",
    "29k.txt",
    "40k.txt",
    "54k.txt",
    "56k.txt",
    "66k.txt",
}
# Batches m and n were written to be hard: faint names, and illnesses in words for other things.
STILL_MISSED |= {
    "02m.eml",
    "07m.txt",
    "10m.md",
    "22m.json",
    "24m.txt",
    "27m.txt",
    "28m.txt",
    "30m.txt",
    "32m.txt",
    "37m.eml",
    "40m.txt",
    "45m.txt",
    "46m.txt",
    "50m.txt",
    "55m.txt",
    "56m.txt",
    "57m.txt",
    "60m.txt",
}
STILL_MISSED |= {
    "01n.txt",
    "02n.txt",
    "04n.eml",
    "07n.txt",
    "10n.txt",
    "11n.txt",
    "15n.txt",
    "16n.txt",
    "17n.txt",
    "22n.txt",
    "23n.txt",
    "26n.txt",
    "27n.txt",
    "29n.txt",
    "31n.txt",
    "33n.txt",
    "36n.txt",
    "38n.txt",
    "41n.txt",
    "46n.txt",
    "48n.txt",
    "49n.txt",
}
# A horoscope; a press that is ill, a report on malaria, a sock in a dog, a test patient, an appraisal;
# an order of supplies, a list for a new nurse.
STILL_TOO_MUCH = {
    "01m.txt",
    "07m.txt",
    "08m.txt",
    "21m.json",
    "24m.txt",
    "34m.txt",
    "39n.txt",
    "44n.txt",
    "64k.txt",
}


@pytest.fixture(scope="module")
def analysis():
    return Analysis(Settings())


def judge(analysis, path):
    with path.open("rb") as source:
        return analysis(FileRef("share", path.name.encode()), source)


@pytest.mark.parametrize("path", LEAKS, ids=lambda path: path.name)
def test_what_leaks_is_found(analysis, path):
    record = judge(analysis, path)
    found = record["container"] == "phi"
    assert found != (path.name in STILL_MISSED)
    # whatever is found has somebody and a weight: nothing of it may rank behind a harmless file
    assert not found or record["privacy"] > 0


@pytest.mark.parametrize("path", HARMLESS, ids=lambda path: path.name)
def test_what_is_harmless_is_left_alone(analysis, path):
    record = judge(analysis, path)
    assert (record["container"] == "phi") == (path.name in STILL_TOO_MUCH), record["reason"]
