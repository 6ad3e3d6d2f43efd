"""What the sentence says is a house, a doctor or a date goes, though no list knows it."""

import io
import json

import pytest

from dlp.decode.extract import read
from dlp.model import Finding, Kind
from dlp.sanitise.cautious_identifiers import cautious, chosen, in_fields
from dlp.sanitise.plan import Plan
from dlp.sanitise.sanitiser import Sanitiser
from tests.support.pdf_form_builder import FormBuilder


def found(text):
    return {text[f.start : f.end] for f in cautious(text)}


@pytest.mark.parametrize(
    "text, value",
    [
        ("She was admitted to Fairhaven on Monday.", "Fairhaven"),
        ("He was reviewed at Brigstow & Women’s, stable.", "Brigstow & Women’s"),
        ("was seen last week at Ashdown Elm & Stone.", "Ashdown Elm & Stone"),
        ("seen by Dr. Q. at Glenwick for follow-up", "Glenwick"),
        (
            "diagnosed at the Elmsford Sloane Cancer Center in spring",
            "Elmsford Sloane Cancer Center",
        ),
        ("they visited our New York office twice", "New York"),
        ("seen by Dr. Q. on the ward", "Q."),
        ("worse since March, better now", "March"),
        ("the fall last July hurt", "July"),
    ],
)
def test_what_the_sentence_gives_away_is_taken(text, value):
    assert value in found(text)


@pytest.mark.parametrize(
    "text",
    [
        "She was transferred to the ICU overnight.",
        "He was transferred to Postanesthesia Care Unit.",
        "Seen in Cardiology and Physical Therapy.",
        "She was admitted to the Emergency Department.",
        "Evaluated in the MRI suite.",
        "They may march in the morning.",
        "Sample Doctor M.D.",
        "was seen at home with his mother",
        "discharged to home care in stable condition",
    ],
)
def test_wards_and_everyday_words_stay(text):
    assert found(text) == set()


def test_what_detection_found_is_not_found_twice():
    text = "She was admitted to Fairhaven on Monday."
    finding = Finding(Kind.PROVIDER, "provider-listed", 0, 20, 29, 0.9)
    assert chosen(text, [finding]) == [finding]


def test_a_partner_behind_an_ampersand_goes_with_the_house():
    text = "She went to Ashdown Elm & Stone."
    finding = Finding(Kind.PROVIDER, "provider-listed", 0, 12, 23, 0.9)
    made = Sanitiser(Plan(key=b"k")).document([(text, [finding])]).pages[0].text
    assert made == "She went to [provider]."


def test_the_copy_names_no_house_and_twice_is_once():
    text = "She was seen by Dr. Q. at Glenwick last July for asthma."
    once = Sanitiser(Plan(key=b"k")).document([(text, ())]).pages[0].text
    assert once == "She was seen by Dr. [name] at [organisation] last [date] for asthma."
    assert Sanitiser(Plan(key=b"k")).document([(once, ())]).pages[0].text == once


@pytest.mark.parametrize(
    "label, value, taken",
    [
        ("Part 5. Your spouse. Enter City or Town.", "Fairhaven", True),
        ("patient.employer_name", "Northgate Steel", True),
        ("Do you work at night?", "Yes", False),
        ("city", "12 345", False),
        ("capacity", "Fairhaven", False),
    ],
)
def test_the_label_of_a_field_says_what_its_value_is(label, value, taken):
    document = read(io.BytesIO(json.dumps({label: value}).encode()), "a.json").document
    (part,) = (part for part in document.parts if part.fields)
    assert [part.text[f.start : f.end] for f in in_fields(part)] == [value] * taken


@pytest.mark.parametrize(
    "text, taken",
    [
        ("Her mother Grace is 93, and well.", "93"),
        ("She is 101 and walks.", "101"),
        ("Mrs Oyelaran turned 95 in spring.", "95"),
        ("SpO2 is 93, pulse was 98.", ""),
        ("He was 92% on room air; she is 98 kg.", ""),
        ("She is 64.", ""),
    ],
)
def test_a_number_behind_a_person_is_an_age(text, taken):
    ages = [f for f in cautious(text) if f.kind is Kind.AGE]
    assert [text[f.start : f.end] for f in ages] == ([taken] if taken else [])


def test_an_employer_named_after_a_town_goes_whole():
    text = "Seen today. Employer: Boston Steel. Phone below.\n"
    finding = Finding(Kind.PLACE, "place-city", 0, 22, 28, 0.9)
    assert [text[f.start : f.end] for f in chosen(text, [finding])] == ["Boston Steel"]


LABELS = ("Acc", "Payroll no.", "Group", "PNC", "Policy number", "Incident", "rx", "bleep", "CHI")
NUMBERS = ("RX-7781204", "P/55102", "00912", "07/193482K", "AMB-2024-118273", "6620817", "2231")


@pytest.mark.parametrize("label", LABELS)
@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("between", [": ", " ", " # "])
def test_a_number_behind_a_label_goes_however_it_is_written(label, number, between):
    assert number in found(f"Seen today. {label}{between}{number}, stable.")


@pytest.mark.parametrize(
    "text",
    ["Rx: 500 mg daily", "group 2 of 3", "case 4", "report 2019", "Lab: 5.25", "order 1.5 ml"],
)
def test_doses_years_and_small_counts_are_no_numbers_of_anybody(text):
    assert found(text) == set()


