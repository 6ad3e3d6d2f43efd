"""How much memory a whole scan takes at its peak, process by process.

In: a folder.  Out: the largest sum of proportional set sizes seen, and the shares of it.

    python -m bench.memory FOLDER [--jobs 2] [--model auto]

Pages that several processes share count once. Sampled ten times a second.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench.growth import children_of

MEGABYTE = 1 << 20
PAUSE = 0.1  # seconds


def proportional(pid: int) -> int:
    """Bytes that a process holds, its part of what it shares with others included."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0  # it has just ended
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))


def peak(scan: subprocess.Popen[bytes]) -> tuple[int, list[int], int]:
    most, at_most, files = 0, [0], 0
    while scan.poll() is None:
        try:
            sizes = [proportional(pid) for pid in (scan.pid, *children_of(scan.pid))]
        except OSError:
            continue
        if sum(sizes) > most:
            most, at_most = sum(sizes), sizes
        files += 1
        time.sleep(PAUSE)
    return most, at_most, files


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("folder")
    arguments.add_argument("--jobs", default="2")
    arguments.add_argument("--model", default="auto", choices=("never", "auto", "always"))
    chosen = arguments.parse_args()
    with tempfile.NamedTemporaryFile("w", suffix=".toml") as config:
        config.write(f'[detect]\nmodel = "{chosen.model}"\n')
        config.flush()
        scan = subprocess.Popen(
            [sys.executable, "-m", "dlp", "scan", chosen.folder, "--config", config.name,
             "--no-catalogue", "--format", "jsonl", "--jobs", chosen.jobs],
            stdout=subprocess.DEVNULL,
        )  # fmt: skip
        most, sizes, samples = peak(scan)
    print(
        f"peak {most / MEGABYTE:.0f} MB over {samples} samples: supervisor, forkserver, workers ",
        end="",
    )
    print(", ".join(f"{size / MEGABYTE:.0f}" for size in sizes))


if __name__ == "__main__":
    main()
