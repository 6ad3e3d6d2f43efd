"""What anonymising tables costs: loss by method and k, time and memory by size.

In: ADULT (the folder of adult.csv and its hierarchies) and CONDITIONS (conditions.csv), or nothing.
Out: tables in Markdown; for loss also a drawing in bench/results.

    python -m bench.tables loss ADULT CONDITIONS
    python -m bench.tables wide ADULT
    python -m bench.tables speed [ROWS...]
    python -m bench.tables blocks
    python -m bench.tables naive
"""

import csv
import itertools
import resource
import sys
import time
from pathlib import Path

import numpy as np

from dlp.sanitise.tables.anonymise import anonymise
from dlp.sanitise.tables.columns import build_column
from dlp.sanitise.tables.grouping import group_records
from dlp.sanitise.tables.loss import measure_loss
from dlp.sanitise.tables.records import Records, group_rows
from dlp.sanitise.tables.request import Request
from dlp.sanitise.tables.table import Table
from dlp.sanitise.tables.taxonomies import Paths

KS = range(2, 16)
SERIES = [
    ("microaggregation", False),
    ("microaggregation", True),
    ("recoding", False),
    ("recoding", True),
    ("resampling", False),
    ("resampling", True),
    ("suppression", False),
]
ADULT = (
    "age",
    "sex",
    "race",
    "education",
    "marital-status",
    "native-country",
    "workclass",
    "occupation",
)
HERE = Path(__file__).parent / "results"


def rows_of(path, delimiter=","):
    with Path(path).open(newline="") as source:
        return list(csv.DictReader(source, delimiter=delimiter))


def adult(folder, names):
    rows = rows_of(Path(folder) / "adult.csv", ";")
    columns = []
    for name in names:
        cells = [row[name] for row in rows]
        if name == "age":
            columns.append(build_column(name, "number", cells))
            continue
        with (Path(folder) / f"adult_hierarchy_{name}.csv").open(newline="") as source:
            paths = Paths.from_rows(name, csv.reader(source, delimiter=";"))
        columns.append(build_column(name, "hierarchy", cells, taxonomy=paths))
    return columns


def conditions(path):
    rows = rows_of(path)
    people = {}
    for row in rows:
        people.setdefault(row["patient"], []).append(row["description"])
    two = [found[:2] for found in people.values() if len(found) > 1]
    kinds = {"description": "terms", "onset": "date", "abatement": "date"}
    return {
        "conditions: description": [
            build_column("d", "terms", [row["description"] for row in rows])
        ],
        "conditions: description, onset, abatement": [
            build_column(name, kind, [row[name] for row in rows]) for name, kind in kinds.items()
        ],
        "conditions: first two of each patient": [
            build_column(str(at), "terms", [pair[at] for pair in two]) for at in (0, 1)
        ],
    }


def forms(columns):
    """Distinct records under the semantic and under the classic scales."""
    rows = len(columns[0].codes)
    first, _, counts = group_rows([column.codes for column in columns], rows)
    codes = tuple(column.codes[first] for column in columns)
    semantic = Records(codes, counts, tuple(column.scale for column in columns))
    return semantic, Records(codes, counts, tuple(column.classic() for column in columns))


def loss_of(semantic, classic, method, k, *, plain, refined=True):
    records = classic if plain else semantic
    chance = np.random.default_rng(k)
    grouping = group_records(records, k, method, chance=chance, refined=refined and not plain)
    assert grouping.sizes(records).min() >= k
    return measure_loss(semantic, grouping.group, grouping.points)


def loss(folder, path):
    tables = {
        "adult: 5 categories": adult(folder, ADULT[3:]),
        **conditions(path),
    }
    drawings = []
    for title, columns in tables.items():
        semantic, classic = forms(columns)
        unique = int((semantic.weights == 1).sum())
        print(
            f"\n### {title}\n\n{semantic.rows:,} rows, "
            f"{len(semantic):,} distinct, {unique:,} unique\n"
        )
        head = [f"{m}{', classic' if plain else ''}" for m, plain in SERIES]
        print("| k | " + " | ".join(head) + " | MDAV unrefined | / classic | / suppression |")
        print("|---" * (len(SERIES) + 4) + "|")
        lines = {name: [] for name in head}
        for k in KS:
            found = [loss_of(semantic, classic, m, k, plain=plain).sse for m, plain in SERIES]
            bare = loss_of(semantic, classic, "microaggregation", k, plain=False, refined=False).sse
            ratios = f"{found[0] / found[1]:.2f} | {found[0] / found[-1]:.3f}"
            print(
                f"| {k} | "
                + " | ".join(f"{sse:.1f}" for sse in found)
                + f" | {bare:.1f} | {ratios} |",
                flush=True,
            )
            for name, sse in zip(head, found, strict=True):
                lines[name].append(sse)
        drawings.append((title, lines))
    (HERE / "tables.svg").write_text(draw(drawings))


