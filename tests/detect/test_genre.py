"""A text shows its kind by its turns of phrase, counted once each."""

import pytest

from dlp import demo_share
from dlp.detect.linking.genre import load_genres

STORY = '"You are late," said the captain, and her eyes followed the lantern. She laughed. Suddenly the horse shied.'


@pytest.mark.parametrize("text,genre", [
    (demo_share.DISCHARGE, "clinical"), (demo_share.SHORTHAND, "clinical"), (demo_share.LEAFLET, "instructive"),
    (demo_share.RESUME, "resume"), (demo_share.BLANK_FORM, "template"), (STORY, "fiction"),
])  # fmt: skip
def test_the_strongest_genre(text, genre):
    heard = load_genres().of(text)
    assert max(heard, key=heard.get) == genre


def test_repeating_a_phrase_makes_no_genre():
    assert load_genres().of("the patient " * 1000)["clinical"] == 1
