"""Leave-one-source-out: how the judgement does on sources that nothing was learnt from.

In: a folder of corpora, generated shares, the invented texts of corpus/.
Out: one row per source, worst first: recall, false alarms, expected calibration error.

    python -m bench.generalise CORPORA SHARE... [--most 150] [--only PREFIX] [--write [--step 0.2]]

Each source in turn is left out of the learning of rules/attribution.toml; the row is what the
weights learnt on all others make of it, at the threshold of the settings. `--write` stores the
weights learnt on everything instead. No file and no sentence of a corpus is kept.
"""

from __future__ import annotations

import argparse
import io
import os
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from multiprocessing import Pool
from pathlib import Path

from bench.fact_texts import fact_texts
from bench.learn_attribution import Example, example_of, file_chance, learn, write_weights
from bench.learn_wording import read_apart, score_apart, write_reader, write_words
from bench.people_texts import people_texts
from bench.plain_texts import plain_texts
from bench.sources import Item, all_sources, group_of
from dlp.assembly import stages
from dlp.attribute.chance import Weights, load_weights
from dlp.config import Settings
from dlp.model import Case, FileRef
from dlp.pipeline import Pipeline

LARGEST = 120_000  # bytes; a novel teaches as much by its first chapters
KEY = b"0" * 32
BINS = 10
_pipeline: Pipeline | None = None
_shared: tuple[Sequence[Example], Weights] | None = None


def detected(item: Item) -> Example:
    """One file through the cascade up to attribution, and its candidate links."""
    global _pipeline  # noqa: PLW0603 - once for each process
    if _pipeline is None:
        every = stages(Settings(), KEY)
        last = next(n for n, stage in enumerate(every) if stage.name == "attribute.links")
        _pipeline = Pipeline(every[:last], full=False)
    source = io.BytesIO(
        item.read()[:LARGEST] if not item.path or is_text(item.path) else item.read()
    )
    name = os.fsencode(item.name)
    return example_of(item, _pipeline.run(Case(FileRef("", name), facts={"source": source})))


def is_text(path: Path) -> bool:
    return path.suffix in {".txt", ".md", ".csv", ".eml", ""}


def is_read(path: Path) -> bool:
    """A text is cut, another format cannot be."""
    return is_text(path) or path.stat().st_size <= LARGEST


def gather(items: Sequence[Item], jobs: int) -> list[Example]:
    with Pool(jobs) as pool:
        return pool.map(detected, items, chunksize=16)


def calibration_error(pairs: Sequence[tuple[float, bool]]) -> float:
    """Mean distance between the chance said and the share of leaks, over bins of chance."""
    bins: dict[int, list[tuple[float, bool]]] = defaultdict(list)
    for chance, leak in pairs:
        bins[min(BINS - 1, int(chance * BINS))].append((chance, leak))
    total = 0.0
    for some in bins.values():
        said = sum(chance for chance, _ in some) / len(some)
        true = sum(leak for _, leak in some) / len(some)
        total += len(some) * abs(said - true)
    return total / max(1, len(pairs))


def row_of(source: str, pairs: Sequence[tuple[float, bool]], threshold: float) -> tuple[float, str]:
    leaks = [chance for chance, leak in pairs if leak]
    others = [chance for chance, leak in pairs if not leak]
    found = sum(chance >= threshold for chance in leaks)
    false = sum(chance >= threshold for chance in others)
    recall = found / len(leaks) if leaks else 1.0
    rate = false / len(others) if others else 0.0
    cells = [
        source,
        f"{recall:.3f} ({found}/{len(leaks)})" if leaks else "",
        f"{100 * rate:.1f} % ({false}/{len(others)})" if others else "",
        f"{calibration_error(pairs):.3f}",
    ]
    return recall - rate, f"| {' | '.join(cells)} |"


def left_out(
    examples: Sequence[Example], groups: Sequence[str], start: Weights, jobs: int
) -> dict[str, list[tuple[float, bool]]]:
    """What weights learnt without a group of sources make of its files."""
    with Pool(jobs, initializer=share_examples, initargs=(examples, start)) as pool:
        return dict(zip(groups, pool.map(judge_group, groups, chunksize=1), strict=True))


def share_examples(examples: Sequence[Example], start: Weights) -> None:
    global _shared  # noqa: PLW0603 - once for each process
    _shared = (examples, start)


def judge_group(group: str) -> list[tuple[float, bool]]:
    assert _shared is not None
    examples, start = _shared
    others = [one for one in examples if group_of(one.item.source) != group]
    weights = learn(others, start)
    own = [one for one in examples if group_of(one.item.source) == group]
    return [(file_chance(one, weights), one.item.leak) for one in own]


def moved(stored: Weights, learnt: Weights, step: float, bias: float) -> Weights:
    """Weights between the stored and the learnt ones: a new source moves them, it replaces none."""
    names = stored.features.keys() | learnt.features.keys()

    def between(one: float, other: float) -> float:
        return one + step * (other - one)

    return replace(
        stored,
        bias=between(stored.bias, learnt.bias) + bias,
        features={
            name: between(stored.features.get(name, 0.0), learnt.features.get(name, 0.0))
            for name in names
        },
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("shares", type=Path, nargs="*")
    parser.add_argument("--everyday", type=Path, default=Path("corpus"))
    parser.add_argument("--most", type=int, default=150, help="files of one source")
    parser.add_argument("--plain", type=int, default=2400, help="generated everyday texts")
    parser.add_argument("--people", type=int, default=1600, help="generated ways of showing people")
    parser.add_argument("--facts", type=int, default=2400, help="generated texts by class of fact")
    parser.add_argument("--seed", type=int, default=1, help="of the generated texts")
    parser.add_argument("--only", default="", help="leave out only sources that begin so")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--write", action="store_true", help="store the weights learnt on all")
    parser.add_argument(
        "--step", type=float, default=1.0, help="how far from the stored weights to the learnt ones"
    )
    parser.add_argument("--bias", type=float, default=0.0, help="added to the bias that is stored")
    told = parser.parse_args()
    every = [
        *all_sources(told.corpora, told.shares, told.everyday, told.most),
        *plain_texts(told.seed, told.plain),
        *people_texts(told.seed, told.people),
        *fact_texts(told.seed, told.facts),  # of the frames that are not kept for scoring
    ]
    items = [item for item in every if item.path is None or is_read(item.path)]
    examples = gather(items, told.jobs)
    groups_apart = str if told.write else group_of
    words = score_apart(examples, load_weights(), groups_apart)
    reader = read_apart(examples, load_weights(), groups_apart)
    if told.write:
        learnt = learn(examples, load_weights())
        write_weights(moved(load_weights(), learnt, told.step, told.bias))
        write_words(words)
        write_reader(reader)
        return
    threshold = 1.0 / (1.0 + Settings().judge.miss_costs)
    groups = {group_of(one.item.source) for one in examples}
    chosen = sorted(group for group in groups if group.startswith(told.only))
    judged = left_out(examples, chosen, load_weights(), told.jobs)
    print("| source left out | recall | false alarms | calibration error |\n|---|---|---|---|")
    for _, row in sorted(row_of(name, pairs, threshold) for name, pairs in judged.items()):
        print(row)
    print(row_of("all", [pair for pairs in judged.values() for pair in pairs], threshold)[1])


if __name__ == "__main__":
    main()
