"""What is read from texts by the command: the papers' examples, published uniqueness, orderings."""

import json
import math
import os
import random
import subprocess
import sys

import pytest

from bench.orderings import check, formats, frames, is_right, pairs
from dlp.knowledge.names import DECADES, load_names
from dlp.knowledge.places import load_places

SCAN = [sys.executable, "-m", "dlp", "scan", "--full", "--format", "jsonl", "--no-catalogue", "--no-progress"]  # fmt: skip
PEOPLE = 400  # drawn for the figures of uniqueness


@pytest.fixture(scope="module")
def scanned(tmp_path_factory):
    def scan(texts, knowledge=None):
        folder = tmp_path_factory.mktemp("share")
        for name, text in texts.items():
            (folder / name).write_text(text)
        site = {"DLP_KNOWLEDGE": str(knowledge)} if knowledge else {}
        told = subprocess.run(
            [*SCAN, str(folder)], check=False, capture_output=True, text=True,
            env={**os.environ, **site},
        ).stdout  # fmt: skip
        records = map(json.loads, told.splitlines())
        return {record["path"].rpartition("/")[2]: record for record in records}

    return scan


def worst(record):
    return max((one["privacy"] for one in record["persons"]), default=0.0)


# Geng: one more quasi-identifier, a rarer name, a graver illness, what a treatment gives away, a
# user name; re-worded, first names alone as in the paper.
PAPER = [
    ("Tom is HIV positive.", "Tom, who lives in Yonge Street, Toronto, is HIV positive."),
    ("David is HIV positive.", "Burt is HIV positive."),
    ("John suffers from a cold.", "John is diagnosed with heart disease."),
    ("John has diabetes.", "John has diabetes and has had a heart attack."),
    ("John suffers from a cold.", "John is on cocktail treatment."),
    ("Moonflower88 has asthma.", "Moonflower88 has ovarian cancer and takes Doxil and gemcitabine."),
    ("From: Moonflower88\n\nI have migraine.",
     "From: Moonflower88\n\nI have ovarian cancer and tumours; they put me on Doxil and gemcitabine."),
    ("Tom of Ohio is HIV positive.", "Tom of Elko, Nevada, is HIV positive."),
    # a day of birth says more than a year
    ("John, born in 1961, has asthma.", "John, born on 3 May 1961, has asthma."),
    # Sokolova: New York says less than Ottawa, John less than Meehai; a rare event finds somebody
    ("John Baxter of New York has asthma.", "John Baxter of Ottawa has asthma."),
    ("John has asthma.", "Meehai has asthma."),
    ("John Baxter of Ottawa has hypertension.", "John Baxter of Ottawa has locked-in syndrome."),
]  # fmt: skip


def test_the_examples_of_the_papers_come_out_in_order(scanned):
    texts = {
        f"{n}-{side}.txt": text for n, pair in enumerate(PAPER) for side, text in enumerate(pair)
    }
    found = scanned(texts)
    for number, (less, more) in enumerate(PAPER):
        scores = [worst(found[f"{number}-{side}.txt"]) for side in (0, 1)]
        assert 0 < scores[0] < scores[1], (less, more, scores)


# Geng, Table 1: what the experts of the study said of five conditions.
TABLE_1 = {
    "an infection": ("D007239", 0.2), "arthritis": ("D001168", 0.5), "sarcoma": ("D012509", 0.9),
    "a cough": ("D003371", 0.3), "anaemia": ("D000740", 0.6),
}  # fmt: skip


def test_the_values_of_the_study_weigh_its_texts(scanned, tmp_path):
    rows = [
        f'{{id = "{concept}", name = "{said}", value = {value}, reason = "Table 1"}}'
        for said, (concept, value) in TABLE_1.items()
    ]
    (tmp_path / "experts").mkdir()
    table = f'expert = "the study"\nconcept = [{",".join(rows)}]\n'
    (tmp_path / "experts" / "study.toml").write_text(table)
    found = scanned({f"{said}.txt": f"John has {said}." for said in TABLE_1}, tmp_path)
    for said, (_, value) in TABLE_1.items():
        (person,) = found[f"{said}.txt"]["persons"]
        assert person["sensitivity"] == pytest.approx(value)


def birth_year(r, decades):
    return r.choices(DECADES, decades)[0] + r.randrange(10)


def others(person, kinds):
    """How many people the kinds of evidence leave, from what the record says they narrow."""
    world = load_places().populations["world"]
    return world * 2.0 ** -sum(person["bits"].get(kind, 0.0) for kind in kinds)


# Names that counties of all sizes bear; a draw takes the county whose size is nearest.
COUNTIES = """\
Washington Jefferson Franklin Jackson Lincoln Madison Montgomery Clay Union Marion Monroe
Wayne Grant Greene Polk Johnson Lee Lake Orange Douglas Carroll Adams Hamilton King Cook Harris Dallas
Essex Middlesex Suffolk Queens Kings Erie Cuyahoga Maricopa Clark Riverside Sacramento Fresno Broward
Travis Bexar Tarrant Allegheny Fairfax Wake Fulton Oakland Hennepin Milwaukee Pima Multnomah Honolulu
Norfolk Albany Ocean Lancaster York Hidalgo Story Linn Saline Benton Shelby Knox Boone Hardin"""
BIG = ["Los Angeles", "San Diego", "San Bernardino", "Santa Clara", "Palm Beach"]


