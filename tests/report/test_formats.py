"""Every export tells the same incidents, in its standard's own grammar, whatever a file is called."""

import csv
import io
import json
import os
import re
from pathlib import Path
from urllib.parse import unquote_to_bytes, urlsplit

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dlp
from dlp.report.exports import EXPORTS, IncidentExport, element, framed, in_header, in_value, line
from dlp.report.incident import RULES, from_record, from_row
from tests.report.conftest import HOSTILE, level, row

GOLDEN = Path(__file__).parent / "golden"
QUICK = settings(deadline=None, max_examples=60)  # a busy machine is no failure
NAMES = st.binary(min_size=1, max_size=40).filter(lambda name: b"\0" not in name)


def told(name, incidents):
    out = io.StringIO(newline="")
    export = EXPORTS[name](out) if name != "syslog" else EXPORTS[name](out, "files 1.example\n")
    for incident in incidents:
        export.add(incident)
    export.close()
    return out.getvalue()


@pytest.mark.parametrize("name", EXPORTS)
def test_as_reviewed(name, incidents):
    """Golden files; DLP_GOLDEN=1 writes them anew, and the difference is reviewed."""
    made = told(name, incidents).replace(dlp.__version__, "VERSION")
    kept = GOLDEN / f"incidents.{name}"
    if os.environ.get("DLP_GOLDEN"):
        kept.write_bytes(made.encode())
    assert made == kept.read_bytes().decode()


@pytest.mark.parametrize("name", EXPORTS)
def test_harmless_files_are_not_told_and_unread_ones_are(name, incidents):
    text = told(name, incidents)
    assert "novel.txt" not in text
    assert "minutes.txt" not in text
    assert "name.zip" in text


@pytest.mark.parametrize("name", ["jsonl", "ocsf", "cef", "syslog"])
@QUICK
@given(path=NAMES)
def test_one_line_each_whatever_the_name(name, path):
    text = told(name, [from_row(row(path), level)] * 2)
    assert text.count("\n") == 2
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f\x1b]", text)
    text.encode()


# -- SARIF

TEXT = {"type": "object", "required": ["text"], "properties": {"text": {"type": "string", "minLength": 1}}}  # fmt: skip
# The part of SARIF 2.1.0 (OASIS) that our documents use, with its closed lists and required keys.
SARIF = {
    "type": "object",
    "required": ["version", "runs"],
    "additionalProperties": False,
    "properties": {
        "$schema": {"type": "string", "format": "uri"},
        "version": {"const": "2.1.0"},
        "runs": {"type": "array", "minItems": 1, "items": {
            "type": "object",
            "required": ["tool"],
            "additionalProperties": False,
            "properties": {
                "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
                "invocations": {"type": "array", "items": {
                    "type": "object", "required": ["executionSuccessful"],
                    "properties": {"executionSuccessful": {"type": "boolean"}}}},
                "tool": {"type": "object", "required": ["driver"], "properties": {"driver": {
                    "type": "object", "required": ["name"], "additionalProperties": False,
                    "properties": {
                        "name": {"type": "string"}, "version": {"type": "string"},
                        "semanticVersion": {"type": "string"},
                        "rules": {"type": "array", "uniqueItems": True, "items": {
                            "type": "object", "required": ["id"], "additionalProperties": False,
                            "properties": {
                                "id": {"type": "string"}, "name": {"type": "string"},
                                "shortDescription": TEXT, "fullDescription": TEXT, "help": TEXT,
                                "defaultConfiguration": {"type": "object", "properties": {
                                    "level": {"enum": ["none", "note", "warning", "error"]}}}}}}}}}},
                "results": {"type": "array", "items": {
                    "type": "object", "required": ["message"], "additionalProperties": False,
                    "properties": {
                        "ruleId": {"enum": list(RULES)},
                        "ruleIndex": {"type": "integer", "minimum": -1},
                        "kind": {"enum": ["notApplicable", "pass", "fail", "review", "open", "informational"]},
                        "level": {"enum": ["none", "note", "warning", "error"]},
                        "message": TEXT,
                        "rank": {"type": "number", "minimum": -1, "maximum": 100},
                        "partialFingerprints": {"type": "object", "additionalProperties": {"type": "string"}},
                        "properties": {"type": "object"},
                        "suppressions": {"type": "array", "uniqueItems": True, "items": {
                            "type": "object", "required": ["kind"], "additionalProperties": False,
                            "properties": {"kind": {"enum": ["inSource", "external"]},
                                           "status": {"enum": ["accepted", "underReview", "rejected"]}}}},
                        "locations": {"type": "array", "items": {"type": "object", "properties": {
                            "physicalLocation": {"type": "object", "required": ["artifactLocation"],
                                "properties": {"artifactLocation": {"type": "object", "properties": {
                                    "uri": {"type": "string", "pattern": r"^[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]+$"}}}}}}}},
                    }}},
            }}},
    },
}  # fmt: skip


