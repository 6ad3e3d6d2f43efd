"""A term goes over blanks, dashes and one line's end; other signs break it, and commas are told."""

import pytest

from dlp.knowledge.health import BROKEN, Gaps
from dlp.knowledge.phrases import points_of, words_in


@pytest.mark.parametrize(
    "text, crossed",
    [
        ("renal failure", 0),
        ("renal-failure", 0),
        ("renal\nfailure", 0),
        ("renal\n\nfailure", BROKEN),
        ("renal; failure", BROKEN),
        ("renal. Failure", BROKEN),
        ("renal.failure", 0),
        ("E. coli", 0),
        ("fever, yellow", 1),
        ("fever, (yellow", BROKEN),
        ("fever\u2013yellow", 0),
        ("fever\u2122 yellow", BROKEN),
        ("fever \U0001f600 yellow", BROKEN),
    ],
)
def test_what_stands_between_two_words(text, crossed):
    points = points_of(text)
    assert Gaps(points, words_in(points)).crossed(0, 1) == crossed


def test_a_break_further_on_breaks_the_run():
    points = points_of("acute renal failure. Type two")
    gaps = Gaps(points, words_in(points))
    assert [gaps.crossed(0, last) for last in range(1, 5)] == [0, 0, BROKEN, BROKEN]