def wide(folder):
    """All eight quasi-identifiers of the adult table: 18,109 distinct records."""
    semantic, classic = forms(adult(folder, ADULT))
    print("| k | microaggregation | classic | suppression | MDAV unrefined | / classic |")
    print("|---|---|---|---|---|---|")
    for k in (15, 5):
        ours = loss_of(semantic, classic, "microaggregation", k, plain=False).sse
        theirs = loss_of(semantic, classic, "microaggregation", k, plain=True).sse
        silent = loss_of(semantic, classic, "suppression", k, plain=False).sse
        bare = loss_of(semantic, classic, "microaggregation", k, plain=False, refined=False).sse
        figures = f"{ours:.1f} | {theirs:.1f} | {silent:.0f} | {bare:.1f} | {ours / theirs:.2f}"
        print(f"| {k} | {figures} |", flush=True)


def draw(drawings):
    """Small panels side by side, SSE over k on a logarithmic scale."""
    colours = dict(
        zip(
            drawings[0][1],
            ("#1f6f5c", "#7fc4b0", "#b3541e", "#e6a87c", "#3b5ba5", "#9db0dc", "#777"),
            strict=True,
        )
    )
    wide, tall = 300, 220
    out = []
    for panel, (title, lines) in enumerate(drawings):
        left = 40 + panel * wide
        top, low = max(map(max, lines.values())), max(min(map(min, lines.values())), 0.5)
        span = np.log(top / low)
        out.append(f'<text x="{left}" y="14">{title}</text>')
        for name, values in lines.items():
            points = " ".join(
                f"{left + 18 * at},{tall - 30 - (tall - 60) * np.log(max(v, low) / low) / span:.1f}"
                for at, v in enumerate(values)
            )
            out.append(f'<polyline fill="none" stroke="{colours[name]}" points="{points}"/>')
        out.append(f'<text x="{left - 4}" y="34" text-anchor="end">{top:.0f}</text>')
        out.append(f'<text x="{left - 4}" y="{tall - 28}" text-anchor="end">{low:.0f}</text>')
        out.append(f'<text x="{left}" y="{tall - 12}">k = 2 … 15</text>')
    for at, (name, colour) in enumerate(colours.items()):
        out.append(f'<text x="{40 + at * 190}" y="{tall + 14}" fill="{colour}">{name}</text>')
    size = f"0 0 {60 + wide * len(drawings)} {tall + 24}"
    style = "text{font:10px sans-serif}"
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{size}"><style>{style}</style>'
    return f"{head}{''.join(out)}</svg>\n"


def icd_nine(seed=7):
    """Codes shaped like ICD-9-CM: 999 categories, up to 9 subcategories, some a fifth digit."""
    chance = np.random.default_rng(seed)
    codes = []
    for category in range(1, 1000):
        subs = int(chance.integers(0, 9))
        codes += [] if subs else [f"{category:03d}"]
        for sub in range(subs):
            fifth = int(chance.integers(1, 5)) if chance.random() < 0.3 else 0
            codes += [f"{category:03d}.{sub}{d}" for d in range(fifth)] or [f"{category:03d}.{sub}"]
    return [codes[at] for at in chance.permutation(len(codes))]


