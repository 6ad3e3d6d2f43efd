"""Learn rules/wording.toml: which masked words around a fact speak for a leak.

In: examples with the words around their links.  Out: weights of words, and for every example the
score that words learnt on other sources give it, so that nothing is learnt from its own answer.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence

import numpy as np
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

from bench.learn_attribution import Example, source_shares
from dlp.attribute.chance import Weights
from dlp.attribute.wording import FILE, HEALTH, PERSON, Wording
from dlp.resources import rules_folder

FOLDS = 5
FILES, SOURCES = 8, 3  # in which a word must occur
STRENGTH = 0.05
LEAST = 0.03
FEATURES = ("person_wording", "fact_wording")


def best_words(one: Example, weights: Weights) -> set[str]:
    """The words around the likeliest link of a file."""
    chances = [weights.chance(features) for features in one.features]
    return one.words[max(range(len(chances)), key=chances.__getitem__)]


def fold_of(source: str) -> int:
    return hashlib.sha256(source.encode()).digest()[0] % FOLDS


def learn_words(pairs: Sequence[tuple[Example, set[str]]]) -> tuple[float, dict[str, float]]:
    files: Counter[str] = Counter()
    sources: dict[str, set[str]] = defaultdict(set)
    for one, words in pairs:
        files.update(words)
        for word in words:
            sources[word].add(one.item.source)
    kept = {w for w, n in files.items() if n >= FILES and len(sources[w]) >= SOURCES}
    vectoriser = DictVectorizer()
    matrix = vectoriser.fit_transform([dict.fromkeys(words & kept, 1.0) for _, words in pairs])
    shares = source_shares(one.item for one, _ in pairs)
    masses = np.array([shares[one.item.source, one.item.leak] for one, _ in pairs])
    labels = np.array([one.item.leak for one, _ in pairs])
    # as many harmless as leaks, so that the score is about 0 where nothing is known
    for label in (True, False):
        masses[labels == label] /= masses[labels == label].sum()
    model = LogisticRegression(C=STRENGTH, max_iter=400)
    model.fit(matrix, labels, sample_weight=masses * len(labels))
    names = vectoriser.get_feature_names_out()
    weights = {n: float(w) for n, w in zip(names, model.coef_[0], strict=True) if abs(w) >= LEAST}
    return float(model.intercept_[0]), weights


def score_apart(
    examples: Sequence[Example], weights: Weights, group: Callable[[str], str] = str
) -> tuple[float, dict[str, float]]:
    """Give every link the score of words learnt on other sources; return those learnt on all.

    `group`: which sources are apart only together.
    """
    pairs = [(one, best_words(one, weights)) for one in examples if one.features]
    for fold in range(FOLDS):
        others = [pair for pair in pairs if fold_of(group(pair[0].item.source)) != fold]
        wording = Wording(*learn_words(others))
        for one, _ in pairs:
            if fold_of(group(one.item.source)) == fold:
                for features, words in zip(one.features, one.words, strict=True):
                    features.update(dict.fromkeys(FEATURES, wording.score(words)))
    return learn_words(pairs)


def write_words(bias: float, weights: dict[str, float]) -> None:
    lines = [
        "# Words around a fact that is told of somebody (positive) or to many (negative); @p a name,",
        "# @h a health term, # a number. Learnt by bench/generalise.py --write.",
        f"bias = {bias:.2f}", "", "[weights]",
    ]  # fmt: skip
    for name, weight in sorted(weights.items()):
        shown = name.replace(PERSON, "@p").replace(HEALTH, "@h")
        lines.append(f'"{shown}" = {weight:.2f}')
    (rules_folder() / FILE).write_text("\n".join([*lines, ""]), encoding="utf-8")