def zips():
    areas = load_places()
    drawn = [f"{code:05}" for code in range(1001, 99951, 7)]
    return {
        f"ZIP: {code}": a.population for code in drawn if (a := areas.zip(code)) and a.population
    }


def counties():
    areas = load_places()
    return {
        f"County: {one.name}, {areas.state(one.region).name}": one.population
        for name in (*COUNTIES.split(), *BIG) for one in areas.find(f"{name} County")
        if one.kind == "county" and one.country == "US"
    }  # fmt: skip


def drawn_places(r, kind):
    """Lines that name an area, as often as people live in areas of its size."""
    known = zips() if kind == "zip" else counties()
    sizes = load_places().area_populations(kind)
    wanted = r.choices(sizes, sizes, k=PEOPLE)
    return [min(known, key=lambda line: abs(known[line] - size)) for size in wanted]


# Golle 2006: sex and ZIP code with the day and with the month of birth, sex and county with the day.
@pytest.mark.parametrize("published,kind,form", [
    (0.633, "zip", "{day} {month} {year}"), (0.042, "zip", "{month} {year}"),
    (0.148, "county", "{day} {month} {year}"),
])  # fmt: skip
def test_uniqueness_from_text_is_as_published(scanned, published, kind, form):
    r = random.Random(7)
    texts = {}
    for number, place in enumerate(drawn_places(r, kind)):
        year, month = birth_year(r, load_names().everyone), r.choice(["May", "June", "July"])
        born = form.format(day=r.randint(1, 28), month=month, year=year)
        sex = r.choice(["female", "male"])
        texts[f"{number}.txt"] = (
            f"Patient: R. Hale\nSex: {sex}\nDate of birth: {born}\n{place}\nDiagnosis: tonsillitis\n"
        )
    unique = []
    for record in scanned(texts).values():
        (person,) = record["persons"]
        assert {"place", "sex", "birth"} <= set(person["bits"])
        unique.append(math.exp(-others(person, ("place", "sex", "birth"))))
    assert len(unique) == PEOPLE
    assert sum(unique) / PEOPLE == pytest.approx(published, abs=0.06), sum(unique) / PEOPLE


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


def test_a_field_named_after_an_institution_is_its_own(scanned):
    """In formats that label their values: JSON, CSV and XML."""
    known = {"patient": "Ruth Hale", "diagnosis": "gout"}
    for label in ("hospital_phone", "pharmacy_phone", "gp_phone"):
        more = {**known, label: "(302) 555-0188"}
        own = {**known, "home_phone": "(302) 555-0188"}
        texts = {}
        for name, said in (("plain", known), ("theirs", more), ("own", own)):
            texts[f"{name}.json"] = json.dumps(said)
            texts[f"{name}.csv"] = "\n".join([",".join(said), ",".join(said.values()), ""])
            tags = "".join(
                f"<{k.replace(' ', '')}>{v}</{k.replace(' ', '')}>" for k, v in said.items()
            )
            texts[f"{name}.xml"] = f"<?xml version='1.0'?><record>{tags}</record>"
        found = {name: worst(record) for name, record in scanned(texts).items()}
        for kind in ("json", "csv", "xml"):
            assert found[f"theirs.{kind}"] == pytest.approx(found[f"plain.{kind}"], rel=1e-6)
            assert found[f"own.{kind}"] > found[f"plain.{kind}"]


def test_the_chain_is_told_in_people(scanned):
    record = scanned({"a.txt": "Ruth Hale of Salina, Kansas, has schizophrenia."})["a.txt"]
    steps = record["persons"][0]["explanation"]
    assert steps[0] == "7,950,000,000 people in the world"
    assert [step.partition(" ")[2] for step in steps[1:4]] == [
        "in United States", "in Kansas", "in a city",
    ]  # fmt: skip
    assert any(step.startswith("plausibly from") for step in steps)
    assert any(step.startswith("Schizophrenia") for step in steps)


def wrong_of(made, kinds=()):
    return [
        (pair.frame, pair.less, pair.more)
        for pair, *both in check(made, kinds)
        if not is_right(pair, *both)
    ]


def test_orderings_of_texts_hold():
    assert len(frames()) >= 300
    made = random.Random(11).sample([*pairs(11)], 600)
    assert {axis for _, axis in frames()} == {pair.frame[1] for pair in made}
    wrong = wrong_of(made)
    assert len(wrong) <= 0.005 * len(made), wrong


def test_orderings_hold_in_files_of_other_formats():
    r = random.Random(17)
    made = r.sample([*pairs(17)], 200)
    wrong = wrong_of(made, formats(made, r))
    assert len(wrong) <= 0.005 * len(made), wrong


@pytest.mark.long
def test_orderings_of_all_frames_hold():
    made = [*pairs(12)]
    wrong = wrong_of(made)
    assert len(wrong) <= 0.005 * len(made), wrong
