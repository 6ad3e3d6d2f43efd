"""The expressions in the files that we ship, and where each stands."""

import json
import re
from pathlib import Path

import yaml

DASHBOARDS = Path("dashboards")
PAGES = sorted(DASHBOARDS.glob("*.json"))
# What a metric may be called here; functions and keywords of PromQL start otherwise.
SELECTOR = re.compile(
    r"(?<![\w:])((?:dlp_|process_|share:|share_level:|instance:)[\w:]+|up|ALERTS)(?![\w:(])(\{[^}]*\})?"
)


def board(path):
    return json.loads(path.read_text())


def panels(page):
    return [panel for panel in page["panels"] if panel["type"] != "row"]


def panel_expressions():
    """(where, expression) of every target of every panel of every page."""
    return [
        (f"{path.stem}: {panel['title']}", target["expr"])
        for path in PAGES
        for panel in panels(board(path))
        for target in panel["targets"]
    ]


def rules(name):
    groups = yaml.safe_load((DASHBOARDS / "rules" / name).read_text())["groups"]
    return [rule for group in groups for rule in group["rules"]]


def alerts():
    return rules("alerts.yml")


def recordings():
    return rules("recording.yml")


def filled_in(expr, *, span="1m"):
    """As Grafana sends it, with every variable at its first choice."""
    expr = expr.replace("$__rate_interval", span).replace("$job", "dlp")
    expr = expr.replace("$instance", ".*").replace("$share", ".*")
    assert "$" not in expr, "a variable that the test does not know"
    return expr


def selectors(expr):
    return {name + labels for name, labels in SELECTOR.findall(expr)}
