"""The kernel that asks sorted lists finds what the arrays and the loops find."""

import importlib

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dlp.knowledge import hashing
from dlp.knowledge.gazetteer import FEW, Gazetteer
from dlp.knowledge.hashing import HashTable, hash_words
from dlp.knowledge.running import Phrases
from dlp.native import kernel

pytestmark = pytest.mark.skipif(kernel("lists") is None, reason="no kernel is compiled")
WORDS = st.sampled_from(["new", "york", "city", "saint", "louis", "x"])
NAMES = st.lists(WORDS, min_size=1, max_size=4).map(" ".join)
HASHES = st.integers(1 << 24, (1 << 64) - 1) | st.integers(0, 5)


def test_the_kernel_repeats_what_its_twins_say():
    for name, told in kernel("lists").constants().items():
        twin = importlib.import_module(f"dlp.knowledge.{name}")
        assert told == {one: getattr(twin, one) for one in told}


@given(
    listing=st.lists(NAMES, min_size=1, max_size=12, unique=True),
    tokens=st.lists(WORDS, max_size=4 * FEW),
    data=st.data(),
)
def test_the_kernel_finds_the_names_that_arrays_find(listing, tokens, data):
    some = st.lists(st.booleans(), min_size=len(tokens), max_size=len(tokens))
    start = np.flatnonzero(data.draw(some)).astype(np.int64)
    alone = np.array(data.draw(some), dtype=np.bool_)[start]
    borders = np.flatnonzero(data.draw(some)).astype(np.int64)
    found = []
    for with_kernel in (True, False):
        gazetteer = Gazetteer(Gazetteer.pack("n", listing)[0], "n")
        if not with_kernel:
            gazetteer._table.kernel = None
        phrases = Phrases(hash_words(tokens), borders)
        found.append([gazetteer.spans_from(phrases, start, told) for told in (alone, None)])
    assert found[0] == found[1]


@given(st.sets(HASHES.filter(lambda key: key >> 24), max_size=40), st.lists(HASHES, max_size=20))
def test_the_kernel_finds_the_words_that_arrays_find(listed, others):
    few = {(key >> 32, key >> 24 & 1): key for key in listed}  # no three may share 32 bits
    hashes = np.array(sorted(few.values()), dtype=np.uint64)
    table, plain = (HashTable(HashTable.pack("w", hashes)[0], "w") for _ in range(2))
    plain.kernel = None
    asked = np.array([*hashes.tolist(), *others, *(h + (1 << 24) for h in others if h < 1 << 63)],
                     dtype=np.uint64)  # fmt: skip
    assert table.find(asked).tolist() == plain.find(asked).tolist()
    assert table.find(asked[::2]).tolist() == plain.find(asked[::2]).tolist()
    assert [table.find_one(key) for key in asked.tolist()] == plain.find(asked).tolist()


@given(st.lists(st.text(st.characters(codec=None) | st.sampled_from("abZ'\u2019\u00ad"))))
@example(["a" * 9000, "'" * 5000 + "b", "a\0b", "\ud800", "\U0001f600x", ""])
def test_the_kernel_hashes_words_and_phrases_as_the_arrays_do(words):
    asked = [hashing.hash_words(words).tolist(), [hashing.hash_word(word) for word in words]]
    phrases = [hashing.hash_phrase(" ".join(words[: at + 1])) for at in range(len(words))]
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(hashing, "hasher", lambda: None)
        assert asked == [hashing.hash_words(words).tolist()] * 2
        assert asked[1] == [hashing.hash_word(word) for word in words]
        told = [hashing.hash_phrase(" ".join(words[: at + 1])) for at in range(len(words))]
        assert phrases == told
