"""How cost grows: with file size, number of files, findings, persons, dictionary size.

In: nothing but a scratch folder.  Out: slopes on log-log axes, an SVG each in bench/results.

    python -m bench.growth --scratch DIR [--largest 100000000] [--files 1000000] [--queue 10000000]
                           [--only size,findings,persons,dictionary,files,queue,idle]

A slope of 1 is linear. Sizes are CPU seconds of one process; a sweep counts metadata only, on a
tree of empty files; the queue is the real table with made-up files.
"""

import argparse
import io
import itertools
import math
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from bench import machine
from dlp.acquire.judged_state import Known, key_of
from dlp.acquire.sweep import Sweep
from dlp.assembly import Analysis
from dlp.config import Settings
from dlp.knowledge.hashing import HashTable, hash_words
from dlp.model import FileRef
from dlp.store.job_queue import Backlog, Priority
from dlp.store.migrations import open_database

RESULTS = Path(__file__).parent / "results"
PLAIN = (
    "The committee met on a quiet morning and spoke about the garden, the roof and the new lights. "
)
FIRST = ("Ann", "Brian", "Carla", "Derek", "Elena", "Frank", "Grace", "Hector", "Iris", "Jonah")
LAST = (
    "Abbott",
    "Bowers",
    "Castro",
    "Dalton",
    "Eriksen",
    "Flores",
    "Garner",
    "Hobbs",
    "Ibarra",
    "Jacobs",
)
FACT = "She takes metformin 500 mg for type 2 diabetes. "


def slope(points):
    """Least squares on the logarithms; the small end, where start-up dominates, left out."""
    largest = max(x for x, _ in points)
    xs, ys = zip(
        *[(math.log(x), math.log(y)) for x, y in points if x >= largest / 1000 and y > 0],
        strict=True,
    )
    return float(np.polyfit(xs, ys, 1)[0])


def plotted(name, label, points):
    width, height, edge = 480, 320, 50
    xs, ys = [math.log10(x) for x, _ in points], [math.log10(max(y, 1e-9)) for _, y in points]

    def at(x, y):
        across = (x - min(xs)) / ((max(xs) - min(xs)) or 1) * (width - 2 * edge) + edge
        up = height - edge - (y - min(ys)) / ((max(ys) - min(ys)) or 1) * (height - 2 * edge)
        return f"{across:.1f},{up:.1f}"

    places = [at(x, y) for x, y in zip(xs, ys, strict=True)]
    dots = "".join('<circle r="3" cx="{}" cy="{}"/>'.format(*place.split(",")) for place in places)
    ends = [f"{points[0][0]:g}: {points[0][1]:.3g} s", f"{points[-1][0]:g}: {points[-1][1]:.3g} s"]
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" font-size="12">'
        f'<rect width="100%" height="100%" fill="white"/><polyline fill="none" stroke="#357" points="{" ".join(places)}"/>{dots}'
        f'<text x="{edge}" y="20">seconds by {label}, both logarithmic; slope {slope(points):.2f}</text>'
        f'<text x="{edge}" y="{height - 20}">{ends[0]}</text>'
        f'<text x="{width - edge}" y="{height - 20}" text-anchor="end">{ends[1]}</text></svg>\n'
    )
    (RESULTS / f"growth-{name}.svg").write_text(svg)


