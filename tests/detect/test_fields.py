"""A cell is read with the name of its column, and what is found lies inside that cell."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlp.detect.identify.fields import FieldReader, said
from dlp.detect.identify.identifiers import FindIdentifiers, default_finder
from dlp.model import Case, Document, FieldMap, FileRef, Part

READER = FieldReader(default_finder())


def table(header, *rows, sign=","):
    """A text with its cells mapped, as the readers of tables give it."""
    text = sign.join(header) + "\n"
    fields = FieldMap()
    for number, row in enumerate(rows):
        for label, cell in zip(header, row, strict=True):
            fields.add(label, len(text), len(text) + len(cell), number)
            text += cell + sign
        text += "\n"
    return text, fields


def found(text, fields):
    return {(hit.rule_id, text[hit.start : hit.end]) for hit in READER.find(text, fields, 0.3)}


def test_a_bare_number_is_what_its_column_says():
    rows = (["448213", "03/07/1961", "401332217"], ["448214", "1962-04-08", "401332218"])
    text, fields = table(["MRN", "dob", "SSN"], *rows)
    assert found(text, fields) == {
        *{("record-number", "448213"), ("record-number", "448214")},
        *{("birth-date", "03/07/1961"), ("birth-date", "1962-04-08")},
        *{("us-ssn-labelled", "401332217"), ("us-ssn-labelled", "401332218")},
    }


def test_a_column_no_rule_knows_is_left_alone():
    text, fields = table(["price", "pulse", "comment"], ["448213", "72", "401332217"])
    assert found(text, fields) == set()


@pytest.mark.parametrize(
    "label, words",
    [
        ("Patient.birthDate", "birth Date"),
        ("recordTarget/patientRole/patient/birthTime", "birth date"),
        ("recordTarget/patientRole/id/extension", "patient id"),
        ("PID-19", "ssn"),
        ("PatientBirthDate", "date of birth"),
        ("policy_number", "policy number"),
        ("Home Phone #", "Home Phone #"),
    ],
)
def test_labels_are_put_in_plain_words(label, words):
    assert said(label) == words


@given(st.lists(st.text(max_size=20), max_size=12), st.sampled_from(["MRN", "phone", "address"]))
def test_hits_lie_inside_one_cell(cells, label):
    text, fields = table([label], *([cell] for cell in cells))
    spans = [(one.start, one.end) for one in fields]
    for hit in READER.find(text, fields, 0.0):
        assert any(start <= hit.start < hit.end <= end for start, end in spans)


def test_the_stage_prefers_the_column_over_the_look_of_a_value():
    text, fields = table(["patient_id", "seen"], ["416-555-0199", "03/07/2021"])
    case = Case(FileRef("test", b"t.csv"), Document("text/csv", (Part("body", text, fields),)))
    findings = FindIdentifiers(b"key")(case).findings
    assert [(f.rule_id, text[f.start : f.end]) for f in findings] == [
        ("record-number", "416-555-0199"),
        ("date-numeric", "03/07/2021"),
    ]
    assert "field" in findings[0].evidence
