"""One contender as a process that has loaded everything and waits for the word to run.

In: a list of text files; `run N` lines on standard input.  Out: one JSON line per run.

It runs in each peer's own environment, so it needs nothing but the standard library.
"""

import gc
import json
import sys
import time
from pathlib import Path


def serve(analyse, versions):
    """`analyse(text)` gives how many things it found."""
    texts = [
        Path(line).read_text(encoding="utf-8")
        for line in Path(sys.argv[1]).read_text().split("\n")
        if line
    ]
    analyse(texts[0][:1000])
    gc.freeze()  # nobody pays for looking through dictionaries again and again
    print(json.dumps({"ready": versions}), flush=True)
    for line in sys.stdin:
        times = int(line.split()[1])
        cpu, wall, found = time.process_time(), time.perf_counter(), 0
        for _ in range(times):
            for text in texts:
                found += analyse(text)
        told = {
            "cpu": (time.process_time() - cpu) / times,
            "wall": (time.perf_counter() - wall) / times,
        }
        print(json.dumps({**told, "found": found // times}), flush=True)
