"""Every alert rings when it should and keeps silent when it should; each has its runbook.

The cases go through the real promtool. Time starts at zero there, so a timestamp of 60 is minute 1.
"""

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import click
import pytest
import yaml

from dlp.cli.main import main as group
from tests.monitoring.shipped import DASHBOARDS, alerts, recordings, selectors

RUNBOOKS = Path("docs/runbooks")
NAMES = [rule["alert"] for rule in alerts()]
needs_promtool = pytest.mark.skipif(
    shutil.which("promtool") is None, reason="promtool is not installed"
)
needs_amtool = pytest.mark.skipif(shutil.which("amtool") is None, reason="amtool is not installed")


@dataclass(frozen=True)
class Case:
    alert: str
    rings: bool
    at: str
    series: dict[str, str]
    why: str = ""
    slow: bool = False  # a step of twelve hours instead of a minute

    def __str__(self):
        return f"{self.alert} {'rings' if self.rings else 'is silent'} {self.why}".strip()


def yes(alert, at, why="", *, slow=False, **series):
    return Case(alert, True, at, spelt(series), why, slow)


def no(alert, at, why="", *, slow=False, **series):
    return Case(alert, False, at, spelt(series), why, slow)


def spelt(series):
    """name__label_value="..." -> a series; names and labels of ours hold no double underscore."""
    found = {}
    for name, values in series.items():
        metric, *labels = name.split("__")
        pairs = ['job="dlp"', 'instance="fs1"', *(label_of(each) for each in labels)]
        found[f"{metric}{{{','.join(pairs)}}}"] = values
    return found


def label_of(word):
    label, _, value = word.partition("_")
    value = {"inf": "+Inf"}.get(value, value)
    return f'{label}="{value}"'


CRITICAL = "dlp_risky_verdicts_total__share_ward__level_critical"
HIGH = "dlp_risky_verdicts_total__share_ward__level_high"
JUDGED = "dlp_files_judged_total__share_ward__container_phi"
PUBLIC, WIDE = "dlp_phi_files__view_public link", "dlp_phi_files__view_everyone"
GAPS = "dlp_gaps_total__share_ward__reason_timeout"
SWEPT = "dlp_last_sweep_success_timestamp_seconds__share_ward"
STARTED = "process_start_time_seconds"
SANDBOX = "dlp_sandbox_restarts_total__reason_"
FAILED = "dlp_actions_total__share_ward__action_failed"
KEPT = "dlp_quarantined_files__share_ward__state_"
LATE = "dlp_detection_latency_seconds_"
APPEARS = "when the series just appeared"

