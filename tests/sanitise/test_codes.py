"""No code of a protected topic is left, in text, tables, FHIR or CDA; other codes stay."""

import json
import random
import re

import pytest

from dlp.assembly import Analysis
from dlp.config import load
from dlp.engine.sanitiser_setup import open_service
from dlp.knowledge.icd import is_loinc, is_snomed, load_icd
from dlp.sanitise.plan import Plan
from dlp.sanitise.protected_topics import default_topics
from tests.support.sanitising import sanitise_text

PLAN = Plan(topics=default_topics())
PROTECTED = ["B20", "Z21", "F10.20", "F1020", "A53.9", "F32.9", "F20.0", "O04.5"]
HARMLESS = ["I10", "E11.9", "J45.909", "M54.5", "K21.9", "N20.0"]


def made(text):
    return sanitise_text(text, (), PLAN).text


@pytest.mark.parametrize("seed", range(6))
def test_icd_codes_of_a_protected_topic_go_and_others_stay(seed):
    draw = random.Random(seed)
    bad, good = draw.choice(PROTECTED), draw.choice(HARMLESS)
    for form in ("Dx: {}. {}.", "ICD-10 {}; {}", "Codes {} and {} were billed.", "{}\n{}\n"):
        out = made(form.format(bad, good))
        assert bad not in out
        assert good in out


@pytest.mark.parametrize("code", ["042", "303.90", "30390", "V08", "296.20"])
def test_the_ninth_revision_needs_an_announcement(code):
    assert code not in made(f"ICD-9 code: {code}, 401.9")
    assert "401.9" in made(f"ICD-9 code: {code}, 401.9")


def test_a_price_is_no_diagnosis():
    assert made("The bill came to 303.90 pounds.") == "The bill came to 303.90 pounds."


def test_codes_without_a_table_go_by_the_words_beside_them():
    assert "86406008" not in made("Problem list; SNOMED 86406008; hypertension")
    assert "86406008" not in made("HIV infection (SNOMED CT 86406008)")
    assert "38341003" in made("hypertension (SNOMED CT 38341003)")
    assert "1999563" not in made("RxNorm 1999563 Biktarvy daily")


def test_a_code_that_went_goes_from_its_cell_too():
    text = "CODE,DESCRIPTION\n86406008,HIV infection\n38341003,Hypertension\n86406008,\n"
    out = made(text)
    assert "86406008" not in out
    assert "38341003" in out


def test_check_digits():
    assert is_snomed("86406008")
    assert is_snomed("38341003")
    assert not is_snomed("86406018")
    assert is_loinc("4548-4")
    assert not is_loinc("4548-5")


@pytest.mark.parametrize("text", ["Known [HIV positive] man.", "Oral Tablet [Biktarvy] daily."])
def test_square_brackets_hide_nothing(text):
    out = made(text)
    assert "HIV" not in out
    assert "Biktarvy" not in out


@pytest.fixture(scope="module")
def service():
    return open_service(load(None), analysis=Analysis(load(None), full=True))


def coding(system, code, display):
    return {"system": system, "code": code, "display": display} if display else {
        "system": system, "code": code
    }  # fmt: skip


def test_fhir_keeps_no_code_beside_a_generalised_display(service):
    ten, snomed = "http://hl7.org/fhir/sid/icd-10-cm", "http://snomed.info/sct"
    resource = {
        "resourceType": "Condition",
        "code": {
            "coding": [
                coding(ten, "B20", "HIV disease"),
                coding(snomed, "86406008", "Human immunodeficiency virus infection"),
                coding(snomed, "38341003", "Hypertension"),
            ]
        },
        "evidence": [{"code": [{"coding": [coding(snomed, "191816009", "")]}]}],
    }
    done = service.sanitise("condition.json", json.dumps(resource).encode())
    assert done.refusal is None, done.refusal
    for code in (b"B20", b"86406008", b"191816009", b"HIV"):
        assert code not in done.output
    assert b"38341003" in done.output


def test_a_clinical_document_keeps_no_code_beside_a_generalised_display(service):
    raw = (
        b'<ClinicalDocument xmlns="urn:hl7-org:v3"><entry><observation>'
        b'<value code="86406008" codeSystem="2.16.840.1.113883.6.96" displayName="HIV infection">'
        b'<translation code="B20" codeSystem="2.16.840.1.113883.6.90"/></value>'
        b'<value code="38341003" codeSystem="2.16.840.1.113883.6.96" displayName="Hypertension"/>'
        b"</observation></entry></ClinicalDocument>"
    )
    done = service.sanitise("record.xml", raw)
    assert done.refusal is None, done.refusal
    assert b"86406008" not in done.output
    assert b"B20" not in done.output
    assert b"38341003" in done.output


@pytest.mark.parametrize("text", ["Seen by the MD.", "BP 120/80 today.", "She wears hearing aids."])
def test_short_forms_with_another_meaning_stay(text):
    assert made(text) == text


def test_a_negative_result_is_not_made_a_positive_one():
    out = made("He is HIV negative.")
    assert "HIV" not in out
    assert "not affected" in out


def test_the_header_of_a_table_says_which_numbers_are_codes():
    out = made(
        "id,cpt,ndc,atc,what\n10001,87536,61958-2501-01,J05AR20,HIV infection\n"
        "10002,80061,00093-5126-01,C09AA05,hypertension\n"
    )
    for code in ("87536", "61958-2501-01", "J05AR20"):
        assert code not in out
    for kept in ("10001", "80061", "00093-5126-01", "C09AA05"):
        assert kept in out


@pytest.mark.parametrize("code", ["J05AR20", "N07BB01", "N06AB03", "N05AH02", "G03XB01"])
def test_a_class_of_medicines_tells_the_topic(code):
    assert code not in made(f"Continue {code} daily, C09AA05 at night.")
    assert "C09AA05" in made(f"Continue {code} daily, C09AA05 at night.")


def test_a_discharge_is_no_operation(service):
    assert made("pt d/c home today") == "pt d/c home today"
    assert service.sanitise("a.txt", b"pt d/c home today").output == b"pt d/c home today"


# Blocks of ICD-10 that are about nothing but a protected topic, whatever the product thinks of them.
BLOCKS = {
    "hiv": [("B", 20, 24)], "std": [("A", 50, 64)], "substance": [("F", 10, 19)],
    "mental": [("F", 20, 48), ("F", 60, 69), ("X", 71, 83)], "reproductive": [("O", 0, 99)],
    "genetic": [("Q", 90, 99)],
}  # fmt: skip


def codes_of(block):
    letter, first, last = block
    for number in range(first, last + 1):
        whole = f"{letter}{number:02}"
        narrower = (
            f"{whole}.{tail}"
            for size in (1, 2)
            for tail in map(f"{{:0{size}}}".format, range(10**size))
        )
        yield from (code for code in (whole, *narrower) if load_icd().find(code))


@pytest.mark.parametrize("topic", BLOCKS)
def test_every_code_of_a_protected_block_goes(topic):
    codes = [code for block in BLOCKS[topic] for code in codes_of(block)]
    out = made("".join(f"Dx: {code}\n" for code in codes))
    left = [code for code in codes if re.search(rf"(?<![\w.]){re.escape(code)}(?![\w.])", out)]
    assert left == []


def test_codes_in_the_row_of_a_protected_code_go_too():
    table = "id,dx,cpt,ndc\n1,F11.20,99214,12496-1208-01\n2,E11.9,83036,\n"
    out = made(table)
    assert "99214" not in out
    assert "12496-1208-01" not in out
    assert "83036" in out
