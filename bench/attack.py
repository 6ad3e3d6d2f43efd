"""Attack sanitised texts: can a machine still name the protected topic?

In: a folder of development corpora.  Out: a table on stdout.

    python -m bench.attack CORPORA

Two attackers see pages and notes about ten topics, four of them protected. One is a classifier of
words and word pairs, trained on whole texts it may read in clear; the other guesses the topic that
the terms left in the text have most mutual information with. Both then see texts they never saw,
in clear, with names redacted, and sanitised for their topic at α 1, 1.5 and 2.
"""

from __future__ import annotations

import argparse
import itertools
import random
import re
from collections import defaultdict
from pathlib import Path

from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from bench.sanitise import PAGE, pages
from dlp.knowledge.mesh import load_mesh
from dlp.sanitise.information import Information
from dlp.sanitise.plan import Plan
from dlp.sanitise.terms import TermFinder
from dlp.sanitise.text import Sanitiser
from dlp.sanitise.topics import Topic, topic_for

PROTECTED = {
    "HIV": r"\bHIV\b|\bAIDS\b",
    "sexually transmitted diseases": r"(?i)syphilis|gonorrh|chlamydia|\bstds?\b|genital herpes|trichomon",
    "alcoholism": r"(?i)\balcoholi|alcohol (?:abuse|dependence|use|intox)|\bdrinking",
    "depression": r"(?i)\bdepressi(?:on|ve)\b",
}
OTHERS = {
    "diabetes mellitus": r"(?i)\bdiabet",
    "asthma": r"(?i)\basthma",
    "epilepsy": r"(?i)epilep|seizure",
    "fractures, bone": r"(?i)\bfractur",
    "coronary disease": r"(?i)coronary|myocardial infarct|angina",
    "neoplasms": r"(?i)\bcancer|carcinoma|tumou?r",
}
TOPICS = {**PROTECTED, **OTHERS}
MOST = 40  # texts of a topic
ENOUGH = 2  # mentions


def labelled(corpora: Path) -> dict[str, list[str]]:
    """Texts under the topic they mention most.

    Topics come from three sources in different shares; unless every topic has its texts from all
    of them in turn, a classifier learns the hand of a source and seems to know the topic.
    """
    found: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for source, texts in sources(corpora).items():
        random.Random(3).shuffle(texts)
        for text in texts:
            counts = {name: len(re.findall(pattern, text)) for name, pattern in TOPICS.items()}
            first, second = sorted(counts.values(), reverse=True)[:2]
            if first >= ENOUGH and first > second:
                found[max(counts, key=lambda name: counts[name])][source].append(text)
    return {name: in_turn(list(each.values()))[:MOST] for name, each in found.items()}


def sources(corpora: Path) -> dict[str, list[str]]:
    folders = {"reports": "mtsamples/txt", "practice": "syngp500/notes"}
    texts = {
        name: [
            path.read_text("utf-8", "replace")[:PAGE]
            for path in sorted((corpora / folder).glob("*.txt"))
        ]
        for name, folder in folders.items()
    }
    return {**texts, "pages": list(pages(corpora))}


def in_turn(lists: list[list[str]]) -> list[str]:
    turns = itertools.zip_longest(*lists)
    return [text for turn in turns for text in turn if text is not None]


class ByWords:
    def __init__(self, training: list[tuple[str, str]]) -> None:
        words = TfidfVectorizer(
            ngram_range=(1, 2), min_df=2, sublinear_tf=True, stop_words="english"
        )
        self._model = make_pipeline(
            words, LogisticRegression(max_iter=400, C=20, class_weight="balanced")
        )
        self._model.fit([text for text, _ in training], [name for _, name in training])

    def guess(self, text: str) -> str:
        return str(self._model.predict([text])[0])


class ByInformation:
    """Sums the bits that the terms left tell about each topic."""

    def __init__(self) -> None:
        self._information = Information()
        self._topics: dict[str, Topic] = {name: topic_for(name) for name in TOPICS}
        self._finder = TermFinder(())
        self._mesh = load_mesh()

    def guess(self, text: str) -> str:
        terms = {term.concepts[0] for term in self._finder.find(text) if term.concepts}
        told = {name: self._told(topic, terms) for name, topic in self._topics.items()}
        return max(told, key=lambda name: told[name])

    def _told(self, topic: Topic, terms: set[int]) -> float:
        bits = [self._information.pmi(topic, term) or 0.0 for term in terms]
        return sum(b for b in bits if b > 0) / self._information.topic_ic(topic)


def names_only(text: str, topic: str) -> str:
    """The redaction people do by hand: the name of the topic blacked out."""
    return re.sub(TOPICS[topic] + r"\w*", "[redacted]", text)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("corpora", type=Path)
    texts = labelled(parser.parse_args().corpora)
    chance = random.Random(5)
    for each in texts.values():
        chance.shuffle(each)
    training = [(t, name) for name, each in texts.items() for t in each[::2]]
    attacked = [(t, name) for name in PROTECTED for t in texts.get(name, [])[1::2]]
    attackers = {"by words": ByWords(training), "by information": ByInformation()}
    counts = ", ".join(f"{name} {len(each)}" for name, each in texts.items())
    print(f"{len(attacked)} texts attacked; chance {1 / len(texts):.0%}; texts: {counts}\n")
    print("| text | " + " | ".join(attackers) + " |\n|---|" + "---|" * len(attackers))
    versions = {"in clear": lambda t, _: t, "names only": names_only}
    for alpha in (1.0, 1.5, 2.0):
        makers = {n: Sanitiser(Plan(topics=(topic_for(n),), alpha=alpha)) for n in PROTECTED}
        versions[f"α = {alpha:g}"] = lambda t, n, m=makers: m[n].document([(t, ())]).pages[0].text
    for version, make in versions.items():
        made = [(make(text, name), name) for text, name in attacked]
        rates = [sum(a.guess(t) == n for t, n in made) / len(made) for a in attackers.values()]
        print(f"| {version} | " + " | ".join(f"{rate:.1%}" for rate in rates) + " |", flush=True)


if __name__ == "__main__":
    main()
