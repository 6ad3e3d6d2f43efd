"""Add up what speaks for and against a leak, by learnt weights, and squeeze it to a chance.

In: numbers of features, words.  Out: their pull, or a Weight that says what spoke most.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import exp, fsum, inf
from typing import NamedTuple

from dlp.detect.linking.wording import Wording

FARTHEST = 3.0  # spreads from the mean; one odd number decides nothing
WORDS = "words"  # how an explanation calls what the plain words pull together
SHOWN = 3  # features that an explanation names on each side


class Weight(NamedTuple):
    score: float
    speaks_for: tuple[str, ...]  # the features that weigh most, the heaviest first
    speaks_against: tuple[str, ...]

    def reaches(self, bar: float) -> bool:
        return self.score >= bar


class Feature(NamedTuple):
    weight: float
    mean: float
    spread: float

    def pull(self, value: float) -> float:
        away = (value - self.mean) / self.spread
        return self.weight * max(-FARTHEST, min(FARTHEST, away))


class Outline(NamedTuple):
    """What features pull of which nothing is known yet."""

    silent: float  # the bias, and all others at 0
    least: float
    most: float


class Scale:
    def __init__(
        self, bias: float, features: dict[str, Feature], words: Mapping[str, float] | None = None
    ) -> None:
        self._bias = bias
        self._features = features
        self._wording = Wording(words or {})
        self._at_zero = {name: feature.pull(0.0) for name, feature in features.items()}
        self._outlines: dict[tuple[str, ...], Outline] = {}

    @property
    def features(self) -> dict[str, Feature]:
        return self._features

    @property
    def at_zero(self) -> dict[str, float]:
        """What each feature pulls that counts nothing."""
        return self._at_zero

    def spans(self, names: Iterable[str]) -> dict[str, tuple[float, float]]:
        """The least and the most that each of these features can pull, from 0 upwards."""
        known = {name: self._features[name] for name in names if name in self._features}
        ends = {name: (one.pull(0.0), one.pull(inf)) for name, one in known.items()}
        return {name: (min(both), max(both)) for name, both in ends.items()}

    def pull_of(self, name: str, value: float) -> float:
        return self._features[name].pull(value)

    def pull(self, found: Mapping[str, float], words: float) -> float:
        """What the bias, the words and the features that are found pull together."""
        pulls = [self._bias, words]
        features, at_zero = self._features, self._at_zero
        for name, value in found.items():
            if not value:  # most of them
                pulls.append(at_zero.get(name, 0.0))
            elif feature := features.get(name):
                weight, mean, spread = feature
                pulls.append(weight * max(-FARTHEST, min(FARTHEST, (value - mean) / spread)))
        return fsum(pulls)

    def outline(self, spans: Mapping[str, tuple[float, float]]) -> Outline:
        """The same for all texts, where these features are the ones that are counted last."""
        names = tuple(spans)
        if names not in self._outlines:
            others = [pull for name, pull in self._at_zero.items() if name not in spans]
            ends = zip((0.0, 0.0), *spans.values(), strict=True)
            self._outlines[names] = Outline(fsum((self._bias, *others)), *map(fsum, ends))
        return self._outlines[names]

    def pull_over(self, found: dict[str, float]) -> float:
        """What features pull beyond what they do at 0, where most of them are; up to rounding."""
        features, at_zero = self._features, self._at_zero
        pulls = list[float]()
        for name, value in found.items():
            if value and (feature := features.get(name)):
                weight, mean, spread = feature
                away = max(-FARTHEST, min(FARTHEST, (value - mean) / spread))
                pulls.append(weight * away - at_zero[name])
        return fsum(pulls)

    def pull_of_words(self, texts: Iterable[str]) -> float:
        return self._wording.pull_of(texts)

    def known(self, texts: Iterable[str]) -> Mapping[str, int]:
        """How often each word stands in them that pulls at all."""
        return self._wording.known(texts)

    def weigh(self, found: Mapping[str, float], words: Mapping[str, int]) -> Weight:
        pulls = {name: one.pull(found.get(name, 0.0)) for name, one in self._features.items()}
        pulls[WORDS] = self._wording.pull(words)
        ranked = sorted(pulls, key=lambda name: (-pulls[name], name))
        return Weight(
            squeezed(self._bias + fsum(pulls.values())),
            tuple(name for name in ranked[:SHOWN] if pulls[name] > 0),
            tuple(name for name in reversed(ranked[-SHOWN:]) if pulls[name] < 0),
        )


def squeezed(pull: float) -> float:
    return 1 / (1 + exp(-pull))
