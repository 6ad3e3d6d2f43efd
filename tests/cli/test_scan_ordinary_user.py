"""Somebody who may not do everything, and whose folder for state belongs to somebody else."""

import json
import os
import shutil
import subprocess
import sys

import pytest

# Root with the rights of anybody else: other users may not enter where some Pythons lie.
AS_ANYBODY = ["setpriv", "--bounding-set", "-dac_override,-dac_read_search"]
NOTE = "Patient Jane Miller, MRN 4711223, born 03/04/1961, has asthma.\n"


@pytest.fixture
def ground(tmp_path):
    if os.getuid() != 0 or not shutil.which("setpriv"):
        pytest.skip("only root can give a folder away, and needs setpriv to be kept out of it")
    (tmp_path / "share").mkdir()
    (tmp_path / "share" / "note.txt").write_text(NOTE)
    (tmp_path / "state" / "dlp").mkdir(parents=True)
    (tmp_path / "state").chmod(0o700)
    os.chown(tmp_path / "state", 65534, 65534)
    return tmp_path


def scan(ground, *more):
    command = ["scan", str(ground / "share"), "--format", "jsonl", "--jobs", "1", *more]
    return subprocess.run(
        [*AS_ANYBODY, sys.executable, "-m", "dlp", *command],
        capture_output=True, text=True, check=False,
        env={**os.environ, "XDG_STATE_HOME": str(ground / "state")},
    )  # fmt: skip


def test_a_scan_that_keeps_nothing_needs_no_state(ground):
    done = scan(ground, "--no-catalogue")
    assert done.returncode == 1, done.stderr
    assert json.loads(done.stdout)["container"] == "phi"


def test_a_scan_that_cannot_keep_its_verdicts_says_so_in_two_lines(ground):
    done = scan(ground)
    assert done.returncode == 13
    assert "Traceback" not in done.stderr
    assert done.stderr.startswith("dlp: DLP-300 ")
    assert str(ground / "state") in done.stderr
