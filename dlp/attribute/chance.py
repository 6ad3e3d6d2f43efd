"""The chance that a link between a person and a health fact holds.

In: named features of a link.  Out: a chance, and which features speak for and against it.

chance = logistic(bias + weight × feature, summed). The weights stand in rules/attribution.toml;
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
FARTHEST = 30.0  # beyond it the chance is 0 or 1 anyway
Features = dict[str, float]


@dataclass(frozen=True, slots=True)
class Weights:
    bias: float
    features: Mapping[str, float]
    identity: Mapping[str, float]  # by form of mention: how far a reader can tell who it is
    adds: Mapping[str, float]  # by kind of evidence: what share of the doubt it removes
    wording: Mapping[str, str]  # what a feature means, for `dlp explain`

    def chance(self, features: Features) -> float:
        score, known = self.bias, self.features
        for name, value in features.items():
            if name in known:
                score += known[name] * value
        return logistic(score)

    def reasons(self, features: Features, most: int = 3) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The features that speak most for and against a link in plain words, strongest first."""
        pulls = [
            (self.features[name] * value, name)
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
        return Weights(
            float(book["bias"]),
            {name: float(value) for name, value in (book["weights"] | book["reading"]).items()},
            {form.value: float(book["identity"][form.value]) for form in MentionForm},
            {name: float(value) for name, value in book["identity_adds"].items()},
            book["wording"],
        )
    except (KeyError, TypeError, ValueError) as error:
        fix = "restore the file, or run bench/learn_attribution.py"
        raise RuleError(f"cannot be read: {error}", where=FILE, fix=fix) from error
