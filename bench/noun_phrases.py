"""Would noun phrases of a parser show the sanitiser terms that the ontologies do not?

In: a folder of development corpora.  Out: a table on stdout; with --show, phrases nobody knows.

    python -m bench.noun_phrases CORPORA [--pages 60] [--show 40]

Every noun phrase of a page falls into one of three: it holds a term that an ontology or a curated
list knows; else it holds words that the records of plain words know, and those are weighed; or
neither. Only the last are new. What could be done with one: nothing above it is in MeSH and no
record counts it, so it can be kept or, as "a term in no knowledge base", removed.
"""

from __future__ import annotations

import argparse
import importlib
import random
import re
import time
import warnings
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from bench.sanitise import TOPICS, about, pages
from dlp.detect.naming.model_reader import installed
from dlp.sanitise.plan import Plan
from dlp.sanitise.protected_topics import topics_for
from dlp.sanitise.sanitiser import Sanitiser
from dlp.sanitise.term_finder import FUNCTION

if TYPE_CHECKING:
    from spacy.language import Language

WORD = re.compile(r"[^\W\d_]{2,}")
KINDS = ("held by a term", "weighed by its words", "neither")


def parser() -> Language:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        package = importlib.import_module(installed() or "")
        loaded: Language = package.load(exclude=["ner", "lemmatizer"])
        return loaded


class Count:
    def __init__(self, language: Language) -> None:
        self._language = language
        self.parsing = self.finding = 0.0
        self.unknown: Counter[str] = Counter()

    def page(self, text: str, sanitiser: Sanitiser) -> Counter[str]:
        confidential = sanitiser.confidential
        started = time.process_time()
        terms = confidential.finder.find(text)
        self.finding += time.process_time() - started
        words = {place.start for place in confidential.plain.places(text, terms)}
        taken = {place for term in terms for place in range(term.start, term.end)}
        started = time.process_time()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            chunks = [(c.start_char, c.end_char) for c in self._language(text).noun_chunks]
        self.parsing += time.process_time() - started
        found: Counter[str] = Counter()
        for start, end in chunks:
            content = [
                start + hit.start()
                for hit in WORD.finditer(text[start:end])
                if hit.group().lower() not in FUNCTION
            ]
            if not content:
                continue
            kind = 0 if any(place in taken for place in content) else 2
            if kind and any(place in words for place in content):
                kind = 1
            found[KINDS[kind]] += 1
            if kind == 2:
                self.unknown[" ".join(text[start:end].lower().split())] += 1
        return found


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("corpora", type=Path)
    options.add_argument("--pages", type=int, default=60, help="pages of any topic besides")
    options.add_argument("--show", type=int, default=0)
    asked = options.parse_args()
    everything = list(pages(asked.corpora))
    count = Count(parser())
    print(
        "| pages | number | noun phrases | " + " | ".join(KINDS) + " |\n|---|---|---|---|---|---|"
    )
    chosen = {
        name: (term, about(everything, shape, 20)[1]) for name, (term, shape) in TOPICS.items()
    }
    sample = random.Random(5).sample(everything, asked.pages)
    read = 0
    for name, (term, texts) in (*chosen.items(), ("any", ("HIV", sample))):
        sanitiser = Sanitiser(Plan(topics=topics_for([term])))
        total: Counter[str] = Counter()
        for text in texts:
            total += count.page(text, sanitiser)
        read += len(texts)
        if texts:
            shares = (f"{total[kind] / total.total():.1%}" for kind in KINDS)
            print(f"| {name} | {len(texts)} | {total.total()} | " + " | ".join(shares) + " |")
    print(f"\nCPU a page: parser {count.parsing / read:.2f} s, terms {count.finding / read:.2f} s")
    for phrase, often in count.unknown.most_common(asked.show):
        print(f"{often:5} {phrase}")


if __name__ == "__main__":
    main()
