"""In a structured part the fields say who and what, row by row or for the whole record."""

import io

import pytest

from dlp.decode.extract import read
from dlp.detect.field_labels import meaning_of
from dlp.detect.records import read_records

TABLE = """last_name,first_name,birth_date,city,diagnosis
Baptiste,Lamar,1954-07-02,Ottawa,Schizophrenia
Jankowski,Edith,1988-11-23,Ottawa,Asthma
"""


@pytest.mark.parametrize("label,owner,what", [
    ("Patient.name.family", "patient", "last"), ("recordTarget/patient/name/given", "patient", "first"),
    ("PID-5", "patient", "name"), ("PatientBirthDate", "patient", "birth"), ("DOB", "patient", "birth"),
    ("Practitioner.name.family", "clinician", "last"), ("Patient.contact.name.family", "relative", "last"),
    ("Street Address", "patient", "address"), ("Dx", "patient", "health"), ("MRN", "patient", "id"),
    ("Document/id", "patient", ""), ("Organization.name", "clinician", "name"), ("zip_code", "patient", "zip"),
])  # fmt: skip
def test_labels_say_whose_and_what(label, owner, what):
    assert meaning_of(label) == (owner, what)


def test_a_table_has_a_person_per_row():
    (part,) = read(io.BytesIO(TABLE.encode()), "list.csv").document.parts
    records = read_records(part)
    assert records.rows
    assert [entry.values["last"] for entry in records.entries] == ["Baptiste", "Jankowski"]
    assert records.of(part.text.index("Asthma")).values["first"] == "Edith"
    assert records.of(part.text.index("diagnosis")) is None


def test_a_table_without_people_holds_nobody():
    (part,) = read(
        io.BytesIO(b"drug,price,dose\nmetformin,3,500\ninsulin,9,10\n"), "p.csv"
    ).document.parts
    assert read_records(part) is None


def test_values_stay_out_of_reprs():
    (part,) = read(io.BytesIO(TABLE.encode()), "list.csv").document.parts
    assert "Baptiste" not in repr(read_records(part).entries)
