"""Labelled sources for leave-one-source-out measurement; each folder of files is one source.

In: folders of corpora and of generated practice shares.  Out: Items, read on demand.

Nothing of a corpus is stored here; the path is an argument. Labels: True where the file tells
something about the health of somebody who can be identified, False where it does not.
"""

from __future__ import annotations

import csv
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

LEAK = "PHI"
HARMLESS = frozenset(
    {"PI_NOT_HEALTH", "HEALTH_NO_IDENTITY", "HEALTH_NOT_PERSONAL", "BLANK_FORM", "NOT_PERSONAL"}
)
# Mail, PDF samples: nobody read them all, but nearly none tells anybody's health.
UNVERIFIED = "UNVERIFIED_NOT_PHI"
NOT_DATA = frozenset({"SOURCE.txt", "LICENSE", "README.md"})
SEED = 5
FIRST = (
    "Marvin", "Odile", "Tomasz", "Ngozi", "Harriet", "Bjorn", "Lucia", "Kwame", "Dorothy", "Pavel",
)  # fmt: skip
LAST = (
    "Oakes", "Ferrer", "Nowak", "Adeyemi", "Blythe", "Lindqvist", "Moretti", "Boateng", "Gurney",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Link:
    person: str
    fact: str
    has: bool


@dataclass(frozen=True, slots=True)
class Item:
    source: str
    name: str
    leak: bool
    path: Path | None = None
    data: bytes = b""
    links: tuple[Link, ...] = ()
    strength: str = ""

    def read(self) -> bytes:
        return self.path.read_bytes() if self.path else self.data


def table(path: Path, **style: object) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as source:
        return list(csv.DictReader(source, delimiter="\t", **style))  # type: ignore[call-overload]


def of_share(share: Path) -> Iterator[Item]:
    """A share of make_share2; each family of documents is a source."""
    style = {"quoting": csv.QUOTE_NONE, "escapechar": "\\"}
    links: dict[str, list[Link]] = {}
    for row in table(share / "persons.tsv", **style):
        link = Link(row["person"], row["fact"], row["has"] == "1")
        links.setdefault(row["file"], []).append(link)
    for row in table(share / "labels.tsv", **style):
        if row["label"] == LEAK or row["label"] in HARMLESS:
            yield Item(
                f"make_share2/{row['family']}", row["file"], row["label"] == LEAK,
                share / "share" / row["file"], links=tuple(links.get(row["file"], ())),
                strength=row["strength"],
            )  # fmt: skip


def of_labels(corpora: Path, most: int) -> Iterator[Item]:
    rows: dict[str, list[Item]] = {}
    for row in table(corpora / "labels_round2.tsv"):
        label = row["label"]
        if label not in {LEAK, UNVERIFIED} and label not in HARMLESS:
            continue
        steps = row["path"].split("/")
        source = "/".join(steps[: 2 if steps[0] == "notes_pool_dev" else 1])
        if source == "e3c_cases":
            source = "/".join(steps[:2])
        path = corpora / row["path"]
        if path.is_file():
            rows.setdefault(source, []).append(Item(source, row["path"], label == LEAK, path))
    for items in rows.values():
        yield from sample(items, most)


def of_folder(corpora: Path, folder: str, *, leak: bool, most: int) -> Iterator[Item]:
    files = sorted(
        path for path in (corpora / folder).rglob("*")
        if path.is_file() and path.suffix != ".ann" and path.name not in NOT_DATA
    )  # fmt: skip
    items = [Item(folder.split("/", 1)[0], str(p.relative_to(corpora)), leak, p) for p in files]
    yield from sample(items, most)


def of_queries(corpora: Path, most: int) -> Iterator[Item]:
    """asq_phi: one question each; a leak where it names the patient."""
    text = (corpora / "asq_phi/dev_queries.txt").read_text(encoding="utf-8")
    items = []
    for number, block in enumerate(text.split("===QUERY===")[1:]):
        query, _, tags = block.partition("===PHI_TAGS===")
        named = '"NAME"' in tags
        if named or not tags.strip():
            name = f"query{number}.txt"
            items.append(Item("asq_phi", name, named, data=query.strip().encode()))
    yield from sample(items, most)


def of_notes(corpora: Path, most: int) -> Iterator[Item]:
    """mtsamples as they are (nobody is named) and with an invented identity put in."""
    rng = random.Random(SEED)
    files = sorted((corpora / "mtsamples/txt").iterdir())
    for number, path in enumerate(rng.sample(files, min(len(files), 2 * most))):
        text = path.read_text(encoding="utf-8", errors="replace")
        if number % 2:
            yield Item("mtsamples", path.name, leak=False, path=path)
        else:
            data = named(text, rng).encode()
            yield Item("mtsamples_named", path.name, leak=True, data=data)


def named(note: str, rng: random.Random) -> str:
    name = f"{rng.choice(FIRST)} {rng.choice(LAST)}"
    told, count = re.subn(r"\b(?:The|This) patient\b", name, note, count=1)
    if count and rng.random() < 0.5:
        return told
    first, last = name.split()
    head = rng.choice(
        (f"Patient: {name}", f"Name: {last}, {first}", f"RE: {name}", f"{name}, seen today.",
         f"Patient Name: {name}\nDOB: 03/04/19{rng.randint(30, 89)}")
    )  # fmt: skip
    return f"{head}\n\n{note}"


def sample(items: list[Item], most: int) -> list[Item]:
    if len(items) <= most:
        return items
    return random.Random(SEED).sample(items, most)


def everyday(corpus: Path) -> Iterator[Item]:
    """The invented texts of corpus/ that may be learnt from; each group of writing is a source."""
    for row in table(corpus / "manifest.tsv"):
        if row["use"] == "fit":
            path = corpus / row["path"]
            batch = f"everyday/{path.stem[-1]}" if row["batch"] == "everyday" else row["batch"]
            yield Item(batch, path.name, row["label"] == "leak", path)


def group_of(source: str) -> str:
    """Sources that are left out together: what one writer or one generator made."""
    kind = source.partition("/")[0]
    return kind if kind in {"everyday", "people", "facts"} else source


def all_sources(
    corpora: Path, shares: list[Path], texts: Path | None, most: int = 150
) -> Iterator[Item]:
    for share in shares:
        yield from of_share(share)
    yield from of_labels(corpora, most)
    yield from of_queries(corpora, most)
    yield from of_notes(corpora, most)
    for folder, leak in (
        ("ccda", True), ("synthea_fhir/R4", True), ("meddocan/corpus/dev/brat", True),
        ("medquad", False), ("syngp500", False), ("fiction_litbank_fulltext", False),
        ("orange3_fiction", False), ("wikipedia_en_106", False), ("nltk_mix", False),
        ("manuals_and_quotes_en", False), ("legal_licences", False),
    ):  # fmt: skip
        yield from of_folder(corpora, folder, leak=leak, most=most)
    if texts:
        yield from everyday(texts)
