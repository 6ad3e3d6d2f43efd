"""Labels are found with the value they speak of, and a blank form is known as blank."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlp.detect.labels import blank_share, find_labels, is_blank

FORM = """PATIENT INFORMATION
Patient Name: Jane Roe          DOB: 03/07/1961
Address: 12 Elm Street, Springfield
Phone (home): 416-555-0199\tSex: F
Attending Physician: A. Smith, MD
Diagnosis: type 2 diabetes
"""
BLANK = """Patient name: ______________   Date of birth: __/__/____
Last name ____________________  First name ____________________
Address: [street, city]
Diagnosis:

Signature: ........................  Date: MM/DD/YYYY
"""


def values(text):
    return [(one.role, text[one.value_start : one.value_end]) for one in find_labels(text)]


def test_a_filled_form_gives_each_label_its_value():
    assert values(FORM) == [
        ("patient", "Jane Roe"),
        ("birth_date", "03/07/1961"),
        ("address", "12 Elm Street, Springfield"),
        ("phone", "416-555-0199"),
        ("sex", "F"),
        ("provider", "A. Smith, MD"),
        ("diagnosis", "type 2 diabetes"),
    ]
    assert blank_share(find_labels(FORM)) == 0


def test_a_blank_form_is_known_as_blank():
    labels = find_labels(BLANK)
    assert {one.role for one in labels} >= {"patient", "birth_date", "address", "signature"}
    assert blank_share(labels) == 1


def test_a_heading_speaks_of_the_line_below():
    assert values("IMPRESSION:\n  Acute bronchitis.\n\nPLAN:\nRest.") == [
        ("diagnosis", "Acute bronchitis."),
        ("plan", "Rest."),
    ]


@pytest.mark.parametrize(
    "prose",
    [
        "The patient has a name for it.",
        "her diagnosis was made: late",
        "Plan ahead and phone your doctor.",
    ],
)
def test_prose_holds_no_labels(prose):
    assert find_labels(prose) == []


@pytest.mark.parametrize(
    "value", ["", "____", "[ ]", "MM/DD/YYYY", "[Name]", "N/A", "XXXX", "please print", "..."]
)
def test_what_tells_what_to_write_is_blank(value):
    assert is_blank(value)


@pytest.mark.parametrize("value", ["Jane", "12", "asthma", "03/07/1961", "O+"])
def test_what_somebody_wrote_is_not(value):
    assert not is_blank(value)


lines = st.one_of(
    st.sampled_from(["Name: ", "DOB:", "Diagnosis:\n", "Phone\t", "Ñame: ", "|", "____"]),
    st.text(max_size=12),
)


@given(st.lists(lines, max_size=12).map("".join))
def test_spans_are_ordered_and_inside_the_text(text):
    end = 0
    for one in find_labels(text):
        assert end <= one.start < one.end <= one.value_start <= one.value_end <= len(text)
        assert (
            text[one.value_start : one.value_end] == text[one.value_start : one.value_end].strip()
        )
        end = one.end
