"""One scan of a share as scripts read it, with or without kernels."""

import json
import os
import subprocess
import sys


def judged(share, tmp_path, **environment):
    command = [sys.executable, "-m", "dlp", "scan", str(share), "--no-catalogue", "--full"]
    run = subprocess.run(
        [*command, "--format", "jsonl", "--jobs", "1"],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"XDG_STATE_HOME": str(tmp_path / "state")} | environment,
    )
    return sorted(map(told, run.stdout.splitlines()))


def told(line):
    """All that a key of its own for each scan leaves the same."""
    record = json.loads(line)
    persons = [(person["privacy"], person["explanation"]) for person in record["persons"]]
    findings = [{**finding, "person": ""} for finding in record["findings"]]
    kept = ("path", "container", "reason", "privacy", "gaps", "tables", "trail", "language")
    return json.dumps([*(record[name] for name in kept), persons, findings])
