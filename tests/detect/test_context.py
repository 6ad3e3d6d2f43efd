"""A health word is taken as it is meant: denied, of a relative, past, feared, or of nobody."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlp.text.context import load_contexts
from dlp.text.sentences import sentence_starts


def context_of(text, term):
    start = text.index(term)
    (answer,) = load_contexts("en").of(text, [(start, start + len(term))])
    return set(answer)


@pytest.mark.parametrize("text,term,wanted", [
    ("She has diabetes.", "diabetes", set()),
    ("She denies chest pain.", "chest pain", {"negated"}),
    ("No evidence of pneumonia.", "pneumonia", {"negated"}),
    ("Pneumonia was ruled out.", "Pneumonia", {"negated"}),
    ("HIV test came back negative.", "HIV test", {"negated"}),
    ("No fever, but she has a cough.", "cough", set()),
    ("No fever. Severe cough.", "cough", set()),
    ("No fever\nSevere cough", "cough", set()),
    ("Her mother had breast cancer.", "breast cancer", {"family"}),
    ("Breast cancer runs in the family.", "Breast cancer", {"family"}),
    ("History of asthma.", "asthma", {"historical"}),
    ("Stroke three years ago.", "Stroke", {"historical"}),
    ("Return if fever develops.", "fever", {"hypothetical"}),
    ("Rule out tuberculosis.", "tuberculosis", {"hypothetical"}),
    ("Possible appendicitis.", "appendicitis", {"uncertain"}),
    ("Patients with diabetes should eat well.", "diabetes", {"general"}),
    ("Sees her family doctor for gout.", "gout", set()),
    ("Gram-negative sepsis.", "sepsis", set()),
    ("Not only asthma but eczema.", "asthma", set()),
    ("Diabetes: no", "Diabetes", {"negated"}),
])  # fmt: skip
def test_context(text, term, wanted):
    assert context_of(text, term) == wanted


def test_a_cue_reaches_only_so_far():
    far = "No " + "word " * 30 + "asthma."
    assert context_of(far, "asthma") == set()


def test_doctor_is_no_end_of_a_sentence():
    text = "Seen by Dr. Smith today. Fine."
    assert [text[i:][:4] for i in sentence_starts(text)] == ["Seen", "Fine"]


@given(st.text(max_size=200))
def test_sentences_cover_the_text_in_order(text):
    starts = sentence_starts(text)
    assert starts[0] == 0
    assert list(starts) == sorted(set(starts))
    assert all(start < max(1, len(text)) for start in starts)


@given(
    st.lists(
        st.sampled_from(["no", "asthma", "but", "mother", ".", "\n", "if", "x" * 30]), max_size=40
    )
)
def test_any_text_has_an_answer_for_every_place(words):
    text = " ".join(words)
    places = [(i, i + 6) for i in range(len(text)) if text.startswith("asthma", i)]
    assert len(load_contexts("en").of(text, places)) == len(places)
