"""An ICD code means its disease, with or without its dot, and counts in a text only where codes are announced."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlp.knowledge.icd import icd, load_icd
from dlp.knowledge.mesh import load_mesh


@pytest.mark.parametrize(
    "code, system, heading",
    [
        ("E11.65", "icd-10-cm", "Diabetes Mellitus, Type 2"),
        ("e1165", "icd-10-cm", "Diabetes Mellitus, Type 2"),
        ("B20", "icd-10-cm", "HIV Infections"),
        ("Z21", "icd-10-cm", "HIV Infections"),
        ("C50.911", "icd-10-cm", "Breast Neoplasms"),
        ("S72.001A", "icd-10-cm", "Femoral Fractures"),
        ("F20.0", "icd-10-cm", "Schizophrenia, Paranoid"),
        ("250.00", "icd-9-cm", "Diabetes Mellitus, Type 2"),
        ("042", "icd-9-cm", "HIV Infections"),
    ],
)
def test_a_code_gives_its_concept(code, system, heading):
    found = icd(code)
    assert found.system == system
    mesh = load_mesh()
    assert [mesh.name(mesh.index(concept)) for concept in found.concepts] == [heading]


@pytest.mark.parametrize("code", ["", "E1", "ZZZ", "U99", "999.99", "E11.65.1", "hello"])
def test_no_code_no_answer(code):
    assert icd(code) is None


def test_codes_count_where_they_are_announced():
    text = "Dx: E11.65, I10; F32.9\n\nTake route A10 and vitamin B12, seat C50."
    assert [text[h.start : h.end] for h in load_icd().scan(text)] == ["E11.65", "I10", "F32.9"]


@given(st.text(alphabet="ABEZ019. :\nicdx", max_size=60))
def test_scanning_never_leaves_the_text(text):
    assert all(icd(text[h.start : h.end]) for h in load_icd().scan(text))
