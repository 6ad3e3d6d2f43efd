"""Measure people, places and organisations: what is found, what is wrongly found, how fast.

In: a folder of development corpora.  Out: tables on stdout.

    python -m bench.mentions CORPORA [--model never|auto|always] [--only CORPUS,...] [--show]
                             [--people] [--case asis|lower|upper]

A value counts as found when at least 80 % of its letters and digits lie inside findings; precision
counts letters and digits of findings that lie inside gold values. A title before a name ("Dr.")
counts on neither side: the corpora disagree about it. With --people only people count, in the gold
and in the findings; with --case the text is written in small letters or in capitals first.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from dlp.detect.identify.identifiers import FindIdentifiers
from dlp.detect.illness.health import FindHealth
from dlp.detect.naming.mentions import FindMentions
from dlp.model import HEALTH_KINDS, Case, Document, FileRef, Kind, Part

ENOUGH = 0.8
KEY = bytes(32)
TITLE = re.compile(
    r"\b(?:Drs?|Mrs?|Ms|Miss|Prof|Professor|Doctor|Nurse|Sir|Lady)\b\.?", re.IGNORECASE
)
PEOPLE = frozenset({Kind.PERSON})
PLACES = frozenset({Kind.PLACE, Kind.ADDRESS})
GROUPS = frozenset({Kind.ORGANISATION, Kind.PROVIDER})
EVERY = frozenset(Kind) - HEALTH_KINDS


# How the corpora that name other kinds too call a person.
PERSON_LABELS = frozenset(
    {"PERSON", "NAME", "NOMBRE_PERSONAL_SANITARIO", "NOMBRE_SUJETO_ASISTENCIA"}
)
CASES = {"asis": str, "lower": str.lower, "upper": str.upper}


class Text(NamedTuple):
    text: str
    gold: list[tuple[int, int, str]]

    def in_case(self, case: str) -> Text:
        """Every letter in the case asked for; one that would become two stays, and so do places."""
        change = CASES[case]
        letters = (new if len(new := change(one)) == 1 else one for one in self.text)
        return self._replace(text="".join(letters))

    def people(self) -> Text:
        return self._replace(gold=[one for one in self.gold if one[2] in PERSON_LABELS])


class Score:
    def __init__(self) -> None:
        self.values: Counter[str] = Counter()
        self.found: Counter[str] = Counter()
        self.right = self.marked = 0
        self.empty = self.quiet = 0

    def add(self, one: Text, spans: list[tuple[int, int]], show: bool) -> None:
        counts = [c.isalnum() for c in one.text]
        for match in TITLE.finditer(one.text):
            counts[match.start() : match.end()] = [False] * (match.end() - match.start())
        gold, ours = bytearray(len(one.text)), bytearray(len(one.text))
        for start, end in spans:
            ours[start:end] = b"\1" * (end - start)
        for start, end, kind in one.gold:
            gold[start:end] = b"\1" * (end - start)
            inside = [i for i in range(start, end) if counts[i]]
            hit = not inside or sum(ours[i] for i in inside) >= ENOUGH * len(inside)
            self.values[kind] += 1
            self.found[kind] += hit
            if show and not hit:
                sys.stdout.write(
                    f"MISS {kind}: {one.text[start:end]!r} in {around(one.text, start, end)!r}\n"
                )
        for start, end in spans:
            inside = [i for i in range(start, end) if counts[i]]
            right = sum(gold[i] for i in inside)
            self.right += right
            self.marked += len(inside)
            if show and inside and right < ENOUGH * len(inside):
                sys.stdout.write(
                    f"FALSE: {one.text[start:end]!r} in {around(one.text, start, end)!r}\n"
                )
        if not one.gold:
            self.empty += 1
            self.quiet += not spans

    def line(self, name: str) -> str:
        total, found = sum(self.values.values()), sum(self.found.values())
        quiet = f"{self.quiet / self.empty:.3f} of {self.empty}" if self.empty else "-"
        kinds = ", ".join(
            f"{k} {self.found[k] / n:.3f} ({n})" for k, n in self.values.most_common(6)
        )
        recall, precision = found / max(1, total), self.right / max(1, self.marked)
        return f"| {name} | {recall:.3f} | {precision:.3f} | {quiet} | {kinds} |"


def around(text: str, start: int, end: int) -> str:
    return text[max(0, start - 40) : end + 30]


def asq(root: Path) -> Iterator[Text]:
    for block in (root / "asq_phi/dev_queries.txt").read_text().split("===QUERY===")[1:]:
        query, _, tags = block.partition("===PHI_TAGS===")
        query = query.strip()
        gold = []
        for line in tags.strip().splitlines():
            tag = json.loads(line)
            places = [m.start() for m in re.finditer(re.escape(tag["value"]), query)]
            gold += [(at, at + len(tag["value"]), tag["identifier_type"]) for at in places]
        yield Text(query, gold)


def presidio(root: Path) -> Iterator[Text]:
    return presidio_file(root / "presidio_research/data/synth_dataset_v2.json")


def presidio_other(root: Path) -> Iterator[Text]:
    """Sentences from other templates, at which nobody looked while tuning."""
    return presidio_file(root / "presidio_research/tests/data/generated_large.json")


def presidio_file(path: Path) -> Iterator[Text]:
    wanted = {"PERSON", "GPE", "LOCATION", "ORGANIZATION", "STREET_ADDRESS", "ADDRESS"}
    for entry in json.loads(path.read_text()):
        spans = [
            (s["start_position"], s["end_position"], s["entity_type"])
            for s in entry["spans"]
            if s["entity_type"] in wanted
        ]
        yield Text(entry["full_text"], spans)


def conll(lines: list[str], column: int, wanted: str) -> Text:
    text, gold, open_ = "", [], None
    for line in lines:
        cells = line.rstrip("\n").split("\t")
        tag = cells[column].strip() if len(cells) > column else "O"
        if tag.startswith("B-") or tag == "O":
            if open_ is not None:
                gold.append((open_, len(text.rstrip()), "PERSON"))
            open_ = None
        glue = "" if not text or cells[0] in {",", ".", "'s", "!", "?", ";", ":"} else " "
        if glue == "" and text:
            text = text.rstrip()
        text += glue
        if tag == f"B-{wanted}":
            open_ = len(text)
        text += cells[0]
    if open_ is not None:
        gold.append((open_, len(text), "PERSON"))
    return Text(text, gold)


def wnut(root: Path) -> Iterator[Text]:
    for block in (root / "wnut17/emerging.dev.conll").read_text().split("\n\n"):
        if block.strip():
            yield conll(block.strip("\n").split("\n"), 1, "person")


def litbank(root: Path) -> Iterator[Text]:
    """Excerpts whose gold people include "the boy": only mentions of capitalised words count."""
    for path in sorted((root / "litbank/entities/tsv").glob("*.tsv")):
        text, tags = "", []
        for line in path.read_text().splitlines():
            cells = line.split("\t")
            if not cells[0]:
                text += "\n"
                continue
            text += "" if cells[0] in {",", ".", "'s", "!", "?", ";", ":"} else " "
            tags.append((len(text), len(text) + len(cells[0]), cells[1:]))
            text += cells[0]
        yield Text(text, [span for column in range(4) for span in named(text, tags, column)])


def named(
    text: str, tags: list[tuple[int, int, list[str]]], column: int
) -> Iterator[tuple[int, int, str]]:
    """The people of one layer of nested tags whose every word is capitalised."""
    open_: tuple[int, int] | None = None
    for start, end, cells in [*tags, (0, 0, [""] * 4)]:
        tag = cells[column] if column < len(cells) else ""
        if tag == "I-PER" and open_:
            open_ = (open_[0], end)
            continue
        if open_ and all(w[0].isupper() for w in text[slice(*open_)].split()):
            words = text[slice(*open_)]
            if words not in {"I", "He", "She", "We", "They", "You", "My", "Our", "His", "Her"}:
                yield (*open_, "PERSON")
        open_ = (start, end) if tag == "B-PER" else None


def meddocan(root: Path) -> Iterator[Text]:
    kinds = {
        "NOMBRE_PERSONAL_SANITARIO",
        "NOMBRE_SUJETO_ASISTENCIA",
        "HOSPITAL",
        "TERRITORIO",
        "CALLE",
        "INSTITUCION",
        "CENTRO_SALUD",
        "PAIS",
    }
    for path in sorted((root / "meddocan/corpus/dev/brat").glob("*.ann"))[:120]:
        gold = []
        for line in path.read_text().splitlines():
            _, where, *_ = line.split("\t")
            kind, start, end = where.split()[:3]
            if kind in kinds:
                gold.append((int(start), int(end), kind))
        yield Text(path.with_suffix(".txt").read_text(), gold)


HEADER = """| corpus | value recall | character precision | quiet | by kind |
|---|---|---|---|---|
"""
CORPORA = {
    "asq_phi": (asq, EVERY),
    "presidio_research": (presidio, PEOPLE | PLACES | GROUPS),
    "presidio_other": (presidio_other, PEOPLE | PLACES | GROUPS),
    "wnut17": (wnut, PEOPLE),
    "litbank": (litbank, PEOPLE),
    "meddocan": (meddocan, PEOPLE | PLACES | GROUPS),
}


def stages(model: str) -> list[object]:
    found = [FindIdentifiers(KEY), FindHealth(), FindMentions(KEY, model=model)]
    for stage in found:
        getattr(stage, "preload", lambda: None)()
    return found


def measure(name: str, given: argparse.Namespace, chain: list[object]) -> str:
    read, kinds = CORPORA[name]
    score = Score()
    for as_is in read(given.corpora):
        one = (as_is.people() if given.people else as_is).in_case(given.case)
        case = Case(FileRef("", b""), Document("text/plain", (Part("body", one.text),)))
        for stage in chain:
            case = stage(case)  # type: ignore[operator]
        wanted = PEOPLE if given.people else kinds
        spans = [(f.start, f.end) for f in case.findings if f.kind in wanted]
        score.add(one, spans, given.show)
    return score.line(name)


def speed(root: Path, chain: list[object]) -> str:
    """Megabytes per second of CPU, and milliseconds for a note of 10 kB, stage by stage.

    The best of several runs, because the machine has other work; a note's time is the median of
    sixty notes.
    """
    paths = sorted((root / "mtsamples/txt").glob("*.txt"))[:400]
    text = "\n\n".join(path.read_text(errors="replace") for path in paths)[:900_000]
    whole = min(seconds(chain[-1:], text)[0] for _ in range(5))
    notes = [text[at : at + 10_000] for at in range(0, 600_000, 10_000)]
    best = [
        [min(each) for each in zip(*(seconds(chain, note) for _ in range(3)), strict=True)]
        for note in notes
    ]
    middle = [sorted(times)[len(times) // 2] * 1000 for times in zip(*best, strict=True)]
    total = sorted(map(sum, best))[len(best) // 2] * 1000
    stages_ms = ", ".join(f"{ms:.2f}" for ms in middle)
    return (
        f"mentions {len(text) / 1e6 / whole:.1f} MB/s; 10 kB note {total:.1f} ms "
        f"(identifiers, health, mentions: {stages_ms})"
    )


def seconds(chain: list[object], text: str) -> list[float]:
    case = Case(FileRef("", b""), Document("text/plain", (Part("body", text),)))
    times = []
    for stage in chain:
        start = time.process_time()
        case = stage(case)  # type: ignore[operator]
        times.append(time.process_time() - start)
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("--model", default="never", choices=["never", "auto", "always"])
    parser.add_argument("--only", default="")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--people", action="store_true")
    parser.add_argument("--case", default="asis", choices=CASES)
    parser.add_argument("--speed", action="store_true")
    given = parser.parse_args()
    chain = stages(given.model)
    sys.stdout.write(HEADER)
    for name in CORPORA:
        if not given.only or name in given.only.split(","):
            sys.stdout.write(measure(name, given, chain) + "\n")
    if given.speed:
        sys.stdout.write(speed(given.corpora, chain) + "\n")


if __name__ == "__main__":
    main()
