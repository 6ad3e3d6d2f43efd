"""A pattern that is said to need a digit never matches text without one."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlp.detect.identify.digits import needs_digit
from dlp.detect.identify.finder import default_finder

PIECES = [r"\d", "[0-9]", "[0-9a]", "a", "[^a]", r"\w", "1", "[1-3]", "b?", r"\b", "."]
PATTERNS = st.recursive(
    st.sampled_from(PIECES),
    lambda inner: st.one_of(
        st.tuples(inner, inner).map("".join),
        st.tuples(inner, inner).map(lambda two: f"(?:{two[0]}|{two[1]})"),
        st.tuples(inner, st.sampled_from(["?", "*", "+", "{0,2}", "{2}"])).map(
            lambda two: f"(?i:{two[0]}){two[1]}"
        ),
    ),
    max_leaves=6,
)


@given(PATTERNS, st.text("ab- .", max_size=8))
def test_no_text_without_a_digit_is_kept_from_a_pattern(pattern: str, text: str) -> None:
    if re.search(pattern, text):
        assert not needs_digit(pattern)


@pytest.mark.parametrize("pattern", [r"\d{3}", r"DOB: (?:1|\d\d)", r"(?P<v>[0-9]+)x", r"(?i:a\d)"])
def test_digits_are_seen_through_groups_and_repeats(pattern: str) -> None:
    assert needs_digit(pattern)


def test_what_cannot_be_read_is_in_doubt() -> None:
    assert not needs_digit(r"\pN+")
    assert not needs_digit("(")


def test_most_rules_need_a_digit_and_their_examples_hold_one() -> None:
    rules = [rule for rule in default_finder().rules if needs_digit(rule.pattern)]
    assert len(rules) > len(default_finder().rules) / 2
    for rule in rules:
        for example in rule.match:
            assert any(map(str.isdecimal, example.text)), rule.id
