"""What stands near a digit is enough for every pattern that needs one."""

from __future__ import annotations

from re import _parser as reader  # type: ignore[attr-defined]

import pytest
import re2
from hypothesis import given, settings
from hypothesis import strategies as st

from dlp.detect.fold import digits_for_letters
from dlp.detect.identify import prefilter
from dlp.detect.identify.around import RUN, Reach, reach_of, reaches_of
from dlp.detect.identify.finder import default_finder
from dlp.detect.identify.prefilter import Gate
from dlp.native import kernel

FINDER = default_finder()
GATE = Gate(FINDER.rules)
PATTERNS = [re2.compile(rule.pattern) for rule in FINDER.rules]
EXAMPLES = [example.text for rule in FINDER.rules for example in rule.match]
NEAR = kernel("windows")
compiled = pytest.mark.skipif(NEAR is None, reason="no compiler was at hand")
# prose, accents, signs beyond the BMP, letters that only look Latin, runs longer than any word
FILLER = st.sampled_from(
    (
        *(
            "",
            " ",
            "\n",
            "word ",
            "é" * 70,
            "\U0001f600 ",
            "\u212a\u017f",
            "A" + "b" * 90,
            "-" * 200,
        ),
        *("lorem ipsum dolor sit amet " * 12, "x" * (RUN + 1), "O'Neil-" * 9, "1", "__"),
    )
)
PIECES = st.lists(st.one_of(FILLER, st.sampled_from(EXAMPLES)), min_size=1, max_size=8)


@pytest.mark.parametrize(
    "pattern, reach",
    [
        (r"\bMRN[ :]{1,2}\d{6}\b", Reach(5, 6)),
        (r"(?:a|bcd)\d?e\d{2,3}x", Reach(5, 4)),
        (r"\d(?: [A-Z][a-z]*){1,3} St", Reach(0, 1 + 3 * (2 + RUN) + 3)),
        (r"x(?:ab\d|\d{4}-)y", Reach(3, 6)),
        (r"[a-z]{2}", None),
        (r"\d\s*x", None),
        (r"\d[^ ]*x", None),
    ],
)
def test_how_far_a_match_reaches(pattern: str, reach: Reach | None) -> None:
    assert reach_of(list(reader.parse(pattern))) == reach


@pytest.mark.parametrize("pattern", [r"\pN\d", "(", r"[[:digit:]]\d"])
def test_what_cannot_be_read_reaches_anywhere(pattern: str) -> None:
    assert reaches_of(pattern) == ((), ())


@settings(deadline=None, max_examples=60)
@given(PIECES)
def test_every_match_lies_within_the_reach_of_its_pattern(pieces: list[str]) -> None:
    text = "".join(pieces)
    longest = sum(len(run) for run in text.split() if len(run) > RUN)
    for rule, pattern in zip(FINDER.rules, PATTERNS, strict=True):
        whole = reaches_of(rule.pattern)[1]
        for found in pattern.finditer(text) if whole else ():
            digits = [place for place in range(*found.span()) if text[place] in "0123456789"]
            assert any(
                place - found.start() <= whole[0] + longest
                and found.end() - place <= whole[1] + longest
                for place in digits
            )


@compiled
@settings(deadline=None, max_examples=60)
@given(PIECES)
def test_a_rule_fires_where_its_pattern_matches(pieces: list[str]) -> None:
    raw = "".join(pieces).encode()
    wanted = {number for number, pattern in enumerate(PATTERNS) if pattern.search(raw)}
    assert wanted <= set(GATE.fired(raw))


@compiled
@settings(deadline=None, max_examples=100)
@given(st.one_of(PIECES.map("".join), st.text(max_size=300)))
def test_the_same_is_found_without_the_kernel(text: str) -> None:
    with_kernel = FINDER.find(text, 0.0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(prefilter, "NEAR", None)
        assert FINDER.find(text, 0.0) == with_kernel


@compiled
@settings(deadline=None, max_examples=100)
@given(
    st.text(st.sampled_from("09 a-é\n\U0001f600"), max_size=400),
    st.integers(0, 30),
    st.integers(1, 30),
)
def test_pieces_hold_what_is_near_a_digit(text: str, before: int, after: int) -> None:
    raw = text.encode()
    (near,) = NEAR.near_digits(raw, (Reach(before, after),))
    places = [place for place, one in enumerate(text) if one in "0123456789"]
    for place in places:
        piece = text[max(0, place - before) : place + after].encode()
        assert piece in near
    assert bool(near) == bool(places)


@compiled
def test_both_know_the_same_runs() -> None:
    assert NEAR.run == RUN
    raw = b"7" + b" a" * 40
    assert NEAR.near_digits(raw, (Reach(0, 3),)) == [b"7 a "]
    raw = b"7 " + b"a" * (RUN + 1) + b" bcd"
    assert NEAR.near_digits(raw, (Reach(0, 3),)) == [raw[: 4 + RUN + 1]]
    with pytest.raises(ValueError, match="near_digits"):
        NEAR.near_digits(raw, (Reach(1, 1),) * 9)


@compiled
@settings(max_examples=1000)
@given(st.text(st.sampled_from("019-OolIx_ é"), max_size=24))
def test_numbers_with_letters_are_not_overlooked(text: str) -> None:
    raw = text.encode()
    if digits_for_letters(raw) != raw:
        assert NEAR.has_mixed_number(raw)


@pytest.mark.skipif(NEAR is None, reason="no kernel here")
@given(st.lists(st.tuples(st.integers(0, 3 * RUN), st.sampled_from(" .,")), max_size=12))
def test_every_long_run_comes_on_top_and_no_other(runs: list[tuple[int, str]]) -> None:
    text = "".join("x" * size + sign for size, sign in runs)
    raw = ("7" + " " * 600 + text + " " * 600).encode()
    extra = sum(size for size, _ in runs if size > RUN)
    assert NEAR.near_digits(raw, (Reach(0, 1),)) == [raw[: 2 + extra]]