@QUICK
@given(st.lists(NAMES, max_size=5))
def test_sarif_keeps_to_its_schema(paths):
    found = [from_row(row(path), level) for path in paths]
    found += [from_row(row(path, "possible", gaps="corrupt"), level) for path in paths]
    jsonschema.Draft7Validator(SARIF).validate(json.loads(told("sarif", found)))


def test_a_result_that_is_no_failure_has_no_degree(incidents):
    for result in json.loads(told("sarif", incidents))["runs"][0]["results"]:
        assert (result["kind"] == "fail") == (result["level"] != "none")  # SARIF 3.27.10


@QUICK
@given(NAMES)
def test_a_uri_gives_the_bytes_of_the_name_back(path):
    absolute = from_row(row(b"/" + path), level).uri
    assert urlsplit(absolute).scheme == "file"
    assert unquote_to_bytes(absolute.removeprefix("file://")) == b"/" + path
    relative = from_row(row(path.lstrip(b"/") or b"a"), level).uri
    assert not urlsplit(relative).scheme
    assert unquote_to_bytes(relative) == (path.lstrip(b"/") or b"a")


def test_an_accepted_risk_is_suppressed(incidents):
    results = json.loads(told("sarif", incidents))["runs"][0]["results"]
    assert [bool(result.get("suppressions")) for result in results] == [False, True, False, False]


# -- OCSF

OCSF = {
    "type": "object",
    "required": ["activity_id", "category_uid", "class_uid", "type_uid", "time", "severity_id",
                 "metadata", "finding_info"],
    "additionalProperties": False,
    "properties": {
        **{key: {"type": "string"} for key in ("activity_name", "category_name", "class_name",
           "type_name", "message", "severity", "risk_level", "status")},
        "activity_id": {"enum": [1, 2, 3]}, "category_uid": {"const": 2},
        "class_uid": {"const": 2006}, "type_uid": {"const": 200601},
        "time": {"type": "integer", "minimum": 0}, "severity_id": {"enum": [1, 2, 3, 4, 5]},
        "risk_level_id": {"enum": [0, 1, 2, 3, 4]}, "risk_score": {"type": "integer"},
        "status_id": {"enum": [1, 2, 3]}, "is_alert": {"type": "boolean"},
        "metadata": {"type": "object", "required": ["product", "version"]},
        "finding_info": {"type": "object", "required": ["uid", "title"], "properties": {
            "types": {"type": "array", "items": {"type": "string"}},
            "created_time": {"type": "integer"}}},
        "data_security": {"type": "object", "required": ["category_id"], "properties": {
            "category_id": {"const": 1}, "data_lifecycle_state_id": {"const": 1},
            "confidentiality_id": {"type": "integer"}, "detection_system_id": {"const": 4},
            "policy": {"type": "object", "properties": {"name": {"type": "string"}}},
            "total": {"type": "integer"}}},
        "file": {"type": "object", "required": ["name", "type_id"], "properties": {
            "name": {"type": "string", "minLength": 1},
            "hashes": {"type": "array", "items": {
                "type": "object", "required": ["algorithm_id", "value"]}}}},
        "unmapped": {"type": "object"},
    },
}  # fmt: skip


# The numbers of OCSF 1.4 with their captions, for the attributes that are told.
CAPTIONS = {
    "activity": ("activity_id", "activity_name", {1: "Create", 2: "Update", 3: "Close"}),
    "severity": ("severity_id", "severity", {
        1: "Informational", 2: "Low", 3: "Medium", 4: "High", 5: "Critical", 6: "Fatal"}),
    "risk": ("risk_level_id", "risk_level", {
        0: "Info", 1: "Low", 2: "Medium", 3: "High", 4: "Critical"}),
    "status": ("status_id", "status", {
        1: "New", 2: "In Progress", 3: "Suppressed", 4: "Resolved", 5: "Archived"}),
    "category": ("category_id", "category", {
        1: "Personal", 2: "Governmental", 3: "Financial", 4: "Business", 6: "Security"}),
    "confidentiality": ("confidentiality_id", "confidentiality", {
        1: "Not Confidential", 2: "Confidential", 3: "Secret", 4: "Top Secret", 5: "Private",
        6: "Restricted"}),
    "lifecycle": ("data_lifecycle_state_id", "data_lifecycle_state", {
        1: "Data at-Rest", 2: "Data in-Transit", 3: "Data in-Use"}),
    "system": ("detection_system_id", "detection_system", {
        1: "Endpoint", 2: "DLP Gateway", 3: "Mobile Device Management",
        4: "Data Discovery & Classification"}),
}  # fmt: skip


def test_every_number_of_ocsf_means_what_stands_beside_it(incidents):
    for written in told("ocsf", incidents).splitlines():
        event = json.loads(written)
        for number, words, meaning in CAPTIONS.values():
            place = event if number in event else event["data_security"]
            assert place[words] == meaning[place[number]], number
        assert event["file"]["type"] == {1: "Regular File"}[event["file"]["type_id"]]
        for one in event["file"].get("hashes", ()):
            assert one["algorithm"] == {1: "MD5", 2: "SHA-1", 3: "SHA-256"}[one["algorithm_id"]]


