"""A looser twin is never silent where its pattern matches, and needs no counting."""

from __future__ import annotations

import pytest
import re2
from hypothesis import given, settings
from hypothesis import strategies as st

from dlp.detect.identify.finder import default_finder
from dlp.detect.identify.loose_pattern import loosened

RULES = default_finder().rules
PAIRS = {
    rule.id: (re2.compile(rule.pattern), re2.compile(loosened(rule.pattern))) for rule in RULES
}


@settings(deadline=None, max_examples=400)
@given(st.data())
def test_where_a_pattern_matches_its_twin_does(data: st.DataObject) -> None:
    rule = data.draw(st.sampled_from(RULES))
    text = data.draw(st.sampled_from(rule.match)).text
    place = data.draw(st.integers(0, len(text)))
    added = data.draw(st.text("0aA -.,/:@é\n", max_size=4))
    changed = text[:place] + added + text[place + data.draw(st.integers(0, 2)) :]
    pattern, twin = PAIRS[rule.id]
    if pattern.search(changed):
        assert twin.search(changed)


@pytest.mark.parametrize(
    "pattern, twin",
    [
        (r"\b(?:[A-Z]{1,20},)?MD\d{5}(?:-\d{4})?", r"MD(?:[\d]){5,5}"),
        (r"\b\d{1,9}x", r"\b(?:[\d])+x"),
        (r"(?i)ab{2,40}c", r"(?i)a(?:b){2,}c"),
        (r"a?", r"(?:a){0,1}"),
        (r"(?i:mr)n", r"(?i:mr)n"),
    ],
)
def test_ends_go_and_counts_become_loops(pattern: str, twin: str) -> None:
    assert loosened(pattern) == twin


@pytest.mark.parametrize("pattern", [r"\pL{1,30}x", r"[[:alpha:]]{1,30}", r"a{1,30}$"])
def test_what_cannot_be_read_stays(pattern: str) -> None:
    assert loosened(pattern) == pattern
