"""A word has one hash however it is written, and lists stay sorted and free of collisions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlp.knowledge import hashing

letters = st.text(alphabet="abcdefghij'é-ŁЖ漢", max_size=12)


@given(st.lists(letters, max_size=30))
def test_a_batch_hashes_like_its_words_one_by_one(words):
    assert hashing.hash_words(words).tolist() == [hashing.hash_word(word) for word in words]


@given(st.lists(letters, max_size=40))
def test_words_share_a_hash_only_when_they_fold_alike(words):
    folded = {hashing.hash_word(word): hashing.fold_word(word) for word in words}
    assert all(folded[hashing.hash_word(word)] == hashing.fold_word(word) for word in words)


@pytest.mark.parametrize(
    "one, other",
    [
        ("O'Brien", "obrien"),
        ("O’BRIEN", "O'Brien"),
        ("Núñez", "nunez"),
        ("Nu\u0301n\u0303ez", "NUNEZ"),
        ("Łódź", "lodz"),
        ("Zoë", "zoe"),
        ("pa\u00adtient", "patient"),
    ],
)
def test_spellings_of_one_word_agree(one, other):
    assert hashing.hash_word(one) == hashing.hash_word(other)


def test_order_and_length_matter():
    words = ["ab", "ba", "aab", "abb", "a", "aa", "漢字", "字漢"]
    assert len(set(hashing.hash_words(words).tolist())) == len(words)


@pytest.mark.parametrize("spelling", ["New York", "new\n york", "NEW-YORK", " New  York."])
def test_a_phrase_ignores_what_stands_between_its_words(spelling):
    assert hashing.hash_phrase(spelling) == hashing.hash_phrase("new york")
    assert hashing.hash_phrase(spelling) != hashing.hash_phrase("york new")


@given(st.lists(st.lists(st.sampled_from(["alpha", "beta", "gamma"]), max_size=5), max_size=9))
def test_a_list_of_phrases_hashes_like_the_phrases(phrases):
    joined = [" ".join(words) for words in phrases]
    assert hashing.hash_phrases(joined).tolist() == [hashing.hash_phrase(p) for p in joined]


@given(st.sets(st.text("abcdef", min_size=1, max_size=6), max_size=30), st.data())
def test_a_table_finds_exactly_what_was_put_in(words, data):
    listed = sorted(words)
    arrays, order = hashing.HashTable.pack("w", hashing.hash_words(listed))
    table = hashing.HashTable(arrays, "w")
    asked = data.draw(st.lists(st.text("abcdef", min_size=1, max_size=6), max_size=20)) + listed
    for word, position in zip(asked, table.find(hashing.hash_words(asked)), strict=True):
        assert (position >= 0) == (word in words)
        assert position < 0 or listed[order[position]] == word


@given(st.lists(st.integers(1, 2**40 - 1), min_size=2, max_size=40, unique=True))
def test_neighbours_that_share_32_bits_are_told_apart(numbers):
    hashes = np.array(numbers, dtype=np.uint64) << np.uint64(24)
    highs = [number >> 8 for number in numbers]
    if max(highs.count(high) for high in highs) > 2:
        with pytest.raises(ValueError, match="three"):
            hashing.HashTable.pack("n", hashes)
        return
    arrays, order = hashing.HashTable.pack("n", hashes)
    table = hashing.HashTable(arrays, "n")
    assert [order[i] for i in table.find(hashes)] == list(range(len(numbers)))
    assert np.all(arrays["n.high"][1:] >= arrays["n.high"][:-1])


def test_two_entries_with_one_hash_are_refused():
    with pytest.raises(ValueError, match="same hash"):
        hashing.HashTable.pack("w", hashing.hash_words(["zoe", "Zoë"]))
    with pytest.raises(ValueError, match="empty"):
        hashing.HashTable.pack("w", hashing.hash_words(["zoe", "'"]))


@given(st.sets(st.text("abcdef", min_size=1, max_size=6), max_size=30), st.text("abcdef"))
def test_one_word_is_found_where_many_are(words, other):
    listed = sorted(words)
    arrays, _ = hashing.HashTable.pack("w", hashing.hash_words(listed))
    table = hashing.HashTable(arrays, "w")
    asked = [*listed, other]
    one_by_one = [table.find_one(hashing.hash_word(word)) for word in asked]
    assert one_by_one == table.find(hashing.hash_words(asked)).tolist()


@given(st.text(st.sampled_from("aBz09 '.-\n"), max_size=60))
def test_a_plain_text_hashes_like_the_same_words_beside_a_foreign_one(text):
    def spans_of(text):
        words = list(hashing.WORD.finditer(text))
        starts = np.array([word.start() for word in words], dtype=np.int64)
        ends = np.array([word.end() for word in words], dtype=np.int64)
        return hashing.SpanHashes(hashing.code_points(text))(starts, ends).tolist()

    wide = f"{text} \u0436"
    assert hashing.code_points(text).dtype == np.uint8
    assert hashing.code_points(wide).dtype == np.uint32
    assert spans_of(text) == spans_of(wide)[:-1]
    assert spans_of(text) == hashing.hash_words(hashing.words_of(text)).tolist()


@given(st.lists(st.text("abcdef", min_size=1, max_size=6), min_size=1, max_size=30), st.data())
def test_a_run_of_words_hashes_like_its_phrase(words, data):
    first = data.draw(st.integers(0, len(words) - 1))
    last = data.draw(st.integers(first, len(words) - 1))
    phrases = hashing.Phrases(hashing.hash_words(words))
    found = phrases(np.array([first]), np.array([last])).tolist()
    assert found == [hashing.hash_phrase(" ".join(words[first : last + 1]))]


def test_a_long_list_answers_for_words_it_does_not_hold():
    listed = np.unique(np.random.default_rng(7).integers(1 << 24, 1 << 63, 5000, dtype=np.uint64))
    arrays, order = hashing.HashTable.pack("w", listed)
    table = hashing.HashTable(arrays, "w")
    assert np.array_equal(listed[order][table.find(listed)], listed)
    strange = np.random.default_rng(8).integers(1 << 24, 1 << 63, 5000, dtype=np.uint64)
    strange = strange[~np.isin(strange >> np.uint64(24), listed >> np.uint64(24))]
    assert (table.find(strange) == -1).all()
