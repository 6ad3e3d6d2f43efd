"""A text points at those it is about; whoever sells, teaches or answers for it only stands by."""

import pytest

from dlp.detect.linking.pointing import is_asked_for, is_in_bed, is_staff
from dlp.detect.naming.mentions import find_names


def first(text):
    return find_names(text)[0]


@pytest.mark.parametrize("text", ["Employee: Ada Hale", "plan member name = Ada Hale"])
def test_a_label_asks_for_somebody(text):
    assert is_asked_for(text, first(text))
    assert not is_staff(text, first(text))


@pytest.mark.parametrize("text", ["Seen on ward, Bed 4 Mr Tunstall. Dysphagia", "Rm 12: Mrs Kite"])
def test_who_lies_in_a_bed_is_a_patient(text):
    assert is_in_bed(text, first(text))


def test_a_bedroom_is_no_bed():
    text = "Hotel Bristol, 4 beds. Mr Tunstall pays."
    assert not is_in_bed(text, find_names(text)[-1])


@pytest.mark.parametrize(
    "text",
    ["Trainer: Ada Hale", "Contact: Pensions Team, Ada Hale", "Owner: Infection Control, Ada Hale"],
)
def test_whoever_answers_for_a_page_stands_by(text):
    assert is_staff(text, first(text))
