"""What stands around a leak changes no verdict: length, footers, names, capitals, order, staff.

Names and notes are drawn afresh; the verdict comes from the whole analysis.
"""

import io
import random

import pytest

from dlp.assembly import Analysis
from dlp.config import Settings
from dlp.model import FileRef

FIRST = {"m": ("Marvin", "Tomas", "Edwin", "Colin"), "f": ("Harriet", "Lucia", "Dorothy", "Nadia")}
LAST = ("Oakes", "Gurney", "Ferrer", "Lindqvist", "Marsden", "Petrova", "Ashe", "Holloway")
ILLNESSES = ("type 2 diabetes", "epilepsy", "hepatitis C", "bipolar disorder", "breast cancer")
DRUGS = ("metformin", "lamotrigine", "sofosbuvir", "lithium", "tamoxifen")
NEUTRAL = (
    "The car park will be resurfaced in the second week of the month. ",
    "Please return borrowed chairs to the hall before Friday. ",
    "The printer on the second floor has been replaced by a newer one. ",
    "Orders for paper and envelopes are placed on Mondays. ",
)
FOOTER = (
    "\n\nThis message is confidential and intended for the addressee only. If you received it in"
    " error, delete it and tell the sender.\n"
)
ANALYSIS = Analysis(Settings())


def judge(text, name=b"note.txt"):
    return ANALYSIS(FileRef("share", name), io.BytesIO(text.encode()))


def note(seed, first=None, last=None):
    rng = random.Random(seed)
    sex = rng.choice("mf")
    he, man = ("He", "man") if sex == "m" else ("She", "woman")
    number = rng.randrange(len(ILLNESSES))
    name = f"{first or rng.choice(FIRST[sex])} {last or rng.choice(LAST)}"
    return (
        f"Patient: {name}\nDate of birth: {rng.randint(1, 28):02d}/03/19{rng.randint(40, 89)}\n\n"
        f"{name} is a {rng.randint(30, 80)}-year-old {man} with {ILLNESSES[number]}. "
        f"{he} takes {DRUGS[number]} and was seen in clinic today. "
        f"{he} was diagnosed with {ILLNESSES[number]} six years ago.\n"
    )


def padding(size, seed=0):
    rng = random.Random(seed)
    text = ""
    while len(text) < size:
        text += "".join(rng.choices(NEUTRAL, k=4)) + "\n\n"
    return text


SEEDS = range(6)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_plain_note_is_a_leak(seed):
    assert judge(note(seed))["container"] == "phi"


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("size", [500, 2000, 10_000])
def test_padding_dilutes_nothing(seed, size):
    text = padding(size, seed) + note(seed) + "\n" + padding(size, seed + 1)
    assert judge(text)["container"] == "phi"


@pytest.mark.parametrize("seed", SEEDS)
def test_a_footer_changes_nothing(seed):
    assert judge(note(seed) + FOOTER)["container"] == "phi"


@pytest.mark.parametrize("seed", SEEDS)
def test_another_name_changes_nothing(seed):
    assert judge(note(seed, "Ngozi", "Adeyemi"))["container"] == "phi"


@pytest.mark.parametrize("seed", SEEDS)
def test_an_added_clinician_changes_nothing(seed):
    assert judge(note(seed) + "\nReviewed by Dr Ingrid Solberg, MD\n")["container"] == "phi"


@pytest.mark.parametrize("seed", SEEDS)
def test_padding_alone_is_no_leak(seed):
    assert judge(padding(3000, seed))["container"] != "phi"


@pytest.mark.parametrize("seed", SEEDS)
def test_below_phi_nothing_is_scored(seed):
    record = judge(f"{padding(800, seed)}\nRegards,\n{FIRST['f'][seed % 4]} {LAST[seed % 8]}\n")
    assert record["container"] != "phi"
    assert record["privacy"] == 0


@pytest.mark.parametrize("seed", SEEDS)
def test_padding_changes_no_chance(seed):
    rng = random.Random(seed)
    name = f"{rng.choice(FIRST['f'])} {rng.choice(LAST)}"
    leak = f"Hello all,\n\n{name} came in about {rng.choice(ILLNESSES)} again.\n\nSee you.\n"
    padded = f"{padding(1200, seed)}{leak}\n{padding(1200, seed + 1)}"
    assert judge(padded)["reason"] == judge(leak)["reason"]


@pytest.mark.parametrize("illness", ILLNESSES)
@pytest.mark.parametrize("last", LAST)
def test_a_plain_statement_is_a_leak_and_its_denial_none(illness, last):
    assert judge(f"Harriet {last} has {illness}.\n")["container"] == "phi"
    assert judge(f"Harriet {last} does not have {illness}.\n")["container"] != "phi"


STORY = (
    "He took the letter from the table and said nothing of it to his wife. ",
    "They had walked along the river, and she told him what her brother wanted. ",
    "{name} was at the window, and her eyes were on the road they had come by. ",
    "I could not say what he meant, nor did they ask me again. ",
    "{name} suffered from heart disease, and the whole house was afraid for her. ",
    "When the lamp was out they sat together and she heard him breathe. ",
)


def story(size, seed, plant=""):
    """A long narrative about an invented person with an illness; `plant` stands in its middle."""
    rng = random.Random(seed)
    name = f"{rng.choice(FIRST['f'])} {rng.choice(LAST)}"
    text = ""
    while len(text) < size:
        if plant and len(text) > size / 2:
            text, plant = text + plant + "\n\n", ""
        text += "".join(one.format(name=name) for one in rng.choices(STORY, k=8)) + "\n\n"
    return text


@pytest.mark.parametrize("seed", SEEDS)
def test_people_of_a_long_story_are_nobody_and_its_length_hides_no_record(seed):
    assert judge(story(60_000, seed))["container"] != "phi"
    assert judge(story(60_000, seed, plant=note(seed)))["container"] == "phi"
    assert judge(story(400, seed) + note(seed) + story(8_000, seed))["container"] == "phi"
