"""Attack sanitised texts: can a machine still name the protected topic?

In: a folder of development corpora.  Out: a table on stdout.

    python -m bench.attack CORPORA [--repeats 3] [--only-words] [--alpha 1 ...] [--half judged]
    python -m bench.attack CORPORA --own-texts [--against words] [--mixed]
    python -m bench.attack CORPORA --control

Two attackers see notes about six to nine topics, four of them protected. One is a classifier of
words and word pairs, trained on texts it may read in clear; the other guesses the topic that the
terms left in the text have most mutual information with. Both then see texts they never saw, in
clear, with names redacted, and sanitised for their topic at α 1, 1.5 and 2.

A classifier that learns which source a text is from, or which topic most of its texts have, seems
to know the topic of a text that says nothing. So each source is attacked by itself, with as many
training texts of every topic, drawn anew `--repeats` times; and the first line says how often the
same classifiers name a protected topic for texts about something else.

`--own-texts` gives the sanitiser what a site has: the plain words of its own texts
(`dlp knowledge build --words`), those of the same source without the texts under attack; `--against
words` has it weigh every word by them, inside terms too. `--mixed` gives it the texts of all sources
in one heap, as a share has them. Rules and numbers are chosen on one half of the texts (`--half
tuning`) and judged on the other.
`--control` takes out every term of every ontology and every word that records tie to the topic in
the least, far more than anybody could use: what is named then is not told by what we know.
"""

from __future__ import annotations

import argparse
import functools
import os
import random
import re
import tempfile
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path

from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from bench.attack_texts import PROTECTED, TOPICS, Texts, labelled, sources
from dlp.knowledge.compile.cooccurrence import compile_words, read_records
from dlp.knowledge.marks import REMOVED
from dlp.knowledge.site_knowledge import VARIABLE
from dlp.sanitise.information_content import Information
from dlp.sanitise.plan import Against, Plan
from dlp.sanitise.protected_topics import Topic, topic_for
from dlp.sanitise.sanitiser import Sanitiser, Utility
from dlp.sanitise.term_finder import TermFinder

LEARNT = 12  # texts of each topic that a classifier is trained on
FOLDS = 4
HALVES = {"tuning": (0, 1), "judged": (2, 3), "all": (0, 1, 2, 3)}  # folds
Version = Callable[["Attacked"], "Made"]


@dataclass(frozen=True, slots=True)
class Attacked:
    """One text, the topic it hides, and the fold whose classifiers never saw it."""

    text: str
    topic: str
    source: str
    fold: int


@dataclass(frozen=True, slots=True)
class Made:
    """What the attackers see, and what it cost."""

    text: str
    utility: Utility | None = None


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

    def guess(self, text: str) -> str:
        terms = {term.concepts[0] for term in self._finder.find(text) if term.concepts}
        told = {name: self._told(topic, terms) for name, topic in self._topics.items()}
        return max(told, key=lambda name: told[name])

    def _told(self, topic: Topic, terms: set[int]) -> float:
        bits = [self._information.pmi(topic, term) or 0.0 for term in terms]
        return sum(b for b in bits if b > 0) / self._information.topic_ic(topic)


def names_only(one: Attacked) -> Made:
    """The redaction people do by hand: the name of the topic blacked out."""
    return Made(re.sub(TOPICS[one.topic] + r"\w*", "[redacted]", one.text))


class Crowd:
    """The classifiers of one source: for each fold, trained on the other folds."""

    def __init__(self, texts: Texts, repeats: int) -> None:
        self._texts = texts
        self._models: dict[int, list[ByWords]] = {
            fold: [ByWords(self._training(fold, turn)) for turn in range(repeats)]
            for fold in range(FOLDS)
        }

    def _training(self, fold: int, turn: int) -> list[tuple[str, str]]:
        chance = random.Random(10 * fold + turn)
        chosen = []
        for name, texts in self._texts.items():
            rest = [text for number, text in enumerate(texts) if number % FOLDS != fold]
            chosen += [(text, name) for text in chance.sample(rest, min(LEARNT, len(rest)))]
        return chosen

    def named(self, text: str, fold: int, name: str) -> list[bool]:
        """Whether each classifier that did not see a text names the topic."""
        return [model.guess(text) == name for model in self._models[fold]]


def attack(
    texts: dict[str, Texts],
    versions: dict[str, Version],
    crowds: dict[str, Crowd],
    *,
    only_words: bool,
    folds: Collection[int],
) -> None:
    informed = None if only_words else ByInformation()
    for version, make in versions.items():
        words: list[bool] = []
        bits: list[bool] = []
        costs: list[Utility] = []
        each = []
        for source, name in cases(texts):
            hits: list[bool] = []
            for one in attacked(texts, source, name):
                if one.fold not in folds:
                    continue
                made = make(one)
                hits += crowds[source].named(made.text, one.fold, name)
                costs += [made.utility] if made.utility else []
                if informed:
                    bits.append(informed.guess(made.text) == name)
            words += hits
            each.append(f"{sum(hits) / len(hits):.0%}")
        information = f"{sum(bits) / len(bits):.1%}" if bits else ""
        rates = f"{sum(words) / len(words):.1%} | {information} | {cost(costs)} | "
        print(f"| {version} | {rates}" + " | ".join(each) + " |", flush=True)


def cost(costs: list[Utility]) -> str:
    """Information kept in the terms, and plain words left out."""
    if not costs:
        return " | "
    kept = sum(u.kept_bits for u in costs) / sum(u.total for u in costs)
    gone = sum(u.words_removed for u in costs) / sum(u.words for u in costs)
    return f"{kept:.1%} | {gone:.1%}"


