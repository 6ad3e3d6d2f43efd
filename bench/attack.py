"""Attack sanitised texts: can a machine still name the protected topic?

In: a folder of development corpora.  Out: a table on stdout.

    python -m bench.attack CORPORA [--repeats 3] [--only-words]

Two attackers see notes about six to nine topics, four of them protected. One is a classifier of
words and word pairs, trained on texts it may read in clear; the other guesses the topic that the
terms left in the text have most mutual information with. Both then see texts they never saw, in
clear, with names redacted, and sanitised for their topic at α 1, 1.5 and 2.

A classifier that learns which source a text is from, or which topic most of its texts have, seems
to know the topic of a text that says nothing. So each source is attacked by itself, with as many
training texts of every topic, drawn anew `--repeats` times; and the first line says how often the
same classifiers name a protected topic for texts about something else.
"""

from __future__ import annotations

import argparse
import random
import re
from collections import defaultdict
from collections.abc import Callable
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
ENOUGH = 2  # mentions
LEAST = 10  # texts of a topic in a source, to take part
MOST = 26
LEARNT = 12  # texts of each topic that a classifier is trained on
FOLDS = 4
Texts = dict[str, list[str]]
Version = Callable[[str, str], str]  # of a text, for a topic


def labelled(corpora: Path) -> dict[str, Texts]:
    """Texts of each source under the topic they mention most."""
    found: dict[str, Texts] = {}
    for source, texts in sources(corpora).items():
        each: Texts = defaultdict(list)
        unique = list(dict.fromkeys(texts))
        random.Random(3).shuffle(unique)
        for text in unique:
            counts = {name: len(re.findall(pattern, text)) for name, pattern in TOPICS.items()}
            first, second = sorted(counts.values(), reverse=True)[:2]
            if first >= ENOUGH and first > second:
                each[max(counts, key=lambda name: counts[name])].append(text)
        kept = {name: texts[:MOST] for name, texts in each.items() if len(texts) >= LEAST}
        if len(kept) > 4 and PROTECTED.keys() & kept:
            found[source] = kept
    return found


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


class Crowd:
    """The classifiers of one source: for each fold, trained on the other folds."""

    def __init__(self, texts: Texts, repeats: int) -> None:
        self._texts = texts
        self._repeats = repeats
        self._models = {
            (fold, turn): ByWords(self._training(fold, turn))
            for fold in range(FOLDS)
            for turn in range(repeats)
        }

    def _training(self, fold: int, turn: int) -> list[tuple[str, str]]:
        chance = random.Random(10 * fold + turn)
        chosen = []
        for name, texts in self._texts.items():
            rest = [text for number, text in enumerate(texts) if number % FOLDS != fold]
            chosen += [(text, name) for text in chance.sample(rest, min(LEARNT, len(rest)))]
        return chosen

    def named(self, made: list[str], name: str) -> list[bool]:
        """Whether each classifier that did not see a text names the topic."""
        return [
            self._models[number % FOLDS, turn].guess(text) == name
            for number, text in enumerate(made)
            for turn in range(self._repeats)
        ]


def attack(
    texts: dict[str, Texts],
    versions: dict[str, Version],
    crowds: dict[str, Crowd],
    *,
    only_words: bool,
) -> None:
    informed = None if only_words else ByInformation()
    for version, make in versions.items():
        words: list[bool] = []
        bits: list[bool] = []
        each = []
        for source, name in cases(texts):
            made = [make(text, name) for text in texts[source][name]]
            hits = crowds[source].named(made, name)
            words += hits
            each.append(f"{sum(hits) / len(hits):.0%}")
            if informed:
                bits += [informed.guess(text) == name for text in made]
        information = f"{sum(bits) / len(bits):.1%}" if bits else ""
        rates = f"{sum(words) / len(words):.1%} | {information} | "
        print(f"| {version} | {rates}" + " | ".join(each) + " |", flush=True)


def cases(texts: dict[str, Texts]) -> list[tuple[str, str]]:
    return [(s, name) for s, each in texts.items() for name in PROTECTED if name in each]


def base_rate(texts: dict[str, Texts], crowds: dict[str, Crowd]) -> float:
    """How often a protected topic is named for texts, in clear, about another one."""
    hits = [
        hit
        for source, name in cases(texts)
        for unlike, others in texts[source].items()
        if unlike != name
        for hit in crowds[source].named(others, name)
    ]
    return sum(hits) / len(hits)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("corpora", type=Path)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--only-words", action="store_true")
    asked = parser.parse_args()
    texts = labelled(asked.corpora)
    crowds = {source: Crowd(each, asked.repeats) for source, each in texts.items()}
    sizes = [(source, len(texts[source][name])) for source, name in cases(texts)]
    total = sum(size for _, size in sizes)
    chance = sum(size / len(texts[source]) for source, size in sizes) / total
    base = base_rate(texts, crowds)
    print(f"{total} texts attacked; chance {chance:.1%}; named for other texts {base:.1%}\n")
    heads = (f"{name}, {source} ({len(texts[source][name])})" for source, name in cases(texts))
    print("| text | by words | by information | " + " | ".join(heads) + " |")
    print("|---|---|---|" + "---|" * len(sizes))
    versions: dict[str, Version] = {"in clear": lambda t, _: t, "names only": names_only}
    for alpha in (2.0, 1.5, 1.0):
        versions[f"α = {alpha:g}"] = sanitising(alpha)
    attack(texts, versions, crowds, only_words=asked.only_words)


def sanitising(alpha: float) -> Version:
    makers = {name: Sanitiser(Plan(topics=(topic_for(name),), alpha=alpha)) for name in PROTECTED}

    def make(text: str, name: str) -> str:
        return makers[name].document([(text, ())]).pages[0].text

    return make


if __name__ == "__main__":
    main()
