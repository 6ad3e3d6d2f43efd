"""Learn rules/wording.toml: which masked words around a fact speak for a leak.

In: examples with the words around their links.  Out: weights of words, and for every example the
score that words learnt on other sources give it, so that nothing is learnt from its own answer.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

from bench.learn_attribution import Example, chosen_links, source_shares
from dlp.attribute.chance import Weights
from dlp.attribute.wording import CLAUSES, FILE, HEALTH, PERSON, Wording
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
