"""Which records hold a plain word: packed and read back the same; names and rare words are not kept."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dlp.knowledge.artefact import Artefact
from dlp.knowledge.cooccurrence import (
    COMMON,
    FEWEST,
    Collector,
    Cowords,
    load_cowords,
    pack,
    unpack,
)


@given(st.sets(st.integers(0, 1 << 20), min_size=1, max_size=60))
def test_records_come_back_as_they_were(records):
    ordered = sorted(records)
    assert unpack(np.frombuffer(pack(ordered), dtype=np.uint8)).tolist() == ordered


def collected(texts, vocabulary=None):
    words = Collector(vocabulary)
    for number, text in enumerate(texts):
        words.note(number, text)
    meta = {"records": len(texts)}
    return Cowords(Artefact("x", meta, words.arrays(len(texts))))


def test_a_word_is_kept_with_its_records_unless_rare_or_common():
    texts = ["stigma and care" if n < FEWEST else "care" for n in range(FEWEST * 20)]
    texts[-1] += " Zimmermann"
    found = collected(texts)
    assert found.words() == {"stigma", "and"}
    assert found.holding("stigma").tolist() == list(range(FEWEST))
    assert len(found.holding("care")) == 0  # on all records


def test_a_site_keeps_only_words_of_the_vocabulary():
    texts = ["Zimmermann has stigma" if n < FEWEST else "care" for n in range(FEWEST * 20)]
    assert collected(texts, {"stigma"}).words() == {"stigma"}


def test_the_bundled_words_are_within_the_bounds():
    words = load_cowords()
    assert len(words) > 5_000
    for word in ("stigma", "partner", "drinking"):
        held = words.holding(word)
        assert FEWEST <= len(held) <= COMMON * words.records
        assert np.all(np.diff(held) > 0)
        assert held[-1] < words.records
