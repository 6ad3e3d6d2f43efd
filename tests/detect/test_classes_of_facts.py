"""Facts of every class are found in all registers, and what is denied of somebody is none.

Names, values, drugs, codes and frames are drawn afresh (bench/fact_texts.py), from another seed than
the one the weights are learnt on. Half of the frames were never looked at; both halves are drawn.
"""

import random

import pytest

from bench.fact_texts import CODES, HALVES, FactDraw, fact_texts, frames
from dlp.detect.illness.health import FindHealth
from dlp.model import Case, Document, FileRef, Part

SEED, EACH = 4040, 24
DENYING = {
    "negated", "template", "general", "figurative", "animal", "hypothetical", "family",
}  # fmt: skip
FOUND, FOUND_IN_ALL = 0.75, 0.93
OTHER_NUMBERS = (
    "{n} sits in room {icd}.", "Order {icd} for {n} has shipped.", "{n} moved to desk {icd}.",
    "{n} read clause {icd} of the contract.", "{n} fixed bug {icd} on {day}.",
    "{n} paid 250.00 and 311.50 on {day}.", "Expenses\n{n} 250.00\n{o} 401.90",
    "Salary {n}: 2,500.00, bonus 401.90", "{n} drove 414.0 miles.", "{n} lives in M54 5AB.",
)  # fmt: skip


@pytest.fixture(scope="module")
def facts():
    find = FindHealth()

    def stated(text):
        case = Case(FileRef("", b"a.txt"), document=Document("text/plain", (Part("body", text),)))
        return [
            text[one.start : one.end]
            for one in find(case.but(language="en")).findings
            if DENYING.isdisjoint(one.context)
        ]

    return stated


@pytest.fixture(scope="module")
def shares(facts):
    """By class: of the texts that tell something, how many hold a stated fact."""
    told = {}
    for half in HALVES:
        for item in fact_texts(SEED, 2 * EACH * len(frames()["class"]), half):
            if item.leak:
                told.setdefault(item.source, []).append(bool(facts(item.data.decode())))
    return told


def test_every_class_of_facts_is_found(shares):
    poor = {one: sum(found) / len(found) for one, found in shares.items()}
    assert {one: share for one, share in poor.items() if share < FOUND} == {}
    found = [one for some in shares.values() for one in some]
    assert sum(found) / len(found) >= FOUND_IN_ALL


def test_every_class_has_frames_in_both_halves():
    for told in frames()["class"].values():
        assert len(told["idle"]) >= 10
        assert len(told["near"]) >= 10
        assert not told["told"] or len(told["told"]) + len(told["facts"]) >= 20


def test_what_is_denied_of_somebody_is_no_fact(facts):
    rng = random.Random(SEED)
    for frame in frames()["class"]["denied"]["near"]:
        for _ in range(5):
            text = FactDraw(rng).fill(frame)
            assert facts(text) == [], text


@pytest.mark.parametrize("frame", OTHER_NUMBERS)
def test_numbers_of_other_things_are_no_diagnoses(facts, frame):
    rng = random.Random(SEED)
    for _ in range(len(CODES["icd"])):
        text = FactDraw(rng).fill(frame)
        assert facts(text) == [], text
