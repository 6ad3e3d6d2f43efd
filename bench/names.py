"""Measure what the product knows of words, names, places and co-occurring concepts.

In: optionally PAIRS (disease-disease-cooccurrence.tsv) and HEADINGS (DO-slim-to-mesh.tsv).
Out: sizes, load times, speeds, as tables; with the files, how our mutual information orders the
disease pairs that all of PubMed was counted for.

    python -m bench.names [PAIRS HEADINGS]
"""

import csv
import math
import random
import resource
import subprocess
import sys
import time
from pathlib import Path

from dlp.knowledge.artefact import load
from dlp.knowledge.cooccurrence import load_cooccurrence
from dlp.knowledge.mesh import load_mesh
from dlp.knowledge.names import load_names
from dlp.knowledge.people import load_organisations
from dlp.knowledge.places import load_places
from dlp.knowledge.wordnet import load_wordnet
from dlp.knowledge.words import load_words
from dlp.resources import artefacts_folder

LOADERS = {
    "words": ("words", "load_words"),
    "names": ("names", "load_names"),
    "places": ("places", "load_places"),
    "organisations": ("organisations", "load_organisations"),
    "wordnet": ("wordnet", "load_wordnet"),
    "cooccurrence": ("cooccurrence", "load_cooccurrence"),
}
PROBE = """
import resource, time
import numpy
from dlp.knowledge.mesh import load_mesh
from dlp.knowledge.{module} import {loader}
{warm}
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
start = time.process_time()
{loader}()
spent = time.process_time() - start
print(spent * 1000, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024)
"""


def load_cost(module, loader):
    """Median CPU ms and peak MB of a load in a fresh process, MeSH and imports already there."""
    warm = "load_mesh()" if module == "cooccurrence" else ""
    code = PROBE.format(module=module, loader=loader, warm=warm)
    runs = []
    for _ in range(5):
        out = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        )
        runs.append(tuple(float(x) for x in out.stdout.split()))
    return sorted(run[0] for run in runs)[2], sorted(run[1] for run in runs)[2]


def nanoseconds(function, times):
    start = time.process_time()
    for _ in range(times):
        function()
    return (time.process_time() - start) / times * 1e9


def speeds():
    names, places, words = load_names(), load_places(), load_words()
    wordnet, mesh, together = load_wordnet(), load_mesh(), load_cooccurrence()
    vocabulary = ["patient", "smith", "toronto", "reading", "the", "john", "may", "of", "zzqx"]
    text = random.Random(1).choices(vocabulary, k=10_000)
    fresh = [f"{word}{number}" for number, word in enumerate(text)]
    a, b, c = (mesh.find(term)[0] for term in ("Diabetes Mellitus", "Insulin", "Humans"))
    together.count(a, b, c)
    cold = random.Random(2).sample(range(len(mesh)), 2000)
    start = time.process_time()
    for concept in cold:
        together.count(concept)
    first = (time.process_time() - start) / len(cold) * 1e6
    return [
        (
            "flags of a token seen before",
            f"{nanoseconds(lambda: names.flags(text), 50) / 1e4:.0f} ns",
        ),
        ("flags of a new token", f"{nanoseconds(lambda: names.flags(fresh), 1) / 1e4:.0f} ns"),
        (
            "frequency of a word, in bulk",
            f"{nanoseconds(lambda: words.zipfs(text), 20) / 1e4:.0f} ns",
        ),
        (
            "places in running text, a token",
            f"{nanoseconds(lambda: places.spans(text), 5) / 1e4:.0f} ns",
        ),
        (
            "senses of a noun",
            f"{nanoseconds(lambda: wordnet.synsets('diseases'), 2000) / 1e3:.0f} µs",
        ),
        ("p(a)", f"{nanoseconds(lambda: together.p(a), 20000) / 1e3:.1f} µs"),
        ("p(a, b)", f"{nanoseconds(lambda: together.p(a, b), 20000) / 1e3:.1f} µs"),
        ("p(a, b, c)", f"{nanoseconds(lambda: together.p(a, b, c), 20000) / 1e3:.1f} µs"),
        ("first question about a concept", f"{first:.0f} µs"),
    ]


def against_pubmed(pairs, headings):
    """Rank correlation of our pmi with PubMed's enrichment, over pairs with enough support."""
    mesh, together = load_mesh(), load_cooccurrence()
    concept = {}
    with Path(headings).open(newline="") as source:
        for row in csv.DictReader(source, delimiter="\t"):
            if row["mesh_id"] in mesh:
                concept.setdefault(row["doid_code"], mesh.index(row["mesh_id"]))
    ours, theirs, asked = [], [], 0
    with Path(pairs).open(newline="") as source:
        for row in csv.DictReader(source, delimiter="\t"):
            a, b = concept.get(row["doid_code_0"]), concept.get(row["doid_code_1"])
            if a is None or b is None or a >= b or int(row["cooccurrence"]) < 5:
                continue
            asked += 1
            if (bits := together.pmi(a, b)) is not None:
                ours.append(bits)
                theirs.append(math.log2(float(row["enrichment"])))
    return asked, len(ours), correlation(ranks(ours), ranks(theirs))


def ranks(values):
    order = sorted(range(len(values)), key=values.__getitem__)
    place = [0.0] * len(values)
    for rank, index in enumerate(order):
        place[index] = rank
    return place


def correlation(a, b):
    n, mean_a, mean_b = len(a), sum(a) / len(a), sum(b) / len(b)
    over = sum((x - mean_a) * (y - mean_b) for x, y in zip(a, b, strict=True))
    under = math.sqrt(sum((x - mean_a) ** 2 for x in a) * sum((y - mean_b) ** 2 for y in b))
    return over / under if n else 0.0


def main(*files):
    load_organisations()
    print("| artefact | holds | bytes | load, CPU ms | MB |\n|---|---|---|---|---|")
    for name, (module, loader) in LOADERS.items():
        meta = {k: v for k, v in load(name).meta.items() if isinstance(v, int)}
        holds = ", ".join(f"{value:,} {key.replace('_', ' ')}" for key, value in meta.items())
        size = (artefacts_folder() / f"{name}.bin").stat().st_size
        cost, memory = load_cost(module, loader)
        print(f"| {name} | {holds} | {size:,} | {cost:.0f} | {memory:.0f} |")
    print("\n| question | CPU |\n|---|---|")
    for question, answer in speeds():
        print(f"| {question} | {answer} |")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"\npeak {peak:.0f} MB with everything loaded")
    if files:
        asked, answered, rho = against_pubmed(*files)
        print(f"\n{asked:,} disease pairs of 5 or more PubMed records, {answered:,} with support:")
        print(f"rank correlation of pmi with PubMed's enrichment: {rho:.2f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
