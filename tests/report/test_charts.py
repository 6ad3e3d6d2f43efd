"""A chart is one harmless SVG element that says in words what it shows."""

import xml.etree.ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dlp.report import charts
from dlp.report.charts import Bar, Line

HOSTILE = "</title><script>alert(1)</script>\"'\n\x1b[31m\udcff&"
QUICK = settings(deadline=None, max_examples=60)
NUMBERS = st.floats(0, 1e9, allow_nan=False)
ROWS = st.lists(st.builds(Bar, st.text(max_size=30), NUMBERS, st.text(max_size=9), st.just("ct-phi")), max_size=8)  # fmt: skip


def parsed(picture):
    root = ET.fromstring(picture)
    assert root.tag.endswith("svg")
    assert root.get("role") == "img"
    assert root.get("aria-label")
    for node in root.iter():
        assert node.tag.rpartition("}")[2] in {
            "svg", "text", "rect", "title", "polyline", "path",
        }  # fmt: skip
        # colours come from classes, so that a strict content policy and dark mode both hold
        assert not {"style", "fill", "stroke", "href", "onclick"} & node.attrib.keys()
    return root


def widths(root, tone):
    return [float(n.get("width")) for n in root.iter() if n.get("class") == tone]


DRAWN = {
    "bars": lambda: charts.bars([Bar(HOSTILE, 3), Bar("b", 1)], HOSTILE),
    "funnel": lambda: charts.funnel([Bar(HOSTILE, 30), Bar("b", 1)], HOSTILE),
    "stack": lambda: charts.stack([Bar(HOSTILE, 30), Bar("b", 1)], HOSTILE),
    "meter": lambda: charts.meter(1, 2, "lv-high", HOSTILE),
    "trend": lambda: charts.trend([HOSTILE, "b"], [Line(HOSTILE, [1, 2])], HOSTILE),
}


@pytest.mark.parametrize("name", DRAWN)
def test_no_label_escapes_its_place(name):
    assert "script" not in {n.tag.rpartition("}")[2] for n in parsed(DRAWN[name]()).iter()}
    assert "\x1b" not in DRAWN[name]()
    DRAWN[name]().encode()  # no lone surrogates either


@pytest.mark.parametrize("draw", [charts.bars, charts.funnel, charts.stack])
@QUICK
@given(rows=ROWS)
def test_any_numbers_can_be_drawn(draw, rows):
    root = parsed(draw(rows, "what"))
    height = float(root.get("viewBox").split()[3])
    for node in root.iter():
        if node.get("y"):
            assert 0 <= float(node.get("y")) <= height


@QUICK
@given(st.lists(st.lists(NUMBERS, min_size=1, max_size=40), max_size=4))
def test_any_history_can_be_drawn(series):
    days = [f"2026-01-{n:02}" for n in range(max(map(len, series), default=0))]
    root = parsed(charts.trend(days, [Line(str(n), v) for n, v in enumerate(series)], "what"))
    for node in root.iter():
        for point in node.get("points", "").split():
            x, y = map(float, point.split(","))
            assert charts.LEFT - 1 <= x <= charts.WIDTH
            assert charts.TOP - 1 <= y <= 220 - charts.BOTTOM + 1


def test_length_says_how_much():
    rows = [Bar("a", 40, tone="a"), Bar("b", 10, tone="b")]
    root = parsed(charts.bars(rows, "what"))
    assert widths(root, "a")[0] == pytest.approx(4 * widths(root, "b")[0], rel=0.01)


def test_the_words_hold_every_number():
    label = parsed(charts.stack([Bar("high", 3), Bar("low", 1200)], "Files")).get("aria-label")
    assert label == "Files: high 3; low 1,200"


@pytest.mark.parametrize("value, top", [(0, 2), (2, 2), (3, 4), (5, 10), (11, 20), (399, 400)])
def test_axes_end_at_a_round_number(value, top):
    assert charts.nice(value) == top


def test_names_at_the_ends_of_lines_keep_apart():
    lines = [Line(name, [5.0]) for name in "abc"]
    places = [y for _, y in charts.apart([(line, 50.0) for line in lines])]
    assert places == [50, 65, 80]


def test_a_long_path_keeps_both_its_ends():
    assert charts.shorten("/srv/share/a/b/c/d/report.docx", 20).startswith("/srv")
    assert charts.shorten("/srv/share/a/b/c/d/report.docx", 20).endswith("report.docx")
    assert len(charts.shorten("x" * 99, 20)) == 20
