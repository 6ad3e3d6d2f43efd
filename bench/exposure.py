"""Measure what it costs to tell who can read each file, beside what it costs to judge it.

In: a folder.  Out: a table: CPU time of both, as they are spent in a scan of that folder.

    python -m bench.exposure FOLDER [--files 400]
"""

from __future__ import annotations

import argparse
import io
import os
import random
import time
from pathlib import Path

from dlp.assembly import Analysis
from dlp.config import Settings
from dlp.engine.exposures import Exposures
from dlp.model import FileRef


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--files", type=int, default=400)
    asked = parser.parse_args()
    files = sorted(path for path in asked.folder.rglob("*") if path.is_file())
    files = random.Random(1).sample(files, min(asked.files, len(files)))
    analysis = Analysis(Settings(), key=bytes(32))
    analysis(FileRef("", b"warm.txt"), io.BytesIO(b"warm"))
    began = time.process_time()
    for path in files:
        analysis(FileRef("", os.fsencode(path)), io.BytesIO(path.read_bytes()))
    judged = time.process_time() - began
    exposures = Exposures(Settings(), [os.fsencode(asked.folder)])
    began = time.process_time()
    for path in files:
        exposures.of(os.fsencode(path.resolve()))
    seen = time.process_time() - began
    print("| what | measured |\n|---|---|")
    print(f"| files | {len(files)} |")
    print(f"| CPU to judge one | {1000 * judged / len(files):.1f} ms |")
    print(f"| CPU to tell who can read one | {1000 * seen / len(files):.3f} ms |")
    print(f"| of a scan | {seen / (judged + seen):.2%} |")


if __name__ == "__main__":
    main()
