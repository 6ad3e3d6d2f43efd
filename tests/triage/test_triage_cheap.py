"""The cheap pass hears identifiers near health words, in any spelling, and stays silent on prose."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlp.knowledge.mesh import load_mesh
from dlp.triage import cheap as cheap_pass
from dlp.triage.cheap import SAMPLE, plain, plain_bytes
from tests.triage.triage_files import DIAGNOSIS, novel

FAR = " The river ran on past the mill and nobody spoke." * 30


@pytest.mark.parametrize(
    "text",
    [
        "Dr. Merriweather said the child had a fever, and stayed the night.",
        "The heart of the matter is that death comes to us all, said Mr. Abernathy.",
        "Call 1-800 or write to info@example.org about your order.",
        "The museum, 12 Elm Street, Tulsa, OK 74103, opens at nine.",
        "Diabetes is a disease with many forms.",
        "",
    ],
)
def test_prose_is_silent(cheap, text):
    assert cheap.listen([text + FAR]).silent


@pytest.mark.parametrize(
    "text,why",
    [
        ("DOB 03/04/1951 MRN 4471023", "direct"),
        ("SSN: 078-05-1120", "direct"),
        ("Patient Name: x", "direct"),
        ("date of birth: 3 April 1951", "direct"),
        ("Geburtsdatum: 03.04.1951", "direct"),
        ("Fecha de nacimiento: 03/04/1951", "direct"),
        ("Re: Samir Gupta, 03/04/1951", "direct"),
        ("I, Samir Gupta, of Tulsa, make this statement under oath.", "direct"),
        ('{"resourceType": "Patient"}', "direct"),
        ("Samir Gupta has diabetes.", "near"),
        ("GUPTA, SAMIR leukaemia", "near"),
        ("My daughter has leukaemia.", "near"),
        ("pt c/o pain, hx CHF", "near"),
        ("Samir Gupta takes zolpidazolam daily.", "near"),
        ("He lives at 12 Elm Street, Tulsa, and his fever is back.", "near"),
        ("Sick since Monday, phone (613) 555-0142.", "near"),
        ("asthma, eczema, sepsis, anemia, gallstones, melanoma", "dense"),
    ],
)
def test_a_person_and_a_health_matter_are_heard(cheap, text, why):
    quiet = FAR if why != "dense" else ""
    heard = cheap.listen([quiet + " " + text + " " + quiet])
    assert (heard.silent, heard.why) == (False, why)


def test_a_name_out_of_reach_of_the_health_word_is_silent(cheap):
    assert cheap.listen(["Samir Gupta came in." + FAR + " Then asthma was named."]).silent


@pytest.mark.parametrize("mark", ["\u00ad", "\u200b", "\ufeff", "\u2060"])
def test_invisible_characters_do_not_deafen(cheap, mark):
    text = mark.join("Samir Gupta has leukaemia")
    assert not cheap.listen([FAR + text + FAR]).silent


def test_wide_letters_do_not_deafen(cheap):
    wide = "".join(chr(ord(c) + 0xFEE0) if c.isalnum() else c for c in "MRN 4471023")
    assert not cheap.listen([FAR + wide]).silent


@given(st.integers(0, 60), st.integers(0, 2000))
def test_the_place_does_not_matter(cheap, pages, cut):
    text = novel(pages)
    place = min(cut * (1 + pages), len(text))
    assert not cheap.listen([text[:place], DIAGNOSIS, text[place:]]).silent


@given(st.lists(st.text(max_size=200), max_size=3))
def test_any_text_is_heard_without_an_error(cheap, texts):
    cheap.listen(texts)


@pytest.mark.parametrize("unit", ["a", "1", " ", "A a ", "\n", "asthma ", "né le ", "12 Ab ", "'"])
def test_no_text_is_slow(cheap, unit):
    text = unit * (1_000_000 // len(unit))
    started = time.process_time()
    cheap.listen([text])
    assert time.process_time() - started < 3


def test_nine_of_ten_diseases_of_mesh_are_heard_beside_a_name(cheap):
    mesh = load_mesh()
    names = [
        " ".join(reversed(mesh.name(i).split(", ")))
        for i in range(len(mesh))
        if any(p.startswith("C") and not p.startswith("C22") for p in mesh.tree_numbers(i))
    ]
    missed = sum(cheap.listen([f"{FAR} Samir Gupta has {name}.{FAR}"]).silent for name in names)
    assert len(names) > 4000
    assert missed < 0.1 * len(names)


# an accent behind its letter, Hangul in pieces, ligatures, signs drawn as nothing, beyond the BMP
SIGNS = "e\u0301\u0323\u00ad\u200b\ufeff\ufb01\u2026\u1100\u1161\u11a8\u0344\U0001d400\u0958\xa0’é\ud800"
MIXED = st.lists(
    st.one_of(st.text(SIGNS, max_size=3), st.text(max_size=2), st.just("plain x " * 5))
)


@given(st.lists(MIXED, max_size=3))
def test_texts_are_made_plain_in_places_as_in_one(texts):
    texts = ["".join(pieces) for pieces in texts]
    assert plain_bytes(texts) == plain("\n".join(texts)).encode("utf-8", "replace")


HEARD = st.sampled_from(
    [
        "fever ",
        "12 Elm Street, Tulsa ",
        "phone (613) 555-0142 ",
        "MRN 4471023 ",
        "Samir Gupta ",
        "40 mg ",
        "was prescribed ",
        "K1A 0B1 ",
        "arthritis ",
        "\n",
        "b",
        "1",
        "-",
        "é",
        FAR,
    ]
)


@given(st.lists(HEARD, max_size=8))
def test_patterns_are_heard_together_as_one_by_one(cheap, pieces):
    text = "".join(pieces)
    together = cheap.listen([text]).silent
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cheap_pass, "TOGETHER_BYTES", -1)
        assert cheap.listen([text]).silent is together


def test_every_pattern_finds_something_in_the_sample_it_is_warmed_with(cheap):
    patterns = (
        *(cheap._direct, cheap._identifier, cheap._contact, cheap._shapes, cheap._everyday),
        cheap._anything,
    )
    assert all(pattern.search(SAMPLE) for pattern in patterns)
    cheap.warm()
