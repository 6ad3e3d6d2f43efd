"""Every kind of file reads the same in a confined worker as without a sandbox.

The scan runs in an interpreter of its own: in this one other tests have already imported what a
worker would miss.
"""

import json
import os
import subprocess
import sys

from dlp import config
from dlp.acquire.walk import Walk
from dlp.assembly import Analysis
from tests.support.one_of_each import one_of_each

# What differs between runs; who can read a file, which the supervisor adds; the tags of people,
# which go to the catalogue alone.
UNSTEADY = {"ms", "spent_ms", "path", "duplicate_of", "exposure", "traces"}


def test_nothing_is_lost_to_the_sandbox(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    share = tmp_path / "share"
    share.mkdir()
    count = one_of_each(share)
    analysis = Analysis(config.load(None))
    expected = {}
    for sighting in Walk()([os.fsencode(share)]):
        with os.fdopen(sighting.open(), "rb") as source:
            expected[os.fsdecode(sighting.ref.path)] = analysis(sighting.ref, source)
    assert len(expected) == count
    assert len(expected[str(share / "numbers.txt")]["findings"]) >= 12
    confined = scan(share)
    assert set(confined) == set(expected)
    for path, record in expected.items():
        same = {key: value for key, value in confined[path].items() if key not in UNSTEADY}
        assert same == {key: value for key, value in record.items() if key not in UNSTEADY}, path


def scan(share):
    done = subprocess.run(
        [sys.executable, "-m", "dlp", "scan", "--format", "jsonl", "--jobs", "1", share],
        capture_output=True,
        check=False,
    )
    assert done.returncode in {0, 1, 3}, done.stderr
    records = map(json.loads, done.stdout.splitlines())
    return {record["path"]: record for record in records}
