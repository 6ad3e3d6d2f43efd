"""Findings of several languages never overlap, and folding is the same however it is done."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from dlp.detect.illness import health
from dlp.model import Kind
from dlp.text import folding

FINDINGS = st.lists(st.integers(0, 40), max_size=16, unique=True).map(
    lambda marks: [
        health.Finding(Kind.DISEASE, "r", 0, start, end, 0.9)
        for start, end in itertools.pairwise(sorted(marks))
    ][::2]
)


@given(FINDINGS, FINDINGS)
def test_words_of_the_own_language_come_before_all_that_touches_them(own, others):
    kept = health.without_overlap([*own], others)
    covered = {place for one in own for place in range(one.start, one.end)}
    clear = [one for one in others if covered.isdisjoint(range(one.start, one.end))]
    assert kept == sorted(own + clear, key=lambda one: one.start)


@given(st.text())
def test_folding_one_by_one_is_folding_at_once(text):
    table = {ord(char): folding.plain_letter(char) for char in text if not char.isascii()}
    assert folding.fold(text) == text.translate(table).lower()
