"""The word list knows how common a word is and whether it is usually a name."""

import math

import numpy as np
import pytest

from dlp.knowledge.artefact import load
from dlp.knowledge.words import load_words


@pytest.mark.parametrize(
    "word, zipf", [("the", 7.73), ("patient", 4.77), ("diabetes", 4.17), ("metformin", 2.55)]
)
def test_frequencies_are_those_of_the_source(word, zipf):
    assert load_words().zipf(word) == pytest.approx(zipf, abs=0.011)


def test_an_unknown_word_has_no_frequency_and_no_share():
    assert load_words().zipf("qzxvkwt") == 0
    assert math.isnan(load_words().proper_share("qzxvkwt"))


def test_the_hospital_is_rarer_than_the_commonest_words():
    words = ["the", "people", "hospital", "ward", "nephrologist", "thrombectomy"]
    zipfs = load_words().zipfs(words)
    assert np.all(np.diff(zipfs) < 0)


def test_names_are_told_from_words_by_their_capitals():
    words = load_words()
    names = words.proper_shares(["john", "smith", "washington", "jennifer", "june", "toronto"])
    ordinary = words.proper_shares(["patient", "hospital", "price", "long", "may", "will"])
    between = words.proper_shares(["rose", "mark", "frank", "turkey", "bill"])
    assert names.min() > 0.85
    assert ordinary.max() < 0.1
    assert ordinary.max() < between.min() <= between.max() < names.min()


def test_the_list_is_sorted_and_complete():
    artefact = load("words")
    assert np.all(artefact["word.high"][1:] >= artefact["word.high"][:-1])
    assert len(artefact["word.high"]) == artefact.meta["words"] >= 150_000
    assert artefact["zipf"].max() < 800
    assert artefact["zipf"].min() > 100
