"""Folding hides no character's place: whatever is found in folded text is found in the original."""

import unicodedata
from bisect import bisect_left, bisect_right

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dlp.detect.fold import (
    CAN_ENCODE,
    FOLDING,
    INVISIBLE,
    LONG,
    PLANES,
    digits_for_letters,
    encoded,
    fold,
    fold_arrays,
    mended,
)
from dlp.detect.identify.identifiers import find_identifiers
from dlp.native import kernel

# Plain text, and the characters folding is about, mixed often enough to meet.
odd = st.sampled_from(INVISIBLE + "\u00a0\u2013\uff11\u0661\u0410\u00ba\u00e9\U0001d7ce\U0001f600")
texts = st.lists(st.one_of(odd, st.characters(), st.sampled_from("a1 -")), max_size=40).map("".join)
# plain characters are read eight bytes at a time, whatever their width
STRETCHES = ("plain words, ", "1234567", "a", "\u00e9", "\u2019", "\u4e2d", "\U0001f600", "\u00ad")
stretches = st.lists(st.sampled_from(STRETCHES), max_size=12).map("".join)


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


@given(st.text("01-OolI a_", max_size=30).map(str.encode))
@example(b"1-2-l-4")
@example(b"12345-l")
@example(b"1l34567")
def test_a_look_says_where_there_is_nothing_to_read_so(raw):
    assert mended(raw) == digits_for_letters(raw)
    for name in ("starts", "windows"):
        assert kernel(name) is None or kernel(name).long_number == LONG


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


@given(texts | stretches | st.text(st.characters(codec=None) | st.just("\ud800")))
@example("\u00ad")
@example("\u00e9\u2019")
@example("\u4e2d\u2019\ud800")
def test_the_kernel_folds_as_the_arrays_do(text):
    found, expected = fold(text), fold_arrays(text)
    assert found.text == expected.text
    assert hash(found.text) == hash(expected.text)
    assert found.text.isascii() == expected.text.isascii()
    assert (found.positions is None) == (expected.positions is None)
    if expected.positions is not None:
        assert found.positions.dtype == expected.positions.dtype
        assert found.positions.tolist() == expected.positions.tolist()


@pytest.mark.skipif(not CAN_ENCODE, reason="no compiler was at hand")
@given(texts | stretches | st.text(st.characters(codec=None) | st.just("\ud800")), st.data())
@example("\u00ad", None)
@example("\u4e2d\u2019\ud800\U0001f600 abc\u00e9", None)
def test_the_kernel_encodes_what_is_folded_and_knows_the_way_back(text, data):
    folded = fold(text)
    expected = folded.text.encode("utf-8", "replace")
    raw, apart = encoded(text)
    assert raw == expected
    if data is None or not folded.text:
        return
    start = data.draw(st.integers(0, len(folded.text) - 1))
    end = data.draw(st.integers(start + 1, len(folded.text)))
    first, last = (len(folded.text[:one].encode("utf-8", "replace")) for one in (start, end))
    places, shifts = apart or ([], [])
    before, behind = bisect_right(places, first), bisect_left(places, last)
    led = (
        first - (shifts[before - 1] if before else 0),
        last - (shifts[behind - 1] if behind else 0),
    )
    assert led == folded.original(start, end)
