"""Names that are words too, turns of a dialogue, figures in names: with names drawn afresh."""

import random

import pytest

from dlp.detect.illness.health import FindHealth
from dlp.detect.naming.cells import find_in_cells
from dlp.detect.naming.mentions import find_names
from dlp.model import FieldMap, Part

FIRST = ["Oona", "Priya", "Gareth", "Yusuf", "Ingrid", "Malik", "Noor", "Declan", "Zofia", "Hannah"]
LAST = ["Hargreave", "Okafor", "Lindqvist", "Pereira", "Novak", "Achterberg", "Mbeki", "Sandoval"]
WORDY = ["Wise", "Clay", "Rose", "Parkin", "Marsh", "Field", "Lane", "Bird"]


@pytest.fixture(params=range(8))
def draw(request):
    return random.Random(request.param)


def shown(text):
    return [text[one.start : one.end] for one in find_names(text)]


def test_an_initial_and_a_last_name_that_is_a_word_behind_a_label(draw):
    name = f"{draw.choice('ABDEGHJKLMNPRST')}. {draw.choice(WORDY)}"
    assert shown(f"Patient name: {name}\nDOB: 3 May 1961\n") == [name]


def test_an_initial_and_a_last_name_that_only_people_do_as_they_do(draw):
    name = f"{draw.choice('EGHJKLMNPRST')}. {draw.choice(WORDY)}"
    verb = draw.choice(["says", "mentioned", "disclosed", "asked about"])
    assert shown(f"The hall was full.\n\n{name} {verb} a rash.") == [name]


def test_turns_of_a_dialogue_name_nobody(draw):
    sounds = draw.sample(["Um", "Hm", "Lemme", "Well", "Yeah", "Okay"], 3)
    lines = [
        f"Doctor: Where does it hurt?\nPatient: {sound}, right here on the side."
        for sound in sounds
    ]
    assert shown("\n".join(lines)) == []


def test_a_list_of_people_is_not_one_person(draw):
    people = [
        f"{first} {last}"
        for first, last in zip(draw.sample(FIRST, 4), draw.sample(LAST, 4), strict=True)
    ]
    assert shown(f"Keys: {', '.join(people)}") == people


def test_a_name_before_a_bed_or_a_scan_is_a_person(draw):
    name = f"{draw.choice(FIRST)} {draw.choice(LAST)}"
    thing = draw.choice(["bed 4", "scan normal", "chair 7", "test positive"])
    assert shown(f"Handover: {name} {thing}, stable.") == [name]


def test_the_next_label_of_a_line_is_no_last_name(draw):
    name = f"{draw.choice(FIRST)} {draw.choice(LAST)}"
    assert shown(f"From: {name} Pages: {draw.randint(2, 9)} Date: 07/05/2018") == [name]


def test_figures_behind_and_within_names(draw):
    first, last = draw.choice(FIRST), draw.choice(LAST)
    figured = f"{first}{draw.randint(10, 999)} {last}{draw.randint(10, 999)}"
    assert shown(f"Seen today: {figured} has asthma.") == [figured]
    scanned = f"{first} {last[0]}{last[1:].replace('a', '0', 1).replace('e', '1', 1).replace('o', '0', 1)}"
    assert shown(f"Seen today: {scanned} has asthma.") == [scanned]


def test_the_label_of_a_form_names_whom_its_field_holds(draw):
    name = f"{draw.choice(FIRST)} {draw.choice(LAST)}"
    text = f"Name of applicant: {name}\nOccupation: welder\n"
    fields = FieldMap()
    fields.add("Name of applicant", 19, 19 + len(name), 0)
    fields.add("Occupation", len(text) - 7, len(text) - 1, 0)
    found = find_in_cells(Part("form", text, fields), 0, 10)
    assert [(text[one.start : one.end], one.role) for one in found] == [(name, "patient")]


@pytest.mark.parametrize("sign", ["No. ", "no: ", "No ", "NO. "])
def test_the_short_form_of_number_denies_nothing(draw, sign):
    number = f"{draw.randint(100, 999)}-{draw.randint(100, 999)}-{draw.randint(100, 999)}"
    text = f"Health Card {sign}{number} had her knee replacement in May."
    assert [sorted(one.context) for one in FindHealth().find(text)] == [[]]
    assert [sorted(one.context) for one in FindHealth().find("There is no asthma.")] == [
        ["negated"]
    ]


def test_words_of_guidelines_do_not_hide_a_fact_about_one_person(draw):
    age = draw.randint(4, 95)
    whole = (
        f"Guidelines for managing asthma in a {age}-year-old, {draw.choice(FIRST)} Q., seen in May."
    )
    assert [sorted(one.context) for one in FindHealth().find(whole)] == [[]]
    many = "Guidelines for managing asthma in schools."
    assert [sorted(one.context) for one in FindHealth().find(many)] == [["general"]]
