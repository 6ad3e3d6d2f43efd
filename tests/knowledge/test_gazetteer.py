"""A gazetteer finds exactly its names in a text, longest first, never overlapping."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from dlp.knowledge.gazetteer import Gazetteer

words = st.sampled_from(["new", "york", "city", "saint", "louis", "x"])
names = st.lists(words, min_size=1, max_size=4).map(" ".join)
listings = st.lists(names, min_size=1, max_size=12, unique=True)


@given(listings, st.lists(words, max_size=25))
def test_spans_are_names_of_the_list_and_do_not_overlap(listing, tokens):
    gazetteer, order = made_of(listing)
    spans = gazetteer.spans(tokens)
    for span in spans:
        assert listing[order[span.row]] == " ".join(tokens[span.start : span.end])
    assert all(one.end <= other.start for one, other in itertools.pairwise(spans))


@given(listings, st.lists(words, max_size=25))
def test_what_is_left_out_was_hidden_by_something_as_long(listing, tokens):
    gazetteer, _ = made_of(listing)
    spans = gazetteer.spans(tokens)
    for start, end in itertools.combinations(range(len(tokens) + 1), 2):
        if " ".join(tokens[start:end]) in listing:
            assert any(
                s.start < end and start < s.end and s.end - s.start >= end - start for s in spans
            )


@given(listings)
def test_every_name_is_found_alone(listing):
    gazetteer, order = made_of(listing)
    assert len(gazetteer) == len(listing)
    for name in listing:
        assert listing[order[gazetteer.row(name)]] == name
        assert len(gazetteer.spans(name.split())) == 1


def made_of(listing):
    arrays, order = Gazetteer.pack("n", listing)
    return Gazetteer(arrays, "n"), order
