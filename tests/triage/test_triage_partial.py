"""The first 200 words and the title give the reasons of the study's table, in both rule sets."""

import re
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlp.model import Container, Gap, GapCode
from dlp.triage import partial
from dlp.triage.partial import Keywords, head_of, squeeze
from dlp.triage.rules import read_categories
from tests.triage.triage_files import case_of

FILLER = "The grey horse walked along the river until the bells had stopped. "


@pytest.mark.parametrize(
    "start,reason",
    [
        ("ISBN 0-00-000000-0. " + FILLER, "publishable"),
        ("Abstract. We show a bound. " + FILLER, "publishable"),
        ("Term paper, due Monday. " + FILLER, "educational"),
        ("Lyrics: la la la. " + FILLER, "non-personal"),
        ("Gandalf opened the door. " + FILLER, "non-personal"),
        ("GNU General Public License, version 3. " + FILLER, "publishable"),
    ],
)
def test_one_telling_word_is_enough(default, start, reason):
    case = default.run(case_of(start))
    assert (case.container, case.reason, case.settled) == (Container.IMPOSSIBLE, reason, True)


def test_one_ordinary_word_is_not(default):
    case = default.run(case_of("My story is short. " + FILLER))
    assert not case.settled
    assert case.container is None


def test_two_ordinary_words_are(default):
    assert default.run(case_of("The story of our hero. " + FILLER)).reason == "publishable"


def test_the_title_counts(default):
    assert default.run(case_of(FILLER, "summer cookbook.txt")).reason == "publishable"
    assert default.run(case_of(FILLER, title="A cookbook")).reason == "publishable"


def test_word_201_does_not(default):
    early, late = "horse " * 199 + "isbn", "horse " * 200 + "isbn"
    assert default.run(case_of(early)).settled
    assert not default.run(case_of(late)).settled


def test_a_word_inside_another_does_not(default):
    assert not default.run(case_of("novelty isbnx copyrighted. " + FILLER)).settled


def test_the_study_needs_no_silence(study, default):
    text = "Introduction. Patient: Greta Lindqvist, DOB 03/04/1951, has diabetes. "
    assert study.run(case_of(text)).reason == "publishable"
    assert not default.run(case_of(text)).settled


def test_the_study_takes_a_title_at_its_word(study, default):
    text = "Patient: Greta Lindqvist, DOB 03/04/1951, has diabetes. "
    assert study.run(case_of(text, "Pride and Prejudice.txt")).reason == "published title"
    assert not default.run(case_of(text, "Pride and Prejudice.txt")).settled


def test_the_study_screens_no_titles(study, default):
    case = case_of("Abstract. " + FILLER, "referral.txt")
    assert study.run(case).settled
    sent = default.run(case)
    assert not sent.settled
    assert sent.facts["straight_to_deep"]


def test_no_text_is_no_container_but_a_gap_stays(default):
    gap = Gap(GapCode.NEEDS_OCR, "page:1")
    case = default.run(case_of("  ", "photo 1.png", gaps=[gap], media_type="image/png"))
    assert (case.container, case.reason) == (Container.IMPOSSIBLE, "not text")
    assert case.gaps == (gap,)


def test_a_file_nobody_could_read_is_left_alone(default):
    case = case_of("").but(document=None).with_gap(GapCode.ENCRYPTED, "body")
    assert default.run(case).container is None
    assert not default.run(case).settled


@given(st.text(st.sampled_from("abZ1é_.:/'-\u2019 ,\n("), max_size=40))
def test_squeezed_words_keep_one_sign_within_and_none_at_their_edges(text):
    words = squeeze(text).split(" ") if squeeze(text) else []
    assert all(word[0].isalnum() and word[-1].isalnum() for word in words)
    assert not any(re.search(r"[.:/'-]{2}", word) for word in words)
    letters = "".join(char for char in text.lower() if char.isalnum())
    assert "".join(char for word in words for char in word if char.isalnum()) == letters
    assert squeeze(" ".join(words)) == " ".join(words)


