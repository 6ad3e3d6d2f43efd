"""Whatever the key: the copy is given out, and dates stay dates as far apart as they were.

Surrogates and moved dates hang on the key, so a fault may show with one key in fifty.
"""

import re
from dataclasses import replace
from datetime import datetime

import pytest

from dlp.assembly import Analysis
from dlp.config import load
from dlp.engine.sanitiser_setup import examiner, plan_of
from dlp.sanitise.service import Service
from tests.support.keys import key_number
from tests.support.sanitise_notes import NOTE

LETTER = """Lakeview Medical Centre
Date: 22 March 2021

Patient: Orville Jankowski   DOB: 01/30/1961   MRN: 5590218

Mr. Jankowski fell from a ladder on 20 March 2021 and has a fracture of the
right wrist. He has hypertension and HIV. The cast comes off on 3 May 2021.

Dr. Greta Lindqvist
"""
DATE = re.compile(r"\b\d{1,2} [A-Z][a-z]+ \d{4}\b")
# Keys that once failed: a moved date fell on another date of the letter (27); the surrogate of a
# hospital was generalised and then taken for a real one (37, 43, 52).
ONCE_BAD = (22, 27, 37, 43, 52)


@pytest.fixture(scope="module")
def analysis():
    return Analysis(load(None), full=True)


def days(text):
    short = (f"{d.split()[0]} {d.split()[1][:3]} {d.split()[2]}" for d in DATE.findall(text))
    return [datetime.strptime(d, "%d %b %Y").toordinal() for d in short]  # noqa: DTZ007 - days only


def service(number, analysis):
    plan = replace(plan_of(load(None), profile="pseudonymise"), key=key_number(number))
    return Service(plan, examiner(analysis))


def holds_for(number, analysis):
    for text in (NOTE, LETTER):
        done = service(number, analysis).sanitise("note.txt", text.encode())
        assert done.refusal is None, (number, done.refusal)
        made = done.output.decode()
        for secret in ("Fernandez", "Jankowski", "Lindqvist", "Orville", "4458812", "5590218"):
            assert secret not in made, number
        moved = [b - a for a, b in zip(days(text), days(made), strict=True)]
        assert 0 not in moved, number
        assert len(set(moved)) == 1, "all dates of a person move alike"


@pytest.mark.parametrize("number", ONCE_BAD)
def test_keys_that_once_failed(number, analysis):
    holds_for(number, analysis)


@pytest.mark.long
def test_any_key_serves(analysis):
    for number in range(300):
        holds_for(number, analysis)
