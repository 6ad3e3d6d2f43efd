"""A person is found by what stands around the name or by the dictionaries, and told by role."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlp.detect.mentions import find_names
from dlp.detect.tokens import tokenise
from dlp.knowledge.hashing import hash_words, words_of
from dlp.model import Kind


def people(text):
    return {text[m.start : m.end]: m.role for m in find_names(text) if m.kind is Kind.PERSON}


@pytest.mark.parametrize(
    "text, name, role",
    [
        ("Yesterday our daughter Imogen was tired.", "Imogen", "relative"),
        ("His wife, Carol, drove him.", "Carol", "relative"),
        ("I, Peter Gale, want to state the following.", "Peter Gale", "author"),
        ("my name is Zorblax Quux", "Zorblax Quux", "author"),
        ("Hello, it's Martha again.", "Martha", "author"),
        ("Talk to you soon.\n\nSincerely,\n\nMaria Lopez", "Maria Lopez", "author"),
        ("Robert Kowalski was born in 1950.", "Robert Kowalski", "patient"),
        ("Jane D., a 55-year-old with asthma", "Jane D.", "patient"),
        ("Seen with Dr. John O'Brien today", "John O'Brien", "clinician"),
        ("Mrs. Okonjo-Abara called.", "Okonjo-Abara", ""),
        ("Patient: SMITH, JOHN\nDOB: 1/1/1970", "SMITH, JOHN", "patient"),
        ("Name: Aoife Brennan", "Aoife Brennan", "patient"),
        ("Re: Daniel Fraser\nThank you for referring him.", "Daniel Fraser", "patient"),
        ("Dear Helen,\nthe results are here.", "Helen", "correspondent"),
        ("From: Kevin Marsh <k@example.org>", "Kevin Marsh", "author"),
        ("Alice Moore, MD", "Alice Moore", "clinician"),
        ("Tom Reed RN gave the injection", "Tom Reed", "clinician"),
        ("patient john smith, lives in boston", "john smith", "patient"),
        ("PATIENT WAS SEEN BY DR. JOHN SMITH IN CLINIC", "JOHN SMITH", "clinician"),
        ("Maria de la Cruz was admitted", "Maria de la Cruz", "patient"),
        ("we met Jennifer Caldwell in the shop", "Jennifer Caldwell", "other"),
    ],
)
def test_a_pattern_finds_the_name_and_its_role(text, name, role):
    assert people(text).get(name) == role


@pytest.mark.parametrize(
    "text",
    [
        "Parkinson's disease with a Foley catheter; Hodgkin lymphoma; Bell's palsy.",
        "The Chaddock reflex and the Zorblax sign were absent.",
        "He lives at 123 King Edward Ave.",
        "Johnson & Johnson makes it.",
        "Will May Reading go?",
        "Toronto, Ontario",
        "Patients with diabetes should exercise. Evaluation of outcomes.",
        "Major depression. General appearance normal. Private room.",
    ],
)
def test_things_are_no_people(text):
    assert people(text) == {}


@given(st.text(alphabet=st.sampled_from("Dr. JohnSmithéß'’-,:\nMary \u200bÅ9(X"), max_size=200))
def test_spans_lie_inside_the_text_and_do_not_cross(text):
    end = 0
    for mention in find_names(text):
        assert end <= mention.start < mention.end <= len(text)
        end = mention.end


@given(st.text(max_size=80))
def test_words_are_cut_and_hashed_as_the_dictionaries_do(text):
    tokens = tokenise(text)
    words = [text[a:b] for a, b in zip(tokens.starts, tokens.ends, strict=True)]
    assert hash_words(words).tolist() == tokens.hashes.tolist()
    if text.isascii() and "_" not in text and "`" not in text and "'" not in text:
        assert words == words_of(text)