@QUICK
@given(NAMES.filter(lambda name: not name.endswith(b"/")))
def test_ocsf_keeps_to_its_class(path):
    for container, gaps in (("phi", ""), ("probable", "timeout"), ("possible", "corrupt")):
        incident = from_row(row(path, container, gaps=gaps), level)
        jsonschema.Draft7Validator(OCSF).validate(json.loads(told("ocsf", [incident])))


def test_only_open_leaks_raise_an_alert(incidents):
    events = [json.loads(one) for one in told("ocsf", incidents).splitlines()]
    assert [event["is_alert"] for event in events] == [True, False, False, False]
    assert [event["status"] for event in events] == ["New", "Suppressed", "New", "New"]


# -- CEF and syslog

KEY_VALUE = re.compile(r"(\w+)=((?:\\.|[^\\=])*?)(?= \w+=|$)")


def unescaped(value):
    signs = {"\\n": "\n", "\\r": "\r", "\\\\": "\\", "\\=": "="}
    return re.sub(r"\\[nr\\=]", lambda hit: signs[hit.group()], value)


@QUICK
@given(st.text(max_size=40))
def test_a_cef_value_is_read_back_as_written(value):
    assert unescaped(in_value(value)) == value.replace("\r\n", "\n")
    assert not re.search(r"(?<!\\)(?:\\\\)*=", in_value(value))


@QUICK
@given(st.text(max_size=40))
def test_a_cef_header_has_its_bars(value):
    assert len(re.split(r"(?<!\\)(?:\\\\)*\|", f"a|{in_header(value)}|b")) == 3
    assert "\n" not in in_header(value)


def test_cef_fields_of_a_hostile_name(incidents):
    head, _, extension = line(incidents[0]).rpartition("|10|")
    assert head.startswith(f"CEF:0|dlp|dlp|{dlp.__version__}|phi|")
    fields = {key: unescaped(value) for key, value in KEY_VALUE.findall(extension)}
    assert fields["filePath"] == incidents[0].shown
    assert fields["cn1"] == "60"
    assert fields["cs2"] == "critical"


SYSLOG = re.compile(
    r"<(\d{1,3})>1 (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) ([\x21-\x7e]{1,255}) dlp - (\w+) "
    r'((?:\[[\w@]+(?: \w+="(?:\\["\\\]]|[^"\\\]])*")*\])+) \ufeffCEF:0\|.*'
)


@QUICK
@given(st.text(max_size=300), NAMES)
def test_syslog_keeps_to_rfc_5424(host, path):
    framing = SYSLOG.fullmatch(framed(from_row(row(path), level), host, 7))
    assert framing
    assert int(framing[1]) == 13 * 8 + 2
    assert 'sequenceId="7"' in framing[5]


@QUICK
@given(st.text(max_size=40))
def test_structured_data_cannot_be_closed_by_a_value(value):
    made = element("x@1", {"a": value})
    inside = re.fullmatch(r'\[x@1 a="((?:\\["\\\]]|[^"\\\]])*)"\]', made, re.DOTALL)
    assert inside
    assert re.sub(r'\\(["\\\]])', r"\1", inside[1]) == value


# -- rows


def test_a_spreadsheet_runs_nothing():
    text = told("csv", [from_row(row(b"=cmd|' /C calc'!A0"), level)])
    (_, cells) = csv.reader(io.StringIO(text))
    assert cells[1].startswith("'=")


def test_lines_give_the_bytes_of_a_name_back(incidents):
    first = json.loads(told("jsonl", incidents).splitlines()[0])
    assert first["path"].encode("utf-8", "surrogateescape") == HOSTILE


# -- records of a scan


LISTED = {"identifiability": 0.9, "sensitivity": 0.8}


def test_a_scan_tells_the_same():
    record = {
        "path": "/srv/x.csv", "container": "phi", "reason": "r", "privacy": 0.72, "identifiability": 0.9,
        "sensitivity": 0.8, "persons": [LISTED] * 60, "gaps": [], "media_type": "text/csv", "size_bytes": 2048,
        "sha256": "ab" * 32, "rules_version": "rules-1", "action": "observe", "tables": [{"unique": 60}],
    }  # fmt: skip
    mine = from_record(record, level, at=1.0)
    assert (mine.people, mine.level, mine.unique_rows) == (60, "critical", 60)
    out = io.StringIO()
    writer = IncidentExport(EXPORTS["sarif"](out), level, clock=lambda: 1.0)
    writer.add(record)
    writer.add({**record, "container": "possible"})
    writer.close()
    document = json.loads(out.getvalue())
    jsonschema.Draft7Validator(SARIF).validate(document)
    assert len(document["runs"][0]["results"]) == 1
