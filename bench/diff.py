"""Do two commits find the same, and which is faster?

In: two commits, a folder of files.  Out: files whose verdict or findings differ; CPU ratio.

    python -m bench.diff BEFORE AFTER SHARE [--files 300] [--rounds 3]

Each commit is checked out beside this one, and it judges the same files in one process, in turns.
Differences are printed as kinds, rules and places, never as text. Exit code 1: they differ.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

JUDGE = """
import io, json, os, sys, time
from dlp.assembly import Analysis
from dlp.config import Settings
from dlp.model import FileRef
analysis = Analysis(Settings())
analysis.warm()
told, spent = {}, 0.0
for path in sys.stdin.read().split("\\0"):
    source = io.BytesIO(open(path, "rb").read())
    started = time.process_time()
    record = analysis(FileRef("bench", os.fsencode(path)), source)
    spent += time.process_time() - started
    found = [[f["kind"], f["rule"], f["part"], f["start"], f["end"], f["concept"]] for f in record["findings"]]
    told[path] = [record["container"], round(record["privacy"], 6), sorted(found, key=str)]
json.dump({"cpu": spent, "told": told}, sys.stdout)
"""


def checked_out(commit, folder):
    place = Path(folder) / commit.replace("/", "-")
    subprocess.run(
        ["git", "worktree", "add", "--detach", "-f", str(place), commit],
        check=True,
        capture_output=True,
    )
    return place


def judged(tree, paths, state):
    environment = {**os.environ, "PYTHONPATH": str(tree), "XDG_STATE_HOME": state}
    run = subprocess.run(
        [sys.executable, "-c", JUDGE], input="\0".join(paths), cwd=tree, env=environment,
        stdout=subprocess.PIPE, text=True, check=True,
    )  # fmt: skip
    return json.loads(run.stdout)


def differences(before, after):
    for path, (container, privacy, found) in before.items():
        other, other_privacy, other_found = after[path]
        lost = Counter(map(tuple, found)) - Counter(map(tuple, other_found))
        won = Counter(map(tuple, other_found)) - Counter(map(tuple, found))
        if container != other or privacy != other_privacy or lost or won:
            yield path, (container, other), (privacy, other_privacy), lost, won


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("before")
    arguments.add_argument("after")
    arguments.add_argument("share", type=Path)
    arguments.add_argument("--files", type=int, default=300)
    arguments.add_argument("--rounds", type=int, default=3)
    chosen = arguments.parse_args()
    paths = sorted(
        str(p.resolve()) for p in chosen.share.rglob("*") if p.is_file() and not p.is_symlink()
    )
    paths = paths[:: max(1, len(paths) // chosen.files)]
    with tempfile.TemporaryDirectory() as folder:
        trees = [checked_out(commit, folder) for commit in (chosen.before, chosen.after)]
        try:
            rounds = [[judged(tree, paths, folder) for tree in trees] for _ in range(chosen.rounds)]
        finally:
            for tree in trees:
                subprocess.run(["git", "worktree", "remove", "--force", str(tree)], check=False)
    ratios = [before["cpu"] / after["cpu"] for before, after in rounds]
    found = list(differences(rounds[0][0]["told"], rounds[0][1]["told"]))
    print(f"{chosen.after} takes 1/{statistics.median(ratios):.2f} of the CPU time of {chosen.before} "
          f"({', '.join(f'{ratio:.2f}' for ratio in ratios)}) on {len(paths)} files")  # fmt: skip
    for path, containers, scores, lost, won in found:
        print(
            f"{path}: {' -> '.join(dict.fromkeys(containers))}, privacy {scores[0]:g} -> {scores[1]:g}"
        )
        for sign, some in (("-", lost), ("+", won)):
            for one, number in some.items():
                print(
                    f"  {sign} {number} × {one[0]} {one[1]} {one[2]}[{one[3]}:{one[4]}] {one[5] or ''}"
                )
    print(f"{len(found)} of {len(paths)} files differ")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
