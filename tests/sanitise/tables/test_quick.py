"""A scan learns from headers alone how many rows of a table are one of a kind."""

import pytest

from dlp.sanitise.tables.scanned import assess_table, quasi_headers
from tests.support.clock import least_cpu


def test_what_an_attacker_may_know_is_known_by_its_header():
    headers = [
        "MRN",
        "LastName",
        "DOB",
        "birth_date",
        "Sex",
        "zipCode",
        "Diagnosis 1",
        "ICD10",
        "price",
        "page",
        "stage",
    ]
    assert [headers[at] for at in quasi_headers(headers)] == [
        "DOB",
        "birth_date",
        "Sex",
        "zipCode",
        "Diagnosis 1",
        "ICD10",
    ]


def test_unique_rows_are_counted_over_those_columns_only():
    risk = assess_table(
        ["id", "sex", "zip"], [[1, 2, 3, 4], ["f", "f", "m", "m"], ["1", "1", "1", "2"]]
    )
    assert (risk.k, risk.unique, risk.unique_share) == (1, 2, pytest.approx(0.5))


@pytest.mark.parametrize(
    "headers, columns", [(["part", "price"], [[1, 2], [3, 4]]), (["age"], [[1]]), ([], [])]
)
def test_a_table_of_nobody_has_no_risk(headers, columns):
    assert assess_table(headers, columns) is None


def test_it_is_cheap():
    rows = 50_000
    columns = [[n * step % 977 for n in range(rows)] for step in (1, 7, 31, 57)]
    assert least_cpu(lambda: assess_table(["age", "sex", "zip", "race"], columns)) < 1.0
