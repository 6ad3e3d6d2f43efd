"""Measure `dlp find`: how many files of a person it finds, how many it should not, how long it takes.

In: nothing; people and files are invented.  Out: a table.

    python -m bench.find [--files 5000] [--people 500] [--catalogue 100000]

Each person is in several files, shown by name and birth date, by number, by name alone or in a table;
every tenth has a namesake with another birth date in other files.
"""

from __future__ import annotations

import argparse
import base64
import io
import random
import statistics
import tempfile
import time
from collections import defaultdict
from pathlib import Path

import numpy as np

from bench.roster import NOTES, dated, invented
from dlp.assembly import Analysis
from dlp.config import Settings
from dlp.engine.person_search import LIKELY, SURE, find_person
from dlp.knowledge.person_tags import Described
from dlp.model import FileRef
from dlp.store.catalogue import Catalogue
from dlp.store.migrations import open_database

FACTS = ("asthma", "lupus", "psoriasis", "type 2 diabetes", "migraine", "ulcerative colitis")


def letter(one: Described, rng: random.Random) -> str:
    return (f"Patient: {one.first} {one.last}\nDate of birth: {dated(one.births[0], rng)}\n"
            f"Diagnosis: {rng.choice(FACTS)}\nSeen in clinic and reviewed.\n")  # fmt: skip


def by_number(one: Described, rng: random.Random) -> str:
    return f"MRN: {one.numbers[0]}\nDiagnosis: {rng.choice(FACTS)}\nPlease arrange follow-up.\n"


def mail(one: Described, rng: random.Random) -> str:
    return f"Hello all,\n{rng.choice(NOTES).format(f'{one.first} {one.last}')}\nthanks\n"


def table(people: list[Described], rng: random.Random) -> str:
    rows = [f"{p.last},{p.first},{dated(p.births[0], rng)},{rng.choice(FACTS)}" for p in people]
    return "\n".join(["surname,first name,dob,diagnosis", *rows, ""])


def files_of(people: list[Described], number: int, rng: random.Random):
    """Texts, and of whom each speaks; a namesake is somebody else."""
    ways = (letter, by_number, mail)
    for place in range(number):
        if place % 25 == 0:
            some = rng.sample(people, 8)
            yield f"{place}.csv", table(some, rng), {id(one) for one in some}
            continue
        one = people[place % len(people)]
        if place % 7 == 3 and place % len(people) % 10 == 3:
            year = one.births[0] // 10_000
            other = one._replace(births=(one.births[0] + (10_000 if year < 2000 else -10_000),),
                                 numbers=("X" + one.numbers[0],))  # fmt: skip
            yield f"{place}.txt", letter(other, rng), set()
            continue
        yield f"{place}.txt", rng.choice(ways)(one, rng), {id(one)}


def fill(engine, count: int) -> None:
    """Other files of a large catalogue, three people each, with tags nobody is looked for by."""
    rng = np.random.default_rng(5)
    with Catalogue(engine) as catalogue:
        for number in range(count):
            tags = rng.integers(1, 1 << 62, 12, dtype=np.uint64)
            catalogue.add({
                "path": f"/elsewhere/{number // 500}/{number}.txt", "container": "probable",
                "reason": "identified people", "privacy": 0.0, "identifiability": 1.0,
                "sensitivity": 0.0, "persons": [], "findings": [], "gaps": [], "size_bytes": 100,
                "media_type": "text/plain", "sha256": "", "rules_version": "", "trail": [],
                "traces": base64.b64encode(tags.tobytes()).decode(),
            })  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser()
    for name, default in (("files", 5000), ("people", 500), ("catalogue", 100_000)):
        parser.add_argument(f"--{name}", type=int, default=default)
    asked = parser.parse_args()
    rng, key = random.Random(28), bytes(range(32))
    people = invented(asked.people, rng)
    analysis = Analysis(Settings(), key=key)
    truth: dict[int, set[str]] = defaultdict(set)
    with tempfile.TemporaryDirectory() as scratch:
        where = Path(scratch) / "catalogue.db"
        with Catalogue(open_database(where)) as catalogue:
            for name, text, whom in files_of(people, asked.files, rng):
                record = analysis(FileRef("", f"/share/{name}".encode()), io.BytesIO(text.encode()))
                catalogue.add(record)
                for one in whom:
                    truth[one].add(f"/share/{name}")
        engine = open_database(where)
        fill(engine, asked.catalogue - asked.files)
        engine = open_database(where)
        right = wrong = missed = sure = 0
        taken = []
        for one in people:
            started = time.perf_counter()
            search = find_person(engine, key, one)
            taken.append(time.perf_counter() - started)
            found = {m.row["path"].decode(): m.degree for m in search.matches}
            right += len(found.keys() & truth[id(one)])
            wrong += len(found.keys() - truth[id(one)])
            missed += len(truth[id(one)] - found.keys())
            sure += sum(degree in {SURE, LIKELY} for degree in found.values())
        raw = b"".join(p.read_bytes() for p in Path(scratch).glob("catalogue.db*"))
        values = [v for p in people for v in (p.last, p.numbers[0]) if len(v) > 6]
        print("| what | measured |\n|---|---|")
        print(
            f"| people, files, files in the catalogue | {len(people)}, {asked.files}, {search.files} |"
        )
        print(f"| precision | {right / (right + wrong):.4f} ({wrong} wrong) |")
        print(f"| recall | {right / (right + missed):.4f} ({missed} missed of {right + missed}) |")
        print(f"| of the found certain or likely | {sure} of {right + wrong} |")
        print(
            f"| a search, median and longest | {statistics.median(taken):.3f} s, {max(taken):.3f} s |"
        )
        print(
            f"| values in the database, of {len(values)} | {sum(v.encode() in raw for v in values)} |"
        )


if __name__ == "__main__":
    main()
