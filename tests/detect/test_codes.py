"""A diagnosis code is a health fact where the text announces it, and a number everywhere else."""

from __future__ import annotations

import pytest

from dlp.detect.illness.codes import announced_codes
from dlp.detect.illness.health import FindHealth
from dlp.model import Case, Document, FileRef, Part


def codes(text: str) -> list[str]:
    case = Case(FileRef("", b"a.txt"), document=Document("text/plain", (Part("body", text),)))
    found = FindHealth()(case.but(language="en")).findings
    return [text[f.start : f.end] for f in found if f.rule_id == "icd-code"]


@pytest.mark.parametrize(
    "text, told",
    [
        ("ICD-10: F32.1", ["F32.1"]),
        ("Diagnosis code F32.1, billed in May", ["F32.1"]),
        ("ICD-10-CM codes: E11.9, I10 and F32.1.", ["E11.9", "I10", "F32.1"]),
        ("dx codes 250.00", ["250.00"]),
        ("Your responsibility 25. Dx F33.1", ["F33.1"]),
        ("diagnosis: J45 since spring", ["J45"]),
        ("Ms Hale is entered under G40.909.", ["G40.909"]),
        ("He had K50.1 written on his claim", ["K50.1"]),
        ("Ms Hale was down as 345.90 (ICD-9)", ["345.90"]),
        ("Full name: Ada Hale\nRemarks\nM06.9\nSigned", ["M06.9"]),
        ("Door code F32.1", []),
        ("The bolt M10.25 is on her list", []),
        ("Annex 4\nF32.1\nScope", []),
        ("The area code is 250.00", []),
        ("ResourceRegistry F32.1 holds the forms", []),
        ("ICD-10 is a classification.\n\nShelf code F32.1", []),
        ("Vitamin B12 was low", []),
    ],
)
def test_only_announced_codes_are_found(text: str, told: list[str]) -> None:
    assert codes(text) == told


def test_a_code_is_found_at_its_place_with_its_concept() -> None:
    text = "Signed. ICD-10: F32.1"
    (hit,) = announced_codes(text)
    assert text[hit.start : hit.end] == "F32.1"
    assert hit.concepts


def test_a_denied_code_is_denied() -> None:
    text = "No evidence of ICD-10 F32.1 today."
    case = Case(FileRef("", b"a.txt"), document=Document("text/plain", (Part("body", text),)))
    (found,) = [
        f for f in FindHealth()(case.but(language="en")).findings if f.rule_id == "icd-code"
    ]
    assert "negated" in found.context


def test_the_edition_that_is_named_gives_the_meaning() -> None:
    (check_up,) = announced_codes("ICD-9: V70.0")
    (crash,) = announced_codes("ICD-10: V70.0")
    assert check_up.concepts != crash.concepts
