"""Words found by the kernel are those that RE2 finds list by list."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dlp.detect.identify import cues as subject
from dlp.detect.identify.cues import KERNEL, Cues, any_word
from dlp.detect.identify.finder import default_finder
from dlp.detect.identify.prefilter import Words
from dlp.detect.spans import spans

LISTS: list[tuple[str, ...]] = [
    ("health", "health card", "health card number", "card"),
    ("health card", "health no", "%", "ss#", "hc#", "c.f."),
    ("ni number", "ahv-nr", "carte d'assurance", "in", "on", "l"),
    ("teléfono", "tel", "straße", "身份证", "n° ss"),
    ("ſin", "kin"),
    ("under_score", "kg"),
    (),
    *(rule.context for rule in default_finder().rules[::5]),
    *(rule.against for rule in default_finder().rules[::5]),
]
CUES = Cues(LISTS, [True] * len(LISTS))
PIECES = [word for words in LISTS for word in words]
ODD = [
    "\u212ag",
    "\u017fin",
    "TELÉFONO",
    "x",
    "_",
    "-",
    ".",
    "%",
    "#",
    "é",
    "😀",
    "\ud800",
    "a" * 200,
]
GAPS = ["", " ", "  ", "\n\t ", "    ", "\u00a0", "-", "12 "]
TEXTS = st.lists(
    st.tuples(
        st.sampled_from(PIECES) | st.sampled_from(ODD) | st.text(max_size=3),
        st.sampled_from(GAPS),
        st.booleans(),
    ),
    max_size=14,
).map(lambda some: "".join((w.upper() if loud else w) + gap for w, gap, loud in some))
needs_kernel = pytest.mark.skipif(KERNEL is None, reason="no kernel here")


@needs_kernel
@settings(deadline=None, max_examples=300)
@given(TEXTS, st.integers(0, 60), st.integers(0, 300), st.lists(st.integers(0, 200), max_size=8))
@example("Health  Card number", 0, 300, [8, 10])
@example("", 0, 0, [])
@example("xin", 1, 3, [3, 3])
@example("12 home road 13", 0, 15, [0, 12, 13, 15])
@example("x" * 36 + " TELÉFONO", 0, 46, [0, 31])  # "tel" is no word of it, however near
def test_kernel_and_patterns_agree(text: str, start: int, size: int, cuts: list[int]) -> None:
    raw = text.encode("utf-8", "replace")
    window = (min(start, len(raw)), min(start + size, len(raw)))
    places = sorted(min(cut, len(raw)) for cut in cuts)
    values = [(a, b) for a, b in zip(places[::2], places[1::2], strict=False) if a < b]
    values = [(a, b) for a, b in values if a >= window[0]]
    reading = CUES.of(raw, window)
    for number, words in enumerate(LISTS):
        pattern = any_word(words)
        wanted = spans(pattern, raw, *window) if pattern is not None else []
        assert reading.has(number) == bool(wanted)
        found = reading.near(number, values, 20, 9)
        assert set(found) <= set(wanted)
        assert found == sorted(found)
        for a, b in values:
            assert Words(found).near(a, b, 20, 9) == Words(wanted).near(a, b, 20, 9)


def test_without_a_kernel_the_patterns_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subject, "KERNEL", None)
    cues = Cues([("health card", "nhs"), ()], [True, False])
    reading = cues.of(b"NHS 12 health \n card", (0, 20))
    assert cues.index is None
    assert reading.has(0)
    assert not reading.has(1)
    assert reading.near(0, [(4, 6)], 48, 24) == [(0, 3), (7, 20)]
    assert reading.near(1, [(4, 6)], 48, 24) == []


@needs_kernel
def test_too_many_words_are_left_to_the_patterns() -> None:
    cues = Cues([tuple(f"w{number}" for number in range(5000)), ("a" * 99,)], [True, True])
    assert cues.index is None
    assert cues.of(b"see W4999", (0, 9)).has(0)


def test_lists_whose_words_may_overlap_are_read_as_a_whole() -> None:
    cues = Cues([["teléfono", "phone", "telephone"], ["rue de", "de la"], ["é s", "s t"]], [])
    assert [cues.can_be_parted(number) for number in range(3)] == [True, False, False]


@given(
    st.lists(st.sampled_from(("teléfono", "despué", "phone", " ", "s", "x", "12")), max_size=30),
    st.integers(0, 9),
    st.integers(0, 9),
)
def test_what_is_near_values_is_found_near_them(pieces: list[str], reach: int, after: int) -> None:
    words = ["teléfono", "phone", "después"]
    cues = Cues([words], [False])
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