@pytest.mark.parametrize(
    "text, value",
    [
        ("Patient: FIELDER, PERPETUA Acc: 1", "FIELDER, PERPETUA"),
        ("DP aka Ree Scatter, held", "Ree Scatter"),
        ("[09:41] Agent Femi: hello", "Femi"),
        ("evaluated on 14JUN2024 again", "14JUN2024"),
        ("6/3 80 mg given\n6/4 missed", "6/3"),
        ("Handover, night 12/8", "12/8"),
        ("Rm 1 Doris Field (93, born long ago)", "93"),
        ("the apartment on Larkspur Drive, please", "Larkspur Drive"),
        ("at 41 Quarry Bank, Ashdown", "41 Quarry Bank, Ashdown"),
        ("Flat 6, Marram House, Sandgate Road", "Marram House"),
        ("Calle del Olmo 17, 28911 Valdemora.", "Valdemora"),
        ("a bus driver for Hexley Transit and", "Hexley Transit"),
        ("shift worker at Tarbock Paper Mill", "Tarbock Paper Mill"),
        ("pls ring him on 01209 555 0149 after 5", "01209 555 0149"),
    ],
)
def test_what_stands_beside_it_gives_a_value_away(text, value):
    assert value in found(text)


@pytest.mark.parametrize(
    "text",
    [
        "power 4/5, pain 7/10, r/v 2/52",
        "1/2 tablet in the morning",
        "Sats (96), pulse (98).",
        "also known as Lou Gehrig disease",
        "BP 128/76 and rising",
    ],
)
def test_measurements_are_no_days_ages_or_people(text):
    assert found(text) == set()


@pytest.mark.parametrize(
    "value",
    [
        *("Baredville", "O'Koranski", "Felun Berg-Ortwin", "103619804", "62792", "7306"),
        *("Tarvick & Lowe", "972 Sandal", "Oswin Br", "Ingeborg L"),
    ],
)
@pytest.mark.parametrize("label", ["resides at", "who is", "Line 7", "and who"])
def test_what_is_typed_into_a_form_goes_though_its_label_says_nothing(label, value):
    form = FormBuilder("opaque")
    form.text(label, value)
    parts = read(io.BytesIO(form.bytes()), "form.pdf").document.parts
    taken = {part.text[f.start : f.end].strip() for part in parts for f in in_fields(part)}
    assert value in taken


@pytest.mark.parametrize(
    "value", ["Asthma", "None", "Married", "12.50", "Yes", "Texas", "1998", "4,500.00"]
)
def test_plain_entries_of_a_form_stay(value):
    form = FormBuilder("opaque")
    form.text("Line 7", value)
    parts = read(io.BytesIO(form.bytes()), "form.pdf").document.parts
    assert not [f for part in parts for f in in_fields(part)]


STEMS = ("Brack", "Ostern", "Quell", "Tarvin", "Pell")
TRADES = ("Haulage", "Freight", "Roofing", "Shipping", "Logistics")


@pytest.mark.parametrize("trade", TRADES)
@pytest.mark.parametrize(
    "frame",
    ["her insurance at {} lapsed", "he drives for {} now", "Employer\t{}\n", "a gift of {}"],
)
def test_a_firm_no_list_has_goes_by_its_form(frame, trade):
    firm = f"{STEMS[len(trade) % len(STEMS)]}{'ham' if len(frame) % 2 else 'more'} {trade}"
    assert firm in found(frame.format(firm))


@pytest.mark.parametrize(
    "text",
    [
        "Foley Catheter in place",
        "moved to the Intensive Care Unit",
        "Glasgow Coma Scale 15",
        "Chief Complaint and Vital Signs",
        "the United States",
        "Hodgkin Lymphoma stage 2",
        "CD4 was 212 350 400 cells",
    ],
)
def test_what_clinicians_call_things_by_is_no_firm(text):
    assert found(text) == set()


@pytest.mark.parametrize(
    "text, value",
    [
        ('Roommate: "Jojo" Pemberley', "Jojo"),
        ("works at stellvich roofing.", "stellvich roofing"),
        ("[09:14] ward_ibbotson: room 12", "ward_ibbotson"),
        ("Llámame al 655 209 871 hoy", "655 209 871"),
        ("tel for his brother is 555-0129", "555-0129"),
        ("her mrn 20 44 817 please", "20 44 817"),
        ("Hosp #: GX-448120", "GX-448120"),
        ("Printed for W. Castelbury, RN", "W. Castelbury"),
    ],
)
def test_what_its_form_or_its_label_gives_away_goes(text, value):
    assert value in found(text)


@pytest.mark.parametrize(
    "label, value, taken",
    [
        ("member_first", "Zephyrine", True),
        ("subscriber_last_name", "Malatrost", True),
        ("patient_id", "A-5518", True),
        ("test name", "Hemoglobin", False),
        ("drug.name", "Metformin", False),
    ],
)
def test_columns_of_names_and_numbers_go_whoever_they_are_of(label, value, taken):
    document = read(io.BytesIO(json.dumps({label: value}).encode()), "a.json").document
    (part,) = (part for part in document.parts if part.fields)
    assert [part.text[f.start : f.end] for f in in_fields(part)] == [value] * taken


@pytest.mark.parametrize(
    "text, start, end",
    [("Name\tNHS Number\tWard", 5, 8), ("Phone: 12345", 0, 5)],
)
def test_the_name_of_a_field_is_no_house_and_nobody(text, start, end):
    for kind in (Kind.ORGANISATION, Kind.PERSON, Kind.PROVIDER):
        assert Finding(kind, "any", 0, start, end, 0.9) not in chosen(
            text, [Finding(kind, "any", 0, start, end, 0.9)]
        )


def test_half_a_number_gives_way_to_the_whole():
    text = "her mrn 20 44 817 please"
    half = Finding(Kind.ID, "unit", 0, 8, 10, 0.9)
    (whole,) = chosen(text, [half])
    assert text[whole.start : whole.end] == "20 44 817"
