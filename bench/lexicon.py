"""What the compiled MeSH and health lexicon cost: load, memory, speed; and automata beside them.

In: a folder of texts; with --cache the downloaded carriers.  Out: Markdown tables.

    python -m bench.lexicon TEXTS [--cache CARRIERS]

Each figure comes from a fresh process; speed is CPU time, the best of three.
"""

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path

PIECE = 30_000  # characters: a letter of many pages


def resident():
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    return 0.0


def pieces(folder):
    text = "\n".join(p.read_text(errors="replace") for p in sorted(Path(folder).rglob("*.txt")))
    return [text[i : i + PIECE] for i in range(0, len(text), PIECE)]


def speed(scan, texts):
    size = sum(map(len, texts)) / 1e6
    best = float("inf")
    for _ in range(3):
        began = time.process_time()
        hits = sum(scan(text) for text in texts)
        best = min(best, time.process_time() - began)
    return size / best, hits / size / 1000


def measure_mesh():
    import numpy as np  # noqa: F401 - counted apart from ours

    before, began = resident(), time.perf_counter()
    from dlp.knowledge.mesh import load_mesh

    mesh = load_mesh()
    seconds = time.perf_counter() - began
    began = time.perf_counter()
    for index in range(len(mesh)):
        mesh.ancestors(index)
    each = (time.perf_counter() - began) / len(mesh)
    return {"load ms": seconds * 1e3, "MB": resident() - before, "ancestors µs": each * 1e6}


def measure_health(folder):
    import numpy as np  # noqa: F401 - counted apart from ours

    before, began = resident(), time.perf_counter()
    from dlp.knowledge.health import load_health

    lexicon = load_health()
    seconds, memory = time.perf_counter() - began, resident() - before
    texts = pieces(folder)
    rate, hits = speed(lambda text: len(lexicon.scan(text)), texts)
    return {
        "terms": len(lexicon),
        "load ms": seconds * 1e3,
        "MB": memory,
        "MB/s": rate,
        "hits/kB": hits,
    }


def measure_automaton(folder, cache, name):
    from dlp.knowledge.compile.health import surfaces_of
    from dlp.knowledge.compile.source_packages import Carriers
    from dlp.resources import artefacts_folder

    words = [" ".join(s.words) for s in surfaces_of(Carriers(cache), artefacts_folder())[0]]
    texts = pieces(folder)
    before, began = resident(), time.perf_counter()
    find = {"daachorse": with_daachorse, "pyahocorasick": with_py, "ahocorasick_rs": with_rs}[name](
        words
    )
    seconds, memory = time.perf_counter() - began, resident() - before
    rate, hits = speed(find, texts)
    disk = getattr(find, "serialised", 0) / 1e6
    return {"build s": seconds, "MB": memory, "on disk MB": disk, "MB/s": rate, "hits/kB": hits}


def whole_words(text, spans):
    size = len(text)
    return sum(
        (a == 0 or not text[a - 1].isalnum()) and (b == size or not text[b].isalnum())
        for a, b in spans
    )


def with_daachorse(words):
    import daachorse

    kind = daachorse.MATCH_KIND_LEFTMOST_LONGEST
    automaton = daachorse.DoubleArrayAhoCorasick([w.encode() for w in words], match_kind=kind)

    def find(text):
        low = text.lower()
        found = automaton.find(low.encode())  # byte offsets: right for ASCII only
        return whole_words(low, ((a, b) for a, b, _ in found if b <= len(low)))

    find.serialised = len(automaton.serialize())
    return find


def with_rs(words):
    import ahocorasick_rs as rs

    kinds = {
        "matchkind": rs.MatchKind.LeftmostLongest,
        "implementation": rs.Implementation.ContiguousNFA,
    }
    automaton = rs.AhoCorasick(words, **kinds)

    def find(text):
        low = text.lower()
        spans = automaton.find_matches_as_indexes(low)
        return whole_words(low, ((a, b) for _, a, b in spans))

    return find


def with_py(words):
    import ahocorasick

    automaton = ahocorasick.Automaton()
    for word in words:
        automaton.add_word(word, len(word))
    automaton.make_automaton()

    def find(text):
        low = text.lower()
        return whole_words(low, ((end - n + 1, end + 1) for end, n in automaton.iter_long(low)))

    return find


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("texts")
    parser.add_argument("--cache", type=Path)
    parser.add_argument("--one")
    options = parser.parse_args()
    if options.one == "mesh":
        print(json.dumps(measure_mesh()))
    elif options.one == "health":
        print(json.dumps(measure_health(options.texts)))
    elif options.one:
        print(json.dumps(measure_automaton(options.texts, options.cache, options.one)))
    else:
        names = ["mesh", "health"]
        names += ["daachorse", "ahocorasick_rs", "pyahocorasick"] if options.cache else []
        for name in names:
            command = [sys.executable, "-m", "bench.lexicon", *sys.argv[1:], "--one", name]
            row = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
            print(f"| {name} | " + " | ".join(f"{k} {v:,.1f}" for k, v in row.items()) + " |")


if __name__ == "__main__":
    main()
