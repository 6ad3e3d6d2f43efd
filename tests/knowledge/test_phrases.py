"""A phrase has one key however it is spaced, cased or accented, and keys of runs equal keys of phrases."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dlp.knowledge.phrases import (
    KeyTable,
    Runs,
    fold_words,
    phrase_key,
    points_of,
    word_key,
    words_in,
)


def keys_of(words):
    return {word_key(word) for word in words}


@given(st.text())
def test_words_of_a_text_are_those_of_the_scalar_rule(text):
    found = words_in(points_of(text))
    folded = fold_words(text)
    # characters beyond the first plane separate words in both
    assert found.keys.tolist() == [word_key(word) for word in folded]


@given(st.text(alphabet=st.characters(codec="utf-8")))
def test_offsets_are_those_of_the_original_characters(text):
    found = words_in(points_of(text))
    for start, end in zip(found.starts.tolist(), found.ends.tolist(), strict=True):
        assert fold_words(text[start:end]) != []
        assert len(fold_words(text[start:end])) == 1


@given(st.text(), st.integers(1, 5))
def test_the_key_of_a_run_is_the_key_of_its_phrase(text, size):
    found, folded = words_in(points_of(text)), fold_words(text)
    first = np.arange(max(0, len(folded) - size + 1))
    keys = Runs(found.keys).keys(first, size).tolist()
    assert keys == [phrase_key(folded[i : i + size]) for i in first.tolist()]


def test_spacing_case_accents_and_hyphens_do_not_matter():
    forms = (
        "Ménière disease",
        "MENIERE  DISEASE",
        "meniere-disease",
        "Me\u0301nie\u0300re\ndisease",
    )
    assert len({phrase_key(fold_words(form)) for form in forms}) == 1


def test_letters_that_grow_when_lowered_keep_their_place():
    found = words_in(points_of("İİ asthma"))
    assert (int(found.starts[-1]), int(found.ends[-1])) == (3, 9)


@given(st.sets(st.text(), max_size=300).map(keys_of), st.lists(st.text()).map(keys_of))
def test_a_table_finds_its_keys_and_no_other(keys, others):
    ordered = sorted(keys)
    table = KeyTable(*KeyTable.pack(np.array(ordered, dtype=np.uint64)))
    asked = [*ordered, *(other for other in others if other not in keys)]
    rows = table.find(np.array(asked, dtype=np.uint64)).tolist()
    assert rows == [*range(len(ordered)), *[-1] * (len(asked) - len(ordered))]
    assert [table.find_one(key) for key in asked] == rows
