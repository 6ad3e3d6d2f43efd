"""What is remembered of a word is what the dictionaries say of it, whatever came before."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlp.detect.naming.known_words import MOSTLY_FIRST, NEW, KnownWords
from dlp.knowledge.artefact import load
from dlp.knowledge.hashing import hash_words
from dlp.knowledge.names import load_names
from dlp.native import kernel

LISTED = hash_words(["ada", "hale", "robert", "toronto", "will", "the", "trivomir"])
CROWDED = [slot << 46 | number << 30 for slot in range(4, 9) for number in range(1, 18)]
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


def compare(memory, names, page):
    bits, ordinary = memory.look_up(np.array(page, dtype=np.uint64))
    one_by_one = [names.bits_of_one(key) for key in page]
    assert bits.tolist() == [told | MOSTLY_FIRST * first for told, _, first in one_by_one]
    assert np.allclose(ordinary, [share for _, share, _ in one_by_one], rtol=1e-12, atol=0)


@pytest.mark.skipif(kernel("words") is None, reason="no kernel is compiled")
@given(st.lists(st.lists(HASHES | st.integers(0, 1 << 50), max_size=3 * NEW), max_size=6))
def test_what_a_kernel_remembers_is_what_the_dictionaries_say(pages):
    names = load_names()
    for page in pages:
        compare(names.memory, names, page)


@pytest.mark.skipif(kernel("words") is None, reason="no kernel is compiled")
def test_the_kernel_weighs_names_and_words_as_the_dictionaries_do():
    names = load_names()
    listed = load("names")
    sample = [
        int(high) << 32 | int(low) << 24
        for source, key in ((listed, "first"), (listed, "last"), (load("words"), "word"))
        for high, low in zip(source[f"{key}.high"][::97], source[f"{key}.low"][::97], strict=True)
    ]
    compare(names.memory, names, sample)
