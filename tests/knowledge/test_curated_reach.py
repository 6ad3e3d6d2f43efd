"""Every curated health phrase reaches the text: the lexicon was built from the rules as they are."""

from dlp.detect.illness.health import FindHealth
from dlp.detect.illness.proof import curated_phrases, duplicates, unfound_phrases


def test_every_curated_phrase_is_found_in_a_sentence():
    assert [*unfound_phrases(FindHealth())] == []


def test_no_phrase_stands_under_two_headings():
    assert [*duplicates()] == []


def test_the_curated_lists_are_read():
    files = {file for file, _ in curated_phrases()}
    assert files == {"health_terms.toml", "lay_terms.toml", "inference.toml", "shorthand.toml"}