def patients(rows, seed=1):
    """Two diagnoses each: codes and pairs of codes both follow Zipf's law (exponent 0.9)."""
    chance = np.random.default_rng(seed)
    codes = np.array(icd_nine())

    def zipf(count):
        share = 1 / np.arange(1, count + 1) ** 0.9
        return share / share.sum()

    pool = chance.choice(len(codes), (rows // 4, 2), p=zipf(len(codes)))
    picked = pool[chance.choice(len(pool), rows, p=zipf(len(pool)))]
    return Table(("dx1", "dx2"), tuple(codes[picked[:, at]].tolist() for at in (0, 1)))


def timed(table, k=5, **wish):
    began, cpu = time.perf_counter(), time.process_time()
    request = Request(k=k, roles={"dx1": "quasi:icd9", "dx2": "quasi:icd9"}, seed=1, **wish)
    result = anonymise(table, request)
    return result, time.perf_counter() - began, time.process_time() - cpu


def speed(sizes=(10**4, 10**5, 10**6)):
    print("| rows | distinct | method | blocks | seconds | CPU | SSE | peak MB so far |")
    print("|---|---|---|---|---|---|---|---|")
    for rows, method in itertools.product(sizes, ("resampling", "microaggregation", "recoding")):
        result, wall, cpu = timed(patients(rows), method=method)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        figures = f"{wall:.1f} | {cpu:.1f} | {result.loss.sse:.1f} | {peak:.0f}"
        print(
            f"| {rows:,} | {result.before.risk.classes:,} "
            f"| {method} | {result.blocks} | {figures} |",
            flush=True,
        )


def icd(*sizes):
    """Loss on the tree of ICD-9 against leaving out what is rare, k = 15."""
    print("| rows | distinct | k after | microaggregation, SSE | suppression, SSE | ratio |")
    print("|---|---|---|---|---|---|")
    for rows in map(int, sizes or (1_000, 4_000, 16_000)):
        table = patients(rows)
        ours = timed(table, k=15)[0]
        left_out = timed(table, k=15, method="suppression")[0].loss.sse
        print(
            f"| {rows:,} | {ours.before.risk.classes:,} | {ours.after.risk.k} | "
            f"{ours.loss.sse:.1f} | {left_out:.1f} | {ours.loss.sse / left_out:.3f} |",
            flush=True,
        )


def blocks(rows=10**5):
    print("\n| most records in a block | blocks | CPU | SSE | against one block |")
    print("|---|---|---|---|---|")
    table, whole = patients(rows), None
    for size in (10**9, 10_000, 5_000, 2_000, 1_000, 500):
        result, _, cpu = timed(table, block=size)
        whole = whole or result.loss.sse
        name = "no limit" if size == 10**9 else f"{size:,}"
        print(
            f"| {name} | {result.blocks} | {cpu:.1f} "
            f"| {result.loss.sse:.1f} | {result.loss.sse / whole:.3f} |",
            flush=True,
        )


def naive(sizes=(250, 500, 1000, 2000)):
    """MDAV as published, with set arithmetic: every distance from the sets, every time."""
    print("\n| distinct records | naive MDAV, CPU s | ours, CPU s |")
    print("|---|---|---|")
    for wanted in sizes:
        table = patients(wanted * 6)
        seen = sorted(set(zip(*table.columns, strict=True)))[:wanted]
        small = Table(("dx1", "dx2"), tuple(map(list, zip(*seen, strict=True))))
        began = time.process_time()
        naive_mdav(seen, 5)
        slow = time.process_time() - began
        print(f"| {len(seen):,} | {slow:.1f} | {timed(small)[2]:.2f} |", flush=True)


def naive_mdav(records, k):
    from dlp.knowledge.icd import NINE, load_icd_tree

    tree = load_icd_tree(NINE)

    def sd(a, b):
        left, right = set(tree.path(a)), set(tree.path(b))
        union = left | right
        return np.log2(1 + (len(union) - len(left & right)) / len(union))

    def apart(a, b):
        return sum(sd(x, y) for x, y in zip(a, b, strict=True)) / len(a)

    def centroid(group):
        centre = []
        for at in range(len(group[0])):
            values = [record[at] for record in group]
            above = {
                node
                for value in values
                for node in tree.path(value)
                if "-" not in node and node != NINE
            }
            centre.append(min(above, key=lambda c, values=values: sum(sd(c, v) for v in values)))
        return tuple(centre)

    left = list(records)
    groups = []
    # The centroid of all is found once only: finding it for every group would hide the p²/k.
    middle = centroid(left[:50])
    while len(left) >= k:
        base = max(left, key=lambda r: apart(middle, r))
        for start in (base, None):
            if len(left) < k:
                break
            chosen = start or max(left, key=lambda r: apart(base, r))
            near = sorted(left, key=lambda r: apart(chosen, r))[:k]
            groups.append(centroid(near))
            taken = set(near)
            left = [record for record in left if record not in taken]
    return groups


if __name__ == "__main__":
    what, *given = sys.argv[1:]
    if what == "speed":
        speed(*[tuple(map(int, given))] * bool(given))
    else:
        {"loss": loss, "wide": wide, "blocks": blocks, "naive": naive, "icd": icd}[what](*given)
