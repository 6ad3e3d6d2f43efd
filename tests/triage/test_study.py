"""The rule set sokolova2009 counts as the study did, to the letter of its formulas."""

import pytest

from dlp.model import Case, Container, Document, FileRef, Finding, Kind, Part
from dlp.triage.study import DecideAsStudied, density, is_probable

TEXT = "type two diabetes and heart failure or asthma in Fredericton with one more word here"


def health(phrase, kind=Kind.DISEASE):
    start = TEXT.index(phrase)
    return Finding(kind, "health-term", 0, start, start + len(phrase), 0.9)


def identifier(kind, print_):
    return Finding(kind, "r", 0, 0, 1, 0.9, fingerprint=print_)


TERMS = (
    health("type two diabetes"),
    health("heart failure"),
    health("asthma", Kind.SYMPTOM),
)
DOCUMENT = Document("text/plain", (Part("body", TEXT),))


def test_density_is_three_t_two_b_one_u_over_n():
    assert density(DOCUMENT, TERMS) == pytest.approx((3 + 2 + 1) / 15)


def test_weights_multiply_their_category():
    weighted = density(DOCUMENT, TERMS, {"disease": 2.0, "symptom": 0.5})
    assert weighted == pytest.approx((2.0 * 5 + 0.5) / 15)


@pytest.mark.parametrize(
    "kinds,probable",
    [
        ((Kind.PLACE, Kind.PERSON), True),  # a place, a first and a last name
        ((Kind.PLACE, Kind.ORGANISATION, Kind.PHONE), True),
        ((Kind.PLACE, Kind.PHONE), False),
        ((Kind.PERSON, Kind.PERSON, Kind.PHONE), False),  # nothing geographic
        ((Kind.PLACE, Kind.URL, Kind.URL), False),
    ],
)
def test_probable_needs_a_place_and_two_others(kinds, probable):
    found = tuple(identifier(kind, f"p{number}") for number, kind in enumerate(kinds))
    assert is_probable(found) is probable


def test_the_same_place_twice_is_one_identifier():
    assert not is_probable(tuple(identifier(Kind.PLACE, "same") for _ in range(5)))


def test_decides_by_both_conditions():
    people = (identifier(Kind.PLACE, "a"), identifier(Kind.PERSON, "b"))
    case = Case(FileRef("s", b"f"), DOCUMENT)
    decide = DecideAsStudied()
    assert decide(case.but(findings=people + TERMS)).container is Container.PHI
    assert decide(case.but(findings=people)).container is Container.PROBABLE
    assert decide(case.but(findings=TERMS)).container is Container.POSSIBLE
