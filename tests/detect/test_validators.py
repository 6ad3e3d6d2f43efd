"""A validator answers about every value its rule's pattern accepts; none of them raises."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from dlp.detect.identify.finder import default_finder
from dlp.detect.identify.validators import VALIDATORS

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
