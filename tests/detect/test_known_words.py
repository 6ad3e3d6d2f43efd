"""What is remembered of a word is what the dictionaries say of it, whatever came before."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dlp.detect.naming.known_words import MOSTLY_FIRST, NEW, KnownWords
from dlp.knowledge.artefact import load
from dlp.knowledge.hashing import hash_words
from dlp.knowledge.names import load_names

LISTED = hash_words(["ada", "hale", "robert", "toronto", "will", "the", "trivomir"])
CROWDED = [slot << 46 | number << 30 for slot in (6, 7, 8) for number in range(1, 30)]
HASHES = st.sampled_from([*LISTED.tolist(), *CROWDED])


@given(st.lists(st.lists(HASHES, max_size=3 * NEW), max_size=6))
def test_a_memory_that_is_crowded_answers_as_the_dictionaries(pages):
    names = load_names()
    known = KnownWords(names)
    for page in pages:
        hashes = np.array(page, dtype=np.uint64)
        bits, ordinary = known.look_up(hashes)
        told, shares, first = names.bits(hashes)
        assert bits.tolist() == (told | np.where(first, MOSTLY_FIRST, 0)).tolist()
        assert np.allclose(ordinary, shares, rtol=1e-12, atol=0)


@given(st.lists(st.lists(HASHES | st.integers(0, 1 << 50), max_size=3 * NEW), max_size=6))
def test_what_a_kernel_fills_in_is_what_the_dictionaries_say(pages):
    names = load_names()
    known = KnownWords(names)
    for page in pages:
        hashes = np.array(page, dtype=np.uint64)
        bits, ordinary = np.zeros(len(page), dtype=np.uint8), np.ones(len(page))
        asked = list(range(0, len(page), 2))
        known.answer(asked, hashes, bits, ordinary)
        one_by_one = [names.bits_of_one(page[at]) for at in asked]
        assert bits[::2].tolist() == [told | MOSTLY_FIRST * first for told, _, first in one_by_one]
        assert np.allclose(ordinary[::2], [share for _, share, _ in one_by_one], rtol=1e-12, atol=0)
        assert not bits[1::2].any()


def test_the_kernel_weighs_names_and_words_as_the_dictionaries_do():
    names = load_names()
    listed = load("names")
    sample = [
        int(high) << 32 | int(low) << 24
        for source, key in ((listed, "first"), (listed, "last"), (load("words"), "word"))
        for high, low in zip(source[f"{key}.high"][::97], source[f"{key}.low"][::97], strict=True)
    ]
    hashes = np.array(sample, dtype=np.uint64)
    bits, ordinary = np.zeros(len(sample), dtype=np.uint8), np.ones(len(sample))
    KnownWords(names).answer(list(range(len(sample))), hashes, bits, ordinary)
    one_by_one = [names.bits_of_one(key) for key in sample]
    assert bits.tolist() == [told | MOSTLY_FIRST * first for told, _, first in one_by_one]
    assert np.allclose(ordinary, [share for _, share, _ in one_by_one], rtol=1e-12, atol=0)
