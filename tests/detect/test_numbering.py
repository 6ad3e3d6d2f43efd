"""The prefilter of telephone numbers keeps no number from a region that has it."""

from __future__ import annotations

import phonenumbers
from hypothesis import given, settings
from hypothesis import strategies as st

from dlp.detect.identify.telephone import REGIONS, all_plans, known_number

CODES = [str(code) for code in phonenumbers.COUNTRY_CODE_TO_REGION_CODE]
STARTS = ("", "0", "00", "011", "0011", "01", "1")


@st.composite
def dialled(draw: st.DrawFn) -> str:
    """Any digits, or the start of a number some country has, behind what people dial first."""
    start = draw(st.sampled_from(STARTS)) + draw(st.sampled_from(["", *CODES]))
    region = draw(st.sampled_from([None, *REGIONS]))
    example = phonenumbers.example_number(region) if region else None
    begun = str(example.national_number)[: draw(st.integers(1, 6))] if example else ""
    return (start + begun + draw(st.text("0123456789", min_size=5, max_size=10)))[:15]


@settings(deadline=None, max_examples=600)
@given(dialled())
def test_a_region_that_is_not_likely_does_not_know_the_number(number: str) -> None:
    likely = {REGIONS[one] for one in all_plans().Match(number) or ()}
    assert not any(known_number(number, region) for region in set(REGIONS) - likely)
