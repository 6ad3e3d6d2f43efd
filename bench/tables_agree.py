"""k, l and t of `dlp anonymise` counted again by other code, and a linkage attack on sorted tables.

In: a folder to work in.  Out: a table in Markdown.

    python -m bench.tables_agree FOLDER

The tables are drawn, sorted by surname, and the attacker knows where in the table somebody stood
and which group the row went to: the row of the group that is nearest is the guess.
"""

import bisect
import csv
import json
import random
import subprocess
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path

SIZES = ((300, 5), (1_000, 15), (3_000, 5), (10_000, 15), (30_000, 5), (100_000, 5))
QUASI = ("age", "sex", "zip", "DX1")
CODES = (
    ("250.01", "428.0", "401.9", "715.9", "303.90", "296.20", "042", "493.90", "585.3", "174.9"),
    ("E11.9", "I50.9", "I10", "M17.11", "F10.20", "F33.1", "B20", "J45.909", "N18.3", "C50.911"),
)
OUTCOMES = ("home", "home", "ward", "died", "transfer")


def draw_table(rows: int, seed: int, path: Path) -> list[str]:
    """Write a table; the last column names each row, and is what the attack is judged by."""
    draw = random.Random(seed)
    codes, areas = CODES[seed % 2], [str(draw.randrange(10_000, 90_000)) for _ in range(40)]
    surnames = sorted("".join(draw.choices("abcdefghijklmno", k=5)).title() for _ in range(rows))
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("surname", "id", *QUASI, "outcome", "row"))
        for number, surname in enumerate(surnames):
            age = max(0, min(99, int(draw.gauss(55, 18))))
            code = codes[min(int(draw.expovariate(0.3)), len(codes) - 1)]
            told = (age, draw.choice("MF"), draw.choice(areas), code, draw.choice(OUTCOMES))
            writer.writerow((surname, f"S-{number:06d}", *told, 10_000_000 + number))
    return [str(10_000_000 + number) for number in range(rows)]


def counted(rows: list[dict[str, str]]) -> tuple[int, int, float, dict[tuple[str, ...], list[int]]]:
    groups = defaultdict(list)
    for number, row in enumerate(rows):
        groups[tuple(row[name] for name in QUASI)].append(number)
    told = [Counter(rows[n]["outcome"] for n in group) for group in groups.values()]
    every = Counter(row["outcome"] for row in rows)
    apart = max(
        sum(abs(one[v] / one.total() - every[v] / len(rows)) for v in every) / 2 for one in told
    )
    return min(map(len, groups.values())), min(map(len, told)), apart, groups


def linked(
    rows: list[dict[str, str]], groups: dict[tuple[str, ...], list[int]], names: list[str]
) -> float:
    where = {row["row"]: number for number, row in enumerate(rows)}
    hits = 0
    for place, name in enumerate(names):
        group = groups[tuple(rows[where[name]][column] for column in QUASI)]
        after = bisect.bisect_left(group, place)
        near = (group[n] for n in (after - 1, after) if 0 <= n < len(group))
        hits += min(near, key=lambda n: abs(n - place)) == where[name]
    return hits / len(names)


def main(folder: Path) -> None:
    print("| rows | k asked | k, l, t by the command | counted again | linked | 1/k | elapsed s |")
    print("|---|---|---|---|---|---|---|")
    for seed, (size, k) in enumerate(SIZES):
        source, target = folder / f"in{seed}.csv", folder / f"out{seed}.csv"
        names = draw_table(size, seed, source)
        quasi = [word for name in QUASI for word in ("--quasi", name)]
        kept = ("--sensitive", "outcome", "--role", "row=other")
        dlp = str(Path(sys.executable).with_name("dlp"))
        started = time.monotonic()
        done = subprocess.run(
            [dlp, "anonymise", str(source), "-o", str(target), "--k", str(k), "--json", *quasi, *kept],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        spent = time.monotonic() - started
        after = json.loads(done.stdout)["after"]
        with target.open(newline="") as file:
            rows = list(csv.DictReader(file))
        least, kinds, apart, groups = counted(rows)
        said = f"{after['k']}, {after['l']['outcome']}, {after['t']['outcome']:.6f}"
        print(
            f"| {size:,} | {k} | {said} | {least}, {kinds}, {apart:.6f} "
            f"| {linked(rows, groups, names):.3f} | {1 / k:.3f} | {spent:.1f} |",
            flush=True,
        )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
