"""The dashboards are what their source says, and Grafana finds in them what it needs.

There is no Grafana here to open them. What can be known from outside is checked instead: the
rules of Grafana's own linter that apply, and what would show as an empty or misplaced panel.
"""

import itertools
import json
import re

import pytest
import yaml
from jsonschema import Draft202012Validator
from prometheus_client import generate_latest

from dashboards import generate
from dlp.measure.risk_levels import level_of
from dlp.telemetry.metrics import Metrics
from tests.monitoring.shipped import (
    DASHBOARDS,
    PAGES,
    alerts,
    board,
    panel_expressions,
    panels,
    recordings,
    selectors,
)

KINDS = {"stat", "timeseries", "table", "bargauge", "state-timeline"}  # none is deprecated
UNITS = {"short", "s", "bytes", "Bps", "cps", "percentunit"}
SOURCE = {"type": "prometheus", "uid": "${datasource}"}

TARGET = {
    "type": "object",
    "required": ["expr", "refId", "datasource"],
    "properties": {
        "expr": {"type": "string", "minLength": 3},
        "refId": {"type": "string", "pattern": "^[A-J]$"},
        "datasource": {"const": SOURCE},
        "format": {"enum": ["table", "time_series"]},
        "instant": {"type": "boolean"},
        "range": {"type": "boolean"},
        "legendFormat": {"type": "string"},
    },
}
GRID = {
    "type": "object",
    "required": ["h", "w", "x", "y"],
    "properties": {
        "h": {"type": "integer", "minimum": 1, "maximum": 20},
        "w": {"type": "integer", "minimum": 1, "maximum": 24},
        "x": {"type": "integer", "minimum": 0, "maximum": 23},
        "y": {"type": "integer", "minimum": 0},
    },
    "additionalProperties": False,
}
PANEL = {
    "type": "object",
    "required": [
        "id", "type", "title", "description", "gridPos", "datasource", "targets", "fieldConfig",
        "options",
    ],
    "properties": {
        "id": {"type": "integer", "minimum": 1},
        "type": {"enum": sorted(KINDS)},
        "title": {"type": "string", "minLength": 3, "maxLength": 60},
        "description": {"type": "string", "minLength": 10},
        "gridPos": GRID,
        "datasource": {"const": SOURCE},
        "targets": {"type": "array", "minItems": 1, "items": TARGET},
        "fieldConfig": {
            "type": "object",
            "required": ["defaults", "overrides"],
            "properties": {
                "defaults": {
                    "type": "object",
                    "required": ["unit"],
                    "properties": {"unit": {"enum": sorted(UNITS)}},
                },
                "overrides": {"type": "array"},
            },
        },
        "options": {"type": "object"},
    },
}  # fmt: skip
ROW = {
    "type": "object",
    "required": ["id", "type", "title", "gridPos", "collapsed", "panels"],
    "properties": {"type": {"const": "row"}, "gridPos": GRID, "panels": {"maxItems": 0}},
}
PAGE = {
    "type": "object",
    "required": ["uid", "title", "description", "schemaVersion", "panels", "templating", "time"],
    "properties": {
        "uid": {"type": "string", "pattern": "^dlp-[a-z]+$"},
        "schemaVersion": {"type": "integer", "minimum": 36},
        "tags": {"const": ["dlp"]},
        "editable": {"type": "boolean"},
        "refresh": {"const": "30s"},
        "panels": {
            "type": "array",
            "items": {"if": {"properties": {"type": {"const": "row"}}}, "then": ROW, "else": PANEL},
        },
    },
}


@pytest.fixture(params=PAGES, ids=lambda path: path.stem)
def page(request):
    return board(request.param)


def test_there_are_three():
    assert [path.name for path in PAGES] == [
        "dlp-health.json",
        "dlp-overview.json",
        "dlp-risk.json",
    ]


def test_generating_again_gives_the_same_bytes():
    for name, content in generate.pages().items():
        assert (DASHBOARDS / name).read_bytes() == content.encode(), "python -m dashboards.generate"


def test_shape(page):
    faults = [
        f"{list(e.path)}: {e.message[:200]}" for e in Draft202012Validator(PAGE).iter_errors(page)
    ]
    assert not faults, "\n".join(faults)


def test_the_shape_would_refuse_a_broken_page(page):
    page["panels"][0]["gridPos"] = "oops"
    assert list(Draft202012Validator(PAGE).iter_errors(page))