CASES = [
    yes("DlpCriticalExposure", "8m", **{CRITICAL: "0x5 1x30"}),
    yes("DlpCriticalExposure", "7m", APPEARS, **{CRITICAL: "_x5 1x30"}),
    no("DlpCriticalExposure", "30m", "when it is long ago", **{CRITICAL: "0x5 1x60"}),
    no("DlpCriticalExposure", "8m", "about lower levels", **{HIGH: "0x5 1x30"}),
    no("DlpCriticalExposure", "20m", "after a restart without news", **{CRITICAL: "5x10 0x30"}),
    yes("DlpExposureGrows", "72h", slow=True, dlp_persons_exposed__share_ward="10x4 100x4"),
    no("DlpExposureGrows", "72h", slow=True, dlp_persons_exposed__share_ward="10x4 20x4"),
    no("DlpExposureGrows", "72h", APPEARS, slow=True, dlp_persons_exposed__share_ward="_x4 100x4"),
    yes("DlpPublicExposure", "9m", **{PUBLIC: "0x2 3x30"}),
    no("DlpPublicExposure", "3m", "at once", **{PUBLIC: "0x2 3x30"}),
    no("DlpPublicExposure", "30m", "about wide but signed-in readers", **{WIDE: "5x60"}),
    yes("DlpMuchUnread", "90m", **{GAPS: "0+5x120", JUDGED: "0+10x120"}),
    no("DlpMuchUnread", "90m", "at a tenth", **{GAPS: "0+1x120", JUDGED: "0+10x120"}),
    no("DlpMuchUnread", "90m", "over a few files", **{GAPS: "0x60 5x60", JUDGED: "0x60 5x60"}),
    no("DlpMuchUnread", "90m", "where nothing is judged", **{GAPS: "5x120", JUDGED: "5x120"}),
    yes("DlpDown", "9m", up="1x5 0x10"),
    yes("DlpDown", "5m", "when nobody even scrapes it"),
    no("DlpDown", "9m", up="1x10"),
    no("DlpDown", "9m", APPEARS, up="_x5 1x10"),
    no("DlpDown", "6m", "at one missed scrape", up="1x5 0x1 1x10"),
    yes("DlpDeadMansSwitch", "1m", up="1x5"),
    yes("DlpNotReady", "20m", dlp_ready="0x30"),
    no("DlpNotReady", "20m", dlp_ready="0x5 1x30"),
    yes("DlpRestarts", "8m", **{STARTED: "0 60 120 180 240 300 300x30"}),
    no("DlpRestarts", "8m", **{STARTED: "0 60 60x30"}),
    no("DlpRestarts", "8m", APPEARS, **{STARTED: "_x5 300x30"}),
    yes("DlpShareUnavailable", "9m", dlp_share_available__share_ward="1x5 0x10"),
    yes("DlpShareUnavailable", "9m", APPEARS, dlp_share_available__share_ward="_x5 0x10"),
    no("DlpShareUnavailable", "9m", dlp_share_available__share_ward="1x5 0x1 1x10"),
    yes("DlpShareNotSwept", "72h", slow=True, **{SWEPT: "43200x10", STARTED: "0x10"}),
    yes("DlpShareNotSwept", "72h", "when it never was", slow=True, **{SWEPT: "0x10", STARTED: "0x10"}),
    no("DlpShareNotSwept", "72h", slow=True, **{SWEPT: "0+43200x10", STARTED: "0x10"}),
    no("DlpShareNotSwept", "24h", "in the first day", slow=True, **{SWEPT: "0x10", STARTED: "0x10"}),
    yes("DlpEventsLost", "8m", dlp_watch_overflows_total="0x5 1x30"),
    yes("DlpEventsLost", "7m", APPEARS, dlp_watch_overflows_total="_x5 1x30"),
    no("DlpEventsLost", "30m", "about old losses", dlp_watch_overflows_total="3x40"),
    yes("DlpWatchLimit", "15m", dlp_blind_directories="5x20"),
    no("DlpWatchLimit", "15m", dlp_blind_directories="5x5 0x20"),
    yes("DlpSandboxWeak", "3m", dlp_degraded__reason_sandbox="1x5"),
    no("DlpSandboxWeak", "3m", dlp_degraded__reason_sandbox="0x5", dlp_degraded__reason_share="1x5"),
    yes("DlpSandboxDeaths", "20m", **{f"{SANDBOX}crash": "0+1x30", f"{SANDBOX}timeout": "0+1x30"}),
    no("DlpSandboxDeaths", "20m", "about routine", **{f"{SANDBOX}recycled": "0+50x30"}),
    no("DlpSandboxDeaths", "20m", "about a single bad file", **{f"{SANDBOX}crash": "0x5 3x30"}),
    yes("DlpReadingsDiffer", "8m", dlp_readings_differ_total="0x5 1x30"),
    yes("DlpReadingsDiffer", "7m", APPEARS, dlp_readings_differ_total="_x5 1x30"),
    no("DlpReadingsDiffer", "8m", dlp_readings_differ_total="0x30"),
    yes("DlpActingStopped", "1m", dlp_degraded__reason_breaker="1x5"),
    no("DlpActingStopped", "1m", dlp_degraded__reason_breaker="0x5"),
    yes("DlpActionsFail", "8m", **{FAILED: "0x5 1x30"}),
    yes("DlpActionsFail", "7m", APPEARS, **{FAILED: "_x5 1x30"}),
    no("DlpActionsFail", "8m", dlp_actions_total__share_ward__action_quarantine="0x5 9x30"),
    yes("DlpActionsBlocked", "20m", **{f"{KEPT}blocked": "2x30"}),
    no("DlpActionsBlocked", "20m", **{f"{KEPT}blocked": "2x5 0x30", f"{KEPT}kept": "9x30"}),
    yes("DlpVaultFull", "8m", dlp_vault_free_bytes="500000000x20"),
    no("DlpVaultFull", "8m", dlp_vault_free_bytes="50000000000x20"),
    yes("DlpReviewOverdue", "204h", slow=True, dlp_review_oldest_timestamp_seconds="60x20"),
    no("DlpReviewOverdue", "204h", slow=True, dlp_review_oldest_timestamp_seconds="0x20"),
    no("DlpReviewOverdue", "96h", slow=True, dlp_review_oldest_timestamp_seconds="60x20"),
    yes("DlpLedgerBroken", "2m", dlp_ledger_state__state_broken="1x3"),
    yes("DlpLedgerBroken", "2m", APPEARS, dlp_ledger_state__state_broken="_ 1x3"),
    no("DlpLedgerBroken", "2m", dlp_ledger_state__state_broken="0x3", dlp_ledger_state__state_whole="1x3"),
    yes("DlpLedgerUnchecked", "40m", dlp_ledger_state__state_unchecked="1x60"),
    yes("DlpLedgerUnchecked", "60h", slow=True, dlp_ledger_checked_timestamp_seconds="43200x10"),
    no("DlpLedgerUnchecked", "60h", slow=True, dlp_ledger_checked_timestamp_seconds="0+43200x10"),
    yes("DlpVerdictsLate", "40m", **{f"{LATE}bucket__le_60": "0x60", f"{LATE}bucket__le_300": "0+1x60",
        f"{LATE}bucket__le_inf": "0+1x60", f"{LATE}count": "0+1x60"}),
    no("DlpVerdictsLate", "40m", **{f"{LATE}bucket__le_60": "0+1x60", f"{LATE}bucket__le_300": "0+1x60",
        f"{LATE}bucket__le_inf": "0+1x60", f"{LATE}count": "0+1x60"}),
    no("DlpVerdictsLate", "40m", "where nothing is judged", **{f"{LATE}bucket__le_60": "0x60",
        f"{LATE}bucket__le_inf": "9x60", f"{LATE}count": "9x60"}),
    yes("DlpBacklogOld", "75m", dlp_queue_oldest_timestamp_seconds="60x120"),
    no("DlpBacklogOld", "100m", "while the queue moves", dlp_queue_oldest_timestamp_seconds="0+60x120"),
    no("DlpBacklogOld", "100m", "when nothing waits", dlp_queue_oldest_timestamp_seconds="0x120"),
    yes("DlpFilesAside", "18m", dlp_queue_files__state_aside="1x20"),
    no("DlpFilesAside", "18m", dlp_queue_files__state_aside="0x20", dlp_queue_files__state_waiting="9x20"),
    yes("DlpMessagesStuck", "75m", dlp_outbox_oldest_timestamp_seconds="60x120"),
    no("DlpMessagesStuck", "75m", dlp_outbox_oldest_timestamp_seconds="0x120"),
    no("DlpMessagesStuck", "75m", "while they go out", dlp_outbox_oldest_timestamp_seconds="0+60x120"),
    yes("DlpReloadRefused", "8m", dlp_reloads_total__result_refused="0x5 1x30"),
    yes("DlpReloadRefused", "7m", APPEARS, dlp_reloads_total__result_refused="_x5 1x30"),
    no("DlpReloadRefused", "8m", dlp_reloads_total__result_done="0x5 1x30"),
    yes("DlpCountsStale", "75m", dlp_stock_taken_timestamp_seconds="60x120"),
    no("DlpCountsStale", "100m", dlp_stock_taken_timestamp_seconds="0+60x120"),
    yes("DlpKnowledgeOld", "9840h", slow=True, dlp_rules_changed_timestamp_seconds="60x820"),
    yes("DlpKnowledgeOld", "9840h", slow=True, dlp_knowledge_changed_timestamp_seconds="60x820"),
    no("DlpKnowledgeOld", "4800h", slow=True, dlp_rules_changed_timestamp_seconds="60x820"),
]  # fmt: skip


