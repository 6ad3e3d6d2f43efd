"""The pack holds what an auditor asks for, sums to check it by, and no value."""

import csv
import hashlib
import io
import json
from dataclasses import replace

import pytest

from dlp.report.evidence import Evidence, Proof, pack
from dlp.report.overview import look_over
from dlp.report.ranking import by_folder
from tests.report.conftest import HOSTILE, KNOWLEDGE, NOW, level, person, row

RECORDS = [
    {"number": 1, "at": "2020-01-01T00:00:00.000+00:00", "who": "daemon", "what": "start", "item": "", "why": "", "mac": "0" * 64},
    {"number": 2, "at": "2026-09-20T00:00:00.000+00:00", "who": "operator ann", "what": "release", "item": "=1+1", "why": "checked\nby hand", "mac": "1" * 64},
]  # fmt: skip


@pytest.fixture
def evidence(rows, incidents):
    people = [person(HOSTILE)]
    return Evidence(
        overview=look_over(rows, people, KNOWLEDGE, at=NOW),
        incidents=incidents,
        register=by_folder(rows, people, level),
        suppressions=[
            {"fingerprint": "id:" + "ab" * 16, "reason": "test person", "owner": "ann", "made_at": NOW - 9, "expires_at": NOW + 9},
            {"fingerprint": "id:" + "cd" * 16, "reason": "old", "owner": "ann", "made_at": NOW - 9, "expires_at": NOW - 1},
        ],
        accepted=[row(b"/srv/plain/letter.docx", review="accepted", review_until=NOW + 5)],
        proof=Proof(RECORDS, []),
        start=NOW - 30 * 86400,
        end=NOW,
    )  # fmt: skip


def sheet(files, name):
    return list(csv.DictReader(io.StringIO(files[name].decode(), newline="")))


def test_every_file_is_there_and_its_sum_is_right(evidence):
    files = pack(evidence)
    manifest = json.loads(files["manifest.json"])
    listed = dict(reversed(one.split("  ")) for one in files["SHA256SUMS"].decode().splitlines())
    assert set(listed) == set(files) - {"SHA256SUMS"}
    assert set(manifest["files"]) == set(listed) - {"manifest.json"}
    for name, total in listed.items():
        assert hashlib.sha256(files[name]).hexdigest() == total
        assert name in {"README.txt", "SHA256SUMS"} or name in files["README.txt"].decode()


def test_the_inventory_holds_whoever_is_exposed_and_nothing_harmless(evidence):
    found = sheet(pack(evidence), "inventory.csv")
    assert [one["container"] for one in found] == ["phi", "phi", "probable"]
    assert found[0]["people"] == "60"
    assert found[0]["judged"] == "2026-09-21T14:13:20+00:00"


def test_the_register_counts_what_waits(evidence):
    found = {one["folder"]: one for one in sheet(pack(evidence), "risk-register.csv")}
    plain = found["/srv/plain"]
    assert (plain["leaks"], plain["leaks_not_reviewed"]) == ("1", "0")  # accepted: nobody waits
    hostile = next(one for name, one in found.items() if "script" in name)
    assert (hostile["leaks"], hostile["leaks_not_reviewed"], hostile["risk"]) == ("1", "1", "critical")  # fmt: skip


def test_what_was_not_read_is_listed_with_its_reason(evidence):
    found = sheet(pack(evidence), "coverage.csv")
    assert [(one["path"], one["gap"]) for one in found] == [
        ("relative: name.zip", "encrypted"), ("relative: name.zip", "timeout"),
    ]  # fmt: skip


def test_activity_is_that_of_the_period(evidence):
    found = sheet(pack(evidence), "activity.csv")
    assert [one["number"] for one in found] == ["2"]
    assert found[0]["item"] == "'=1+1"  # a spreadsheet runs nothing
    assert "\n" not in found[0]["why"]


def test_exceptions_say_whether_they_hold(evidence):
    found = sheet(pack(evidence), "exceptions.csv")
    assert [(one["kind"], one["in_force"]) for one in found] == [
        ("suppression", "True"), ("suppression", "False"), ("accepted risk", "True"),
    ]  # fmt: skip


def test_a_broken_ledger_is_said_everywhere(evidence):
    whole = pack(evidence)
    broken = pack(replace(evidence, proof=Proof(RECORDS, [(2, "does not follow")])))
    assert json.loads(whole["ledger.json"])["whole"]
    assert json.loads(whole["ledger.json"])["last_seal"] == "1" * 64
    told = json.loads(broken["ledger.json"])
    assert not told["whole"]
    assert told["faults"] == [{"record": 2, "what": "does not follow"}]
    assert not json.loads(broken["manifest.json"])["ledger_whole"]
    assert "ledger NOT WHOLE" in broken["README.txt"].decode()
    assert "NOT WHOLE" not in whole["README.txt"].decode()


def test_the_same_knowledge_gives_the_same_bytes(evidence):
    assert pack(evidence) == pack(evidence)
