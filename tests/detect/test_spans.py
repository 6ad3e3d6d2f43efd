"""Matches are listed with the places of a group, in bytes or in characters."""

import re2
from hypothesis import given
from hypothesis import strategies as st

from dlp.detect.spans import spans, spans_of_text

PATTERNS = [
    (re2.compile(r"\b\d{2,3}\b"), 0),
    (re2.compile(r"n:(?P<v>\d+)|x\d"), 1),
    (re2.compile(r"(?i)a[\s-]{0,2}b"), 0),
]


@given(
    st.text("0123 n:xaAbB-é", max_size=60).map(str.encode),
    st.sampled_from(PATTERNS),
    st.integers(0, 20),
    st.integers(0, 60),
)
def test_a_group_that_took_no_part_leaves_the_match(raw, pattern, start, length):
    window = (min(start, len(raw)), min(start + length, len(raw)))
    found = spans(pattern[0], raw, *window, pattern[1])
    whole = spans(pattern[0], raw, *window)
    assert len(found) == len(whole)
    assert all(a <= c <= d <= b for (a, b), (c, d) in zip(whole, found, strict=True))


@given(st.text("aAbé\u4e2d\U0001f600 -", max_size=40))
def test_matches_of_a_text_are_counted_in_characters(text: str) -> None:
    pattern = re2.compile("(?i)a|é|b ?")
    assert spans_of_text(pattern, text) == [hit.span() for hit in pattern.finditer(text)]
