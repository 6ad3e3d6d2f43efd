"""Measure rosters of patients: making, size, recall, false hits, what they cost, what they tell.

In: a folder of files that speak of none of them; or nothing.  Out: a table.

    python -m bench.roster [FOLDER] [--patients 100000] [--list FILE.csv]

Patients are invented: names of the product's lists as often as people bear them, the rest made of
syllables.
With --list they are those of a CSV (first, last, birth, number).
"""

from __future__ import annotations

import argparse
import csv
import io
import random
import statistics
import tempfile
import time
import unicodedata
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from dlp.assembly import Analysis
from dlp.config import Settings
from dlp.detect.naming.on_roster import CERTAIN, LIKELY, NAMESAKE, ROSTER
from dlp.knowledge.names import load_names, load_surrogate_names
from dlp.knowledge.person_tags import Described
from dlp.knowledge.roster import build
from dlp.model import Case, FileRef

STARTS = ("Bra", "Ce", "Dzi", "Fje", "Gró", "Hü", "Ije", "Kwa", "Lö", "Mbo", "Nné", "Oko", "Pře",
          "Quí", "Ro", "Sza", "Tho", "Uwi", "Vå", "Wro", "Xi", "Yíl", "Zor")  # fmt: skip
MIDDLES = ("bal", "cen", "dir", "fol", "gan", "hel", "jor", "kam", "lun", "mir", "nag", "pol",
           "rin", "sol", "tav", "vek", "zim")  # fmt: skip
ENDS = ("a", "ák", "berg", "do", "ez", "fson", "gó", "hart", "is", "ko", "lund", "mäe", "nen", "ov",
        "quist", "ska", "ström", "tti", "ünal", "wicz", "zun")  # fmt: skip
SURE_BYTES, VALUES = 6, 10_000
TIMED, ROUNDS = 100, 5  # files that are read with and without a roster, each so often
NOTES = (
    "please ring {} about the cough before friday", "{} did not come for the ECG",
    "results for {} are back, mild asthma", "moved {} to the 3pm slot, still has the rash",
    "ward: {} wants the pain tablets changed", "can somebody chase the bloods of {} today",
    "fyi {} is allergic to penicillin", "Bed 4 is free, {} went home with antibiotics",
)  # fmt: skip


def invented(number: int, rng: random.Random) -> list[Described]:
    names = load_surrogate_names()
    first = [*names["first"]["f"], *names["first"]["m"]]
    last = [name for some in names["last"].values() for name in some]
    known = load_names()
    firsts = [one.share if (one := known.first(name)) else 0 for name in first]
    lasts = [one.share if (one := known.last(name)) else 0 for name in last]
    numbers = rng.sample(range(10**8), number)
    people = []
    for code in numbers:
        # whom the lists do not know is as many as they leave out
        given = rng.choices(first, firsts)[0] if rng.random() < sum(firsts) else syllables(rng)
        family = rng.choices(last, lasts)[0] if rng.random() < sum(lasts) else syllables(rng)
        if rng.random() < 0.1:
            family += "-" + syllables(rng)
        day = 10_000 * rng.randint(1930, 2020) + 100 * rng.randint(1, 12) + rng.randint(1, 28)
        people.append(Described(given, family, (day,), (f"H{code:08d}",)))
    return people


def syllables(rng: random.Random) -> str:
    return rng.choice(STARTS) + rng.choice(MIDDLES) * rng.randint(0, 1) + rng.choice(ENDS)


def from_list(path: Path) -> list[Described]:
    with path.open(newline="", encoding="utf-8") as source:
        return [
            Described(row["first"], row["last"], (int(row["birth"].replace("-", "")),),
                      (row["number"],))
            for row in csv.DictReader(source)
        ]  # fmt: skip


def dated(day: int, rng: random.Random) -> str:
    text = f"{day}"
    year, month, date = text[:4], text[4:6], text[6:]
    return rng.choice((f"{date}/{month}/{year}", f"{year}-{month}-{date}"))


def plain(name: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))


def planted(people: list[Described], rng: random.Random) -> Iterator[tuple[str, str, str]]:
    """The way a patient is shown, the words that show them, the note around these."""
    ways = {
        "number, no label": lambda one: one.numbers[0],
        "number, parted": lambda one: f"{one.numbers[0][:5]} {one.numbers[0][5:]}",
        "small letters": lambda one: f"{one.first} {one.last}".lower(),
        "without accents": lambda one: plain(f"{one.first} {one.last}"),
        "as it is": lambda one: f"{one.first} {one.last}",
        "last name first, born": lambda one: (
            f"{one.last.upper()}, {one.first} ({dated(one.births[0], rng)})"
        ),
        "last name, born": lambda one: f"Mr {one.last} (dob {dated(one.births[0], rng)})",
    }
    for place, one in enumerate(people):
        way = [*ways][place % len(ways)]
        shown = ways[way](one)
        yield way, shown, rng.choice(NOTES).format(shown)