def attacked(texts: dict[str, Texts], source: str, name: str) -> list[Attacked]:
    return [
        Attacked(text, name, source, number % FOLDS)
        for number, text in enumerate(texts[source][name])
    ]


def cases(texts: dict[str, Texts]) -> list[tuple[str, str]]:
    return [(s, name) for s, each in texts.items() for name in PROTECTED if name in each]


def base_rate(texts: dict[str, Texts], crowds: dict[str, Crowd]) -> float:
    """How often a protected topic is named for texts, in clear, about another one."""
    hits = [
        hit
        for source, name in cases(texts)
        for unlike in texts[source]
        if unlike != name
        for one in attacked(texts, source, unlike)
        for hit in crowds[source].named(one.text, one.fold, name)
    ]
    return sum(hits) / len(hits)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("corpora", type=Path)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--alpha", type=float, nargs="*", default=[2.0, 1.5, 1.0])
    parser.add_argument("--half", choices=HALVES, default="all")
    parser.add_argument("--against", type=Against, default=Against.TERMS)
    for option in ("--only-words", "--own-texts", "--mixed", "--control"):
        parser.add_argument(option, action="store_true")
    asked = parser.parse_args()
    everything = sources(asked.corpora)
    texts = labelled(everything)
    crowds = {source: Crowd(each, asked.repeats) for source, each in texts.items()}
    folds = HALVES[asked.half]
    sizes = [
        (source, sum(one.fold in folds for one in attacked(texts, source, name)))
        for source, name in cases(texts)
    ]
    total = sum(size for _, size in sizes)
    chance = sum(size / len(texts[source]) for source, size in sizes) / total
    base = base_rate(texts, crowds)
    print(f"{total} texts attacked; chance {chance:.1%}; named for other texts {base:.1%}\n")
    heads = (f"{name}, {source} ({len(texts[source][name])})" for source, name in cases(texts))
    print("| text | by words | by information | kept | words gone | " + " | ".join(heads) + " |")
    print("|---|---|---|---|---|" + "---|" * len(sizes))
    clear: dict[str, Version] = {"in clear": lambda one: Made(one.text), "names only": names_only}
    versions = clear
    if asked.control:
        versions = {"control": Stripped().make}
    elif not asked.own_texts:
        versions |= {f"α = {alpha:g}": sanitising(alpha) for alpha in asked.alpha}
    with tempfile.TemporaryDirectory() as folder:
        if asked.own_texts:
            own = OwnTexts(everything, texts, Path(folder), mixed=asked.mixed)
            versions = {
                f"α = {alpha:g}, own texts, against {asked.against}": own.sanitising(
                    alpha, asked.against
                )
                for alpha in asked.alpha
            }
        attack(texts, versions, crowds, only_words=asked.only_words, folds=folds)


def sanitising(alpha: float) -> Version:
    makers = {name: Sanitiser(Plan(topics=(topic_for(name),), alpha=alpha)) for name in PROTECTED}

    return lambda one: sanitised(makers[one.topic], one.text)


def sanitised(sanitiser: Sanitiser, text: str) -> Made:
    report = sanitiser.document([(text, ())])
    return Made(report.pages[0].text, report.utility)


class OwnTexts:
    """Sanitisers that know the texts of a source, other than those of the fold under attack."""

    def __init__(
        self,
        everything: dict[str, list[str]],
        texts: dict[str, Texts],
        folder: Path,
        *,
        mixed: bool = False,
    ) -> None:
        self._folder = folder
        of = {source: list(read_records(each)) for source, each in everything.items()}
        heap = [record for source in sorted(of) for record in of[source]]
        for source in sorted(texts):
            records = heap if mixed else of[source]
            for fold in range(FOLDS):
                secret = {
                    one.text
                    for name in PROTECTED.keys() & texts[source]
                    for one in attacked(texts, source, name)
                    if one.fold == fold
                }
                known = [record for record in records if record[0] not in secret]
                compile_words(known, self._of(source, fold), source)

    def _of(self, source: str, fold: int) -> Path:
        return self._folder / f"{source}{fold}"

    def sanitising(self, alpha: float, against: Against) -> Version:
        @functools.cache
        def maker(source: str, fold: int, topic: str) -> Sanitiser:
            os.environ[VARIABLE] = str(self._of(source, fold))
            return Sanitiser(Plan(topics=(topic_for(topic),), alpha=alpha, against=against))

        return lambda one: sanitised(maker(one.source, one.fold, one.topic), one.text)


class Stripped:
    """Without any term, and without any word that records tie to the topic at all."""

    def __init__(self) -> None:
        self._makers = {
            name: Sanitiser(Plan(topics=(topic_for(name),), alpha=2.0)) for name in PROTECTED
        }

    def make(self, one: Attacked) -> Made:
        maker = self._makers[one.topic]
        text = maker.document([(one.text, ())]).pages[0].text
        confidential, topic = maker.confidential, topic_for(one.topic)
        terms = confidential.terms(text)
        spans = [(term.start, term.end) for term in terms]
        spans += [
            (place.start, place.end)
            for place in confidential.plain.places(text, terms)
            if confidential.plain.ratio(topic, place.word) > 0
        ]
        for start, end in sorted(spans, reverse=True):
            text = text[:start] + REMOVED + text[end:]
        return Made(text)


if __name__ == "__main__":
    main()
