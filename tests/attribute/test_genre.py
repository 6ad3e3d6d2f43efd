"""Cues of genres are counted once each, and a cue that RE2 refuses is named."""

import random

import pytest

from dlp.attribute.genre import (
    BY_CHANCE,
    CERTAIN,
    CHUNK,
    MOST,
    REACH,
    Genres,
    Narrative,
    is_narrative,
    load_genres,
)
from dlp.errors import RuleError


def test_each_cue_counts_once():
    genres = Genres({"clinical": [r"\bward round\b", r"x{3}"], "letter": []})
    assert genres.of("On the Ward round. On the ward round.") == {"clinical": 1 / MOST}


def test_a_cue_that_re2_refuses_is_said():
    with pytest.raises(RuleError):
        Genres({"clinical": [r"(?<=x)y"]})


@pytest.mark.parametrize(
    "text", ["\n" * 30_000, "[[" * 15_000, "my " * 10_000, "12:30 a" * 4000, "\ud800", ""]
)
def test_hostile_text_is_read(text):
    assert all(0 < share <= 1 for share in load_genres().of(text).values())


@pytest.mark.parametrize("seed", range(4))
def test_a_place_in_a_story_is_told_by_all_chunks_near_it(seed):
    """Wherever it is asked first, and though not every chunk is read."""
    chance = random.Random(seed)
    story = "she was late and he said that they would go with her to the sea "
    ledger = "item 4012 price 18.50 stock 77 shelf 3 "
    parts = [chance.choice([story, ledger]) * (CHUNK // len(story)) for _ in range(40)]
    text = "".join(parts)
    reads = [is_narrative(text[at : at + CHUNK]) for at in range(0, len(text) - CHUNK // 2, CHUNK)]
    narrative = Narrative(text)
    for place in chance.sample(range(len(text)), 200):
        here = place // CHUNK
        told = sum(reads[max(0, here - REACH) : here + REACH + 1])
        expected = min(1.0, max(0, told - BY_CHANCE) / (CERTAIN - BY_CHANCE))
        assert narrative.at(place) == expected
