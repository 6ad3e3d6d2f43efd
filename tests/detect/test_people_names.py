"""A person is found by what stands around the name or by the dictionaries, and told by role."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dlp.detect.naming.lexicon import load_lexicon
from dlp.detect.naming.mentions import find_names
from dlp.detect.naming.tokens import tokenise
from dlp.knowledge.hashing import hash_words, words_of
from dlp.model import Kind


def named(text):
    return [text[m.start : m.end] for m in find_names(text)]


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


@settings(deadline=None)  # the first foreign letter builds the folding table
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


@pytest.mark.parametrize(
    "text",
    [
        "She was admitted in June and again in May, and since April has been at home.",
        "In April underwent surgery; in june underwent another.",
        "She retired in June, aged 64.",
        "In June (45) and until May (46) there were more.",
        "in June said the doctor, until August said the nurse",
        "Signed: June 3, 2020",
        "Attending: May 2019",
        "pt April 3 stable, male June 5th stable",
        "Last seen 12 May asked to return.",
        "mid-June underwent a scan",
    ],
)
def test_a_month_is_nobody(text):
    assert named(text) == []


@pytest.mark.parametrize(
    "text, name",
    [
        ("In June Robert Fraser was ill.", "Robert Fraser"),
        ("Her daughter April has asthma. We met in April.", "April"),
        ("Mrs. June Fraser came back in June.", "June Fraser"),
        ("The visit of April Thomas was cancelled.", "April Thomas"),
        ("Patient: June Fraser, seen June 3.", "June Fraser"),
        ("Patient April, 34 y/o female", "April"),
    ],
)
def test_who_is_called_like_a_month_is_found_once(text, name):
    assert named(text) == [name]


def test_an_origin_is_nobody():
    text = "Patient: {0}\nThe {0} man, a {0} Speaker, was seen. Ethnicity: {0}"
    origins = sorted(load_lexicon().origins)
    assert len(origins) > 500
    assert named("\n\n".join(text.format(one.capitalize()) for one in origins)) == []


@pytest.mark.parametrize(
    "text, aged",
    [
        ("Robert Fraser (45) came.", True),
        ("Robert Fraser, 45-year-old man", True),
        ("Robert Fraser 45M came.", True),
        ("Robert Fraser, 45 f, came.", True),
        ("Robert Fraser, (617) 555-0142", False),
        ("Robert Fraser, (617)", False),
        ("Robert Fraser (91) 98765 43210", False),
        ("Robert Fraser (020) 7946 0018", False),
        ("Robert Fraser, 617 m, came.", False),
    ],
)
def test_an_age_behind_a_name_is_no_telephone(text, aged):
    assert any("aged" in m.evidence for m in find_names(text)) == aged


@pytest.mark.parametrize(
    "text, name",
    [
        ("What's your last name? Brennan", "Brennan"),
        ("What is your name? Helen Fraser", "Helen Fraser"),
        ("Qorvat Umkhaz\n\n451 Harrow Lane\nApt. 3", "Qorvat Umkhaz"),
        ("Qorvat Umkhaz\n4519 P.O. Box 12", "Qorvat Umkhaz"),
    ],
)
def test_an_answer_and_a_line_above_an_address_are_people(text, name):
    assert named(text) == [name]


@pytest.mark.parametrize("text", ["What's your last name? Window", "Umkhaz Zorbax\n12 pieces"])
def test_other_answers_and_lines_are_nobody(text):
    assert named(text) == []


@pytest.mark.parametrize(
    "text, name",
    [
        ("advice for a 47yo f, mary r., seen at the clinic", "mary r."),
        ("a 58-year-old male, james brown, treated here", "james brown"),
        ("SHE WAS SEEN WITH MICHAEL BROWN, WHO IS HER SON", "MICHAEL BROWN"),
        ("she was seen by dr. emily white at the clinic", "emily white"),
        ("the notes are from dr. a. hale at the clinic", "a. hale"),
        ("NOTES FROM DR. L. WANG ON MONDAY", "L. WANG"),
        ("why is rebecca so tired of it?", "rebecca"),
        ("WHY IS REBECCA SO TIRED OF IT?", "REBECCA"),
        ("a 60-year-old male with stage 3 COPD, John Smith, who was seen", "John Smith"),
        ("THE LETTER IS FROM LINA ARTEMVOLA IN TOWN", "LINA ARTEMVOLA"),
        ("Trivomirko lives on a hill with his dog and is old.", "Trivomirko"),
    ],
)
def test_a_name_is_found_in_any_case(text, name):
    assert name in named(text)


@pytest.mark.parametrize(
    "text",
    [
        "what are the ada recommendations for a patient with diabetes?",
        "we moved here from new zealand and it was a long way",
        "she is at st. joseph's medical center in the town",
        "then james said, as he may, that it was not so",
        "the aria-label of the button is not in the page",
        "E assentaram-se diante da porta, os dois irmaos",
    ],
)
def test_what_only_looks_like_a_name_without_capitals_is_left(text):
    words = {"ada", "new zealand", "zealand", "joseph", "james said", "aria", "diante da"}
    assert not words & set(named(text))


@pytest.mark.parametrize("event", ["was admitted", "is in hospital", "has asthma", "suffers"])
@pytest.mark.parametrize(
    "aside",
    ["who works as a {work}", "who lives in Elko, Nevada", "a {work}", "of Dover", "54", "born 1961"],
)
def test_what_happened_may_stand_behind_an_aside(aside, event):
    for name, work in (("Anton Fuji", "cook"), ("Robert Fraser", "roofer"), ("Ruth Hale", "judge")):
        text = f"{name}, {aside.format(work=work)}, {event} in May."
        mention = next(m for m in find_names(text) if m.last == name.split()[1])
        assert mention.role == "patient", text
