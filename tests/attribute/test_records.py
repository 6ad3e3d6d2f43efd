"""In a structured part the fields say who and what, row by row or for the whole record."""

import io

import pytest

from dlp.attribute.records import read_records
from dlp.decode.extract import read
from dlp.text.field_labels import meaning_of

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


@pytest.mark.parametrize("heading", ["name", "MRN", "patient id", "last name"])
@pytest.mark.parametrize("written", ["R{:07d}", "{:06d}", "ID-{}"])
def test_a_column_that_counts_the_rows_is_nobody(heading, written):
    rows = "".join(f"{written.format(n)},1950,gout\n" for n in range(1, 8))
    (part,) = read(io.BytesIO(f"{heading},year,diagnosis\n{rows}".encode()), "k.csv").document.parts
    assert read_records(part) is None


@pytest.mark.parametrize(
    "values",
    [
        ["R0000001", "R0000003", "R0000002"],
        ["R0000002", "R0000003", "R0000004"],
        ["R0000001", "M0000002", "R0000003"],
        ["0447190", "0447191", "0447192"],
        ["R0000001", "R0000002", "Orville Jankowski"],
    ],
)
def test_numbers_in_another_order_are_somebodys(values):
    rows = "".join(f"{value},1950,gout\n" for value in values)
    (part,) = read(io.BytesIO(f"MRN,year,diagnosis\n{rows}".encode()), "k.csv").document.parts
    assert len(read_records(part).entries) >= 2


def test_names_beside_a_count_are_read():
    table = "id,last_name,first_name,diagnosis\n1,Baptiste,Lamar,gout\n2,Jankowski,Edith,gout\n"
    (part,) = read(io.BytesIO(table.encode()), "k.csv").document.parts
    assert [entry.values["last"] for entry in read_records(part).entries] == [
        "Baptiste", "Jankowski",
    ]  # fmt: skip


@pytest.mark.parametrize("label", ["form/section/field/name", "items.name", "drugs.name"])
def test_the_name_of_a_thing_is_nobodys(label):
    assert meaning_of(label).what == ""
