"""Why a file got its verdict: findings are grouped, and rows written before are read."""

import json
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlp.model import Case, Document, FileRef, Finding, Gap, GapCode, Kind, Part
from dlp.report.record import finding_objects, unread_record
from dlp.store.record_codec import GROUPS, HEAD, LOCAL, body_of, grouped, pack, read_body, unpack

# words that look like the marks between findings, or sort otherwise when they are escaped
WORDS = st.sampled_from(
    ['}, {"kind": ', ', "start": ', ', "person": ', '"', "\\", "", "a, ", "é", "~", "\ud800"]
)
FINDINGS = st.builds(
    Finding,
    kind=st.sampled_from([Kind.AGE, Kind.DATE]),
    rule_id=WORDS,
    part=st.integers(0, 1),
    start=st.integers(0, 99),
    end=st.integers(0, 99),
    confidence=st.sampled_from([0, 1, 0.5, 1e-05, 0.25]),
    concept=WORDS,
    person=WORDS,
    context=st.frozensets(WORDS, max_size=2),
)


def record_with(findings, locators=("", "page 2")):
    parts = tuple(Part(locator, "text") for locator in locators)
    case = Case(FileRef("", b"a"), document=Document("text/plain", parts), findings=findings)
    record = unread_record(b"\xff", Gap(GapCode.TIMEOUT, "\udcff"), 1.5)
    objects = finding_objects(case, values=False, masks=False)
    return {**record, "findings": objects}


@given(st.lists(FINDINGS, max_size=6).map(tuple), WORDS)
def test_findings_that_differ_in_place_only_are_one_group(findings, locator):
    objects = record_with(findings, (locator, "b"))
    found = read_body(body_of(objects))
    assert found["findings"] == grouped(objects["findings"])
    assert found["counted"] == len(findings)
    assert found["gaps"] == [["timeout", "\udcff"]]


def test_of_many_groups_the_same_are_left_out():
    findings = tuple(
        Finding(Kind.AGE, f"rule{n % (GROUPS + 50)}", 0, n, n + 1, n / 9999, person=str(n % 7))
        for n in range(3000)
    )
    objects = record_with(findings)
    found = read_body(body_of(objects))["findings"]
    assert len(found) == GROUPS
    assert found == grouped(objects["findings"])


def test_what_the_version_before_wrote_is_read():
    objects = record_with((Finding(Kind.AGE, "age", 1, 3, 5, 0.5, person="p"),))
    body = {**read_body(body_of(objects))}
    assert read_body(zlib.compress(json.dumps(body, separators=(",", ":")).encode(), 6)) == body

    kept = {name: value for name, value in objects.items() if name not in LOCAL}
    head = zlib.compress(json.dumps(kept | {"findings": 1}).encode(), 1)
    findings = zlib.compress(json.dumps(objects["findings"]).encode(), 1)
    before, now = unpack(HEAD.pack(len(head)) + head + findings), unpack(pack(objects))
    assert list(before["findings"]) == list(now["findings"]) == objects["findings"]
    assert before["findings"].as_json() == now["findings"].as_json()
    assert before | {"findings": 0} == now | {"findings": 0} == kept | {"findings": 0}


@pytest.mark.parametrize("number", [0, 1, 300])
def test_a_stored_record_is_packed_again_as_it_was(number):
    objects = record_with(tuple(Finding(Kind.AGE, "age", 0, n, n, 0.5) for n in range(number)))
    packed = pack(objects)
    assert pack({**unpack(packed), "path": "elsewhere", "ms": 0.0}) == packed
    assert len(unpack(packed)["findings"]) == number
