"""What isolation costs a file: the same work in this process, and in confined workers.

In: nothing.  Out: a table for bench/results/isolation.md.

    python -m bench.isolation [--files 2000] [--rounds 5]

The work is a SHA-256 of 8 kB, so that nearly all of the difference is isolation. CPU time is
that of this process and its children together; the machine's other load hardly touches it.
"""

import argparse
import hashlib
import os
import platform
import resource
import statistics
import tempfile
import time
from pathlib import Path

from dlp.acquire.file_identity import as_seen, change_since, open_file
from dlp.acquire.walk import Walk
from dlp.decode.contract import Limits
from dlp.decode.probes import selftest
from dlp.engine.local_engine import Job, LocalEngine


def analyse(_, source):
    return {"sha256": hashlib.sha256(source.read()).hexdigest()}


def sightings(folder):
    return Walk()([os.fsencode(folder)])


def in_process(folder):
    """Walk, open, read, look again: all that the engine does, without another process."""
    for sighting in sightings(folder):
        fd = open_file(sighting.root, sighting.relative)
        ref = as_seen(sighting.ref, os.fstat(fd))
        with os.fdopen(fd, "rb") as source:
            analyse(ref, source)
            change_since(ref, fd)


def warm_workers(jobs, files_per_worker=200):
    def run(folder):
        limits = Limits(wall_seconds=10)
        with LocalEngine(
            analyse, jobs=jobs, limits=limits, files_per_worker=files_per_worker
        ) as engine:
            bad = [
                d.gap for d in engine.run(Job(s.ref, s.open) for s in sightings(folder)) if d.gap
            ]
        assert not bad, bad

    return run


def spent():
    own, children = (
        resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def measure(run, folder):
    wall, cpu = time.perf_counter(), spent()
    run(folder)
    return time.perf_counter() - wall, spent() - cpu


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--files", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    contenders = {
        "in this process": in_process,
        "1 warm worker, 200 files each": warm_workers(1),
        "2 warm workers, 200 files each": warm_workers(2),
        "1 worker, a fresh one every 10 files": warm_workers(1, 10),
        "1 worker, a fresh one for every file": warm_workers(1, 1),
    }
    times = {name: [] for name in contenders}
    with tempfile.TemporaryDirectory() as folder:
        for number in range(options.files):
            (Path(folder) / f"{number:06}").write_bytes(os.urandom(8192))
        for _ in range(options.rounds):  # interleaved, so that a noisy minute hits everyone
            for name, run in contenders.items():
                times[name].append(measure(run, folder))
    report(times, options.files)


def report(times, files):
    print(
        f"Linux {platform.release()}, Python {platform.python_version()}, {os.cpu_count()} cores\n"
    )
    print("| way | wall, ms a file | CPU, ms a file | isolation, CPU ms a file |")
    print("|---|---|---|---|")
    floor = None
    for name, rounds in times.items():
        wall, cpu = (
            statistics.median(column) * 1000 / files for column in zip(*rounds, strict=True)
        )
        floor = cpu if floor is None else floor
        print(f"| {name} | {wall:.3f} | {cpu:.3f} | {cpu - floor:.3f} |")
    probes = selftest()
    print(f"\nProbes blocked: {sum(probe.blocked for probe in probes)} of {len(probes)}.")


if __name__ == "__main__":
    main()
