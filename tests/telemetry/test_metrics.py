"""Every series exists from the start, the labels are closed sets, and there are few of them."""

import re
import shutil
import subprocess

import pytest
from prometheus_client import generate_latest

from dlp.model import Container, GapCode
from dlp.telemetry.metrics import Metrics

SHARES = [f"share-{number}" for number in range(10)]
LABELS = {"share", "container", "reason", "action", "level", "stage", "state", "result", "le",
          "version", "rules"}  # fmt: skip


def text_of(metrics):
    return generate_latest(metrics.registry).decode()


def series_of(text):
    return {line.rpartition(" ")[0] for line in text.splitlines() if not line.startswith("#")}


@pytest.fixture
def metrics():
    return Metrics(SHARES, version="0", rules="r")


def record(**changes):
    return {"container": "phi", "size_bytes": 10, "gaps": [], "action": "observe"} | changes


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
    after = text_of(metrics)
    assert series_of(after) == before
    assert "Miller" not in after
    assert 'dlp_files_judged_total{container="phi",share="share-3"} 13.0' in after


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
