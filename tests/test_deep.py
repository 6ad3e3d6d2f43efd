"""A file is PHI when health is said of somebody identified, and only then."""

import io

import pytest

from dlp import demo_share
from dlp.assembly import Analysis
from dlp.config import Settings
from dlp.model import FileRef, Finding, Kind

ANALYSIS = Analysis(Settings())

FAMILY = demo_share.FAMILY_MAIL
PRICES = "drug,price\nmetformin,3.20\nlisinopril,4.10\nzidovudine,88.00\n"
STAFF = "name,phone,ward\nGreta Zeller,(613) 555-0102,oncology\nLamar Baptiste,(613) 555-0117,cardiology\n"
TWO = "Patient: Edith Jankowski  MRN: 1234567\nDiagnosis: asthma.\n\nPatient: Dmitri Sokolov  MRN: 7654321\nDiagnosis: alcoholism.\n"
STATEMENT = "I, Dolores Hernandez, of 12 Elm Street, Springfield, make this statement. I was diagnosed with breast cancer in May and take tamoxifen."


def judge(text, name="f.txt"):
    return ANALYSIS(FileRef("s", name.encode()), io.BytesIO(text.encode()))


@pytest.mark.parametrize("text,name", [
    (demo_share.DISCHARGE, "a.txt"), (demo_share.SHORTHAND, "b.txt"), (FAMILY, "c.txt"), (STATEMENT, "d.txt"),
    (demo_share.table(demo_share.PATIENTS), "e.csv"), (TWO, "g.txt"),
])  # fmt: skip
def test_leaks(text, name):
    record = judge(text, name)
    assert record["container"] == "phi", record["reason"]
    assert record["privacy"] > 0
    assert record["persons"]


@pytest.mark.parametrize("text,name", [
    (demo_share.LEAFLET, "a.txt"), (demo_share.NOVEL, "b.txt"), (demo_share.RESUME, "c.txt"),
    (demo_share.BLANK_FORM, "d.txt"), (demo_share.MINUTES, "e.txt"), (PRICES, "f.csv"), (STAFF, "g.csv"),
])  # fmt: skip
def test_no_leaks(text, name):
    assert judge(text, name)["container"] != "phi"


def test_several_people_are_kept_apart():
    persons = judge(demo_share.table(demo_share.PATIENTS), "e.csv")["persons"]
    assert len({person["id"] for person in persons}) == 4
    assert len({round(person["sensitivity"], 3) for person in persons}) == 4


def test_findings_name_their_person():
    record = judge(demo_share.DISCHARGE)
    (person,) = record["persons"]
    linked = [f for f in record["findings"] if f["person"] == person["id"]]
    assert {"disease", "drug"} <= {f["kind"] for f in linked}


def test_nothing_of_the_content_is_in_the_record():
    text = str(judge(demo_share.DISCHARGE))
    assert not any(word in text for word in ("Quintero", "Marisol", "4471902", "Maple"))


def test_a_finding_about_somebody_changes_in_nothing_else():
    found = Finding(
        Kind.DISEASE, "r", 1, 2, 9, 0.5, ("field",), "D1", "", "print", frozenset({"negated"})
    )
    assert found.about("somebody") == found._replace(person="somebody")
