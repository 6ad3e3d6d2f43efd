"""A value says of its label: it holds, it does not, or nobody answered."""

import pytest

from dlp.text.answers import State, is_answer, state_of


@pytest.mark.parametrize("value", ["Yes", "Y", "x", "X", "1", "true", "positive", "pos", "present", "Yes - inhaler", "(Yes) / No", "**Y** N", "Yes / ~~No~~", "[Yes] No"])  # fmt: skip
def test_a_yes_states_the_label(value):
    assert state_of(value) is State.STATED


@pytest.mark.parametrize("value", ["No", "N", "none", "None known", "nil", "0", "false", "negative", "denies", "No, never", "never", "Yes / (No)", "Y [N]", "~~Yes~~ No", "No known allergies", "not detected", "Off"])  # fmt: skip
def test_a_no_denies_the_label(value):
    assert state_of(value) is State.DENIED


@pytest.mark.parametrize("value", ["", "  ", "______", "..........", "[      ]", "__/__/____", "n/a", "N/A", "-", "?", "Yes / No", "Y/N", "Yes No", "unknown", "pending", "Yes  No  N/A"])  # fmt: skip
def test_a_blank_or_an_unmarked_choice_leaves_it_open(value):
    assert state_of(value) is State.UNANSWERED


@pytest.mark.parametrize("value", ["asthma", "since 2010", "Norwegian", "Yesterday", "nothing but trouble with my knee since May", "17", "No 4 Mill Lane", "insulin, none since June"])  # fmt: skip
def test_other_words_are_content_of_their_own(value):
    assert state_of(value) is None


def test_a_column_of_answers_is_told_from_a_column_of_words():
    assert all(map(is_answer, ["Y", "N", "", "0", "1", "n/a"]))
    assert not is_answer("asthma")
