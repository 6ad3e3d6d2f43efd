"""Health is found alike in ordinary text, in capitals and in small letters."""

import random

from dlp.detect.illness.health import FindHealth
from dlp.detect.illness.proof import SENTENCE, curated_phrases

FIND = FindHealth()
FILES = ("health_terms.toml", "lay_terms.toml")
SAMPLE = 400


def test_curated_phrases_are_found_in_capitals_and_in_small_letters():
    phrases = sorted({phrase for file, phrase in curated_phrases() if file in FILES})
    kept = 0
    for phrase in random.Random(5).sample(phrases, SAMPLE):
        text = SENTENCE.format(phrase)
        upper, lower = (len(FIND.find(one)) for one in (text.upper(), text.lower()))
        kept += len(FIND.find(text)) == upper == lower
    assert kept >= 0.98 * SAMPLE


def test_shorthand_in_a_note_without_capitals_is_believed_where_the_note_speaks_for_it():
    text = "pmh: dm, htn, cad. started on abx for uti"
    assert {"dm", "htn", "cad", "uti"} <= {text[f.start : f.end] for f in FIND.find(text)}
    assert FIND.find("ms smith came in at ten am, all as planned") == []
