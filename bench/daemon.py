"""How long a saved file waits for its verdict while the daemon watches.

In: files per second, seconds.  Out: a table row: percentiles from the close of the file to the
moment its verdict is written, and what the daemon cost meanwhile.

    python -m bench.daemon --rate 10 --seconds 60
"""

from __future__ import annotations

import argparse
import os
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

from dlp import demo_share

TEXTS = (demo_share.DISCHARGE, demo_share.SHORTHAND, demo_share.LEAFLET)
CONFIG = '[telemetry]\nport = 0\n[acquire]\nnice = 0\n[[share]]\nname = "s"\npath = "{}"\n'


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rate", type=float, default=10)
    parser.add_argument("--seconds", type=float, default=60)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        measure(Path(folder), options)


def measure(folder, options):
    share, log = folder / "share", folder / "log"
    share.mkdir()
    (folder / "dlp.toml").write_text(CONFIG.format(share))
    command = [sys.executable, "-m", "dlp", "watch", "--config", str(folder / "dlp.toml")]
    with log.open("wb") as out:
        environment = {**os.environ, "XDG_STATE_HOME": str(folder)}
        daemon = subprocess.Popen(command, stderr=out, env=environment)
    try:
        while b"ready" not in log.read_bytes():
            time.sleep(0.1)
        closed = write(share, options)
        judged = wait_for(folder / "dlp" / "catalogue.db", closed)
        cost = sum(map(float, Path(f"/proc/{daemon.pid}/stat").read_text().split()[13:17]))
        peak = Path(f"/proc/{daemon.pid}/status").read_text()
    finally:
        daemon.terminate()
        daemon.wait(60)
    waits = sorted(judged[path] - moment for path, moment in closed.items())
    resident = next(line.split()[1] for line in peak.splitlines() if line.startswith("VmRSS"))
    print("files | files/s | p50 s | p95 s | p99 s | worst s | supervisor CPU s | resident MB")
    figures = [waits[int(len(waits) * part)] for part in (0.5, 0.95, 0.99)] + [waits[-1]]
    shown = " | ".join(f"{figure:.3f}" for figure in figures)
    ticks = os.sysconf("SC_CLK_TCK")
    megabytes = int(resident) / 1000
    print(f"{len(waits)} | {options.rate:g} | {shown} | {cost / ticks:.1f} | {megabytes:.0f}")


def write(share, options):
    """A third by a temporary name and rename, as programs save."""
    chance, closed = random.Random(3), {}
    started = time.monotonic()
    for number in range(int(options.rate * options.seconds)):
        time.sleep(max(0.0, started + number / options.rate - time.monotonic()))
        path = share / f"{number}.txt"
        text = f"{chance.choice(TEXTS)}\nVisit number {number}.\n"
        if number % 3:
            path.write_text(text)
        else:
            temporary = share / f"save{number}.tmp"
            temporary.write_text(text)
            temporary.rename(path)
        closed[os.fsencode(path)] = time.time()
    return closed


def wait_for(database, closed):
    deadline = time.monotonic() + 300
    while True:
        with closing(sqlite3.connect(database, timeout=10)) as connection:
            judged = dict(connection.execute("SELECT path, judged_at FROM files"))
        if closed.keys() <= judged.keys():
            return judged
        if time.monotonic() > deadline:
            raise SystemExit(f"{len(closed.keys() - judged.keys())} files without a verdict")
        time.sleep(0.2)


if __name__ == "__main__":
    main()
