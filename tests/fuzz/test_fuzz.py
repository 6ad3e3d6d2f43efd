"""Damaged files of every format: each gets a record; no crash, no hang, no error of ours.

`make fuzz` goes on from there with mutations that the coverage of the readers guides.
"""

import json
import subprocess
import sys
from collections import Counter

import pytest

from tests.fuzz.mutations import files, seeds

SCAN = [sys.executable, "-m", "dlp", "scan", "--no-catalogue", "--no-progress", "--format", "jsonl"]
SLICE = 2_500
ALL = 50_000


def faults(folder, number, count):
    """Scan `count` damaged files; what must not be, with the names of the files."""
    for name, content in files(number, count):
        (folder / name).write_bytes(content)
    ended = subprocess.run([*SCAN, str(folder)], capture_output=True, text=True, check=False)
    told = [json.loads(line) for line in ended.stdout.splitlines()]
    found = Counter() if ended.returncode in {0, 1, 3} else Counter({f"exit {ended.returncode}": 1})
    found["no record"] = count - len({record["path"] for record in told})
    for record in told:
        for gap in record["gaps"]:
            if gap["code"] in {"internal", "timeout"} or gap["where"].startswith("worker:"):
                found[f"{gap['code']} {gap['where']}: {record['path'].rpartition('/')[2]}"] += 1
    return {fault: times for fault, times in found.items() if times}


def test_every_format_has_a_seed():
    kinds = {name.rpartition(".")[2] for name, _ in seeds()}
    assert len(kinds) >= 40
    assert len(list(files(0, 5))) == 5


def test_a_few_hundred_damaged_files(tmp_path):
    assert faults(tmp_path, 10_000_000, 300) == {}


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("number", range(0, ALL, SLICE))
def test_fifty_thousand_damaged_files(tmp_path, number):
    assert faults(tmp_path, number, SLICE) == {}
