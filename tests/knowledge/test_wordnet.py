"""General nouns know their senses and kinds, and information never grows upwards."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlp.knowledge.artefact import load
from dlp.knowledge.wordnet import load_wordnet

SIZE = load("wordnet").meta["synsets"]
synsets = st.integers(0, SIZE - 1)


@pytest.mark.parametrize(
    "noun, nats", [("disease", 6.92), ("diabetes", 11.03), ("schizophrenia", 11.73), ("entity", 0)]
)
def test_information_content_is_that_of_the_source(noun, nats):
    wordnet = load_wordnet()
    assert wordnet.ic(wordnet.synsets(noun)[0]) == pytest.approx(nats / math.log(2), abs=0.01)


@pytest.mark.parametrize(
    "written, lemma",
    [
        ("diseases", "disease"),
        ("Mice", "mouse"),
        ("countries", "country"),
        ("boxes", "box"),
        ("churches", "church"),
        ("policemen", "policeman"),
        ("analyses", "analysis"),
        ("heart  attacks", "heart attack"),
        ("glass", "glass"),
        ("zzqx", None),
        ("", None),
    ],
)
def test_plurals_find_their_singular(written, lemma):
    assert load_wordnet().lemma(written) == lemma


def test_kinds_lead_to_the_root():
    wordnet = load_wordnet()
    above = {wordnet.lemmas(i)[0] for i in wordnet.subsumers(wordnet.synsets("diabetes")[0])}
    assert {"disease", "illness", "entity"} <= above
    assert "animal" not in above


def test_synonyms_share_a_sense():
    wordnet = load_wordnet()
    car = wordnet.synsets("automobile")[0]
    assert car in wordnet.synsets("car")
    assert wordnet.lemmas(car)[0] == "car"
    assert {"car", "automobile", "motorcar"} <= set(wordnet.lemmas(car))


@given(synsets)
def test_every_sense_is_found_by_each_of_its_words(synset):
    wordnet = load_wordnet()
    assert wordnet.lemmas(synset)
    assert all(synset in wordnet.synsets(lemma) for lemma in wordnet.lemmas(synset))


@given(synsets)
def test_every_sense_reaches_the_root(synset):
    wordnet = load_wordnet()
    assert wordnet.synsets("entity")[0] in wordnet.subsumers(synset)


def test_information_never_grows_upwards_on_any_edge():
    artefact = load("wordnet")
    below = np.repeat(np.arange(SIZE), artefact["above.length"])
    bits = artefact["information"].astype(np.int64)
    assert np.all(bits[artefact["above"]] <= bits[below])
    assert bits.min() == 0


def test_the_lemmas_are_sorted():
    lemmas = [lemma.encode() for lemma in load("wordnet").strings("lemma").all()]
    assert lemmas == sorted(set(lemmas))
    assert len(lemmas) > 80_000
