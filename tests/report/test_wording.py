"""A mask shows the shape of a value and never the value."""

from hypothesis import given
from hypothesis import strategies as st

from dlp.report.words_and_masks import mask


def test_shapes():
    assert mask("Jane Doe") == "J••• D••"
    assert mask("078-05-1120") == "•••-••-••20"


@given(st.text(min_size=4, max_size=60))
def test_most_of_a_value_stays_hidden(text):
    letters = [char for char in text if char.isalnum()]
    shown = [char for char in mask(text) if char.isalnum()]
    words = max(1, len(text.split()))
    assert len(shown) <= max(2, words)
    assert len(mask(text)) <= 24 or not letters
