"""Safe harbour, surrogates and redaction take every identifier out and keep what law allows."""

import io
import re
from datetime import UTC, datetime, timedelta

import pytest

from dlp.assembly import Analysis
from dlp.config import Settings
from dlp.model import FileRef, Finding, Kind
from dlp.sanitise.identifier_replacement import Identity
from dlp.sanitise.plan import Plan, Profile
from dlp.sanitise.sanitiser import Sanitiser
from tests.support.sanitise_notes import NOTE

VALUES = ("Maria", "Fernandez", "4458812", "Elm Street", "Springfield", "62704", "555-0143", "maria.f", "John", "Mercy", "123-45-6789", "03/12", "4 March", "93 years")  # fmt: skip


@pytest.fixture(scope="module")
def analysis():
    return Analysis(Settings(), full=True)


def sanitised(analysis, profile, text=NOTE):
    case = analysis.case(FileRef("", b"note.txt"), io.BytesIO(text.encode()))
    sanitiser = Sanitiser(Plan(profile, key=b"k" * 32))
    return sanitiser.document([(text, case.findings)], case.facts["subjects"]).pages[
        0
    ].text, sanitiser


@pytest.mark.parametrize("profile", list(Profile))
def test_no_value_is_left(analysis, profile):
    made, _ = sanitised(analysis, profile)
    assert [value for value in VALUES if value in made] == []
    assert "pneumonia" in made


def test_safe_harbour_keeps_years_three_digits_and_ages(analysis):
    made, _ = sanitised(analysis, Profile.SAFE_HARBOR)
    assert "DOB: 1961" in made
    assert "in 2021" in made
    assert "IL 627**" in made
    assert "62-year-old" in made
    assert "90+ years" in made


def test_surrogates_keep_intervals(analysis):
    made, _ = sanitised(analysis, Profile.PSEUDONYMISE)
    written = re.findall(r"on (\d+ \w+ 20\d\d)", made)
    first, second = (datetime.strptime(one, "%d %B %Y").replace(tzinfo=UTC) for one in written)
    assert second - first == timedelta(days=10)


def test_the_same_person_in_two_files(analysis):
    first, _sanitiser = sanitised(analysis, Profile.PSEUDONYMISE)
    name = re.search(r"Patient: (\w+ \w+)", first).group(1)
    other = "Letter about Maria Fernandez, born 03/12/1961."
    case = analysis.case(FileRef("", b"b.txt"), io.BytesIO(other.encode()))
    second = Sanitiser(Plan(Profile.PSEUDONYMISE, key=b"k" * 32)).document([(other, case.findings)])
    assert name in second.pages[0].text


@pytest.mark.parametrize("profile", [Profile.SAFE_HARBOR, Profile.REDACT])
def test_twice_is_once(analysis, profile):
    once, _ = sanitised(analysis, profile)
    assert sanitised(analysis, profile, once)[0] == once


@pytest.mark.parametrize("code, made", [("62704", "627**"), ("03601", "000**"), ("82190", "000**")])
def test_sparse_zip_areas_vanish(code, made):
    finding = Finding(Kind.PLACE, "postal-code-labelled", 0, 4, 9, 0.9)
    edits = Identity(Plan()).edits(f"ZIP {code}", [finding], {})
    assert edits[0].text == made


def test_a_birth_year_over_89_years_ago_goes():
    text = "born 1921"
    finding = Finding(Kind.DATE, "birth-year", 0, 5, 9, 0.9)
    assert Identity(Plan(year=2026)).edits(text, [finding], {})[0].text == "[date]"


@pytest.mark.parametrize("half", ["Okello", "Brandt"])
def test_half_a_double_name_takes_the_other_half_along(half):
    text = "Seen by Okello-Brandt on the ward. Later Okello-Brandt wrote again."
    start = text.index(half)
    finding = Finding(Kind.PERSON, "name", 0, start, start + len(half), 0.95)
    made = Sanitiser(Plan(key=b"k")).document([(text, [finding])]).pages[0].text
    assert made == "Seen by [name] on the ward. Later [name] wrote again."


def test_a_hyphen_before_a_small_word_ties_nothing():
    text = "A Brandt-like habit."
    finding = Finding(Kind.PERSON, "name", 0, 2, 8, 0.95)
    made = Sanitiser(Plan(key=b"k")).document([(text, [finding])]).pages[0].text
    assert made == "A [name]-like habit."


def test_a_last_name_behind_a_label_goes_with_the_first():
    text = "RECORD: Brandt, Dolores   Seen today: well, Dolores thinks."
    starts = [text.index("Dolores"), text.rindex("Dolores")]
    findings = [Finding(Kind.PERSON, "name", 0, n, n + 7, 0.9) for n in starts]
    made = Sanitiser(Plan(key=b"k")).document([(text, findings)]).pages[0].text
    assert made == "RECORD: [name]   Seen today: well, [name] thinks."
