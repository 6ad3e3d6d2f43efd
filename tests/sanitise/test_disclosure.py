"""(α, C): nothing left tells 1/α of a topic; a stricter α never lets a term stay that a laxer takes."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dlp.knowledge.mesh import load_mesh
from dlp.sanitise.disclosure import Disclosure
from dlp.sanitise.plan import Mode, Plan
from dlp.sanitise.text import Sanitiser, sanitise_text
from dlp.sanitise.topics import default_topics, topic_for
from tests.support.sanitise_notes import HEALTH

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
        sanitise_text(f"The {word} clinic.", (), sanitiser).text
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
