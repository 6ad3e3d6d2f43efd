"""Learn the weights of rules/weights.toml, and say how well they judge batches they never saw.

In: the everyday files of the tests, practice shares with their labels.  Out: rules/weights.toml, and
a table on the standard output.

    python -m bench.evidence [--write] SHARE_FOLDER ...     each with share/ and labels.tsv
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import click
import numpy as np
import numpy.typing as npt
from sklearn.linear_model import LogisticRegression

from dlp.assembly import stages
from dlp.config import Settings
from dlp.detect.linking.evidence import AILING
from dlp.detect.linking.scale import FARTHEST, Feature, Scale
from dlp.detect.linking.weight import (
    WEIGHTS,
    WeighEvidence,
    is_weighed,
    load_evidence,
    words_of,
)
from dlp.detect.linking.wording import WORD, Wording
from dlp.model import Case, FileRef
from dlp.pipeline import Pipeline
from dlp.resources import rules_folder
from dlp.triage.deep import ENOUGH, TOO_LITTLE
from dlp.triage.weighed import CLINICAL
from tests.flow import leaks as kinds
from tests.flow import papers

EVERYDAY = Path(__file__).parent.parent / "tests" / "flow" / "everyday"
BATCH = re.compile(r"\d+([a-z]?)")
LINKS = ("link_asserted", "link_recorded", "link_most")
PENALTY = 0.05  # of the regression: small weights, because the files are few
SHARE_WEIGHT = 0.5  # the practice shares repeat a few layouts
LEAST = 3  # invented files that write a word which is weighed
# Against features, which are spread to 1: the larger, the freer a word's weight.
TRUST_IN_WORDS = 20.0
SLIGHT = 0.01  # weights below it are left out
LEAKS, NO_LEAKS = kinds.LEAKS | papers.LEAKS, kinds.NO_LEAKS | papers.NO_LEAKS
Numbers = npt.NDArray[np.float64]


class Sample(NamedTuple):
    batch: str
    leaks: bool
    found: bool  # by the rules alone
    features: dict[str, float]  # none: it is not weighed
    words: Counter[str]
    small: frozenset[str]  # words that it writes in small letters: no names


@click.command()
@click.option("--write", is_flag=True, help="Write rules/weights.toml.")
@click.argument("shares", nargs=-1, type=click.Path(exists=True, path_type=Path))
def command(*, write: bool, shares: tuple[Path, ...]) -> None:
    """Learn the weights of short texts."""
    judged = [*everyday(), *written_ones(), *practice(shares)]
    samples = [sample for sample in judged if sample.features]
    names = sorted(samples[0].features)
    scores = judged_unseen(samples, names)
    report([sample for sample in judged if not sample.features], samples, scores)
    if write:
        (rules_folder() / WEIGHTS).write_text(
            written(samples, learnt(samples, names)), encoding="utf-8"
        )


def written(samples: list[Sample], scale: Learnt) -> str:
    rows = [
        f"{name} = [{one.weight:.3f}, {one.mean:.3f}, {one.spread:.3f}]"
        for name, one in scale.features.items()
        if abs(one.weight) >= SLIGHT
    ]
    words = [f'"{word}" = {weight:.2f}' for word, weight in scale.words.items()]
    leaks = sum(sample.leaks for sample in samples)
    return "\n".join(
        [
            "# How much each feature of rules/evidence.toml speaks for a leak in a short text:",
            "# [weight, mean, spread]; the pull is weight * (value - mean) / spread, three spreads",
            "# at most. Words pull as dlp/detect/linking/wording.py says.",
            f"# Learnt by `python -m bench.evidence --write` on {len(samples)} texts,",
            f"# {leaks} of them leaks: the everyday files of the tests and short files of practice",
            "# shares. Do not edit: learn again.",
            "",
            f"bias = {scale.bias:.3f}",
            "",
            "[features]",
            *rows,
            "",
            "[words]",
            *words,
            "",
        ]
    )


def everyday() -> Iterator[Sample]:
    for kind in ("leak", "harmless"):
        for path in sorted((EVERYDAY / kind).iterdir()):
            found = BATCH.match(path.name)
            batch = (found.group(1) if found else "") or "a"
            yield from weighed(path, batch, leaks=kind == "leak")


def written_ones() -> Iterator[Sample]:
    """The texts of the tests of many kinds, as files."""
    with TemporaryDirectory() as folder:
        for leaks, texts in ((True, LEAKS), (False, NO_LEAKS)):
            for number, text in enumerate(texts.values()):
                path = Path(folder) / f"{number}.txt"
                path.write_text(text, encoding="utf-8")
                yield from weighed(path, "kinds", leaks=leaks)


def practice(shares: Iterable[Path]) -> Iterator[Sample]:
    seen = set()
    for number, folder in enumerate(shares):
        lines = (folder / "labels.tsv").read_text(encoding="utf-8").splitlines()[1:]
        for name, label in (line.split("\t")[:2] for line in lines):
            path = folder / "share" / name
            content = path.read_bytes()
            if label == "UNREADABLE" or content in seen:
                continue
            seen.add(content)
            yield from weighed(path, f"share {number}", leaks=label.startswith("PHI"))


def weighed(path: Path, batch: str, *, leaks: bool) -> Iterator[Sample]:
    """The features of a file short enough to be weighed, and the verdict of the other rules."""
    with path.open("rb") as source:
        case = PIPELINE.run(Case(FileRef("share", path.name.encode()), facts={"source": source}))
    subjects = case.facts.get("all_subjects", ())
    case = case.but(facts={**case.facts, "subjects": subjects})
    found = case.container == "phi"
    if not is_weighed(case):
        yield Sample(batch, leaks, found, {}, Counter(), frozenset())
        return
    features = load_evidence().of(case, case.facts["genre"])
    texts = [part.text for part in case.document.parts] if case.document else []
    small = frozenset(word for text in texts for word in WORD.findall(text) if word.islower())
    yield Sample(batch, leaks, found, features, words_of(case), small)


class Keep:
    """Remembers the subjects that the decision leaves out."""

    name = "bench.keep"
    requires: frozenset[str] = frozenset()
    provides: frozenset[str] = frozenset()

    def __call__(self, case: Case) -> Case:
        return case.but(facts={**case.facts, "all_subjects": case.facts.get("subjects", ())})


def without_weights() -> Pipeline:
    """The cascade as it judges when nothing is weighed."""
    every = stages(Settings(), bytes(32))
    return Pipeline(tuple(Keep() if one.name == WeighEvidence.name else one for one in every))


PIPELINE = without_weights()


class Learnt(NamedTuple):
    bias: float
    features: dict[str, Feature]
    words: dict[str, float]

    def chances(self, samples: list[Sample]) -> list[float]:
        scale = Scale(self.bias, self.features, self.words)
        return [scale.weigh(one.features, one.words).score for one in samples]


def vocabulary(samples: list[Sample]) -> list[str]:
    """Words that several invented files write in small letters, and that name no illness or care.

    Leaflets and lessons are full of those: learnt one by one they would speak against a leak. Their
    classes count as features.
    """
    seen = Counter(w for one in samples if " " not in one.batch for w in one.small)
    known = [word for word, files in seen.items() if files >= LEAST and len(word) > 1]
    return sorted(word for word in known if not load_evidence().classes(word) & AILING)


def learnt(samples: list[Sample], names: list[str]) -> Learnt:
    """Every text counts twice, the second time as if nothing had been linked.

    What is linked on these files is what the rules were mended for; on others it often is not.
    """
    values = np.array([[sample.features[name] for name in names] for sample in samples])
    mean, spread = values.mean(axis=0), values.std(axis=0)
    spread[spread == 0] = 1.0
    unlinked = values.copy()
    unlinked[:, [names.index(name) for name in LINKS]] = 0.0
    both = np.clip((np.vstack([values, unlinked]) - mean) / spread, -FARTHEST, FARTHEST)
    words = vocabulary(samples)
    worded = np.tile(shares(samples, words) * TRUST_IN_WORDS, (2, 1))
    leaks = [sample.leaks for sample in samples] * 2
    trust = [SHARE_WEIGHT if " " in sample.batch else 1.0 for sample in samples] * 2
    model = LogisticRegression(C=PENALTY, max_iter=5000, solver="liblinear")
    model.fit(np.hstack([both, worded]), leaks, sample_weight=trust)
    weights = model.coef_[0]
    rows = zip(weights[: len(names)], mean, spread, strict=True)
    features = {name: Feature(*map(float, row)) for name, row in zip(names, rows, strict=True)}
    pulls = map(float, weights[len(names) :] * TRUST_IN_WORDS)
    return Learnt(float(model.intercept_[0]), features, dict(zip(words, pulls, strict=True)))


def shares(samples: list[Sample], words: list[str]) -> Numbers:
    wording = Wording(dict.fromkeys(words, 0.0))
    place = {word: at for at, word in enumerate(words)}
    table = np.zeros((len(samples), len(words)))
    for row, sample in enumerate(samples):
        for word, share in wording.shares(sample.words).items():
            table[row, place[word]] = share
    return table


def judged_unseen(samples: list[Sample], names: list[str]) -> Numbers:
    """Each batch by weights that were learnt on the others."""
    scores = np.zeros(len(samples))
    for batch in sorted({sample.batch for sample in samples}):
        here = [at for at, sample in enumerate(samples) if sample.batch == batch]
        scale = learnt([sample for sample in samples if sample.batch != batch], names)
        scores[here] = scale.chances([samples[at] for at in here])
    return scores


def report(unweighed: list[Sample], samples: list[Sample], scores: Numbers) -> None:
    """The verdicts of both together, and of the rules alone, which have seen the older batches."""
    rows = [(sample.batch, sample.leaks, sample.found, sample.found) for sample in unweighed]
    for sample, score in zip(samples, scores, strict=True):
        recorded = sample.features["link_recorded"] > 0
        told = score >= ENOUGH and is_told_of_somebody(sample.features)
        both = told or (sample.found and (recorded or score >= TOO_LITTLE))
        rows.append((sample.batch, sample.leaks, both, sample.found))
    click.echo("| batch | leaks found | harmless called PHI | rules alone |\n|---|---|---|---|")
    for batch in sorted({row[0] for row in rows}):
        here = [row for row in rows if row[0] == batch]
        both = [(leaks, found) for _, leaks, found, _ in here]
        alone = [(leaks, found) for _, leaks, _, found in here]
        cells = (counted(who, leaks=leaks) for who in (both, alone) for leaks in (True, False))
        click.echo("| {} | {} | {} | {}, {} |".format(batch, *cells))


def is_told_of_somebody(found: dict[str, float]) -> bool:
    """As `dlp.triage.weighed.is_about_somebody` asks, by features."""
    roles = ("role_patient", "role_relative", "role_author")
    return found["like_clinical"] < CLINICAL or any(found[role] for role in roles)


def counted(verdicts: list[tuple[bool, bool]], *, leaks: bool) -> str:
    these = [found for truth, found in verdicts if truth is leaks]
    return f"{sum(these)} of {len(these)}"


if __name__ == "__main__":
    command()