def case_of(analysis: Analysis, data: bytes, name: bytes) -> Case:
    return analysis.case(FileRef("", name), io.BytesIO(data))


def hits(case: Case) -> Iterator[tuple[int, int, str]]:
    for mention in case.facts.get("mentions", ()):
        if ROSTER in mention.evidence:
            grade = next(e for e in (CERTAIN, LIKELY, NAMESAKE) if e in mention.evidence)
            yield mention.start, mention.end, grade
    for finding in case.findings:
        if ROSTER in finding.evidence and finding.rule_id == "roster-number":
            yield finding.start, finding.end, CERTAIN


def recall(analysis: Analysis, people: list[Described], rng: random.Random) -> None:
    asked, found, sure = Counter[str](), Counter[str](), 0
    for way, shown, note in planted(people, rng):
        asked[way] += 1
        at = note.index(shown)
        spans = list(hits(case_of(analysis, note.encode(), b"note.txt")))
        here = [grade for start, end, grade in spans if start < at + len(shown) and at < end]
        found[way] += bool(here)
        sure += any(grade != NAMESAKE for grade in here)
    for way, number in asked.items():
        print(f"| {way} | {found[way]} of {number} |")
    total = sum(asked.values())
    print(f"| **all** | {sum(found.values())} of {total} = {sum(found.values()) / total:.4f} |")
    print(f"| of these certain or likely | {sure} |")


def values_in(file: Path, people: list[Described]) -> int:
    """Of 10,000 values of six bytes or more (chance alone finds shorter ones) those in the file."""
    folded = file.read_bytes().lower()
    values = (v for p in people for v in (p.first, p.last, str(p.births[0]), p.numbers[0]))
    tried = 0
    found = 0
    for value in values:
        if len(value) < SURE_BYTES or tried == VALUES:
            continue
        tried += 1
        forms = {value.lower(), plain(value).lower()}
        raw = {form.encode(code) for form in forms for code in ("utf-8", "utf-16-le")}
        found += any(form in folded for form in raw)
    return found


def strangers(with_roster: Analysis, without: Analysis, files: list[Path]) -> None:
    grades = Counter[str]()
    spent: dict[bool, list[float]] = {True: [], False: []}
    both = [(True, with_roster), (False, without)]
    for number, path in enumerate(files):
        data, name = path.read_bytes(), path.name.encode()
        case = case_of(with_roster, data, name)
        grades.update({grade for _, _, grade in hits(case)})
        if number >= TIMED:
            continue
        taken: dict[bool, list[float]] = {True: [], False: []}
        for _ in range(ROUNDS):  # in turns, the quickest of each: a shared machine bends both alike
            for known, analysis in both:
                started = time.process_time()
                case_of(analysis, data, name)
                taken[known].append(time.process_time() - started)
        for known, times in taken.items():
            spent[known].append(min(times))
    print(f"| files of strangers | {len(files)} |")
    for grade in (CERTAIN, LIKELY, NAMESAKE):
        print(f"| with a hit that is {grade.removeprefix('roster-')} | {grades[grade]} |")
    print(f"| CPU time without a roster / with one | {sum(spent[False]) / sum(spent[True]):.1%} |")
    ratio = statistics.median(b / a for a, b in zip(spent[True], spent[False], strict=True) if a)
    print(f"| the same, median of files | {ratio:.1%} |")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--patients", type=int, default=100_000)
    parser.add_argument("--list", type=Path)
    parser.add_argument("--seed", type=int, default=27)
    asked = parser.parse_args()
    rng, key = random.Random(asked.seed), bytes(range(32))
    people = from_list(asked.list) if asked.list else invented(asked.patients, rng)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "rosters"
        started = time.perf_counter()
        known = build(folder, "bench", people, key)
        print("| what | measured |\n|---|---|")
        print(f"| {known.patients} patients made | {time.perf_counter() - started:.1f} s |")
        file = folder / "bench.bin"
        print(f"| size | {file.stat().st_size / 1e6:.1f} MB |")
        print(f"| of 10,000 values in the file | {values_in(file, people)} |")
        settings = Settings()
        detect = settings.detect.model_copy(update={"rosters": str(folder)})
        with_roster = Analysis(settings.model_copy(update={"detect": detect}), key=key, full=True)
        without = Analysis(settings.model_copy(update={"detect": settings.detect.model_copy(
            update={"rosters": scratch + "/none"})}), key=key, full=True)  # fmt: skip
        recall(with_roster, rng.sample(people, 1000), rng)
        if asked.folder:
            files = sorted(path for path in asked.folder.rglob("*") if path.is_file())
            rng.shuffle(files)
            strangers(with_roster, without, files)


if __name__ == "__main__":
    main()
