"""The measures are the paper's, to the printed digit, and every mistake is listed with its stage."""

import json

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from dlp.cli.main import main
from dlp.errors import ConfigError
from dlp.evaluate import Share, evaluate, read_labels


def record(container):
    return {
        "container": container,
        "reason": "why",
        "duplicate_of": None,
        "trail": ["s"],
        "gaps": [],
    }


def share_of(files, leaks, found, alarms):
    labels = {f"l{i}": "PHI" for i in range(leaks)} | {
        f"n{i}": "NOT_PERSONAL" for i in range(files - leaks)
    }
    flagged = {f"l{i}" for i in range(found)} | {f"n{i}" for i in range(alarms)}
    return evaluate(((n, record("phi" if n in flagged else "possible")) for n in labels), labels)


@pytest.mark.parametrize("files,leaks,found,alarms,tdp,frp", [
    (72, 8, 8, 1, 11.11, 1.39),
    (50, 4, 4, 8, 8.00, 16.00),
    (76, 4, 4, 2, 5.26, 2.63),
])  # fmt: skip
def test_figures_of_the_paper(files, leaks, found, alarms, tdp, frp):
    result = share_of(files, leaks, found, alarms)
    measures = result.measures()
    assert round(measures["TDP"].value * 100, 2) == tdp
    assert round(measures["FRP"].value * 100, 2) == frp
    assert result.as_object()["TDP/TDP_i"] == 1


def test_mistakes_are_named():
    result = share_of(10, 2, 1, 1)
    assert [m.file for m in result.misses] == ["l1"]
    assert [m.file for m in result.false_alarms] == ["n0"]


def test_leaks_in_other_languages_are_counted_apart():
    result = evaluate([("a", record("phi"))], {"a": "PHI_NON_ENGLISH", "gone": "PHI"})
    assert (result.alarms, result.leaks, result.found_apart, result.missing) == (0, 0, 1, ["gone"])


@given(st.integers(0, 300), st.integers(0, 300))
def test_the_interval_holds_the_value(hits, more):
    share = Share.of(hits, hits + more)
    assert 0 <= share.low <= share.value <= share.high <= 1 or not hits + more


def test_labels_need_their_columns(tmp_path):
    (tmp_path / "l.tsv").write_text("name\tkind\n")
    with pytest.raises(ConfigError, match="columns"):
        read_labels(tmp_path / "l.tsv")


def test_the_command_measures_a_share(tmp_path):
    (tmp_path / "share" / "deep").mkdir(parents=True)
    (tmp_path / "share" / "deep" / "a.txt").write_text("gulls and herring")
    (tmp_path / "labels.tsv").write_text("file\tlabel\ndeep/a.txt\tNOT_PERSONAL\n")
    arguments = [
        "evaluate",
        str(tmp_path / "share"),
        str(tmp_path / "labels.tsv"),
        "--json",
        "--jobs",
        "1",
    ]
    result = CliRunner().invoke(main, arguments)
    assert json.loads(result.stdout)["by_label"]["NOT_PERSONAL"]
    assert "false alarms" in CliRunner().invoke(main, arguments[:3]).stdout


def test_the_funnel_follows_the_cascade():
    containers = ["phi", "probable", "possible", "impossible", "possible"]
    records = [(str(i), record(c)) for i, c in enumerate(containers)]
    records[3][1]["reason"] = "not English"
    result = evaluate(records, {name: "NOT_PERSONAL" for name, _ in records})
    steps = [("impossible: not English", 1), ("possible", 2), ("probable", 1), ("phi", 1)]
    assert result.steps() == steps
