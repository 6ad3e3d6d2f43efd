"""Of findings that claim the same characters exactly one stands, and it is the best."""

from dataclasses import dataclass
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from dlp.detect.overlap import resolve


@dataclass(frozen=True)
class Span:
    start: int
    end: int
    confidence: float


def span(start, length, confidence):
    return Span(start, start + length, confidence)


spans = st.lists(
    st.builds(span, st.integers(0, 40), st.integers(1, 12), st.sampled_from([0.3, 0.5, 0.9])),
    max_size=20,
)


@given(spans)
def test_winners_never_overlap_and_stay_in_order(given_spans):
    winners = resolve(given_spans)
    assert all(a.end <= b.start for a, b in pairwise(winners))


@given(spans)
def test_a_loser_overlaps_a_winner_at_least_as_good(given_spans):
    winners = resolve(given_spans)
    for one in set(given_spans) - set(winners):
        assert any(
            w.start < one.end and one.start < w.end and w.confidence >= one.confidence
            for w in winners
        )


def test_confidence_beats_length_and_length_breaks_ties():
    assert resolve([Span(0, 9, 0.5), Span(2, 4, 0.9)]) == [Span(2, 4, 0.9)]
    assert resolve([Span(0, 4, 0.5), Span(0, 9, 0.5)]) == [Span(0, 9, 0.5)]
