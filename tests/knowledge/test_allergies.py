"""A drug in an allergy is found as such; what is taken is not."""

import pytest

from dlp.knowledge.allergies import allergens, allergy_places
from dlp.knowledge.mesh import load_mesh
from dlp.sanitise.certificate import certify
from dlp.sanitise.plan import Plan
from dlp.sanitise.protected_topics import default_topics, topic_for
from dlp.sanitise.sanitiser import Sanitiser
from dlp.sanitise.verifier import Verifier

STD = topic_for("sexually transmitted diseases")


@pytest.mark.parametrize(
    "text,inside",
    [
        ("Allergies: penicillin, sulfa. Takes aspirin.", "Allergies: penicillin, sulfa"),
        ("ALLERGIES:\nPenicillin\nAspirin daily", "ALLERGIES:\nPenicillin"),
        ("She has a penicillin allergy.", "penicillin allergy"),
        ("Penicillin-allergic; aspirin given", "Penicillin-allergic"),
        ("Allergic to penicillin so treated with aspirin", "Allergic to penicillin "),
        ("Allergic to penicillin, on aspirin", "Allergic to penicillin, "),
        ("Anaphylaxis to penicillin in childhood", "Anaphylaxis to penicillin in childhood"),
    ],
)
def test_a_stretch_holds_what_must_not_be_given(text, inside):
    assert inside in [text[start:end] for start, end in allergy_places(text)]
    assert not any("spirin" in text[start:end] for start, end in allergy_places(text))


@pytest.mark.parametrize("text", ["Penicillin was given for a week.", "Treated with penicillin."])
def test_what_is_taken_is_no_allergy(text):
    assert not list(allergy_places(text))


def test_an_illness_is_no_allergen():
    mesh = load_mesh()
    inside = allergens(mesh)
    for name in ("Penicillins", "Drug Hypersensitivity", "Hypersensitivity"):
        assert mesh.find(name)[0] in inside
    for name in ("Gonorrhea", "Urethritis", "Hepatitis C"):
        assert mesh.find(name)[0] not in inside


@pytest.mark.parametrize("alpha", [1, 1.5, 2])
@pytest.mark.parametrize(
    "text",
    ["Allergies: penicillin, sulfa.", "She has a penicillin allergy.", "Allergic to penicillin."],
)
def test_an_allergy_stays_and_verifies(text, alpha):
    plan = Plan(topics=default_topics(), alpha=alpha)
    report = Sanitiser(plan).document([(text, ())])
    assert report.pages[0].text == text
    assert Verifier(certify(plan, report, b"", "text/plain")).violations([text]) == []


def test_what_a_drug_tells_of_who_takes_it_goes_there_too():
    """One term, one replacement: the allergy would say what was taken."""
    plan = Plan(topics=(STD,), alpha=1.5)
    text = "Allergic to ceftriaxone. Ceftriaxone was given all the same."
    assert "eftriaxone" not in Sanitiser(plan).document([(text, ())]).pages[0].text


def test_a_drug_of_a_curated_list_goes_from_an_allergy():
    plan = Plan(topics=(STD,), alpha=1)
    report = Sanitiser(plan).document([("Allergic to acyclovir.", ())])
    assert "acyclovir" not in report.pages[0].text
    certificate = certify(plan, report, b"", "text/plain")
    assert Verifier(certificate).violations(["Allergic to acyclovir."])


def test_an_illness_beside_an_allergy_is_judged_as_ever():
    plan = Plan(topics=(STD,), alpha=1.5)
    made = Sanitiser(plan).document([("Allergic to penicillin, gonorrhea, urethritis.", ())])
    assert "gonorrhea" not in made.pages[0].text
    assert "urethritis" not in made.pages[0].text
