"""Values are cut where the pattern says, and lead back to characters of the text."""

import pytest
import re2
from hypothesis import given
from hypothesis import strategies as st

from dlp.detect.identify import finder
from dlp.detect.identify.prefilter import values
from dlp.text.fold import Folded


@pytest.mark.parametrize(
    "typed, read",
    [
        (b"K1H 8l6", b"K1H 8l6"),
        (b"12345l", b"12345l"),
        (b"12345l7", b"1234517"),
        (b"1l34567", b"1134567"),
        (b"123456-l", b"123456-1"),
        (b"1lllllll", b"1lllllll"),
    ],
)
def test_only_seven_places_or_more_are_read_as_digits(typed, read):
    assert finder.digits_for_letters(typed) == read


@given(st.text(st.sampled_from("aé漢\U0001f600 7"), max_size=40), st.data())
def test_bytes_lead_back_to_characters(text, data):
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    raw = text.encode()
    first, last = len(text[:start].encode()), len(text[:end].encode())
    places = finder.original(Folded(text), raw, [first], [last])
    assert places == ([start], [end])


def test_what_starts_at_the_border_or_behind_it_is_left():
    pattern = re2.compile(r"\bMRN (?P<v>\d+)\b")
    raw = b"MRN 12 MRN 34 MRN 56"
    assert values(pattern, raw, (0, 8), len(raw)) == [(4, 6), (11, 13)]
    assert values(pattern, raw, (0, 7), len(raw)) == [(4, 6)]
