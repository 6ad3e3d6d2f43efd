"""Short texts about people drawn afresh: who is meant, in which role, and whose a fact is."""

import random

import pytest

from bench.generalise import detected
from bench.learn_attribution import file_chance
from bench.people_frames import WORDS, WORLD
from bench.people_texts import ALL, Person, carried, carriers
from bench.sources import Item, Link
from dlp.attribute.chance import load_weights

HALF = 0.5
SEEDS = range(12)


def judged(text, owner="", name="note.txt"):
    """The chance of a text, and whether the likeliest link is the owner's."""
    links = (Link(owner, "", has=True),) if owner else ()
    example = detected(Item("test", name, True, None, text.encode(), links))
    weights = load_weights()
    best = max(
        range(len(example.features)), key=lambda at: weights.chance(example.features[at]), default=None
    )  # fmt: skip
    mine = best is not None and example.truth.get(example.people[best]) is True
    return file_chance(example, weights), mine


def is_told(seed, frame, owner):
    """A frame filled with names of one of the people that a seed draws."""
    person = Person(random.Random(seed))
    last = person.fill(owner).split()[-1]
    chance, mine = judged(person.fill(frame), last)
    return chance >= HALF and mine


def most(frame, owner):
    """Whether nearly all of the drawn people are found; now and then a name is a town's as well."""
    return sum(is_told(seed, frame, owner) for seed in SEEDS) >= len(SEEDS) - 2


@pytest.mark.parametrize("frame", [
    "{x} has {c}.", "{x} is on {d}.", "{x} took {d} for years.", "{x} lives with {c}.",
    "Yesterday {x} was diagnosed with {c}.", "{x} - {c}", "{xc} HAS {C}",
])  # fmt: skip
def test_a_name_of_any_continent_has_what_is_said_of_it(frame):
    assert most(frame, "{x}")


@pytest.mark.parametrize("frame", ["{wf} has {c}.", "{wf} is on {d}.", "{wf}'s {c} is back."])
def test_a_first_name_that_is_a_word_has_what_is_said_of_it(frame):
    assert most(frame, "{wf}")


@pytest.mark.parametrize("word", [*WORDS["f"], *WORDS["m"]])
@pytest.mark.parametrize("frame", [
    "Less {w}, more diabetes.", "{w} in methadone has fallen since the trial in epilepsy.",
    "The {w} study compared insulin with placebo in diabetes.", "{w}",
])  # fmt: skip
def test_the_same_word_elsewhere_is_nobody(word, frame):
    assert judged(frame.replace("{w}", word))[0] < HALF


def test_names_and_carriers_are_drawn_afresh():
    kinds = {one.kind for one in carriers()}
    assert kinds == {"noname", "mail", "name", "role", "prose", "onesubj", "record"}
    first, second = ({item.data for item in carried(seed, ALL)} for seed in (1, 2))
    assert len(first & second) < len(first) / 10
    assert all(region["f"] and region["m"] and region["last"] for region in WORLD.values())


@pytest.mark.parametrize("frame", [
    "[{clock}] {x}: is the van back?\n[{clock}] {n}: no. I have {c}, so I can't drive\n",
    "{x}: how was the weekend with the boats?\n{n}: I was in hospital, I have {c}.\n{x}: oh no, get well soon then\n",
    "I will not be in this week, I have {c} and cannot stand for long. Sorry about the late notice. {n}",
    "Statement of {n}\n\nI have {c} and have taken {d} since {year}. I could not attend for that reason.",
])  # fmt: skip
def test_who_says_i_is_the_speaker_the_signatory_or_whom_the_head_names(frame):
    assert most(frame, "{n}")


@pytest.mark.parametrize("column", [
    "speaker", "lecturer", "doctor", "ordered by", "requestedBy", "principal_investigator", "chair",
])  # fmt: skip
def test_a_column_of_people_in_a_post_gives_them_no_illness(column):
    for seed in SEEDS:
        person = Person(random.Random(seed))
        told = f"no,{column},what\n41,{{n}},{{c}}\n42,{{o}},{{p}}\n"
        assert judged(person.fill(told))[0] < HALF


