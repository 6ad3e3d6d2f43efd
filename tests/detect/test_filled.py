"""What a form was told about an illness is found in any words; an empty field tells nothing."""

import io

import pytest

from dlp.assembly import Analysis
from dlp.config import Settings
from dlp.detect.illness.filled import LONGEST, answers
from dlp.model import FileRef, Part


def told(text):
    return [text[start:end] for start, end in answers(Part("body", text))]


@pytest.mark.parametrize(
    "text, answer",
    [
        ("Injury: crushed tip of thumb\nDate: 3 May", "crushed tip of thumb"),
        ("3. Nature of illness or injury: zork fever", "zork fever"),
        ("Name: Ada   Dx: zork fever   Age: 4", "zork fever"),
        ("Complaint: zork in the left knee", "zork in the left knee"),
        ("Current meds ..... : zorkazole 5", "zorkazole 5"),
    ],
)
def test_an_answer_is_taken_to_the_end_of_its_field(text, answer):
    assert told(text) == [answer]


@pytest.mark.parametrize(
    "text",
    [
        "Injury: ________",
        "Diagnosis: none known",
        "Medications: please list all",
        "Illness: n/a",
        "Diagnosis: Date: 4 May",
        "the diagnosis: zork fever",
        "Dx: 12/4",
        "Complaint: the heating is off",
        "Reason for absence: back on Tuesday",
        "Procedure: see chapter four of the manual",
        "Symptoms: jams when warm",
    ],
)
def test_what_nobody_filled_in_is_no_answer(text):
    assert told(text) == []


def test_a_book_is_no_form():
    assert told("Injury: thumb\n" + "x" * LONGEST) == []


@pytest.mark.parametrize("label", ["Surname", "First names", "Patient name"])
@pytest.mark.parametrize("word", ["e.g.", "eg", "(e.g.", "for example"])
def test_what_is_printed_as_an_example_fills_no_field(label, word):
    text = f"{label}: {word} OAKLEY MARVIN\nCurrent medicines: {word} ramipril 5 mg\n"
    record = Analysis(Settings())(FileRef("share", b"form.txt"), io.BytesIO(text.encode()))
    assert record["container"] in {"possible", "impossible"}, record["reason"]
