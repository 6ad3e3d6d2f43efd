"""Columns are known by their values: codes are never averaged, forms of numbers are kept."""

import random

import numpy as np
import pytest

from dlp.sanitise.tables.anonymise import anonymise
from dlp.sanitise.tables.cells import number_form
from dlp.sanitise.tables.request import Request
from dlp.sanitise.tables.roles import DIRECT, find_role, kind_of
from dlp.sanitise.tables.table import Table, from_rows

NINE = ["25000", "4019", "0389", "3442", "41401", "486", "V5789", "2720", "5990", "78650"]
TEN = ["E11.9", "I10", "J45.909", "M54.5", "N39.0", "K21.9", "E78.5", "I25.10"]


def drawn(values, rows, seed=1):
    draw = random.Random(seed)
    return [draw.choice(values) for _ in range(rows)]


@pytest.mark.parametrize("header", ["DX1", "diag_1", "ICD9_DGNS_CD_1", "x"])
def test_codes_of_the_ninth_revision_are_codes(header):
    assert kind_of(header, drawn(NINE, 200)) == "icd9"


@pytest.mark.parametrize("header", ["DX1", "diag_1"])
@pytest.mark.parametrize("plain", [True, False])
def test_a_diagnosis_that_is_asked_for_is_not_averaged(header, plain):
    codes = [code for code in NINE if not plain or code.isdigit()]
    cells = drawn(codes, 60)
    table = Table((header, "age"), (cells, [str(20 + n) for n in range(60)]))
    done = anonymise(table, Request(k=5, quasi=(header, "age")))
    assert done.roles[header].kind == "icd9"
    for cell in done.table.column(header):
        bare = str(cell).replace(".", "")
        assert bare == "*" or "-" in bare or any(code.startswith(bare) for code in codes), cell


def test_codes_of_the_tenth_revision_are_codes():
    assert kind_of("anything", drawn(TEN, 100)) == "icd10"


@pytest.mark.parametrize(
    "cells, comma, unit",
    [
        (["5,3", "6,1", "12,75", "4"], True, ""),
        (["72 kg", "80 kg", "64.5 kg"], False, " kg"),
        (["1,234", "2,500", "3,100"], False, ""),
        (["98%", "95%", "97%"], False, "%"),
    ],
)
def test_forms_of_numbers(cells, comma, unit):
    form = number_form(cells)
    assert (form.comma, form.unit) == (comma, unit)
    assert kind_of("value", cells * 10) == "number"


def test_a_mean_is_written_like_its_column():
    cells = [f"{n},5 kg" for n in range(50, 70)]
    done = anonymise(Table(("weight",), (cells,)), Request(k=5, quasi=("weight",)))
    assert all(
        str(cell).endswith(" kg") and "," in str(cell) for cell in done.table.column("weight")
    )


@pytest.mark.parametrize("prefix", ["S-", "P", "case_", "ID "])
def test_ids_are_direct(prefix):
    cells = [f"{prefix}{number:03d}" for number in range(1, 13)]
    assert find_role("label", cells).role == DIRECT


def test_date_times_are_dates():
    assert kind_of("when", [f"{n:02d}/03/2021 14:{n:02d}" for n in range(10, 28)]) == "date"


def test_rows_are_shuffled_and_pseudonyms_do_not_tell_the_order():
    names = [f"S-{n:03d}" for n in range(200)]
    notes = [f"words about {n}" for n in range(200)]
    table = Table(("id", "age", "mark"), (names, [str(n // 4) for n in range(200)], notes))
    wish = Request(k=5, quasi=("age",), keep_order=False, seed=7)
    done = anonymise(table, wish)
    assert list(done.table.column("mark")) != notes
    assert sorted(done.table.column("mark")) == sorted(notes)
    assert done.table.column("id")[0] == "R0000001"
    kept = anonymise(table, Request(k=5, quasi=("age",)))
    assert list(kept.table.column("mark")) == notes


@pytest.mark.parametrize("seed", range(4))
def test_several_rows_of_one_person_count_once(seed):
    draw = random.Random(seed)
    people = [f"P-{draw.randrange(30):03d}" for _ in range(240)]
    ages = [str(20 + int(person[2:]) * 2) for person in people]
    table = Table(("person", "age", "zip"), (people, ages, drawn(["02139", "02140"], 240, seed)))
    done = anonymise(table, Request(k=4, quasi=("age", "zip"), person="person"))
    held = {}
    rows = zip(people, done.table.column("age"), done.table.column("zip"), strict=True)
    for person, *cells in rows:
        held.setdefault(tuple(cells), set()).add(person)
    assert min(map(len, held.values())) >= 4


def test_a_group_with_one_diagnosis_is_a_warning():
    table = Table(
        ("age", "diagnosis"), ([str(n // 5) for n in range(20)], ["asthma"] * 10 + ["gout"] * 10)
    )
    done = anonymise(table, Request(k=5, quasi=("age",)))
    assert done.after.diversity["diagnosis"] == 1
    assert any("WARNING diagnosis" in note for note in done.notes)
    assert any("suppressed" in note for note in done.notes)


def test_a_sorted_table_links_no_better_than_chance():
    """A reader who knows the order of surnames guesses a row by its place."""
    rows = 400
    ages = np.random.default_rng(3).integers(20, 90, rows)
    table = Table(("age", "own"), ([str(a) for a in ages], [str(n) for n in range(rows)]))
    done = anonymise(table, Request(k=5, quasi=("age",), keep_order=False, seed=1))
    hits = sum(own == str(at) for at, own in enumerate(done.table.column("own")))
    assert hits / rows <= 1 / 5


@pytest.mark.parametrize(
    "header, role",
    [
        ("Nachname", "direct"), ("Vorname", "direct"), ("Apellidos", "direct"), ("Teléfono", "direct"),
        ("Cognome", "direct"), ("Achternaam", "direct"), ("Nom", "direct"), ("NHC", "direct"),
    ],
)  # fmt: skip
def test_headers_of_other_languages_name_direct_identifiers(header, role):
    cells = [f"Wert{number % 7}" for number in range(40)]
    assert find_role(header, cells).role == role


@pytest.mark.parametrize("header", ["PLZ", "Código postal", "ZIPCODE"])
def test_postal_codes_are_places_and_never_averaged(header):
    assert find_role(header, ["10115", "20095", "80331"] * 9).kind == "place"


@pytest.mark.parametrize("sign", ["?", "NA", ""])
def test_a_missing_value_is_written_as_the_table_writes_it(sign):
    rows = [(race, age) for race in ("White", "Black", sign) for age in (30, 31, 32, 33, 34)]
    table = from_rows(("race", "age"), rows)
    wish = Request(k=5, roles={"race": "quasi:category", "age": "quasi:number"})
    made = anonymise(table, wish).table
    assert {cell or "" for cell in made.column("race")} <= {"White", "Black", sign, "*"}
    assert any((cell or "") == sign for cell in made.column("race"))