def judged_seconds(analysis, text, rounds=3):
    spent = []
    for _ in range(rounds):
        started = time.process_time()
        record = analysis(FileRef("bench", b"note.txt"), io.BytesIO(text.encode()))
        spent.append(time.process_time() - started)
    return sorted(spent)[rounds // 2], record


def steps(smallest, largest):
    return [10**n for n in range(int(math.log10(smallest)), int(math.log10(largest)) + 1)]


def by_size(chosen):
    settings = Settings(
        detect={"model": "never", "seconds_per_file": 600}, decode={"max_text_chars": 200_000_000}
    )
    analysis = Analysis(settings)
    analysis.warm()
    for size in steps(1_000, chosen.largest):
        text = (PLAIN * (size // len(PLAIN) + 1))[:size]
        yield size, judged_seconds(analysis, text, 1 if size > 10**7 else 3)[0]


def person(number):
    first, last = FIRST[number % 10], LAST[number // 10 % 10]
    return f"Patient: {first} {last}, MRN {4400000 + number}, phone (416) 555-{number % 10000:04}. {FACT}\n"


def quick_analysis():
    analysis = Analysis(Settings(detect={"model": "never", "seconds_per_file": 600}))
    analysis.warm()
    return analysis


def by_findings(_):
    """More findings in a text of one length: identifiers take the place of plain words."""
    analysis = quick_analysis()
    whole = 1_000_000
    for count in steps(10, 10_000):
        found = "".join(f"Call (416) 555-{n % 10000:04}. " for n in range(count))
        text = found + (PLAIN * (whole // len(PLAIN) + 1))[: whole - len(found)]
        yield count, judged_seconds(analysis, text)[0]


def by_persons(_):
    analysis = quick_analysis()
    for count in steps(10, 10_000):
        yield count, judged_seconds(analysis, "".join(map(person, range(count))), 1)[0]


def by_dictionary(_):
    """The words of one text looked up in tables of growing size, as names and places are."""
    words = [
        "".join(w) for w in itertools.islice(itertools.product("abcdefghij", repeat=6), 1_000_000)
    ]
    asked = hash_words((PLAIN * 12_000).split())
    for size in steps(1_000, 1_000_000):
        hashes = hash_words(words[:size])
        distinct = hashes[np.unique(hashes >> np.uint64(24), return_index=True)[1]]
        table = HashTable(HashTable.pack("w", distinct)[0], "w")
        started = time.process_time()
        for _ in range(20):
            table.find(asked)
        yield size, (time.process_time() - started) / 20


def tree_of(folder, count):
    """Empty files, a thousand to a folder."""
    for start in range(0, count, 1000):
        below = folder / f"d{start // 100_000}" / f"d{start // 1000}"
        below.mkdir(parents=True)
        descriptor = os.open(below, os.O_RDONLY)
        for number in range(start, min(count, start + 1000)):
            os.close(os.open(f"f{number}", os.O_CREAT | os.O_WRONLY, 0o600, dir_fd=descriptor))
        os.close(descriptor)


def by_files(chosen):
    """The sweep that compares a share with what is known of it, when nothing has changed."""
    for count in steps(1_000, chosen.files):
        with tempfile.TemporaryDirectory(dir=chosen.scratch) as work:
            root = Path(work) / "share"
            root.mkdir()
            tree_of(root, count)
            known = Known(Path(work) / "known.db")
            for found in Sweep("s", os.fsencode(root), known, {"v"}):
                if found is not None:
                    known.judged("s", found.relative, key_of(found.ref), "v")
            known.commit()
            started = time.process_time()
            changed = sum(
                found is not None for found in Sweep("s", os.fsencode(root), known, {"v"})
            )
            spent = time.process_time() - started
            assert changed == 0
            known.close()
        yield count, spent


def by_queue(chosen):
    """Put, lease and finish a hundred files while the table holds ever more; metadata only."""
    with tempfile.TemporaryDirectory(dir=chosen.scratch) as work:
        database = open_database(Path(work) / "queue.db")
        backlog = Backlog(database)
        held = 0
        for size in steps(1_000, chosen.queue):
            fill_queue(database, held, size)
            held = size
            started = time.process_time()
            for turn in range(10):
                fresh = [
                    (reference(10**9 + size * 100 + turn * 100 + n), Priority.NEW)
                    for n in range(100)
                ]
                backlog.put(fresh, "r")
                taken = backlog.lease(100)
                backlog.done([job.id for job in taken])
            yield size, (time.process_time() - started) / 10
            print(
                f"queue: {size} rows, {sum(p.stat().st_size for p in Path(work).iterdir()) / size:.0f} bytes a row",
                file=sys.stderr,
            )
        database.dispose()


def reference(number):
    return FileRef("s", b"/srv/share/d%d/f%d" % (number // 1000, number), 1, number, 1, 2, 3)


def fill_queue(database, held, size):
    """Rows as the backlog writes them, finished ones, by the driver: ten million in minutes."""
    with database.raw_connection() as raw:
        cursor = raw.cursor()
        for start in range(held, size, 100_000):
            rows = [
                (
                    f"{n:064x}",
                    "s",
                    b"/srv/share/d%d/f%d" % (n // 1000, n),
                    "1",
                    str(n),
                    1,
                    2,
                    3,
                    "r",
                    2,
                    n,
                    "done",
                    1,
                    0.0,
                    0.0,
                    "",
                    0.0,
                    "",
                    "",
                )
                for n in range(start, min(size, start + 100_000))
            ]
            cursor.execute("BEGIN")
            cursor.executemany(
                "INSERT INTO jobs (key, share, path, device, inode, size_bytes, mtime_ns, ctime_ns, rules_version, priority, rank,"
                " state, tries, not_before, lease_until, holder, queued_at, trouble, server) VALUES (" + ",".join("?" * 19) + ")", rows,
            )  # fmt: skip
            cursor.execute("COMMIT")


def idle_cpu(chosen, seconds=60):
    """The daemon with nothing to do: its own and its children's CPU over a minute."""
    with tempfile.TemporaryDirectory(dir=chosen.scratch) as work:
        (Path(work) / "share").mkdir()
        tree_of(Path(work) / "share", 1000)
        config = Path(work) / "dlp.toml"
        config.write_text(f'[telemetry]\nport = 0\n[[share]]\nname = "s"\npath = "{work}/share"\n')
        environment = {**os.environ, "XDG_STATE_HOME": work}
        daemon = subprocess.Popen(
            [sys.executable, "-m", "dlp", "watch", "--config", str(config)],
            env=environment,
            stderr=subprocess.DEVNULL,
        )
        try:
            time.sleep(chosen.settle)
            before = ticks(daemon.pid)
            time.sleep(seconds)
            return (ticks(daemon.pid) - before) / os.sysconf("SC_CLK_TCK") / seconds
        finally:
            daemon.terminate()
            daemon.wait()


def ticks(process):
    total = 0
    for pid in (process, *children_of(process)):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        total += int(fields[11]) + int(fields[12])
    return total


def children_of(process):
    below = [
        int(one) for one in Path(f"/proc/{process}/task/{process}/children").read_text().split()
    ]
    return below + [pid for child in below for pid in children_of(child)]


MEASURED = {
    "size": ("bytes of a file", by_size), "findings": ("findings in 1 MB", by_findings),
    "persons": ("persons in a file", by_persons), "dictionary": ("words known", by_dictionary),
    "files": ("files swept", by_files), "queue": ("rows in the queue, for 100 files", by_queue),
}  # fmt: skip


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--scratch", type=Path, required=True)
    arguments.add_argument("--largest", type=int, default=100_000_000)
    arguments.add_argument("--files", type=int, default=1_000_000)
    arguments.add_argument("--queue", type=int, default=10_000_000)
    arguments.add_argument(
        "--settle", type=float, default=60.0, help="seconds until the daemon has judged all"
    )
    arguments.add_argument("--only", default=",".join([*MEASURED, "idle"]))
    chosen = arguments.parse_args()
    figures = machine.described()
    lines = ["# Growth", "", f"`python -m bench.growth --scratch DIR`, {figures['date']}, commit {figures['commit']}; CPU seconds.", "",
             "| by | from | to | slope (1: linear) |", "|---|---|---|---|"]  # fmt: skip
    for name in chosen.only.split(","):
        if name == "idle":
            share = idle_cpu(chosen)
            figures["idle"] = share
            lines += ["", f"Idle daemon: {share * 100:.2f} % of one core over a minute."]
            continue
        label, measure = MEASURED[name]
        points = []
        for point in measure(chosen):
            points.append(point)
            print(f"{name}: {point[0]:g} {point[1]:.4g} s", file=sys.stderr, flush=True)
        figures[name] = points
        plotted(name, label, points)
        lines.append(
            f"| [{label}](growth-{name}.svg) | {points[0][0]:g}: {points[0][1]:.3g} s | {points[-1][0]:g}: {points[-1][1]:.3g} s | {slope(points):.2f} |"
        )
    machine.keep("growth", figures)
    if set(chosen.only.split(",")) >= {*MEASURED, "idle"} or not (RESULTS / "growth.md").exists():
        (RESULTS / "growth.md").write_text("\n".join(lines) + "\n")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
