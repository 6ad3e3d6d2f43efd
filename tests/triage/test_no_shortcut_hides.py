"""No title, keyword or language hides an identified diagnosis, wherever it stands."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlp.model import Container, GapCode
from tests.triage.triage_files import DIAGNOSIS, case_of, novel

FRENCH = (
    "Le conseil municipal se réunit tous les premiers jeudis du mois dans la grande salle de la "
    "mairie, et les habitants qui le souhaitent peuvent assister aux débats sans inscription. "
) * 12


def test_a_novel_without_a_secret_is_impossible(default):
    case = default.run(case_of(novel(300), "gh_7.txt"))
    assert (case.container, case.reason, case.settled) == (
        Container.IMPOSSIBLE,
        "publishable",
        True,
    )


def test_a_diagnosis_on_page_300_of_a_novel_is_carried_on(default):
    case = default.run(case_of(novel(310, DIAGNOSIS, page=300), "gh_7.txt"))
    assert not case.settled
    assert case.container is Container.POSSIBLE
    assert case.facts["withheld"] == ("publishable",)


def test_a_published_title_with_quiet_text_is_impossible(default):
    text = "Pride and Prejudice\n\n" + "It was a quiet night. " * 3000
    case = default.run(case_of(text, "Pride and Prejudice.txt"))
    assert (case.container, case.reason) == (Container.IMPOSSIBLE, "published title")


@pytest.mark.parametrize(
    "name", ["Pride and Prejudice.txt", "README.md", "lyrics.txt", "my novel.txt", "cookbook.txt"]
)
def test_a_name_alone_makes_no_file_impossible(default, name):
    """What the cheap pass does not hear would be hidden by whatever its owner calls the file."""
    case = default.run(case_of("It was a quiet night. " * 3000, name))
    assert case.container is not Container.IMPOSSIBLE
    assert not case.settled


def test_a_diagnosis_behind_a_published_title_is_carried_on(default):
    text = "Pride and Prejudice\n\n" + "It was a quiet night. " * 3000 + DIAGNOSIS
    case = default.run(case_of(text, "Pride and Prejudice.txt"))
    assert not case.settled
    assert case.facts["withheld"][0] == "published title"


def test_a_foreign_text_is_a_gap_that_names_its_language(default):
    case = default.run(case_of(FRENCH))
    assert not case.settled
    assert case.language == "fr"
    assert [(gap.code, gap.where) for gap in case.gaps] == [(GapCode.LANGUAGE, "language:fr")]


@pytest.mark.parametrize("parts", ["one part", "page by page"])
def test_a_diagnosis_behind_a_foreign_first_page_is_carried_on(default, parts):
    pages = [FRENCH, FRENCH, DIAGNOSIS]
    case = default.run(case_of(pages if parts == "page by page" else "\n\n".join(pages)))
    assert not case.settled


def test_what_is_carried_on_in_another_language_is_not_read_in_full(default):
    text = FRENCH + "Patiente : Agathe Dubreuil, née le 3/4/1951, n° 1 51 04 75 116 001."
    case = default.run(case_of(text))
    assert not case.settled
    assert [gap.code for gap in case.gaps] == [GapCode.LANGUAGE]


def test_the_secret_may_be_a_property_of_the_file(default):
    quiet = "It was a quiet night. " * 3000
    case = default.run(case_of(quiet, "Pride and Prejudice.txt", title=DIAGNOSIS))
    assert not case.settled


NAMES = st.sampled_from(["Greta Lindqvist", "Samir O'Rourke", "IMOGEN ZELLER", "Mbeki, Chidi"])
MATTERS = st.sampled_from(
    [
        "was diagnosed with type 2 diabetes",
        "has metastatic breast cancer",
        "is HIV positive",
        "takes metformin 500 mg twice a day",
        "was admitted with pneumonia and sepsis",
        "suffers from schizophrenia",
    ]
)
IDENTIFIED = st.builds(
    lambda name, matter, frame: frame.format(name=name, matter=matter),
    NAMES,
    MATTERS,
    st.sampled_from(
        [
            "Patient: {name}, DOB 03/04/1951. The patient {matter}.",
            "{name} (MRN 4471023) {matter}.",
            "Re: {name}, born 3 April 1951. This man {matter}.",
            "Mrs. {name}, 12 Elm Street, Tulsa, OK 74103, {matter}.",
            "SSN 078-05-1120, {name}, {matter}.",
            "My daughter {name} {matter}, call me on (613) 555-0142.",
        ]
    ),
)
SURROUNDINGS = st.one_of(
    st.text(max_size=300),
    st.integers(1, 30).map(novel),
    st.sampled_from([FRENCH, "isbn 0-00-000000-0 abstract all rights reserved", ""]),
)


@given(text=SURROUNDINGS, sentence=IDENTIFIED, data=st.data())
def test_an_identified_diagnosis_anywhere_is_never_impossible(default, text, sentence, data):
    place = data.draw(st.integers(0, len(text)))
    planted = f"{text[:place]} {sentence} {text[place:]}"
    case = default.run(case_of(planted, "The Da Vinci Code.txt"))
    assert case.container is not Container.IMPOSSIBLE
    assert not case.settled
