"""Health terms are found with their concept, and ambiguous ones only in clinical company."""

import pytest

from dlp.detect.illness.health import FindHealth

FIND = FindHealth()


def found(text):
    return {text[f.start : f.end].lower(): f for f in FIND.find(text)}


def test_terms_carry_kind_concept_and_context():
    hits = found("She has asthma, takes metformin and denies chest pain.")
    assert (hits["asthma"].kind, hits["asthma"].concept) == ("disease", "D001249")
    assert hits["metformin"].kind == "drug"
    assert hits["chest pain"].context == {"negated"}


def test_everyday_text_holds_no_health():
    assert not found("The committee will meet in May to discuss the technology of the new gate.")


def test_findings_carry_no_text():
    (finding,) = FIND.find("asthma")
    assert "asthma" not in repr(finding)


@pytest.mark.parametrize(
    "text, told",
    [
        ("She was diagnosed with relapsing MS in 2021.", True),
        ("My brother has CF and a cat.", True),
        ("The MS was signed on Monday.", False),
        ("THE TEAM HAS MS AND PA SEATS", False),
    ],
)
def test_an_illness_by_its_letters_needs_somebody_who_has_it(text, told):
    assert bool(FIND.find(text)) is told
