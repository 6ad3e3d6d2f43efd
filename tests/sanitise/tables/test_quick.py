"""A scan learns from headers alone how many rows of a table are one of a kind."""

from dlp.sanitise.tables.scan_risk import outward_headers


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
    assert [headers[at] for at in outward_headers(headers)] == [
        "DOB",
        "birth_date",
        "Sex",
        "zipCode",
    ]
