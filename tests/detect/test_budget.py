"""No file takes longer than its time, and what was not looked at is a gap, never silence."""

import io
import time

import pytest

from dlp.assembly import Analysis
from dlp.config import Detect, Settings
from dlp.detect.budget import CHARS_PER_SECOND, Begin, InTime, first_characters
from dlp.model import Case, Document, FieldMap, FileRef, GapCode, Part

NOTE = "Patient: Edith Jankowski  MRN: 8823017\nShe has asthma and takes salbutamol daily.\n"


class Slow:
    name = "detect.slow"
    requires = frozenset({"document"})
    provides = frozenset({"findings"})

    def __init__(self):
        self.calls = 0

    def __call__(self, case):
        self.calls += 1
        time.sleep(0.02)
        return case


def case_of(*texts):
    parts = tuple(Part(f"p{i}", text) for i, text in enumerate(texts))
    return Case(FileRef("s", b"f"), Document("text/plain", parts))


def test_a_late_stage_is_skipped_and_says_so():
    slow = Slow()
    stage = InTime(slow)
    case = Begin(0.01)(case_of("x"))
    case = stage(stage(case))
    assert slow.calls == 1
    assert [(gap.code, gap.where) for gap in case.gaps] == [(GapCode.TIMEOUT, "detect.slow")]


def test_text_beyond_the_budget_is_a_gap():
    case = Begin(10 / CHARS_PER_SECOND)(case_of("12345678", "abcdefgh"))
    assert [part.text for part in case.document.parts] == ["12345678", "ab"]
    assert case.gaps[0].code is GapCode.TIMEOUT


def test_whole_cells_of_a_cut_table_stay():
    fields = FieldMap()
    fields.add("name", 0, 4, 0)
    fields.add("dx", 5, 11, 0)
    cut = first_characters(Document("text/csv", (Part("p", "Anna,asthma", fields),)), 8)
    assert [(f.label, f.start, f.end) for f in cut.parts[0].fields] == [("name", 0, 4)]


def test_enough_time_changes_nothing():
    case = case_of("12345678")
    assert first_characters(case.document, 8) == case.document
    assert not Begin(1.0)(case).gaps


def seconds_for(text, budget):
    analysis = Analysis(Settings(detect=Detect(seconds_per_file=budget)))
    analysis.warm()
    started = time.process_time()
    record = analysis(FileRef("s", b"note.txt"), io.BytesIO(text.encode()))
    return time.process_time() - started, record


def test_a_leak_in_the_part_that_was_read_is_still_found(monkeypatch):
    monkeypatch.setattr("dlp.detect.budget.CHARS_PER_SECOND", 1000)
    _, record = seconds_for(NOTE + "word " * 10_000, 20.0)
    assert record["container"] == "phi"
    assert "timeout" in {gap["code"] for gap in record["gaps"]}


@pytest.mark.long
@pytest.mark.parametrize(
    "text",
    [
        pytest.param(NOTE * 600_000, id="a note of 50 MB"),
        pytest.param("".join(f"{i * 7919 % 10**10:010d} " for i in range(4_000_000)), id="digits"),
        pytest.param(NOTE + "Edith Jankowski, Samir Quintero, " * 500_000, id="a million names"),
    ],
)
def test_huge_files_stay_within_bounds(text):
    spent, record = seconds_for(text, 10.0)
    assert spent < 120
    assert {"timeout", "too_large"} & {gap["code"] for gap in record["gaps"]}
