"""Many hits sifted at once are the very hits that each would be, asked alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlp.detect.fold import Folded, digits_for_letters
from dlp.detect.identify import finder
from dlp.detect.identify.finder import default_finder, few, sift
from dlp.detect.identify.prefilter import Batch, Words

RULES = default_finder().rules
ONE_OF_EACH = {rule.edges: rule for rule in RULES}


@st.composite
def crowds(draw):
    """Bytes, spans in them that do not overlap, and words near some of them."""
    raw = draw(st.text("aZ09_-./: ", min_size=12, max_size=80)).encode()
    cuts = sorted(draw(st.sets(st.integers(0, len(raw)), min_size=2, max_size=20)))
    spans = [(start, end) for start, end in zip(cuts[::2], cuts[1::2], strict=False) if start < end]
    words = [
        Words([(at, at + 2) for at in sorted(draw(st.sets(st.integers(0, 90), max_size=4)))])
        for _ in range(2)
    ]
    return raw, spans, *(one if one.starts else None for one in words)


@pytest.mark.parametrize("edges", sorted(ONE_OF_EACH))
@given(crowd=crowds())
def test_sifting_together_is_sifting_one_by_one(edges, crowd):
    raw, spans, context, against = crowd
    rule = ONE_OF_EACH[edges]
    batch = Batch(0, spans, context, against)
    if spans:
        together = tuple(column.tolist() for column in sift(rule, batch, raw))
        assert together == few(rule, batch, raw)


def test_every_way_to_end_a_value_is_tried():
    assert set(ONE_OF_EACH) == {"free", "host", "number", "word"}


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
    assert digits_for_letters(typed) == read


@given(st.text(st.sampled_from("aé漢\U0001f600 7"), max_size=40), st.data())
def test_bytes_lead_back_to_characters(text, data):
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    raw = text.encode()
    first, last = len(text[:start].encode()), len(text[:end].encode())
    places = finder.original(Folded(text), raw, [first], [last])
    assert places == ([start], [end])
