"""The places the kernel names are enough: nothing is found without it that is not found with it."""

from __future__ import annotations

import pytest
import re2
from hypothesis import given, settings
from hypothesis import strategies as st

from dlp.detect.fold import fold
from dlp.detect.identify import beginnings, drafts, prefilter, spelling, starts
from dlp.detect.identify.automaton import DIGIT, LETTER, Automaton, Node, UnreadableError
from dlp.detect.identify.beginnings import beginnings_of
from dlp.detect.identify.finder import Finder, default_finder
from dlp.detect.identify.spelling import words_of
from dlp.detect.spans import spans_by_objects
from dlp.native import kernel

KERNEL = kernel("starts")
compiled = pytest.mark.skipif(KERNEL is None, reason="no compiler was at hand")
FINDER = default_finder()
RULES = FINDER.rules
PATTERNS = [re2.compile(rule.pattern) for rule in RULES]
EXAMPLES = [example.text for rule in RULES for example in rule.match]
EXAMPLES += [text for rule in RULES for text in rule.reject]
FILLER = (
    *("", " ", "\n", ". ", ", ", "word ", "é", "\U0001f600 ", "\u200b", "ÄÖ", "A" * 16, "-" * 70),
    *("lorem ipsum dolor sit amet " * 9, "Mr. Roe ", "1", "12.", "(", "@", "://", "no ", "is "),
    *("\0", "number ", "x" * 40, "Calle ", "c/ ", "Av. ", "s/n ", "license plate AB ", "Nº "),
)
PIECES = st.lists(st.one_of(st.sampled_from(EXAMPLES), st.sampled_from(FILLER)), max_size=9)


@st.composite
def pages(draw: st.DrawFn) -> str:
    """Examples and other pieces one after the other, some of their characters changed."""
    text = draw(st.sampled_from(("", " ", "\n"))).join(draw(PIECES))
    signs = st.sampled_from("0159aAkKxX -./:,@#'\"\n_éß\u2007")
    for place in draw(st.sets(st.integers(0, max(0, len(text) - 1)), max_size=6)):
        text = text[:place] + draw(signs) + text[place + 1 :]
    return text


