"""The cheap pass hears identifiers near health words, in any spelling, and stays silent on prose."""

import sys
import time
import unicodedata

import pytest
import re2
from hypothesis import given
from hypothesis import strategies as st

from dlp.knowledge.mesh import load_mesh
from dlp.triage import cheap as cheap_pass
from dlp.triage.bare import is_at, is_in
from dlp.triage.cheap import SAMPLE, StrongWords, places_of
from dlp.triage.plain import plain, plain_bytes, staying
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


@pytest.mark.skipif(cheap_pass.LISTENING is None, reason="nothing is compiled")
@given(st.lists(MIXED, max_size=3), st.integers(0, 40))
def test_the_kernel_folds_every_stretch_that_may_change(texts, before):
    texts = ["x" * before + "".join(pieces) for pieces in texts]
    found = cheap_pass.LISTENING.plain_bytes(texts, plain, staying())
    assert found is None or found == plain("\n".join(texts)).encode("utf-8", "replace")
    assert found is not None or sum(map(len, texts)) > 64


@pytest.mark.skipif(cheap_pass.LISTENING is None, reason="nothing is compiled")
@pytest.mark.parametrize("sign", ["\ufdfa", "\u2026", "e\u0301", "\U0001d400", "\ud800"])
def test_many_signs_that_change_are_left_to_python(sign):
    """There is no room for all that some become, and one by one they would take long."""
    for text in (sign * 5000, (sign + "x") * 5000, f"жив {sign}" * 5000, "ж" + sign * 60):
        found = cheap_pass.LISTENING.plain_bytes([text], plain, staying())
        assert found in (None, plain(text).encode("utf-8", "replace"))
        assert plain_bytes([text]) == plain(text).encode("utf-8", "replace")
    assert cheap_pass.LISTENING.plain_bytes([(sign + "x") * 5000], plain, staying()) is None


def test_a_sign_stays_only_if_unicode_neither_changes_nor_joins_it():
    pairs = (unicodedata.decomposition(chr(point)).split() for point in range(sys.maxunicode + 1))
    seconds = {int(pair[1], 16) for pair in pairs if len(pair) == 2 and pair[0][0] != "<"}
    seconds |= {*range(0x1161, 0x1176), *range(0x11A8, 0x11C3)}  # Hangul composes by rule
    stays = [point for point, kept in enumerate(staying()) if kept]
    assert not seconds.intersection(stays)
    for sign in map(chr, stays):
        assert plain(sign) == sign
        assert unicodedata.combining(sign) == 0
    assert set(map(ord, "aZ9 é’—ñжя患者환")) <= set(stays)


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


LISTED = sorted(
    [
        "gum",
        "gum disease",
        "blood clot",
        "blood clots",
        "x-ray",
        "x-rays",
        "b.i.d.",
        "c/o",
        "c/o x",
        "mri",
        "alérgica",
        "al",
        "úlcera",
        "úlcera gástrica",
        "患者",
        "患者b",
        "follow-up visit",
        "a1c",
    ]
)
LOUD = st.sampled_from(
    [
        *LISTED,
        "GUM",
        "Blood-Clots",
        "blood \n- clot",
        "disease",
        "ÚLCERA",
        "B.I.D.",
        "x",
        "_",
        "-",
        " ",
        "\n",
        "\x0b",
        "\f",
        ".",
        "é",
        "者",
        "\x00",
        "ə",
        "follow",
        "visit",
        "a",
        "\ud800",
    ]
)


@pytest.mark.skipif(cheap_pass.LISTENING is None, reason="nothing is compiled")
@given(st.lists(st.one_of(LOUD, st.text(max_size=3)), max_size=40), st.sampled_from(["", " "]))
def test_the_kernel_finds_strong_words_where_re2_does(pieces, between):
    words = StrongWords(LISTED)
    raw = between.join(pieces).encode("utf-8", "replace")
    assert words._listed is not None
    assert list(words.places(raw)) == list(places_of(words._pattern, raw.lower()))


@pytest.mark.skipif(cheap_pass.LISTENING is None, reason="nothing is compiled")
@pytest.mark.parametrize("sign", ["", "#"])
def test_the_kernel_finds_words_of_every_length_at_every_place(sign):
    """It looks at 64 bytes at a time, and at the first and last eight of a word."""
    lengths = [1, 2, 7, 8, 9, 15, 16, 17, 70]
    listed = ["abcdefghijklmnopqrstuvwxyz_0123456789"[:length] * 2 for length in lengths]
    words = StrongWords([*listed, "gum disease", *([f"{sign}abcd"] if sign else []), "éabc"])
    assert words._listed is not None
    for word in (*listed, "gum -disease", f"{sign}abcd", "éabc"):
        for before in range(0, 130, 3):
            for text in ("-" * before + word, "x" * before + " " + word.upper() + " -é" + word):
                raw = text.encode()
                assert [*words.places(raw)] == [*places_of(words._pattern, raw.lower())]


@pytest.mark.parametrize("word", ["é", "é bc", "gum -x", "gum  x"])
def test_what_the_kernel_cannot_find_is_left_to_re2(word):
    words = StrongWords(["asthma", word])
    assert words._listed is None
    text = f"Asthma and {word}".encode()
    assert [text[start:end].decode() for start, end in words.places(text)] == ["Asthma", word]


def test_every_pattern_finds_something_in_the_sample_it_is_warmed_with(cheap):
    patterns = (
        *(cheap._direct, cheap._identifier, cheap._contact, cheap._shapes, cheap._everyday),
        cheap._anything,
    )
    assert all(pattern.search(SAMPLE) for pattern in patterns)
    cheap.warm()


@given(st.binary(max_size=20), st.integers(0, 20))
def test_re2_says_yes_or_no_as_it_finds_a_match(raw, place):
    pattern = re2.compile(rb"(?i)\ba|[0-9b]\b")
    place = min(place, len(raw))

    class Public:  # of a release whose inner door is closed
        search, match = pattern.search, pattern.match

    found = pattern.search(raw) is not None
    assert is_in(pattern, raw) is is_in(Public(), raw) is found
    begins = pattern.match(raw, place) is not None
    assert is_at(pattern, raw, place) is is_at(Public(), raw, place) is begins
