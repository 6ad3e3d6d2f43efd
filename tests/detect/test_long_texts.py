"""Identifiers of a text that is read in stretches, and of texts torn from examples."""

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from dlp.detect.identify.finder import FLOOR, PROOFS, default_finder

FINDER = default_finder()
EXAMPLES = [one.text for rule in FINDER.rules for one in rule.match]
FILLER = (
    *("", " ", "\n", ", ", "word ", "é", "\u200b", "\u017f", "\u212a", "漢字", "\ud800", "1", "-"),
    *("lorem ipsum dolor sit amet " * 40, "12-lead ", "4O1-33-22l7 ", "version ", "\u00ad"),
)


@st.composite
def pages(draw):
    pieces = st.one_of(st.sampled_from(EXAMPLES), st.sampled_from(FILLER))
    text = draw(st.sampled_from(("", " ", "\n"))).join(draw(st.lists(pieces, max_size=12)))
    signs = st.sampled_from("0159aAkKlOxX -./:,@#'\"\n_éß\u2007\u200b")
    for place in draw(st.sets(st.integers(0, max(0, len(text) - 1)), max_size=6)):
        text = text[:place] + draw(signs) + text[place + 1 :]
    return text


@settings(deadline=None, max_examples=150)
@given(text=st.one_of(pages(), st.text(max_size=200)))
def test_hits_lie_in_the_text_and_apart(text):
    hits = FINDER.find(text, 0.0)
    assert all(0 <= hit.start < hit.end <= len(text) for hit in hits)
    assert all(one.end <= other.start for one, other in pairwise(hits))
    assert [hit for hit in hits if hit.confidence >= FLOOR] or not FINDER.find(text, FLOOR)


def test_a_long_text_is_read_in_stretches():
    text = "é seen 03/07/1961, MRN: 481902 \u200b" * 10_000
    assert len(FINDER.find(text, 0.0)) == 20_000


def test_values_behind_the_last_proof_are_believed():
    count = PROOFS + 200
    text = " ".join(f"NHS number {943_476_0000 + 7 * one}" for one in range(count))
    found = FINDER.find(text, 0.0)
    assert found[-1].end == len(text)
