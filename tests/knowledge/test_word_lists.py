"""Hashes and sorted lists answer the same one by one and as arrays."""

from itertools import pairwise

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from dlp.knowledge import hashing
from dlp.knowledge.gazetteer import FEW, Gazetteer
from dlp.knowledge.hashing import HashTable, Phrases, hash_words

WORDS = st.sampled_from(["new", "york", "city", "saint", "louis", "x"])
NAMES = st.lists(WORDS, min_size=1, max_size=4).map(" ".join)
HASHES = st.integers(1 << 24, (1 << 64) - 1) | st.integers(0, 5)


@given(
    listing=st.lists(NAMES, min_size=1, max_size=12, unique=True),
    tokens=st.lists(WORDS, max_size=4 * FEW),
    data=st.data(),
)
def test_names_are_listed_and_apart(listing, tokens, data):
    some = st.lists(st.booleans(), min_size=len(tokens), max_size=len(tokens))
    start = np.flatnonzero(data.draw(some)).astype(np.int64)
    gazetteer = Gazetteer(Gazetteer.pack("n", listing)[0], "n")
    found = gazetteer.spans_from(Phrases(hash_words(tokens)), start)
    assert all(" ".join(tokens[span.start : span.end]) in listing for span in found)
    assert all(span.start in start for span in found)
    assert all(one.end <= other.start for one, other in pairwise(found))
    single = {tokens[place] for place in start.tolist()} & set(listing)
    assert bool(found) or not single


@given(st.sets(HASHES.filter(lambda key: key >> 24), max_size=40), st.lists(HASHES, max_size=20))
def test_a_word_is_found_alone_and_among_others(listed, others):
    few = {(key >> 32, key >> 24 & 1): key for key in listed}  # no three may share 32 bits
    hashes = np.array(sorted(few.values()), dtype=np.uint64)
    table = HashTable(HashTable.pack("w", hashes)[0], "w")
    asked = np.array([*hashes.tolist(), *others], dtype=np.uint64)
    assert [table.find_one(key) for key in asked.tolist()] == table.find(asked).tolist()
    assert table.find(hashes).tolist() == list(range(len(hashes)))


@given(st.lists(st.text(st.characters(codec=None) | st.sampled_from("abZ'\u2019\u00ad"))))
@example(["a" * 9000, "'" * 5000 + "b", "a\0b", "\ud800", "\U0001f600x", ""])
def test_a_word_has_one_hash(words):
    assert hashing.hash_words(words).tolist() == [hashing.hash_word(word) for word in words]
    phrases = [" ".join(words[: at + 1]) for at in range(len(words))]
    assert hashing.hash_phrases(phrases).tolist() == [hashing.hash_phrase(one) for one in phrases]
