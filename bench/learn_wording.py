"""Learn rules/wording.toml, clauses.toml and reader.toml: which masked words speak for a leak.

In: examples with the words around their links.  Out: weights of words, and for every example the
score that words learnt on other sources give it, so that nothing is learnt from its own answer.
"""

from __future__ import annotations

import base64
import hashlib
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from textwrap import wrap

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

from bench.learn_attribution import Example, chosen_links, source_shares
from dlp.attribute.chance import Weights
from dlp.attribute.wording import (
    BUCKETS,
    CLAUSES,
    FILE,
    HEALTH,
    PERSON,
    READER,
    Reader,
    Wording,
    buckets,
)
from dlp.resources import rules_folder

FOLDS = 5
LEAST = 0.03


@dataclass(frozen=True, slots=True)
class Reading:
    """What is read of a link: its features, the file of the weights, how it is learnt."""

    features: tuple[str, str]
    file: str
    files: int  # in which a word must occur
    sources: int
    strength: float  # of what is learnt against the pull to 0


READINGS = {
    "words": Reading(("person_wording", "fact_wording"), FILE, 8, 3, 0.05),
    "clauses": Reading(("person_clause", "fact_clause"), CLAUSES, 5, 2, 0.3),
}
Told = tuple[Example, set[str], bool, float]  # a link's words, whether it holds, what it weighs


def chosen_words(one: Example, weights: Weights, reading: str) -> Iterator[Told]:
    """The words of the likeliest link of a file; beside facts, those of every link to learn from."""
    chances = np.array([weights.chance(features) for features in one.features])
    sets = getattr(one, reading)
    if reading == "words":
        yield one, sets[int(chances.argmax())], one.item.leak, 1.0
        return
    for index, told, mass in zip(*chosen_links(one, chances), strict=True):
        yield one, sets[index], told, mass


def fold_of(source: str) -> int:
    return hashlib.sha256(source.encode()).digest()[0] % FOLDS


def family_of(source: str) -> str:
    """Generated texts of all registers are one source of words."""
    kind = source.partition("/")[0]
    return kind if kind in {"plain", "facts"} else source


def learn_words(told: Sequence[Told], reading: Reading) -> dict[str, float]:
    files: Counter[str] = Counter()
    sources: dict[str, set[str]] = defaultdict(set)
    for one, words, _, _ in told:
        files.update(words)
        for word in words:
            sources[word].add(family_of(one.item.source))
    kept = {
        w for w, n in files.items() if n >= reading.files and len(sources[w]) >= reading.sources
    }
    vectoriser = DictVectorizer()
    matrix = vectoriser.fit_transform([dict.fromkeys(words & kept, 1.0) for _, words, _, _ in told])
    shares = source_shares({id(one): one.item for one, _, _, _ in told}.values())
    masses = np.array([shares[one.item.source, one.item.leak] * mass for one, _, _, mass in told])
    labels = np.array([label for _, _, label, _ in told])
    # as many harmless as leaks, so that the score is about 0 where nothing is known
    for label in (True, False):
        masses[labels == label] /= masses[labels == label].sum()
    # no intercept: a sentence whose words say nothing scores 0
    model = LogisticRegression(C=reading.strength, max_iter=400, fit_intercept=False)
    model.fit(matrix, labels, sample_weight=masses * len(labels))
    names = vectoriser.get_feature_names_out()
    return {n: float(w) for n, w in zip(names, model.coef_[0], strict=True) if abs(w) >= LEAST}


def score_apart(
    examples: Sequence[Example], weights: Weights, group: Callable[[str], str] = str
) -> dict[str, dict[str, float]]:
    """Give every link the score of words learnt on other sources; return those learnt on all.

    `group`: which sources are apart only together.
    """
    some = [one for one in examples if one.features]
    learnt = {}
    for reading, how in READINGS.items():
        told = [one for example in some for one in chosen_words(example, weights, reading)]
        for fold in range(FOLDS):
            others = [one for one in told if fold_of(group(one[0].item.source)) != fold]
            wording = Wording(learn_words(others, how))
            own = [one for one in some if fold_of(group(one.item.source)) == fold]
            note_scores(own, reading, wording)
        learnt[reading] = learn_words(told, how)
    return learnt