@pytest.mark.parametrize("frame", [
    "Speakers: {n} ({c}), {o} ({p}), {o2} (ethics)", "{n} (pharmacist) answers questions on {d}.",
    "Session 3: {c} (moderator: {n})", "Student: {n}\nEssay: the history of {c}\nMark: 64\n",
    "Dear {n},\n\nWe invite you to speak on {c} at our congress.\n\nSincerely,\n{o}\n",
])  # fmt: skip
def test_people_in_a_post_and_topics_of_work_are_no_leak(frame):
    false = [seed for seed in SEEDS if judged(Person(random.Random(seed)).fill(frame))[0] >= HALF]
    assert len(false) <= 1


def test_a_cell_that_holds_nothing_but_a_health_term_is_that_row_s():
    frame = "who,what,when\n{n},{c},{date2}\n{o},fire drill,{date2}\n"
    assert most(frame, "{n}")


@pytest.mark.parametrize("frame", [
    "The roof was discussed. {n}, who signed, asked for a rail because of {his} {c}.",
    "{o} studied the carpet, and then {n} said that {he} could not come since {his} {c} got worse.",
    "{n} was calm. Asked about the gap, {he} said that {he} had been treated for {c}.",
])  # fmt: skip
def test_a_pronoun_that_owns_a_fact_names_whose_it_is(frame):
    assert most(frame, "{n}")


@pytest.mark.parametrize("frame", [
    "Discharge summary for {n}\n\nAdmitted with {s}. Treated for {c}.",
    "Case notes - {n} - {date2}\n\nSays the {c} is back. Taking {d}.",
    "{n}'s care plan\n\nMorning: {d}. Known {c}.\n", "Interview with {n}\n\nThey found {c}.",
])  # fmt: skip
def test_a_title_that_names_somebody_says_of_whom_the_text_is(frame):
    assert most(frame, "{n}")


def test_a_title_that_names_its_maker_does_not():
    for seed in SEEDS:
        person = Person(random.Random(seed))
        frame = "Report by {n}\n\n2. Findings\n{c} is common among men and treated with {d}.\n"
        assert judged(person.fill(frame))[0] < HALF


def test_he_and_the_patient_are_neither_the_writer_nor_the_reader_of_a_mail():
    head = "From: {o} <office@example.org>\nTo: {n} <desk@example.org>\nSubject: Note\n\n"
    for seed in SEEDS:
        person = Person(random.Random(seed))
        for told in ("He was diagnosed with {c} in April.\n", "The patient has {c}, on {d}.\n"):
            assert judged(person.fill(head + told), name="note.eml")[0] < HALF


@pytest.mark.parametrize("frame", [
    "Nan has {c} now and she is on {d}. Love to all, {f}", "{l} bed {k}: {c}, on {d}",
    "My dad has {c}. He is in hospital.", "Our night porter has {c} and takes {d}.",
])  # fmt: skip
def test_people_of_ones_own_circle_and_surnames_before_a_bed_are_somebody(frame):
    found = [seed for seed in SEEDS if judged(Person(random.Random(seed)).fill(frame))[0] >= HALF]
    assert len(found) >= len(SEEDS) - 3


@pytest.mark.parametrize("frame", [
    "My {c} is back, so I will be in late.\n{n}",
    "Dear {n},\n\nYour test for {c} was positive. Please ring us.\n",
    "{n} was seen. The test for {c} came back positive.",
])  # fmt: skip
def test_what_is_mine_and_what_a_test_has_found_is_told(frame):
    assert most(frame, "{n}")


def test_a_statement_is_of_whom_its_file_is_called_after():
    found = 0
    for seed in SEEDS:
        person = Person(random.Random(seed))
        name = person.fill("{n} statement.txt").replace(" ", "_")
        found += (
            judged(person.fill("I have {c} and sat the paper in hospital."), name=name)[0] >= HALF
        )
    assert found >= len(SEEDS) - 3