def as_test(case):
    found = f'count by (alertname) (ALERTS{{alertname="{case.alert}",alertstate="firing"}})'
    expected = [{"labels": f'{{alertname="{case.alert}"}}', "value": 1}] if case.rings else []
    return {
        "name": str(case),
        "interval": "12h" if case.slow else "1m",
        "input_series": [{"series": s, "values": v} for s, v in case.series.items()],
        "promql_expr_test": [{"expr": found, "eval_time": case.at, "exp_samples": expected}],
    }


def promtool(folder, alert, tests, *, step):
    """Run the cases of one alert on its own rule and the figures it rests on."""
    rule = next(rule for rule in alerts() if rule["alert"] == alert)
    figures = [each for each in recordings() if each["record"] in needed(rule)]
    groups = {"groups": [{"name": "one after the other", "rules": [*figures, rule]}]}
    (folder / "rules.yml").write_text(yaml.safe_dump(groups))
    sheet = {"rule_files": ["rules.yml"], "evaluation_interval": step, "tests": tests}
    path = folder / "tests.yml"
    path.write_text(yaml.safe_dump(sheet))
    return subprocess.run(
        ["promtool", "test", "rules", str(path)], capture_output=True, text=True, check=False
    )


def needed(rule):
    """The recorded figures a rule rests on, and those they rest on."""
    found = {each.partition("{")[0] for each in selectors(rule["expr"])}
    for record in recordings():
        if record["record"] in found:
            found |= needed(record)
    return found


