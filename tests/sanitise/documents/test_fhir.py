"""What FHIR calls an identifier, a contact or a line of an address goes, whatever it looks like."""

import json

from dlp.sanitise.documents.format_rewriter import rewrite
from dlp.sanitise.documents.leftover_check import leftovers

KIND = "application/json"
BUNDLE = {
    "resourceType": "Bundle",
    "entry": [
        {
            "resource": {
                "resourceType": "Patient",
                "identifier": [{"system": "x", "value": "718223341"}, {"value": "S99962133"}],
                "address": [{"line": ["12 Windy Oaks", "Apt. 4"], "state": "MA"}],
                "telecom": [{"system": "phone", "value": "2175550143"}],
            }
        },
        {"resource": {"resourceType": "Observation", "subject": {"reference": "Patient/718223341"},
                      "valueQuantity": {"value": 142}}},
    ],
}  # fmt: skip
VALUES = ["718223341", "S99962133", "12 Windy Oaks", "Apt. 4", "2175550143"]


def made(data, key=b"k"):
    return rewrite(data, KIND, str, key=key).data


def test_numbers_and_streets_are_gone_and_references_still_meet():
    out = made(json.dumps(BUNDLE).encode())
    assert leftovers(out, KIND, VALUES) == []
    patient, observation = (entry["resource"] for entry in json.loads(out)["entry"])
    number = patient["identifier"][0]["value"]
    assert observation["subject"]["reference"] == f"Patient/{number}"
    assert observation["valueQuantity"]["value"] == 142
    assert patient["address"][0]["state"] == "MA"


def test_again_is_the_same_and_another_key_gives_other_numbers():
    raw = json.dumps(BUNDLE).encode()
    once = made(raw)
    assert made(once) == once
    assert made(raw, key=b"other") != once


def test_other_json_is_left_alone():
    raw = json.dumps({"identifier": [{"value": "718223341"}]}).encode()
    assert made(raw) == raw


def test_a_phone_number_that_has_a_surrogate_gets_it():
    raw = json.dumps(BUNDLE).encode()
    edit = {"2175550143": "3186660254"}
    out = json.loads(rewrite(raw, KIND, lambda text: edit.get(text, text), key=b"k").data)
    assert out["entry"][0]["resource"]["telecom"][0]["value"] == "3186660254"
