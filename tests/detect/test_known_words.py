"""What is remembered of a word is what the dictionaries say of it, whatever came before."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dlp.detect.naming.known_words import MOSTLY_FIRST, NEW, KnownWords
from dlp.knowledge.hashing import hash_words
from dlp.knowledge.names import load_names

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