@needs_promtool
@pytest.mark.parametrize("alert", NAMES)
def test_it_rings_when_it_should_and_only_then(tmp_path, alert):
    for slow, step in ((False, "1m"), (True, "12h")):
        tests = [as_test(case) for case in CASES if (case.alert, case.slow) == (alert, slow)]
        if tests:
            done = promtool(tmp_path, alert, tests, step=step)
            assert done.returncode == 0, done.stdout + done.stderr


@needs_promtool
def test_a_wrong_expectation_is_noticed(tmp_path):
    """The table above proves something only if promtool can refuse it."""
    wrong = Case("DlpVaultFull", False, "8m", spelt({"dlp_vault_free_bytes": "5x20"}))
    assert promtool(tmp_path, "DlpVaultFull", [as_test(wrong)], step="1m").returncode != 0


def test_every_alert_has_a_case_in_which_it_rings_and_one_in_which_it_does_not():
    assert {case.alert for case in CASES if case.rings} == set(NAMES)
    # the heartbeat is never silent
    assert {case.alert for case in CASES if not case.rings} == {*NAMES} - {"DlpDeadMansSwitch"}
    counted = {rule["alert"] for rule in alerts() if "unless" in rule["expr"]}
    assert counted <= {case.alert for case in CASES if case.why == APPEARS}


@needs_promtool
def test_what_a_person_reads(tmp_path):
    rule = next(rule for rule in alerts() if rule["alert"] == "DlpCriticalExposure")
    said = {**rule["annotations"]}
    said["description"] = said["description"].replace("{{ $labels.share }}", "ward")
    said["description"] = said["description"].replace("{{ $labels.instance }}", "fs1")
    said["description"] = said["description"].replace("{{ $value | humanize }}", "1")
    where = {"job": "dlp", "instance": "fs1", "share": "ward", "level": "critical"}
    test = {
        "interval": "1m",
        "input_series": [{"series": s, "values": "_x5 1x9"} for s in spelt({CRITICAL: ""})],
        "alert_rule_test": [{
            "eval_time": "7m",
            "alertname": "DlpCriticalExposure",
            "exp_alerts": [{"exp_labels": {**where, "severity": "critical"}, "exp_annotations": said}],
        }],
    }  # fmt: skip
    done = promtool(tmp_path, "DlpCriticalExposure", [test], step="1m")
    assert done.returncode == 0, done.stdout + done.stderr


