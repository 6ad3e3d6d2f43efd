"""A line that a worker wrote is passed on only if it is one line, and every word of it ours."""

import io
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dlp.model import (
    Case,
    Container,
    Document,
    FileRef,
    Finding,
    Gap,
    GapCode,
    Kind,
    Part,
    Person,
    TableRisk,
    Verdict,
)
from dlp.report.record import record_of
from dlp.report.record_json import WrittenRecord, found_in, line_of, record_in
from dlp.report.writers import JsonLines

WORDS = st.text(st.characters(), max_size=6) | st.sampled_from(
    [', "findings": [', '], "gaps": [', "\\", '"', "\n", "\u2028", "\ud800", "{", "]"]
)
FIGURES = st.floats() | st.sampled_from([0.0, 1.0, -0.0, 1e-7, 1e300, 5, float("inf")])
PEOPLE = st.builds(
    Person,
    id=WORDS,
    fingerprints=st.frozensets(WORDS, max_size=2),
    identifiability=FIGURES,
    sensitivity=FIGURES,
    explanation=st.lists(WORDS, max_size=2).map(tuple),
    bits=st.dictionaries(WORDS, st.floats(0, 99), max_size=2),
    burden=st.lists(st.tuples(WORDS, WORDS, FIGURES), max_size=2).map(tuple),
)
FINDINGS = st.builds(
    Finding,
    kind=st.sampled_from(Kind),
    rule_id=WORDS,
    part=st.just(0),
    start=st.integers(0, 10**7),
    end=st.integers(0, 10**7),
    confidence=st.floats(0, 1),
    concept=WORDS,
    person=WORDS,
    context=st.frozensets(WORDS, max_size=2),
)
TABLES = st.builds(
    TableRisk, st.just(0), st.lists(WORDS, max_size=2).map(tuple), *[st.integers(0, 99)] * 4
)
NUMBERS = st.floats(0, 1e9, allow_nan=False)
CASES = st.builds(
    lambda path, reason, people, found, gaps, tables, figures, spent, trail: Case(
        FileRef("", path, size_bytes=7, sha256="ab"),
        document=Document("text/plain", (Part(reason, "text"),)),
        language="en",
        findings=found,
        gaps=gaps,
        verdict=Verdict(Container.PHI, reason, people, gaps, "r1", *figures),
        trail=trail,
        spent_ms=spent,
        facts={"tables": tables},
    ),
    st.binary(max_size=12),
    WORDS,
    st.lists(PEOPLE, max_size=2).map(tuple),
    st.lists(FINDINGS, max_size=3).map(tuple),
    st.lists(st.builds(Gap, st.sampled_from(GapCode), WORDS), max_size=2).map(tuple),
    st.lists(TABLES, max_size=1).map(tuple),
    st.tuples(FIGURES, FIGURES, FIGURES),
    st.dictionaries(WORDS, NUMBERS, max_size=2),
    st.lists(WORDS, max_size=2).map(tuple),
)
# what would end a line, a string, a list or an object sooner or later than it does
SPLINTERS = (
    b"", b"\n", b"\r", b'"', b"\\", b"\\u00e", b"\\u00E9", b"\\x", b"\xc3", b"\x7f", b"\0", b" ",
     b",", b", ", b"[", b"]", b"{", b"}", b"null", b"0", b"-", b".", b"e", b"e+", b"NaN", b":",
     b', "findings": []', b'], "gaps": [', b'{"kind": "a"}', b'"path": "b", ',
)  # fmt: skip


def told(case):
    return record_of(case, 1.5, told=True)


@given(CASES)
def test_a_line_is_what_json_writes_and_says_the_record(case):
    record = told(case)
    line = line_of(record)
    assert line.decode() == json.dumps(record_of(case, 1.5))
    heard = record_in(line)
    assert heard.line == line
    assert json.dumps({**heard, "findings": list(heard["findings"])}) == line.decode()
    assert len(heard["findings"]) == len(case.findings)
    assert heard["findings"].text == record["findings"].text


@settings(max_examples=50)
@given(CASES, st.randoms(use_true_random=False))
def test_a_torn_line_is_refused_or_still_one_line_of_json(case, random):
    line = line_of(told(case))
    for _ in range(60):
        first = random.randint(0, len(line))
        torn = line[:first] + random.choice(SPLINTERS) + line[first + random.randint(0, 4) :]
        if found_in(torn) is not None:
            assert torn.isascii()
            assert torn.decode().isprintable()
            json.loads(torn)


@given(CASES, st.integers(0, 5000))
def test_a_line_that_breaks_off_is_none(case, length):
    line = line_of(told(case))
    cut = line[: min(length, len(line) - 1)]
    assert found_in(cut) is None


def plain():
    return Case(FileRef("", b"a.txt"), document=Document("text/plain", (Part("", "text"),)))


@pytest.mark.parametrize(
    "ours, theirs",
    [
        (b'"path": "a.txt"', b'"path": "a.txt", "path": "b.txt"'),
        (b'"path": "a.txt"', b'"path": null'),
        (b'"container": "possible"', b'"container": "clean"'),
        (b'"duplicate_of": null', b'"duplicate_of": "b.txt"'),
        (b'"ms": 1.5', b'"ms": "1.5"'),
        (b'"persons": []', b'"persons": [{"id": "a"}]'),
        (b'"trail": []', b'"trail": [1]'),
        (b'"rules_version": ""}', b'"rules_version": ""} '),
        (b'"rules_version": ""}', b'"rules_version": ""}\n{}'),
        (b'"rules_version": ""}', b'"rules_version": "", "more": 1}'),
        (b'"gaps": []', b'"gaps": [], "findings": []'),
        (b'"size_bytes": 0', b'"size_bytes": 00'),
        (b'"ms": 1.5', b'"ms": 01.5'),
    ],
)
def test_fields_are_ours_each_once_and_in_order(ours, theirs):
    line = line_of(told(plain()))
    assert ours in line
    forged = line.replace(ours, theirs, 1)
    assert found_in(forged) is None


def test_a_number_that_nobody_reads_is_refused():
    line = line_of(told(plain()))
    assert record_in(line.replace(b'"size_bytes": 0', b'"size_bytes": ' + b"9" * 5000)) is None


def test_a_record_with_a_line_is_copied_to_be_changed():
    record = record_in(line_of(told(plain())))
    for change in (
        lambda: record.__setitem__("path", "b"),
        lambda: record.update(path="b"),
        lambda: record.pop("path"),
        lambda: record.setdefault("more", 1),
    ):
        with pytest.raises(TypeError):
            change()
    assert not isinstance({**record, "path": "b"}, WrittenRecord)
    assert not isinstance(record | {"path": "b"}, WrittenRecord)


@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "utf-16", "latin-1"])
def test_a_line_is_written_as_the_stream_writes_text(encoding):
    below = io.BytesIO()
    out = io.TextIOWrapper(below, encoding=encoding)
    record = record_in(line_of(told(plain())))
    writer = JsonLines(out)
    for one in (record, {**record, "path": "b"}, record):
        writer.add(one)
    assert [
        json.loads(line)["path"] for line in below.getvalue().decode(encoding).splitlines()
    ] == [
        "a.txt",
        "b",
        "a.txt",
    ]
