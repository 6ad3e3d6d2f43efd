"""Every series exists from the start, the labels are closed sets, and there are few of them."""

import re
import shutil
import subprocess

import pytest
from prometheus_client import generate_latest

from dlp.measure.risk_levels import level_of
from dlp.model import Container, GapCode, Kind
from dlp.telemetry.metrics import Metrics

SHARES = [f"share-{number}" for number in range(10)]
LABELS = {"share", "container", "reason", "action", "level", "stage", "state", "result", "le",
          "kind", "version", "rules", "view"}  # fmt: skip


def text_of(metrics):
    return generate_latest(metrics.registry).decode()


def series_of(text):
    return {line.rpartition(" ")[0] for line in text.splitlines() if not line.startswith("#")}


@pytest.fixture
def metrics():
    return Metrics(SHARES, version="0", rules="r", level_of=level_of)


def record(**changes):
    plain = {"container": "phi", "size_bytes": 10, "gaps": [], "action": "observe", "privacy": 0.0}
    return plain | {"persons": [], "findings": [], "spent_ms": {}} | changes


def test_ten_shares_stay_below_five_hundred_series(metrics):
    assert len(series_of(text_of(metrics))) <= 500


def test_no_verdict_makes_a_new_series(metrics):
    before = series_of(text_of(metrics))
    for container in Container:
        for code in GapCode:
            gaps = [{"code": code.value, "where": "Jane Miller.txt"}]
            one = record(container=container.value, gaps=gaps, path="/srv/Jane Miller.txt")
            metrics.judged("share-3", one, 12.0, 0.5)
    metrics.judged("share-3", record(action="something new"), 12.0, None)
    for action in ("observe", "notify", "quarantine", "sanitise", "held", "failed"):
        metrics.judged("share-3", record(container="probable", action=action), 12.0, None)
    for kind in Kind:
        found = [{"kind": kind.value, "rule": "Jane Miller"}]
        metrics.judged("share-3", record(container="possible", findings=found), 12.0, None)
    spent = {"decode": 1.0, "triage": 1.0, "judge": 1.0, "Jane Miller": 1.0}
    metrics.judged("share-3", record(container="possible", spent_ms=spent), 12.0, None)
    after = text_of(metrics)
    assert series_of(after) == before
    assert "Miller" not in after
    assert 'dlp_files_judged_total{container="phi",share="share-3"} 13.0' in after


def test_a_verdict_is_counted_where_people_look_for_it(metrics):
    found = [{"kind": "disease"}, {"kind": "disease"}, {"kind": "phone"}]
    person = {"identifiability": 1.0, "sensitivity": 0.5}
    risky = record(privacy=0.5, persons=[person], findings=found, action="quarantine")
    risky |= {"exposure": {"readers": 1000}}
    metrics.judged("share-3", risky | {"spent_ms": {"decode": 1500.0}}, 2000.0, 3.0)
    clean = record(container="impossible", findings=found, privacy=0.0)
    metrics.judged("share-3", clean, 10.0, 0.01)
    text = text_of(metrics)
    for line in (
        'dlp_risky_verdicts_total{level="critical",share="share-3"} 1.0',
        'dlp_findings_total{kind="disease"} 2.0',  # of the file that is PHI only
        'dlp_actions_total{action="quarantine",share="share-3"} 1.0',
        'dlp_stage_duration_seconds_sum{stage="decode"} 1.5',
        'dlp_stage_duration_seconds_sum{stage="wait"} 1.0',
        "dlp_detection_latency_seconds_count 2.0",
    ):
        assert line in text


def test_labels_are_a_closed_set(metrics):
    found = set(re.findall(r'[{,]([a-z]+)="', text_of(metrics)))
    assert found <= LABELS


def test_names_follow_the_conventions(metrics):
    for kind, name in re.findall(r"# TYPE (\S+) (\S+)", text_of(metrics)):
        assert kind.startswith(("dlp_", "process_"))
        if name == "counter":
            assert kind.endswith("_total")


@pytest.mark.skipif(shutil.which("promtool") is None, reason="promtool is not installed")
def test_promtool_agrees(metrics):
    subprocess.run(["promtool", "check", "metrics"], input=text_of(metrics).encode(), check=True)