@pytest.fixture(scope="module")
def twin() -> Finder:
    """The same rules, found by RE2 alone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(starts, "KERNEL", None)
        return Finder(RULES)


@compiled
@settings(deadline=None, max_examples=400)
@given(text=st.one_of(pages(), st.text(max_size=200)))
def test_the_same_is_found_by_reading_everything(twin: Finder, text: str) -> None:
    assert FINDER.find(text, 0.0) == twin.find(text, 0.0)


@compiled
@settings(deadline=None, max_examples=60)
@given(text=pages(), length=st.integers(20, 90))
def test_blocks_part_nothing(twin: Finder, text: str, length: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(prefilter, "BLOCK", length)
        if FINDER._spotter is not None:
            patch.setattr(FINDER._spotter, "block", length)
        assert FINDER.find(text, 0.0) == twin.find(text, 0.0)


@compiled
@settings(deadline=None, max_examples=200)
@given(pages())
def test_every_match_begins_at_a_named_place(text: str) -> None:
    raw = fold(text).text.encode("utf-8", "replace")
    walker, covered = starts.starts_of(*prefilter.together(RULES))
    named = {rule: set(places) for rule, places in walker.walk(raw, 0, len(raw))}
    for number, (rule, pattern) in enumerate(zip(RULES, PATTERNS, strict=True)):
        assert number in covered
        for found in pattern.finditer(raw) if rule.alone else ():
            # without a digit it is no number of a vehicle, whatever its pattern says
            if rule.id != "vin" or any(48 <= one < 58 for one in found[0]):
                assert found.start() in named.get(number, ()), rule.id


@compiled
@settings(deadline=None, max_examples=1500)
@given(
    st.lists(
        st.sampled_from(
            (
                *("a", "bc", "-", ".", "com", "org", "net", "nl", "ca", "co.uk", "nhs.uk", "info"),
                *("gov.au", "inf", "/", "/x", "é", "漢", "?", "!.", " ", ")", "9", "x" * 62, "_"),
            )
        ),
        max_size=14,
    ).map("".join),
    st.integers(0, 30),
)
def test_hosts_are_matched_as_re2_does(text: str, cut: int) -> None:
    raw = text.encode()
    limit = max(0, len(raw) - cut)
    number = next(number for number, rule in enumerate(RULES) if rule.id == "url-bare")
    walker, _ = starts.starts_of(*prefilter.together(RULES))
    places = dict(walker.walk(raw, 0, limit)).get(number, [])
    wanted = spans_by_objects(PATTERNS[number], raw, 0, limit, 0)
    assert walker.hosts(raw, places, 0, limit) == wanted


@compiled
def test_a_rule_nobody_can_read_is_tried_everywhere() -> None:
    rule = next(rule for rule in RULES if rule.id == "email")
    other = type(rule)(**{name: getattr(rule, name) for name in rule.__dataclass_fields__})
    object.__setattr__(other, "pattern", r"\pL+@\pL+\.\pL+")
    assert [hit.start for hit in Finder([other]).find("see a@b.c, é@f.g")] == [4, 11]


@compiled
def test_more_rules_than_the_tables_hold_are_found_without_them() -> None:
    many = Finder(RULES * 2)
    text = "DOB: 03/07/1961, MRN: KV-481902"
    assert many.find(text) == FINDER.find(text)


@compiled
def test_both_count_alike() -> None:
    assert KERNEL.most_ways == drafts.MOST_WAYS
    assert KERNEL.runs == beginnings.LONGEST_RUN
    assert KERNEL.second_runs == beginnings.LONGEST_SECOND
    assert (KERNEL.before, KERNEL.behind) == (beginnings.BEFORE, beginnings.BEHIND)
    assert (KERNEL.gap, KERNEL.far_gap) == (spelling.GAP, spelling.DEEP)
    assert KERNEL.longest_word > spelling.LONGEST_WORD
    assert drafts.BEHIND_VALUE == prefilter.AFTER


@compiled
@pytest.mark.parametrize("window", [(-1, 2), (2, 1), (0, 9)])
def test_a_window_beyond_the_text_is_refused(window: tuple[int, int]) -> None:
    walker, _ = starts.starts_of(*prefilter.together(RULES))
    with pytest.raises(IndexError):
        walker.walk(b"abc 123", *window)


def test_how_a_number_begins() -> None:
    (only,) = beginnings_of(r"\b[12]\d{2}-\d{4}\b")
    assert only.at == 1 << ord("1") | 1 << ord("2")
    lengths = [length for length, sets in enumerate(only.behind, 1) if all(sets)]
    assert lengths == [3]
    assert set(only.twice) == {(3, ord("-"), 4)}
    assert not only.starts[1], "a word before it"
    assert only.after == ()


def test_how_a_label_begins() -> None:
    (only,) = beginnings_of(r"(?i)\bchart(?:\sno)?[ :]{1,2}[A-Z]{0,2}\d+")
    assert only.words == ("chart",)
    assert only.inner == ("no",)
    assert only.before == 12


def test_what_follows_a_day() -> None:
    day, month = beginnings_of(r"\b(?:\d{1,2} (?:Jan|Feb)\b|Jan \d\d)")
    assert day.after == ("feb", "jan")
    assert month.words == ("jan",)


@pytest.mark.parametrize("pattern", [r"\pN\d", "(", r"(?=a)\d", r"[a-z]*\d", "abc"])
def test_what_may_begin_anywhere_has_no_beginning(pattern: str) -> None:
    assert beginnings_of(pattern) == []


def test_words_that_need_no_digit() -> None:
    words = words_of(r"(?i)\b(?:swift|bic): [A-Z]{8}")
    assert words is not None
    assert sorted(words) == ["bic", "swift"]
    assert words["bic"] == (1 << ord(":"), 1 << ord(" "))
    assert words_of(r"\d+ bic") is None
    assert words_of(r"\pL") is None


def test_an_automaton_knows_the_edges_of_words() -> None:
    automaton = Automaton(r"a\bb|a\b-")
    (step,) = automaton.steps(Node(automaton.start, in_word=False))[:1]
    after = automaton.steps(Node(step[1], in_word=True))
    assert all(not bits & (LETTER | DIGIT) for bits, _ in after)
    with pytest.raises(UnreadableError):
        Automaton(r"(?P<v>a)(?P=v)")