@needs_promtool
def test_promtool_accepts_rules_and_config():
    for kind, path in (
        ("rules", "rules/recording.yml"),
        ("rules", "rules/alerts.yml"),
        ("config", "prometheus.yml"),
    ):
        subprocess.run(
            ["promtool", "check", kind, str(DASHBOARDS / path)], check=True, capture_output=True
        )


@pytest.mark.parametrize("rule", alerts(), ids=NAMES)
def test_an_alert_says_how_bad_what_and_where_to_read_on(rule):
    assert rule["labels"]["severity"] in {"critical", "warning", "info", "none"}
    assert set(rule["annotations"]) == {"summary", "description", "runbook_url"}
    assert "{{" not in rule["annotations"]["summary"], "one summary, one notification"
    assert re.fullmatch(r"Dlp[A-Z][A-Za-z]+", rule["alert"])
    assert rule["annotations"]["runbook_url"].endswith(f"/docs/runbooks/{rule['alert']}.md")
    text = (RUNBOOKS / f"{rule['alert']}.md").read_text()
    for heading in ("## What it means", "## Look", "## Do", "## Silence"):
        assert heading in text
    assert rule["annotations"]["summary"] in text, "the page opens with the words of the alert"
    assert f"Severity: {rule['labels']['severity']}" in text


def test_runbooks_name_commands_that_exist():
    for path in RUNBOOKS.glob("*.md"):
        for quoted in re.findall(r"`(?:[^`|]*\| *)?dlp ([^`]+)`", path.read_text()):
            first, *rest = quoted.split()
            if first == "/":  # a dashboard
                continue
            known = group.get_command(click.Context(group), first)
            assert known, f"{path.name}: dlp {first}"
            if isinstance(known, click.Group) and rest:
                assert rest[0] in known.commands, f"{path.name}: dlp {first} {rest[0]}"


def test_every_runbook_has_its_alert():
    pages = {path.stem for path in RUNBOOKS.glob("*.md")} - {"README"}
    assert pages == set(NAMES)


def test_recorded_names_follow_the_convention_and_are_used():
    wanted = " ".join(rule["expr"] for rule in [*alerts(), *recordings()])
    wanted += " ".join(path.read_text() for path in DASHBOARDS.glob("*.json"))
    for rule in recordings():
        assert re.fullmatch(r"[a-z_]+:dlp_[a-z_]+:[a-z0-9_]+", rule["record"])
        assert rule["record"] in wanted
    known = {rule["record"] for rule in recordings()}
    for name in {each.partition("{")[0] for each in selectors(wanted) if ":" in each}:
        assert name in known


ROUTES = [
    ("alertname=DlpDeadMansSwitch severity=none", "heartbeat"),
    ("alertname=DlpDown severity=critical", "on-call"),
    ("alertname=DlpCriticalExposure severity=critical", "on-call,compliance"),
    ("alertname=DlpReviewOverdue severity=warning", "compliance"),
    ("alertname=DlpBacklogOld severity=warning", "team"),
]


@needs_amtool
@pytest.mark.parametrize("labels, receivers", ROUTES)
def test_who_is_told(labels, receivers):
    config = str(DASHBOARDS / "alertmanager.yml")
    subprocess.run(["amtool", "check-config", config], check=True, capture_output=True)
    command = ["amtool", "config", "routes", "test", f"--config.file={config}", *labels.split()]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert done.stdout.strip() == receivers
