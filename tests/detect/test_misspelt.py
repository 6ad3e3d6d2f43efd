"""Hasty spelling hides no illness, and makes none of ordinary words."""

import pytest

from dlp.detect.illness.health import FindHealth

FIND = FindHealth()


@pytest.mark.parametrize(
    "word, meant",
    [
        ("diabetis", "diabetes"),
        ("scizophrenia", "schizophrenia"),
        ("metfromin", "metformin"),
        ("pnuemonia", "pneumonia"),
        ("amitryptiline", "amitriptyline"),
    ],
)
def test_a_misspelt_word_means_what_the_right_one_means(word, meant):
    wrong, right = (FIND.find(f"she was treated for {one} in march") for one in (word, meant))
    assert [one.concept for one in wrong] == [one.concept for one in right] != []


def test_unknown_words_of_other_trades_are_left_alone():
    text = "the refactorings of smithersonville kubernetes deployments and the microfrontend"
    assert FIND.find(text) == []


@pytest.mark.parametrize(
    "term, meant",
    [
        ("polycistic ovary syndrome", "polycystic ovary syndrome"),
        ("iritable bowel syndrome", "irritable bowel syndrome"),
        ("ovarien cancer", "ovarian cancer"),
        ("haemorrhods", "haemorrhoids"),
    ],
)
def test_a_misspelt_word_of_a_longer_term_is_read_with_its_neighbours(term, meant):
    wrong, right = (FIND.find(f"she was treated for {one} in march") for one in (term, meant))
    assert [one.concept for one in wrong] == [one.concept for one in right] != []
