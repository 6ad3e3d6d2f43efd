"""What the sentence says is a house, a doctor or a date goes, though no list knows it."""

import io
import json

import pytest

from dlp.decode.extract import read
from dlp.model import Finding, Kind
from dlp.sanitise.caution import cautious, chosen, in_fields
from dlp.sanitise.plan import Plan
from dlp.sanitise.text import Sanitiser


def found(text):
    return {text[f.start : f.end] for f in cautious(text)}


@pytest.mark.parametrize(
    "text, value",
    [
        ("She was admitted to Fairhaven on Monday.", "Fairhaven"),
        ("He was reviewed at Brigstow & Women’s, stable.", "Brigstow & Women’s"),
        ("was seen last week at Ashdown Elm & Stone.", "Ashdown Elm & Stone"),
        ("seen by Dr. Q. at Glenwick for follow-up", "Glenwick"),
        (
            "diagnosed at the Elmsford Sloane Cancer Center in spring",
            "Elmsford Sloane Cancer Center",
        ),
        ("they visited our New York office twice", "New York"),
        ("seen by Dr. Q. on the ward", "Q."),
        ("worse since March, better now", "March"),
        ("the fall last July hurt", "July"),
    ],
)
def test_what_the_sentence_gives_away_is_taken(text, value):
    assert value in found(text)


@pytest.mark.parametrize(
    "text",
    [
        "She was transferred to the ICU overnight.",
        "He was transferred to Postanesthesia Care Unit.",
        "Seen in Cardiology and Physical Therapy.",
        "She was admitted to the Emergency Department.",
        "Evaluated in the MRI suite.",
        "They may march in the morning.",
        "Sample Doctor M.D.",
        "was seen at home with his mother",
        "discharged to home care in stable condition",
    ],
)
def test_wards_and_everyday_words_stay(text):
    assert found(text) == set()


def test_what_detection_found_is_not_found_twice():
    text = "She was admitted to Fairhaven on Monday."
    finding = Finding(Kind.PROVIDER, "provider-listed", 0, 20, 29, 0.9)
    assert chosen(text, [finding]) == [finding]


def test_a_partner_behind_an_ampersand_goes_with_the_house():
    text = "She went to Ashdown Elm & Stone."
    finding = Finding(Kind.PROVIDER, "provider-listed", 0, 12, 23, 0.9)
    made = Sanitiser(Plan(key=b"k")).document([(text, [finding])]).pages[0].text
    assert made == "She went to [provider]."


def test_the_copy_names_no_house_and_twice_is_once():
    text = "She was seen by Dr. Q. at Glenwick last July for asthma."
    once = Sanitiser(Plan(key=b"k")).document([(text, ())]).pages[0].text
    assert once == "She was seen by Dr. [name] at [organisation] last [date] for asthma."
    assert Sanitiser(Plan(key=b"k")).document([(once, ())]).pages[0].text == once


@pytest.mark.parametrize(
    "label, value, taken",
    [
        ("Part 5. Your spouse. Enter City or Town.", "Fairhaven", True),
        ("patient.employer_name", "Northgate Steel", True),
        ("Do you work at night?", "Yes", False),
        ("city", "12 345", False),
        ("capacity", "Fairhaven", False),
    ],
)
def test_the_label_of_a_field_says_what_its_value_is(label, value, taken):
    document = read(io.BytesIO(json.dumps({label: value}).encode()), "a.json").document
    (part,) = (part for part in document.parts if part.fields)
    assert [part.text[f.start : f.end] for f in in_fields(part)] == [value] * taken


@pytest.mark.parametrize(
    "text, taken",
    [
        ("Her mother Grace is 93, and well.", "93"),
        ("She is 101 and walks.", "101"),
        ("Mrs Oyelaran turned 95 in spring.", "95"),
        ("SpO2 is 93, pulse was 98.", ""),
        ("He was 92% on room air; she is 98 kg.", ""),
        ("She is 64.", ""),
    ],
)
def test_a_number_behind_a_person_is_an_age(text, taken):
    ages = [f for f in cautious(text) if f.kind is Kind.AGE]
    assert [text[f.start : f.end] for f in ages] == ([taken] if taken else [])


def test_an_employer_named_after_a_town_goes_whole():
    text = "Seen today. Employer: Boston Steel. Phone below.\n"
    finding = Finding(Kind.PLACE, "place-city", 0, 22, 28, 0.9)
    assert [text[f.start : f.end] for f in chosen(text, [finding])] == ["Boston Steel"]
