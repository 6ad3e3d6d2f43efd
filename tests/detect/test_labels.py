"""Words that rules want before a value, looked up as RE2 would find them."""

import random

import pytest

from dlp.detect.identify.cues import any_word
from dlp.detect.identify.finder import Labels, default_finder

TORN = "_sx1#.-: ſKé"


@pytest.fixture(scope="module")
def words():
    return list(default_finder().labels._words)


def label_of(chance: random.Random, words: list[str]) -> str:
    """Listed words, whole and torn, joined in any way."""
    parts = [torn(chance, word) for word in chance.choices(words, k=chance.choice([1, 1, 2, 3]))]
    return chance.choice(["", " ", " ", " ", "-", "_", "  ", "\t"]).join(parts)


def torn(chance: random.Random, word: str) -> str:
    cut = word[: chance.randrange(len(word) + 1)]
    ways = (word, word, word.upper(), cut, word + chance.choice(TORN), chance.choice(TORN) + word)
    return chance.choice(ways)


def test_the_rules_own_words_are_found_as_by_re2(words):
    chance, pattern = random.Random(7), any_word(sorted(words, key=len, reverse=True))
    known = Labels(words)
    assert known._phrases is not None
    for _ in range(20_000):
        label = label_of(chance, words)
        assert known.found_in(label) == (pattern.search(label) is not None), label


@pytest.mark.parametrize("odd", ["#id", "id_number", "diagnoſe", "a  b", " id", "id\t"])
def test_a_word_that_is_no_phrase_leaves_all_to_re2(odd):
    known = Labels(["mrn", odd])
    assert known._phrases is None
    assert known.found_in("The MRN")
    assert not known.found_in("mrns")
