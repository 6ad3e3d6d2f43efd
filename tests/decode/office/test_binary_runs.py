"""Words hidden in bytes come out whole, whatever stands around them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlp.decode.office import binary_runs
from dlp.decode.office.binary_runs import readable_runs, wide_runs

WESTERN = st.text(
    st.characters(min_codepoint=0x20, max_codepoint=0xFF, exclude_categories=("Cc",)),
    min_size=4,
    max_size=30,
)
FARTHER = st.text(st.characters(min_codepoint=0x100, max_codepoint=0x5FF), min_size=6, max_size=30)
ODD = b"\x99\x88" * 3  # neither letter


@given(WESTERN | FARTHER)
def test_wide_words_of_one_alphabet_are_found(word):
    assert word in wide_runs(ODD + word.encode("utf-16-le") + ODD)


def test_letters_above_ascii_are_letters():
    assert "Zoë Ñandú" in wide_runs(ODD + "Zoë Ñandú".encode("utf-16-le") + ODD)


def test_narrow_words_are_found_between_noise():
    assert readable_runs(b"\x01\x02Jane Roe, ward 7\xff\xfe") == "Jane Roe, ward 7"


@given(
    st.lists(st.binary(max_size=9) | st.sampled_from((b"Jane Roe", b" ~", b"\x1f\x7f"))),
    st.sampled_from((1, 2, 5, 7, 64)),
)
def test_long_bytes_give_the_runs_that_short_ones_give(pieces, block):
    content = b"".join(pieces)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(binary_runs, "LONG", binary_runs.SHORTEST)
        patch.setattr(binary_runs, "BLOCK", block)
        found = binary_runs.narrow_texts(content)
    assert found == [run.decode() for run in binary_runs.NARROW.findall(content)]
