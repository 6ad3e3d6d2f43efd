"""The page stands alone, tells what the catalogue holds, and lets no file name speak for itself."""

import os
import re
from collections.abc import Mapping
from html.parser import HTMLParser
from pathlib import Path

import pytest

import dlp
from dlp.model import GapCode
from dlp.report.html_page import lead, page
from dlp.report.overview import Overview, look_over
from dlp.report.weekly_summary import Period, weekly
from dlp.report.words_and_masks import GAPS
from tests.report.conftest import HOSTILE, KNOWLEDGE, NOW, row

GOLDEN = Path(__file__).parent / "golden"
VOID = {"meta", "wbr"}


class Reader(HTMLParser):
    """Every tag is closed in its turn, and nothing is asked from elsewhere."""

    def __init__(self):
        super().__init__()
        self.open, self.seen, self.words, self.heads = [], [], [], []

    def handle_starttag(self, tag, attrs):
        self.seen.append(tag)
        for name, value in attrs:
            assert not name.startswith("on")
            assert name not in {"src", "href", "style"} or not value
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)
        if self.open and self.open[-1] in {"h1", "h2"}:
            self.heads.append(data)


def read(html):
    reader = Reader()
    reader.feed(html)
    assert reader.open == []
    return reader


def test_as_reviewed(overview):
    made = re.sub(r"<style>.*?</style>", "", page(overview), flags=re.DOTALL)
    made = made.replace(f"dlp {dlp.__version__}", "dlp VERSION").replace("><", ">\n<")
    kept = GOLDEN / "risk.html"
    if os.environ.get("DLP_GOLDEN"):
        kept.write_text(made, encoding="utf-8")
    assert made == kept.read_text(encoding="utf-8")


def test_the_page_asks_nobody_for_anything(overview):
    html = page(overview)
    reader = read(html)
    assert {"script", "link", "img", "iframe", "object", "form"}.isdisjoint(reader.seen)
    assert "default-src 'none'" in html
    addresses = set(re.findall(r"https?://[^\s\"'<)]+", html)) - {"http://www.w3.org/2000/svg"}
    assert addresses == set()
    assert "url(" not in html
    assert "@import" not in html


def test_a_hostile_name_is_shown_and_not_obeyed(overview):
    html = page(overview)
    assert "<script>" not in html
    assert "\x1b" not in html
    assert "&lt;script&gt;alert(1)&lt;/<wbr>script&gt;" in html
    html.encode()


def test_what_the_reader_takes_away(overview):
    assert lead(overview) == (
        "<strong>2 files tell the health of 2 people.</strong> 1 file at high or critical risk"
        " should be dealt with first. 1 file could not be read in full and may hold more."
    )


@pytest.mark.parametrize(
    "known, words",
    [
        ({}, "Nothing has been scanned yet."),
        ({"files": 3, "read": 3}, "<strong>No file tells the health of identified people.</strong> Every file was read in full."),
        ({"files": 3, "read": 1}, "2 files could not be read in full"),
    ],
)  # fmt: skip
def test_no_leak_is_never_said_of_what_was_not_read(known, words):
    assert words in lead(Overview(at=NOW, **known))


def test_every_section_is_there_when_there_is_something_to_say(overview):
    assert read(page(overview)).heads[1:] == [
        "From files to leaks", "Risk of these files", "Over time", "Worst folders", "Worst files",
        "People most exposed", "Who can read the leaks", "What was read", "What was done", "How this was measured",
    ]  # fmt: skip


def test_an_empty_catalogue_still_makes_a_page():
    heads = read(page(Overview(at=NOW))).heads
    assert "Worst files" not in heads
    assert "What was read" in heads


def test_the_funnel_narrows(overview):
    assert overview.funnel == [("impossible", 6), ("possible", 5), ("probable", 3), ("phi", 2)]


def test_people_are_pseudonyms_and_the_merely_named_are_not_counted(overview):
    assert overview.people == 2
    assert [one["person"] for one in overview.worst_people] == ["P-0001", "P-0002"]


def test_every_gap_has_words():
    assert set(GAPS) == set(GapCode)


def test_the_week_as_reviewed(overview):
    seen = {"path": HOSTILE, "at": NOW - 5, "container": "phi", "privacy": 0.72, "people": 60}
    before = {**seen, "at": NOW - 50, "container": "possible", "privacy": 0.0}
    other = {**seen, "path": b"/srv/" + b"long/" * 30 + b"end.txt", "privacy": 0.004}
    period = Period(
        NOW - 7 * 86400, NOW, [seen, other, before], [{"verdict": "confirmed"}],
        [{"action": "quarantine", "state": "held"}],
    )  # fmt: skip
    made = weekly(overview, period)
    kept = GOLDEN / "weekly.txt"
    if os.environ.get("DLP_GOLDEN"):
        kept.write_text(made, encoding="utf-8")
    assert made == kept.read_text(encoding="utf-8")
    assert max(map(len, made.splitlines())) <= 100


def test_a_file_counts_once_in_the_week_however_often_it_was_judged(overview):
    again = [{"path": b"/a", "at": NOW - n, "container": "phi", "privacy": 0.5, "people": 1} for n in range(4)]  # fmt: skip
    assert "1 file new or judged differently, 1 of them leaks" in weekly(
        overview, Period(NOW - 9, NOW, again)
    )


def test_rows_are_only_read(rows):
    frozen = [dict(one) for one in rows]
    look_over(rows, [], KNOWLEDGE, at=NOW)
    assert rows == frozen
    assert isinstance(rows[0], Mapping)
    assert row(b"x")["server"] == ""
