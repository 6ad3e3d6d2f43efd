"""Findings told as text: the same to the letter as objects that json writes, and never a forgery."""

import json

import pytest
import re2
from hypothesis import given
from hypothesis import strategies as st

from dlp.engine.protocol import LENGTH, Inbox, ProtocolError, pack, pack_line
from dlp.engine.worker import packed_answer
from dlp.engine.worker_handle import Member
from dlp.model import Case, Document, FileRef, Finding, Kind, Part
from dlp.report import record_json as telling
from dlp.report.record import finding_objects, record_of
from dlp.report.record_json import OPENING, WrittenFindings, line_of, told_findings

WORDS = st.text(st.characters(), max_size=8) | st.sampled_from(['{"kind": "', "\\", '"', "\ud800"])
FINDINGS = st.builds(
    Finding,
    kind=st.sampled_from(Kind),
    rule_id=WORDS,
    part=st.integers(0, 1),
    start=st.integers(0, 10**7),
    end=st.integers(0, 10**7),
    confidence=st.floats(0, 1) | st.sampled_from([0, 1, 1e-4]),
    concept=WORDS,
    person=WORDS,
    context=st.frozensets(WORDS, max_size=3),
)


def fits(text):
    """Whether it is what a line of ours may hold for findings."""
    return re2.fullmatch(telling.FINDINGS.encode(), text) is not None


def case_of(findings, locators=("", "page 2")):
    parts = tuple(Part(locator, "text") for locator in locators)
    return Case(FileRef("", b"a.txt"), document=Document("text/plain", parts), findings=findings)


@given(st.lists(FINDINGS, max_size=4).map(tuple), WORDS)
def test_the_text_is_what_json_writes(findings, locator):
    case = case_of(findings, (locator, "b"))
    told = told_findings(case)
    objects = finding_objects(case, values=False, masks=False)
    assert told.as_json() == json.dumps(objects)
    assert fits(told.text)
    assert len(WrittenFindings(told.text, None)) == len(told) == len(objects)


def test_findings_of_a_file_that_was_not_read_have_no_part():
    case = Case(FileRef("", b"a.txt"), findings=(Finding(Kind.AGE, "age", 3, 0, 2, 0.5),))
    assert told_findings(case).as_json() == json.dumps(
        finding_objects(case, values=False, masks=False)
    )


def test_somebody_who_looks_sees_objects():
    case = case_of((Finding(Kind.PERSON, "person.full", 1, 2, 9, 0.5),))
    told = told_findings(case)
    assert list(told) == finding_objects(case, values=False, masks=False)
    assert told[0]["part"] == "page 2"


def test_text_and_masks_of_findings_stay_objects():
    case = case_of((Finding(Kind.PERSON, "person.full", 0, 0, 4, 0.5),))
    assert isinstance(record_of(case, 1.0, told=True)["findings"], WrittenFindings)
    assert record_of(case, 1.0, told=True, values=True)["findings"][0]["text"] == "text"
    assert isinstance(record_of(case, 1.0, told=True, masks=True)["findings"], list)


class Line:
    def __init__(self, raw):
        self.raw = raw

    def recv(self, _size):
        return self.raw


def heard(raw):
    inbox = Inbox(10_000)
    inbox.read(Line(raw))
    return Member.read_answer(inbox.next())


def test_an_answer_brings_its_findings_as_they_were():
    case = case_of((Finding(Kind.PERSON, "person.full", 0, 0, 4, 0.5),))
    record = record_of(case, 1.0, told=True)
    found, gap, peak = heard(packed_answer({"record": record, "gap": None, "peak": 7}))
    assert found["findings"].text == record["findings"].text
    assert list(found) == list(record)  # the order of a line
    assert found.line.decode() == json.dumps(found | {"findings": list(record["findings"])})
    assert (gap, peak) == (None, 7)


@pytest.mark.parametrize(
    "text",
    [
        b"{}",
        b"[] ",
        b"[]\n[]",
        b'[]}\n{"path": "/other"',
        b'["kind"]',
        b'[{"kind": "name"}]',
        b"[\xff]",
        told_findings(case_of((Finding(Kind.PERSON, "r", 0, 0, 4, 0.5),))).text.replace(
            b"r", b"\n"
        ),
        told_findings(case_of((Finding(Kind.PERSON, "r", 0, 0, 4, 0.5),))).text[:-1] + b", ]",
    ],
)
def test_a_worker_cannot_forge_a_line(text):
    assert not fits(text)
    line = line_of(record_of(case_of(()), 1.0, told=True))
    forged = line.replace(OPENING + b"]", OPENING[:-1] + text)
    assert heard(pack_line(line, 1))[0]["path"] == "a.txt"
    for told in (text, forged):
        with pytest.raises(ProtocolError):
            heard(pack_line(told, 1))


@pytest.mark.parametrize("rest", [b"", b"\0\0", b"\0" * 8, b"\0" * 8 + b"[]", b'{"peak": 1}'])
def test_a_line_that_is_none_is_refused(rest):
    with pytest.raises(ProtocolError):
        heard(LENGTH.pack(1 + len(rest)) + b"\n" + rest)


def test_bytes_come_only_with_the_frame():
    found, _, _ = heard(pack({"record": {}, "gap": None, "peak": 1, "told": "[]"}))
    assert found == {}
