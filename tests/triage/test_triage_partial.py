"""The first 200 words and the title give the reasons of the study's table, in both rule sets."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlp.model import SET_ASIDE, Container, Gap, GapCode
from dlp.triage.partial import Keywords, squeeze
from dlp.triage.rules import read_categories
from dlp.triage.shortcut import LONG
from tests.triage.triage_files import case_of

FILLER = "The grey horse walked along the river until the bells had stopped. "
LONG_TEXT = FILLER * (LONG // len(FILLER) + 1)


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
    case = default.run(case_of(start + LONG_TEXT))
    assert (case.container, case.reason, case.settled) == (Container.IMPOSSIBLE, reason, True)


def test_a_short_text_is_read_whatever_its_first_words_say(default):
    case = default.run(case_of("ISBN 0-00-000000-0. " + FILLER))
    assert not case.settled
    assert case.facts[SET_ASIDE] == "publishable"


def test_one_ordinary_word_is_not(default):
    case = default.run(case_of("My story is short. " + FILLER))
    assert not case.settled
    assert case.container is None


def test_two_ordinary_words_are(default):
    assert default.run(case_of("The story of our hero. " + LONG_TEXT)).reason == "publishable"


def test_the_title_counts_together_with_the_text(default):
    told = "Recipes for the summer. " + LONG_TEXT
    assert default.run(case_of(told, "summer cookbook.txt")).reason == "publishable"
    assert default.run(case_of(told, title="A cookbook")).reason == "publishable"
    assert default.run(case_of(LONG_TEXT, "summer cookbook.txt")).reason == ""


def test_word_201_does_not(default):
    early, late = "horse " * 199 + "isbn " + LONG_TEXT, "horse " * 200 + "isbn " + LONG_TEXT
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


KEYWORDS = Keywords(read_categories(), "default")


def test_a_head_without_room_is_read_all_the_same():
    assert KEYWORDS.group_of(["x" * 20_000], ["isbn 1"]) == "publishable"
    assert KEYWORDS.group_of([], ["w" * 4500] * 6 + ["isbn 1"]) == "publishable"
