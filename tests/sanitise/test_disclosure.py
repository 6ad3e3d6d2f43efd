"""(α, C): nothing left tells 1/α of a topic; a stricter α never lets a term stay that a laxer takes."""

import itertools
import re
import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dlp.knowledge.health import load_health
from dlp.knowledge.inference import load_inference
from dlp.knowledge.mesh import load_mesh
from dlp.knowledge.sensitivity import load_sensitivity
from dlp.sanitise.certificate import knowledge_hashes
from dlp.sanitise.disclosure import Disclosure
from dlp.sanitise.plan import Mode, Plan
from dlp.sanitise.protected_topics import DEFAULT, default_topics, topic_for, topics_for
from dlp.sanitise.sanitiser import Sanitiser
from dlp.sanitise.term_finder import UNSURE
from dlp.sanitise.topic_removal import stutters
from dlp.sanitise.verifier import Verifier
from tests.support.sanitise_notes import HEALTH
from tests.support.sanitising import sanitise_text

MESH = load_mesh()
HIV = topic_for("HIV")
TERMS = (
    "HIV infection", "syphilis", "tuberculosis", "hepatitis B", "pneumonia", "asthma", "depression",
    "alcoholism", "schizophrenia", "fever", "blood transfusion", "zidovudine", "sertraline",
    "type 2 diabetes", "hypertension", "lymphocytes", "insomnia", "viruses", "condoms", "biopsy",
)  # fmt: skip
texts = st.lists(st.sampled_from(TERMS), min_size=1, max_size=8).map(
    lambda words: ". ".join(f"The note speaks of {word}" for word in words) + "."
)


@settings(max_examples=25, deadline=None)
@given(texts, st.sampled_from([1.0, 1.5, 2.0, 3.0]))
def test_nothing_left_tells_too_much_and_twice_is_once(text, alpha):
    sanitiser = Sanitiser(Plan(topics=default_topics(), alpha=alpha))
    report = sanitiser.document([(text, ())])
    assert not report.remaining.over(alpha)
    made = report.pages[0].text
    assert sanitise_text(made, (), Plan(topics=default_topics(), alpha=alpha)).text == made


@settings(max_examples=60, deadline=None)
@given(st.integers(0, len(MESH) - 1), st.floats(1, 4), st.floats(1, 4))
def test_a_stricter_alpha_takes_what_a_laxer_takes(concept, one, two):
    lax, strict = sorted((one, two))
    if Disclosure((HIV,), lax).of_concepts((concept,)):
        assert Disclosure((HIV,), strict).of_concepts((concept,))


def test_one_term_always_becomes_the_same():
    sanitiser = Sanitiser(Plan(topics=(HIV,), alpha=1.5))
    made = [
        sanitise_text(f"The {word} leaflet.", (), sanitiser).text
        for word in ("AIDS", "AIDS", "acquired immunodeficiency syndrome")
    ]
    assert len(set(made)) == 1


def test_no_original_of_a_replaced_term_remains():
    done = sanitise_text(HEALTH, (), Plan(topics=default_topics(), alpha=2))
    for edit in done.edits:
        original = HEALTH[edit.start : edit.end]
        if edit.reason.split()[0] in {"names", "phrase"} and len(original) > 3:
            assert not re.search(rf"\b{re.escape(original)}\b", done.text)


def test_generalising_keeps_more_than_removing():
    kept = [
        Sanitiser(Plan(topics=(HIV,), mode=mode)).document([(HEALTH, ())]).utility.preserved
        for mode in (Mode.GENERALISE, Mode.REDACT)
    ]
    assert kept[0] > kept[1]


@pytest.mark.parametrize("alpha", [1, 1.5, 2, 4])
def test_generalisations_are_safe_themselves(alpha):
    plan = Plan(topics=(HIV,), alpha=alpha)
    disclosure = Disclosure(plan.topics, alpha)
    for edit in sanitise_text(HEALTH, (), plan).edits:
        if edit.concept:
            assert not disclosure.of_concepts((MESH.index(edit.concept),))


def implying():
    """(topic, drug or procedure) of every curated line that means a protected topic."""
    tables = tomllib.loads(Path("rules/inference.toml").read_text())
    names = sorted({*tables["drug"], *tables["procedure"]})
    lexicon, inference, table = load_health(), load_inference(), load_sensitivity()
    for name in names:
        topic = inference.category(name, table)
        if topic in DEFAULT and (sense := lexicon.sense(name)) and not sense.flags & UNSURE:
            yield topic, name


def test_what_implies_a_topic_goes_also_when_mesh_keeps_it_outside_its_tree():
    each = list(implying())
    outside = [name for _, name in each if load_health().sense(name).concepts[0] not in MESH]
    assert {"efavirenz", "dolutegravir"} <= set(outside)
    left = []
    for topic, name in each:
        plan = Plan(topics=(topic_for(topic),), alpha=1.0)
        made = sanitise_text(f"The patient takes {name} every day.", (), plan).text
        if re.search(rf"\b{re.escape(name)}\b", made, re.IGNORECASE):
            left.append(name)
    assert not left


def test_the_independent_check_sees_what_implies_a_topic():
    plain = sanitise_text("He takes paracetamol every day.", (), Plan(topics=(topic_for("hiv"),)))
    certificate = {
        "topics": [{"topic": "hiv", "most_by_a_group": 0.0, "became": [],
                    "concepts": sorted(MESH.ids[r] for r in topic_for("hiv").roots)}],
        "alpha": 1.5, "knowledge": knowledge_hashes(), "replacements": [],
    }  # fmt: skip
    check = Verifier(certificate)
    assert not check.violations([plain.text])
    assert check.violations(["He takes efavirenz every day."]) == ["a term implies hiv"]


def test_a_replacement_does_not_repeat_the_next_word():
    plan = Plan(topics=topics_for(["mental"]), alpha=1.5)
    text = "She came from a psychiatric hospital facility near by."
    sanitiser = Sanitiser(plan)
    made = sanitiser.document([(text, ())]).pages[0].text
    words = made.lower().split()
    assert all(one != other for one, other in itertools.pairwise(words)), made
    assert stutters("health facility", " facility near")
    assert not stutters("health facility", " facilities near")
    assert not stutters("[…]", " […] near")


@pytest.mark.parametrize(
    "text",
    [
        "He has never had {}.",
        "No history of {}.",
        "She denies {}.",
        "There was no evidence of {}.",
        "{} was ruled out.",
    ],
)
@pytest.mark.parametrize(
    "told", ["syphilis", "pneumocystis pneumonia", "schizophrenia", "gonorrhoea"]
)
def test_what_is_denied_is_not_denied_of_a_wider_class(text, told):
    done = sanitise_text(text.format(told), (), Plan(topics=default_topics())).text
    assert done.lower() == text.format("[…]").lower()


@pytest.mark.parametrize("result", ["was negative", "negative", "was non-reactive", "not detected"])
@pytest.mark.parametrize("told", ["Syphilis", "Gonorrhoea", "Chlamydia"])
def test_a_negative_result_is_one_of_a_test(told, result):
    assert (
        sanitise_text(f"{told} {result}.", (), Plan(topics=default_topics())).text
        == f"Test {result}."
    )
