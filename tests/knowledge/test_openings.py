"""No word and no pair of a term is refused by the tables that are asked first."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlp.knowledge import openings
from dlp.knowledge.artefact import Artefact
from dlp.knowledge.compile.filtering import Surface
from dlp.knowledge.compile.health import pack
from dlp.knowledge.health import HealthLexicon
from dlp.knowledge.openings import FIRST, HALF, KINDS, OPENING, PLACES, SECOND, pair_sum, tables
from dlp.knowledge.phrases import word_key
from dlp.model import Kind
from dlp.native import kernel

WORDS = st.text("abcdefgh0", min_size=1, max_size=6)
TERMS = st.lists(st.lists(WORDS, min_size=1, max_size=5).map(tuple), min_size=1, unique=True)


def both(bits: int, key: int) -> bool:
    return bool(bits >> (key & 63) & bits >> (key >> 6 & 63) & 1)


@given(TERMS)
def test_every_term_gets_past(terms):
    made = tables(terms)
    for first, *others in terms:
        key = word_key(first)
        known = made[PLACES][KINDS * (key >> 52) : KINDS * (key >> 52) + KINDS].tolist()
        if not others:
            assert both(known[key >> HALF & 1], key)
            continue
        second, pair = word_key(others[0]), pair_sum(key, word_key(others[0]))
        assert both(known[FIRST], key)
        assert both(int(made[PLACES][KINDS * (second >> 52) + SECOND]), second)
        assert both(int(made[OPENING][pair >> 49]), pair)


def test_hardly_anything_else_gets_past():
    made = tables([("heart", "failure"), ("stroke",)])
    assert sum(bits.bit_count() for bits in made[PLACES].tolist()) <= 6
    assert sum(bits.bit_count() for bits in made[OPENING].tolist()) <= 2


@pytest.mark.skipif(kernel("terms") is None, reason="no kernel")
@given(TERMS, st.lists(st.lists(WORDS, max_size=12).map(" ".join), max_size=8).map(". ".join))
def test_a_list_with_or_without_the_tables_finds_the_same(terms, text):
    arrays, meta = pack([Surface(words, Kind.DISEASE, ("D1",), 0, 9) for words in terms])
    older = {name: array for name, array in arrays.items() if not name.startswith("words.")}
    newer = HealthLexicon(Artefact("health", meta, arrays))
    found = newer._scan_block(text, 0, len(text))
    assert found == newer._read_block(text, 0, len(text))
    assert found == HealthLexicon(Artefact("health", meta, older))._scan_block(text, 0, len(text))
    assert openings.PLACES in arrays
