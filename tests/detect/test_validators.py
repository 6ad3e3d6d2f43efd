"""A validator answers about every value its rule's pattern accepts; none of them raises."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stdnum import numdb
from stdnum.cn import ric
from stdnum.us import ein

from dlp.detect.identify.finder import default_finder
from dlp.detect.identify.validators import VALIDATORS, counties

RULES = default_finder().rules


@st.composite
def values(draw: st.DrawFn) -> tuple[str, str]:
    """An example with its digits drawn anew."""
    rule = draw(st.sampled_from(RULES))
    example = draw(st.sampled_from(rule.match))
    value = example.text[example.start : example.end]
    figures = draw(st.text("0123456789", min_size=len(value), max_size=len(value)))
    pairs = zip(value, figures, strict=True)
    return rule.validator, "".join(new if old.isdigit() else old for old, new in pairs)


@settings(deadline=None, max_examples=500)
@given(values())
def test_any_digits_get_an_answer(asked: tuple[str, str]) -> None:
    name, value = asked
    assert VALIDATORS[name](value) in {True, False, None}


def test_a_chinese_number_of_a_county_that_does_not_exist_is_refused() -> None:
    assert VALIDATORS["cn_ric"]("71083519650331692X") is False


def chinese(county: str, birth: str, last: str) -> str:
    body = county + birth + last
    return body + ric.calc_check_digit(body + "0")


def test_the_counties_of_china_are_those_of_the_library() -> None:
    library = {
        province + county: facts["county"]
        for _, province, _, _, below in numdb.get("cn/loc").prefixes
        for _, county, _, facts, _ in below
    }
    assert counties() == library


@settings(deadline=None, max_examples=600)
@given(
    st.sampled_from(sorted(counties())) | st.text("0123456789", min_size=6, max_size=6),
    st.dates().map(lambda day: f"{day:%Y%m%d}".zfill(8)) | st.just("19650229"),
    st.text("0123456789", min_size=3, max_size=3),
    st.sampled_from(["", " ", "x", "0"]),
)
def test_a_chinese_number_is_one_where_the_library_says_so(
    county: str, birth: str, last: str, behind: str
) -> None:
    number = chinese(county, birth, last) + behind
    try:
        asked = ric.is_valid(number)
    except LookupError:  # a province without such a county
        asked = False
    assert VALIDATORS["cn_ric"](number) is asked


@pytest.mark.parametrize("sign", ["", "-"])
def test_two_digits_decide_about_an_employer_number(sign: str) -> None:
    for office in range(100):
        value = f"{office:02d}{sign}1144442"
        assert VALIDATORS["us_ein"](value) is ein.is_valid(value)
