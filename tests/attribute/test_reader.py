"""The reader of the words around a fact speaks against a link and never for one."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dlp.attribute.chance import load_weights
from dlp.attribute.wording import BUCKETS, LEAST, buckets, load_reader

PRINT = (
    "The course on \x02 starts at 10 am; speakers: \x01 and \x01. Register online, places are few.",
    "Re: build fails on the list\n> \x01 wrote:\n> the daemon crashes, a \x02 with every release\n",
)
CASE = "\x01 has been off work with \x02 since Monday, the doctor signed another two weeks."


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=300))
def test_no_words_speak_for_a_link(stretch: str) -> None:
    assert LEAST <= load_reader().score(stretch) <= 0.0
    assert all(0 <= bucket < BUCKETS for bucket in buckets(stretch))
    assert load_weights().features["reading"] > 0


def test_print_reads_unlike_a_case() -> None:
    case = load_reader().score(CASE)
    assert case > -0.1
    for stretch in PRINT:
        assert load_reader().score(stretch) < case - 0.3, stretch


@given(st.text(alphabet="abcdefg \n", min_size=1, max_size=80))
def test_letter_case_and_digits_change_nothing(stretch: str) -> None:
    assert buckets(stretch.upper()) == buckets(stretch)
    assert buckets(stretch + " 17") == buckets(stretch + " 905")