def note_scores(examples: Iterable[Example], reading: str, wording: Wording) -> None:
    """Give every link the score of its words."""
    names = READINGS[reading].features
    for one in examples:
        for features, words in zip(one.features, getattr(one, reading), strict=True):
            score = wording.score(words)
            features.update((name, score) for name in names if name in features)


READER_STRENGTH = 0.1  # of what the reader learns against the pull to 0
BYTE = 127


def learn_reader(examples: Sequence[Example], weights: Weights) -> Reader:
    """A logistic regression over hashed words and pairs around the likeliest link of each file."""
    told = []
    for one in examples:
        likeliest = max(range(len(one.features)), key=lambda i: weights.chance(one.features[i]))
        if stretch := one.stretches[likeliest]:
            told.append((one.item, buckets(stretch)))
    shares = source_shares(item for item, _ in told)
    masses = np.array([shares[item.source, item.leak] for item, _ in told])
    labels = np.array([item.leak for item, _ in told])
    for label in (True, False):
        masses[labels == label] /= masses[labels == label].sum()
    ends = np.cumsum([0, *(len(found) for _, found in told)])
    places = np.array([bucket for _, found in told for bucket in found])
    matrix = csr_matrix((np.ones(len(places), np.float32), places, ends), (len(told), BUCKETS))
    model = LogisticRegression(C=READER_STRENGTH, max_iter=400)
    model.fit(matrix, labels, sample_weight=masses * len(labels) / 2)
    step = float(np.abs(model.coef_[0]).max()) / BYTE
    packed = np.clip(np.round(model.coef_[0] / step), -BYTE, BYTE).astype(np.int8)
    return Reader(float(model.intercept_[0]), step, packed)


def read_apart(
    examples: Sequence[Example], weights: Weights, group: Callable[[str], str] = str
) -> Reader:
    """Give every link what a reader learnt on other sources says; return the one learnt on all."""
    some = [one for one in examples if one.features]
    for fold in range(FOLDS):
        others = [one for one in some if fold_of(group(one.item.source)) != fold]
        own = [one for one in some if fold_of(group(one.item.source)) == fold]
        note_reading(own, learn_reader(others, weights))
    return learn_reader(some, weights)


def note_reading(examples: Iterable[Example], reader: Reader) -> None:
    known: dict[str, float] = {}
    for one in examples:
        for features, stretch in zip(one.features, one.stretches, strict=True):
            if stretch:
                features["reading"] = known.setdefault(stretch, reader.score(stretch))


def write_reader(reader: Reader) -> None:
    packed = base64.b64encode(zlib.compress(reader.weights.tobytes(), 9)).decode()
    lines = "\\\n".join(wrap(packed, 98))
    (rules_folder() / READER).write_text(
        "# How the words around a fact read: log-odds of a leak, a sum over hashed words and pairs\n"
        "# (dlp/attribute/wording.py). 65,536 weights of one byte, deflated; learnt by\n"
        "# bench/generalise.py --write on masked text, nothing of which can be read from them.\n\n"
        f'bias = {reader.bias:.4f}\nstep = {reader.step:.6f}\nweights = """\\\n{lines}\\\n"""\n',
        encoding="utf-8",
    )


def write_words(learnt: dict[str, dict[str, float]]) -> None:
    for reading, weights in learnt.items():
        lines = [
            "# Words around a fact said of one person (positive) or of people in general (negative); @p a",
            "# name, @h a health term, # a number; f< p< before a fact or a person, f> p> behind.",
            "# Learnt by bench/generalise.py --write.", "", "[weights]",
        ]  # fmt: skip
        for name, weight in sorted(weights.items()):
            shown = name.replace(PERSON, "@p").replace(HEALTH, "@h")
            lines.append(f'"{shown}" = {weight:.2f}')
        path = rules_folder() / READINGS[reading].file
        path.write_text("\n".join([*lines, ""]), encoding="utf-8")