def test_ids_are_unique_and_no_panel_covers_another(page):
    ids = [panel["id"] for panel in page["panels"]]
    assert len(ids) == len(set(ids))
    places = [panel["gridPos"] for panel in page["panels"]]
    assert all(place["x"] + place["w"] <= 24 for place in places)
    for one, two in itertools.combinations(places, 2):
        apart = (
            one["x"] + one["w"] <= two["x"] or two["x"] + two["w"] <= one["x"]
            or one["y"] + one["h"] <= two["y"] or two["y"] + two["h"] <= one["y"]
        )  # fmt: skip
        assert apart, (one, two)


def test_every_line_of_the_grid_is_full(page):
    """A hole at the right means that a panel slipped to the next line."""
    lines = {}
    for panel in page["panels"]:
        place = panel["gridPos"]
        lines[place["y"]] = lines.get(place["y"], 0) + place["w"]
    assert set(lines.values()) == {24}


def test_variables(page):
    known = {variable["name"]: variable for variable in page["templating"]["list"]}
    assert set(known) == {"datasource", "job", "instance", "share"}
    assert (known["datasource"]["type"], known["datasource"]["query"]) == (
        "datasource",
        "prometheus",
    )
    for name in ("job", "instance", "share"):
        assert known[name]["datasource"] == SOURCE
        assert known[name]["refresh"] == 2, "asked again when the time range changes"
        assert known[name]["current"]["value"], "a first choice, or the page opens empty"
    for name in ("instance", "share"):
        assert known[name]["includeAll"]
        assert known[name]["allValue"] == ".*"


def test_titles_say_different_things(page):
    titles = [panel["title"] for panel in panels(page)]
    assert len(titles) == len(set(titles))


def test_what_is_shown_now_is_asked_for_now(page):
    """Tables and single figures need the last value only; curves need a range."""
    for panel in panels(page):
        for target in panel["targets"]:
            now = panel["type"] in {"stat", "table", "bargauge"}
            assert bool(target.get("instant")) is now
            assert bool(target.get("range")) is not now
        refs = [target["refId"] for target in panel["targets"]]
        assert len(refs) == len(set(refs))


@pytest.mark.parametrize("where, expr", panel_expressions())
def test_expressions_keep_to_the_chosen_servers(where, expr):
    for selector in selectors(expr):
        if selector.startswith("ALERTS"):
            continue
        assert 'job="$job"' in selector, "a second job would be mixed in"
        assert 'instance=~"$instance"' in selector
    for span in re.findall(r"\[([^\]]+)\]", expr):
        assert span == "$__rate_interval", "a fixed span breaks when zooming"
    assert not re.search(r"(?<!rate\()(?<!increase\()dlp_\w+_bucket", expr)


def test_every_metric_exists_and_every_metric_is_shown():
    metrics = Metrics(["ward"], version="0", rules="r", level_of=level_of)
    text = generate_latest(metrics.registry).decode()
    emitted = {
        line.partition("{")[0].partition(" ")[0] for line in text.splitlines() if line[0] != "#"
    }
    emitted |= {"up", "ALERTS"} | {rule["record"] for rule in recordings()}
    everywhere = [expr for _, expr in panel_expressions()]
    everywhere += [rule["expr"] for rule in [*alerts(), *recordings()]]
    used = {each.partition("{")[0] for expr in everywhere for each in selectors(expr)}
    assert used <= emitted, "nobody emits this"
    # Told, and of no use on a page: what runs, and one of the client's own.
    unshown = {
        "dlp_build_info",
        "process_virtual_memory_bytes",
    }
    ours = {name for name in emitted if not name.endswith(("_sum", "_count", "_bucket"))}
    assert ours - used <= unshown, "a number nobody looks at"


def test_provisioning_points_at_what_we_ship():
    folder = DASHBOARDS / "provisioning"
    (source,) = yaml.safe_load((folder / "datasources" / "dlp.yaml").read_text())["datasources"]
    assert (source["type"], source["url"]) == ("prometheus", "http://127.0.0.1:9090")
    (provider,) = yaml.safe_load((folder / "dashboards" / "dlp.yaml").read_text())["providers"]
    assert provider["type"] == "file"
    assert provider["options"]["path"].startswith("/var/lib/grafana/")


def test_no_page_holds_a_hard_wired_address(page):
    text = json.dumps(page)
    assert "http://" not in text
    assert "https://" not in text
