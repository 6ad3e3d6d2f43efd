"""Where and when a figure was measured.

In: nothing.  Out: machine, versions, date, commit; a file in bench/history.
"""

import json
import os
import platform
import subprocess
import time
from pathlib import Path

HISTORY = Path(__file__).parent / "history"


def commit():
    run = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False
    )
    return run.stdout.strip() or "unknown"


def described():
    with open("/proc/cpuinfo") as cpus:
        models = {line.split(":")[1].strip() for line in cpus if line.startswith("model name")}
    return {
        "date": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "commit": commit(),
        "machine": {
            "cpu": sorted(models), "cores": len(os.sched_getaffinity(0)),
            "kernel": platform.release(), "load": os.getloadavg()[0],
        },
        "python": platform.python_version(),
    }  # fmt: skip


def keep(name, figures):
    HISTORY.mkdir(exist_ok=True)
    path = HISTORY / f"{figures['date'][:19].replace(':', '')}-{name}-{figures['commit']}.json"
    path.write_text(json.dumps(figures, indent=1) + "\n")
    return path
