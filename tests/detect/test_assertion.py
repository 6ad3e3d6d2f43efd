"""Prose says how a health word is meant, in ordinary, capital and small letters alike."""

import random

import pytest

from dlp.detect.illness.health import FindHealth
from dlp.model import OF_NOBODY, Context

FIND = FindHealth()
ILLNESSES = [
    "diabetes",
    "epilepsy",
    "asthma",
    "depression",
    "pneumonia",
    "breast cancer",
    "psoriasis",
]
NOT_ASSERTED = OF_NOBODY | {Context.NEGATED, Context.FAMILY, Context.HYPOTHETICAL}
SAID = {
    None: [
        "{name} has {illness}.",
        "{name} has had {illness} since 2019.",
        "{name} died of {illness}.",
        "Her {illness} is well controlled, says {name}.",
        "I was diagnosed with {illness}. {name}",
        "{name} has {illness} and owns a dog.",
        "{name} takes the dog out although he has {illness}.",
    ],
    Context.NEGATED: [
        "{name} does not have {illness}.",
        "{name} has never had {illness}.",
        "{name} has never been treated for {illness}.",
        "{name} denies {illness}.",
        "There is no evidence of {illness}, {name}.",
        "{illness} was ruled out.",
        "She is free of {illness}.",
        "Nobody in the office has {illness}.",
        "He was never diagnosed with {illness}.",
    ],
    Context.FAMILY: [
        "His mother had {illness}.",
        "Her son has {illness}.",
        "FH: {illness}",
        "There is a family history of {illness}.",
    ],
    Context.HYPOTHETICAL: [
        "In case of {illness}, call the office.",
        "Screening for {illness} is due.",
        "Insurance that would cover {illness}.",
    ],
    Context.GENERAL: [
        "People with {illness} should see the leaflet.",
        "{illness} is a chronic condition.",
        "The charity raises money for {illness} research.",
        "Our course covers {illness}.",
    ],
    Context.FIGURATIVE: [
        "The {illness} of bureaucracy is spreading.",
        "Our printer is having {illness}.",
        "The economy has {illness}.",
    ],
    Context.ANIMAL: [
        "The dog has {illness}.",
        "Our cat Milo was diagnosed with {illness}.",
        "The vet says Bella has {illness}.",
        "Rex, our labrador, lives with {illness}.",
    ],
}


@pytest.mark.parametrize("case", [str, str.upper, str.lower])
@pytest.mark.parametrize("context, sentence", [(c, one) for c in SAID for one in SAID[c]])
def test_a_sentence_says_how_an_illness_is_meant(context, sentence, case):
    draw = random.Random(sentence)
    for illness in draw.sample(ILLNESSES, 3):
        text = case(sentence.format(name="Orla Venn", illness=illness))
        said = [f.context for f in FIND.find(text) if text[f.start : f.end].lower() == illness]
        assert len(said) == 1, text
        if context is None:
            assert not said[0] & NOT_ASSERTED, text
        else:
            assert context in said[0], text


def test_a_denial_ends_with_its_sentence_in_small_letters():
    text = "he denies asthma. diabetes since march."
    first, second = FIND.find(text)
    assert Context.NEGATED in first.context
    assert Context.NEGATED not in second.context
