"""A sentence says that somebody has an illness; a cause, a topic and an appeal say nothing."""

import pytest

from dlp.detect.linking.asserting import load_asserting
from dlp.model import Kind


def says(text, word, kind=Kind.DISEASE):
    start = text.index(word)
    place, line = (start, start + len(word)), text.rfind("\n", 0, start) + 1
    return load_asserting().says(text, (0, len(text)), place, kind, line)


@pytest.mark.parametrize(
    "text, word",
    [
        ("we knew how he struggled with Parkinson's", "Parkinson's"),
        ("up four times, ?UTI, urine dipped", "UTI"),
        ("there's a shadow on her lung", "shadow on her lung"),
        ("she is being treated as an in-patient for anorexia", "anorexia"),
        ("incapable of work by reason of acute gastritis", "gastritis"),
        ("Known vascular dementia, lives alone", "vascular dementia"),
    ],
)
def test_said_of_somebody(text, word):
    assert says(text, word)


def test_what_is_taken_or_done_by_the_clock_is_somebodys():
    assert says("8am levothyroxine, empty stomach", "levothyroxine", Kind.DRUG)
    assert says("Renal Unit (dialysis) - 3 x weekly", "dialysis", Kind.PROCEDURE)


@pytest.mark.parametrize(
    "text, word",
    [
        ("he has walked for the cancer appeal", "cancer"),
        ("she had a place on the dementia team", "dementia"),
        ("It was the year the cholera came", "cholera"),
        ("picked up the Regional Rehabilitation Award", "Rehabilitation"),
    ],
)
def test_said_of_nobody(text, word):
    assert not says(text, word)
