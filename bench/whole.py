"""The product as people run it: whole scans as processes, by the clock.

In: a share.  Out: wall seconds.
"""

import os
import shutil
import subprocess
import sys
import time

QUIET = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


def scan(share, jobs, state=None):
    """Every file judged, isolation on, process start included.

    With a folder for its `state` it keeps its verdicts there as scans do by default, in a catalogue
    that is new each time.
    """
    command = [sys.executable, "-m", "dlp", "scan", str(share), "--format", "jsonl"]
    command += ["--jobs", str(jobs)]
    environment = dict(os.environ)
    if state is None:
        command.append("--no-catalogue")
    else:
        shutil.rmtree(state, ignore_errors=True)
        environment["XDG_STATE_HOME"] = str(state)
    started = time.perf_counter()
    subprocess.run(command, check=False, env=environment, **QUIET)
    return time.perf_counter() - started


RESCAN = """
import io, sys, time
from dlp.cli import _catalogue_writer, scan
from dlp.report.writers import JsonLines
options = dict.fromkeys(("config", "jobs", "profile", "full", "values", "fresh", "engine", "no_catalogue"))
options |= {"catalogue": sys.argv[2], "no_progress": True}
scan.run((sys.argv[1].encode(),), JsonLines(io.StringIO()), options)
started = time.perf_counter()
scan.run((sys.argv[1].encode(),), JsonLines(io.StringIO()), options)
print(time.perf_counter() - started)
"""


def rescan(share, catalogue):
    """Nothing changed since the scan before; start of the interpreter and imports not counted."""
    command = [sys.executable, "-c", RESCAN, str(share), str(catalogue)]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    return float(run.stdout.split()[-1])


def first_verdict(path):
    started = time.perf_counter()
    command = [sys.executable, "-m", "dlp", "scan", str(path), "--no-catalogue", "--jobs", "1"]
    subprocess.run(command, check=False, **QUIET)
    return time.perf_counter() - started
