"""Cues of genres are counted once each, and a cue that RE2 refuses is named."""

import pytest

from dlp.attribute.genre import MOST, Genres, load_genres
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
