"""Words of a list near values are found where RE2 finds them in the whole block."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from dlp.detect.identify.cues import Cues, any_word
from dlp.detect.spans import spans


def test_lists_whose_words_may_overlap_are_read_as_a_whole() -> None:
    cues = Cues([["teléfono", "phone", "telephone"], ["rue de", "de la"], ["é s", "s t"]])
    assert [cues.can_be_parted(number) for number in range(3)] == [True, False, False]


@given(
    st.lists(st.sampled_from(("teléfono", "despué", "phone", " ", "s", "x", "12")), max_size=30),
    st.integers(0, 9),
    st.integers(0, 9),
)
def test_what_is_near_values_is_found_near_them(pieces: list[str], reach: int, after: int) -> None:
    words = ["teléfono", "phone", "después"]
    cues = Cues([words])
    raw = "".join(pieces).encode()
    values = [found.span() for found in re.finditer(rb"[0-9]+", raw)]
    near = cues.of(raw, (0, len(raw))).near(0, values, reach, after)
    pattern = any_word(words)
    everywhere = spans(pattern, raw, 0, len(raw))
    for start, end in values:
        for first, last in everywhere:
            if (last <= start <= first + reach) or (first >= end and last <= end + after):
                assert (first, last) in near
    assert set(near) <= set(everywhere)
    assert near == sorted(near)
