"""The quick answer about a telephone number is the library's answer, or none."""

from __future__ import annotations

import phonenumbers
from hypothesis import given, settings
from hypothesis import strategies as st

from dlp.detect.identify.phone_validity import likely_regions, quick_answer
from dlp.detect.identify.telephone import REGIONS, asked_number

CODES = [str(code) for code in phonenumbers.COUNTRY_CODE_TO_REGION_CODE]
STARTS = ("", "0", "00", "011", "0011", "01", "1")


def digits(low: int, high: int) -> st.SearchStrategy[str]:
    return st.text("0123456789", min_size=low, max_size=high)


@st.composite
def dialled(draw: st.DrawFn) -> str:
    """Any digits, or the start of a number some country has, behind what people dial first."""
    start = draw(st.sampled_from(STARTS)) + draw(st.sampled_from(["", *CODES]))
    region = draw(st.sampled_from([None, *REGIONS]))
    example = phonenumbers.example_number(region) if region else None
    begun = str(example.national_number)[: draw(st.integers(1, 6))] if example else ""
    return (start + begun + draw(digits(5, 10)))[:15]


@settings(deadline=None, max_examples=600)
@given(dialled(), st.sampled_from([None, *REGIONS]))
def test_a_quick_answer_is_the_answer_of_the_library(number: str, region: str | None) -> None:
    quick = quick_answer(number, region)
    if quick is not None:
        assert quick == asked_number(number if region else f"+{number}", region)


@settings(deadline=None, max_examples=300)
@given(dialled())
def test_a_region_that_is_not_likely_does_not_know_the_number(number: str) -> None:
    unlikely = set(REGIONS) - set(likely_regions(number, REGIONS))
    assert not any(asked_number(number, region) for region in unlikely)


def test_most_numbers_need_no_library() -> None:
    numbers = [f"02{first}946{last:04d}" for first in range(10, 90) for last in range(0, 4000, 97)]
    answers = [quick_answer(number, "GB") for number in numbers]
    assert answers.count(None) < len(answers) / 20
    assert True in answers
    assert False in answers
