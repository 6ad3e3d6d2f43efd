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
