"""Run the real command over the cases and say what it answered.

In: an empty folder.  Out: each case with found, probable, gap or silent.
"""

import json
import os
import subprocess
import sys

from tests.evasion.table import TEXTS, cases

ANSWERS = ("found", "probable", "gap", "silent")
COMMAND = [
    sys.executable,
    "-m",
    "dlp",
    "scan",
    "--format",
    "jsonl",
    "--no-catalogue",
    "--no-progress",
]


def answer_of(record):
    if record["container"] == "phi":
        return "found"
    if record["gaps"]:
        return "gap"
    return "probable" if record["container"] == "probable" else "silent"


def measured(folder, texts=TEXTS, step=1):
    """`step`: every so manieth technique, where there is no time for all."""
    every = list(cases(texts))[::step]
    share = folder / "share"
    share.mkdir()
    for case in every:
        (share / case.path).write_bytes(case.content)
    environment = {**os.environ, "XDG_STATE_HOME": str(folder / "state")}
    out = folder / "out"
    subprocess.run([*COMMAND, "-o", out, share], env=environment, check=False, capture_output=True)
    records = [json.loads(line) for line in out.read_text().splitlines()]
    by_name = {os.path.basename(record["path"]): record for record in records}
    rows = []
    for case in every:
        record = by_name[case.path]
        why = f"{record['container']}: {record['reason']}; {record['media_type']}; {record['gaps']}"
        rows.append((case, answer_of(record), why))
    return rows
