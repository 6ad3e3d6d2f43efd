"""Folding hides no character's place: whatever is found in folded text is found in the original."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from dlp.detect.identify.finder import digits_for_letters
from dlp.detect.identify.identifiers import find_identifiers
from dlp.text.fold import (
    FOLDING,
    INVISIBLE,
    PLANES,
    fold,
)

# Plain text, and the characters folding is about, mixed often enough to meet.
odd = st.sampled_from(INVISIBLE + "\u00a0\u2013\uff11\u0661\u0410\u00ba\u00e9\U0001d7ce\U0001f600")
texts = st.lists(st.one_of(odd, st.characters(), st.sampled_from("a1 -")), max_size=40).map("".join)


@given(texts)
def test_every_folded_character_leads_back_to_its_own_place(text):
    folded = fold(text)
    places = [folded.original(i, i + 1) for i in range(len(folded.text))]
    assert all(end == start + 1 for start, end in places)
    assert [start for start, _ in places] == sorted({start for start, _ in places})
    for plain, (start, _) in zip(folded.text, places, strict=True):
        assert fold(text[start]).text == plain


@given(texts)
def test_only_invisible_characters_disappear(text):
    kept = [c for c in text if c not in INVISIBLE]
    assert len(fold(text).text) == len(kept)


@given(texts)
def test_folding_twice_changes_nothing_more(text):
    once = fold(text).text
    assert fold(once).text == once


@given(texts, st.lists(st.sampled_from(INVISIBLE), min_size=11, max_size=11))
def test_hidden_characters_inside_a_number_do_not_hide_it(around, hidden):
    value = "".join(a + b for a, b in zip("401-33-2217", hidden, strict=True)).rstrip(INVISIBLE)
    text = f"{around}\nSSN: {value}\n{around}"
    start = len(around) + 6
    assert (start, start + len(value)) in {(h.start, h.end) for h in find_identifiers(text)}


def test_ordinals_stay_letters():
    assert fold("2\u00ba A").text == "2\u00ba A"


def test_letters_between_digits_are_read_as_digits():
    assert digits_for_letters(b"4O1-33-22l7 and Oslo") == b"401-33-2217 and Oslo"


@given(st.binary(max_size=60))
def test_reading_letters_as_digits_never_moves_anything(raw):
    assert len(digits_for_letters(raw)) == len(raw)


def test_what_the_table_leaves_out_holds_nothing_to_fold():
    looked_at = {point for start, end in FOLDING for point in range(start, end)}
    for point in set(range(0x80, PLANES)) - looked_at:
        character = chr(point)
        plain = unicodedata.normalize("NFKC", character)
        assert unicodedata.category(character) != "Nd"
        assert not (plain.isascii() and plain.isalpha())
