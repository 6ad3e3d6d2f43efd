"""The chance that a link between a person and a health fact holds.

In: named features of a link.  Out: a chance, and which features speak for and against it.

chance = person × fact × link, each a logistic of its own features: this is somebody private whom
the text is about, it is said of somebody here, and it is said of this person. One weak factor
makes the whole weak, whatever the others say. The weights stand in rules/attribution.toml;
bench/learn_attribution.py learns them. A feature the file does not list weighs nothing.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from dlp.errors import RuleError
from dlp.model import MentionForm
from dlp.resources import rules_folder
from dlp.rulebook import read_toml

FILE = "attribution.toml"
FACTORS = ("person", "fact", "link")
FARTHEST = 30.0  # beyond it the chance is 0 or 1 anyway
Features = dict[str, float]


@dataclass(frozen=True, slots=True)
class Weights:
    bias: tuple[float, ...]  # of each factor
    features: Mapping[str, tuple[int, float]]  # the factor a feature belongs to, and its weight
    identity: Mapping[str, float]  # by form of mention: how far a reader can tell who it is
    adds: Mapping[str, float]  # by kind of evidence: what share of the doubt it removes
    wording: Mapping[str, str]  # what a feature means, for `dlp explain`

    def chance(self, features: Features) -> float:
        scores = list(self.bias)
        known = self.features
        for name, value in features.items():
            if (weight := known.get(name)) is not None:
                scores[weight[0]] += weight[1] * value
        chance = 1.0
        for score in scores:
            chance *= logistic(score)
        return chance

    def reasons(self, features: Features, most: int = 3) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The features that speak most for and against a link in plain words, strongest first."""
        pulls = [
            (self.features[name][1] * value, name)
            for name, value in features.items() if name in self.features
        ]  # fmt: skip
        pulls.sort()
        against = [name for pull, name in pulls[:most] if pull < 0]
        speaking = [name for pull, name in reversed(pulls[-most:]) if pull > 0]
        return tuple(map(self.say, speaking)), tuple(map(self.say, against))

    def say(self, name: str) -> str:
        return self.wording.get(name, name.replace("_", " "))


def logistic(score: float) -> float:
    return 1.0 / (1.0 + math.exp(-max(-FARTHEST, min(FARTHEST, score))))


@cache
def load_weights() -> Weights:
    book = read_toml(rules_folder() / FILE)
    try:
        features = {
            name: (number, float(value))
            for number, factor in enumerate(FACTORS)
            for name, value in book[factor]["weights"].items()
        }
        return Weights(
            tuple(float(book[factor]["bias"]) for factor in FACTORS),
            features,
            {form.value: float(book["identity"][form.value]) for form in MentionForm},
            {name: float(value) for name, value in book["identity_adds"].items()},
            book["wording"],
        )
    except (KeyError, TypeError, ValueError) as error:
        fix = "restore the file, or run bench/learn_attribution.py"
        raise RuleError(f"cannot be read: {error}", where=FILE, fix=fix) from error
