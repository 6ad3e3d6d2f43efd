"""What is read from texts by the command: the papers' examples, published uniqueness, orderings."""

import json
import math
import random
import subprocess
import sys

import pytest

from bench.orderings import check, frames, is_right, pairs
from dlp.knowledge.names import DECADES, load_names
from dlp.knowledge.places import load_places

SCAN = [sys.executable, "-m", "dlp", "scan", "--full", "--format", "jsonl", "--no-catalogue", "--no-progress"]  # fmt: skip
PEOPLE = 400  # drawn for the figures of uniqueness


@pytest.fixture(scope="module")
def scanned(tmp_path_factory):
    def scan(texts):
        folder = tmp_path_factory.mktemp("share")
        for name, text in texts.items():
            (folder / name).write_text(text)
        told = subprocess.run(
            [*SCAN, str(folder)], check=False, capture_output=True, text=True
        ).stdout
        records = map(json.loads, told.splitlines())
        return {record["path"].rpartition("/")[2]: record for record in records}

    return scan


def worst(record):
    return max((one["privacy"] for one in record["persons"]), default=0.0)


# Geng: one more quasi-identifier, a rarer name, a graver illness; re-worded, names made whole.
PAPER = [
    ("Tom Baxter is HIV positive.", "Tom Baxter, who lives in Yonge Street, Toronto, is HIV positive."),
    ("David Baxter is HIV positive.", "Burt Baxter is HIV positive."),
    ("John Baxter suffers from a common cold.", "John Baxter was diagnosed with heart disease."),
    ("Ann Baxter was diagnosed with a tumour.",
     "Ann Baxter was diagnosed with ovarian cancer and takes Doxil and gemcitabine."),
    # Sokolova: New York says less than Ottawa, John less than Meehai.
    ("John Baxter of New York has asthma.", "John Baxter of Ottawa has asthma."),
    ("John Baxter has asthma.", "Meehai Baxter has asthma."),
]  # fmt: skip


def test_the_examples_of_the_papers_come_out_in_order(scanned):
    texts = {
        f"{n}-{side}.txt": text for n, pair in enumerate(PAPER) for side, text in enumerate(pair)
    }
    found = scanned(texts)
    for number, (less, more) in enumerate(PAPER):
        scores = [worst(found[f"{number}-{side}.txt"]) for side in (0, 1)]
        assert 0 < scores[0] < scores[1], (less, more, scores)


def birth_year(r, decades):
    return r.choices(DECADES, decades)[0] + r.randrange(10)


def others(person, kinds):
    """How many people the kinds of evidence leave, from what the record says they narrow."""
    world = load_places().populations["world"]
    return world * 2.0 ** -sum(person["bits"].get(kind, 0.0) for kind in kinds)


# Golle 2006: sex and ZIP code with the day, and with the month of birth.
@pytest.mark.parametrize(
    "published,form", [(0.633, "{day} {month} {year}"), (0.042, "{month} {year}")]
)
def test_uniqueness_from_text_is_as_published(scanned, published, form):
    r = random.Random(7)
    areas = load_places()
    zips = [
        code for code in range(1001, 99951, 7) if (a := areas.zip(f"{code:05}")) and a.population
    ]
    weights = [areas.zip(f"{code:05}").population for code in zips]
    texts = {}
    for number, code in enumerate(r.choices(zips, weights, k=PEOPLE)):
        year, month = birth_year(r, load_names().everyone), r.choice(["May", "June", "July"])
        born = form.format(day=r.randint(1, 28), month=month, year=year)
        sex = r.choice(["female", "male"])
        texts[f"{number}.txt"] = (
            f"Patient: R. Hale\nSex: {sex}\nDate of birth: {born}\nZIP: {code:05}\nDiagnosis: tonsillitis\n"
        )
    unique = []
    for record in scanned(texts).values():
        (person,) = record["persons"]
        assert {"place", "sex", "birth"} <= set(person["bits"])
        unique.append(math.exp(-others(person, ("place", "sex", "birth"))))
    assert len(unique) == PEOPLE
    assert sum(unique) / PEOPLE == pytest.approx(published, abs=0.06)


def test_an_institutions_numbers_find_no_patient(scanned):
    note = "Patient: Ruth Hale\nDiagnosis: asthma\n"
    head = "Mercy General Hospital\n{}\n\n"
    texts = {
        "plain.txt": head.format("") + note,
        "head.txt": head.format("200 Main Street\nTel. (785) 555-0143\ninfo@mercy.example") + note,
        "own.txt": head.format("") + note + "Home phone: (785) 555-0143\n",
    }
    found = {name: worst(record) for name, record in scanned(texts).items()}
    assert found["head.txt"] == pytest.approx(found["plain.txt"], rel=1e-6)
    assert found["own.txt"] > found["plain.txt"]


def test_the_chain_is_told_in_people(scanned):
    record = scanned({"a.txt": "Ruth Hale of Salina, Kansas, has schizophrenia."})["a.txt"]
    steps = record["persons"][0]["explanation"]
    assert steps[0] == "7,950,000,000 people in the world"
    assert [step.partition(" ")[2] for step in steps[1:4]] == [
        "in United States", "in Kansas", "in a city",
    ]  # fmt: skip
    assert any(step.startswith("plausibly from") for step in steps)
    assert any(step.startswith("Schizophrenia") for step in steps)


def wrong_of(made):
    return [
        (pair.frame, pair.less, pair.more)
        for pair, *both in check(made)
        if not is_right(pair, *both)
    ]


def test_orderings_of_texts_hold():
    assert len(frames()) >= 300
    made = random.Random(11).sample([*pairs(11)], 600)
    assert {axis for _, axis in frames()} == {pair.frame[1] for pair in made}
    wrong = wrong_of(made)
    assert len(wrong) <= 0.005 * len(made), wrong


@pytest.mark.long
def test_orderings_of_all_frames_hold():
    made = [*pairs(12)]
    wrong = wrong_of(made)
    assert len(wrong) <= 0.005 * len(made), wrong