PIECES = st.sampled_from(
    [
        "and/or",
        "x-ray",
        "a_b",
        "it's",
        "a--b",
        "1.2.",
        ":",
        "Ab",
        "\x1c",
        "\t ",
        "\x7f",
        "é",
        "’",
        "w" * 4500,
    ]
)
TEXTS = st.lists(st.lists(st.one_of(PIECES, st.text(max_size=4)), max_size=260), max_size=3)


KEYWORDS = Keywords(read_categories(), "default")
TERMS = [term for term, _ in KEYWORDS._terms]
TOKENS = sorted({word for term in TERMS for word in term.split()})[::7]


class Unaided(Keywords):
    """The same without its kernel."""

    def __init__(self, categories, rule_set):
        super().__init__(categories, rule_set)
        self._lists = None


UNAIDED = Unaided(read_categories(), "default")


def finds_the_same(titles, texts):
    aided = KEYWORDS._found(titles, texts)
    return sorted(aided, key=repr) == sorted(UNAIDED._found(titles, texts), key=repr)


@pytest.mark.skipif(partial.TALLY is None, reason="nothing is compiled")
@given(TEXTS, st.sampled_from(["", " ", " . "]))
def test_the_kernel_takes_the_same_first_words(lists, between):
    takes_the_same([between.join(pieces) for pieces in lists])


PLAIN = st.one_of(
    st.sampled_from(["a.b", "'", "-", "it's", " ", "\n", "\x1c", "_", "\0", "* ", "x" * 63, "Ab "]),
    st.text("aB9_.:/'- \t", max_size=5),
)


@pytest.mark.skipif(partial.TALLY is None, reason="nothing is compiled")
@given(st.lists(PLAIN, max_size=400), st.integers(0, 70), st.integers(1, 40))
def test_the_kernel_cuts_plain_text_as_the_pattern_does(pieces, before, times):
    """It looks at 64 signs at a time, and at no more than 200 words or stretches."""
    takes_the_same(["." * before + "".join(pieces) * times])


def takes_the_same(texts):
    assert finds_the_same(["A title"], texts)
    # every word a term of its own, so that none is passed over
    words = head_of(["A title"], texts).split(" ")
    terms = list(dict.fromkeys(filter(None, words)))
    numbers = partial.TALLY.WordList({word: number for number, word in enumerate(terms, 1)})
    head = partial.TALLY.Head(numbers)
    marks = head.marks(numbers, ["A title"], texts, partial.FIRST_WORDS, partial.HEAD_CHARS)
    if marks is not None:
        assert [terms[mark - 1] for mark in marks] == [word for word in words if word]


@pytest.mark.skipif(partial.TALLY is None, reason="nothing is compiled")
@given(
    st.lists(
        st.lists(st.one_of(st.sampled_from(TERMS), st.sampled_from(TOKENS)), max_size=20),
        max_size=3,
    ),
    st.sampled_from([" ", "  ", " x ", "\U0001f600", "\u0130", " \u03a3", "’"]),
    st.integers(0, 2),
)
def test_the_kernel_finds_the_terms_that_the_automaton_finds(lists, between, titles):
    texts = [between.join(pieces) for pieces in lists]
    assert finds_the_same(texts[:titles], texts[titles:])


@pytest.mark.skipif(partial.TALLY is None, reason="nothing is compiled")
def test_a_sign_counts_in_small_letters_if_it_counts():
    small = partial.TALLY.small_letter
    signs = [chr(point) for point in range(sys.maxunicode + 1) if chr(point) != "\u0130"]
    assert all(sign.isalnum() == small(sign).isalnum() for sign in signs)


def test_a_head_without_room_is_read_all_the_same():
    assert KEYWORDS.group_of(["x" * 20_000], ["isbn 1"]) == "publishable"
    assert KEYWORDS.group_of([], ["w" * 4500] * 6 + ["isbn 1"]) == "publishable"
