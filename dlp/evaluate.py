"""Compare verdicts with labels: how many leaks were found, how many alarms were false, and where.

In: records and a labels table.  Out: the paper's measures, with confidence intervals.

TDP = PHI files found / all files judged; TDP_i = PHI files / all files, the ideal;
FRP = files flagged that are no PHI / all files judged.
"""

from __future__ import annotations

import csv
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from dlp.errors import ConfigError
from dlp.model import Container
from dlp.report.record import NEAR_KEY, Record

LEAKS = frozenset({"PHI"})
# Leaks in a language the product does not promise: counted apart, neither miss nor false alarm.
LEAKS_APART = frozenset({"PHI_NON_ENGLISH"})

# Of privacy: the 2011 paper's 5e-5 and powers of ten around it; of H: the 2009 study's 0.04.
THRESHOLDS = {
    "privacy": (0.0, 1e-6, 1e-5, 5e-5, 1e-4, 1e-3, 1e-2, 0.1, 0.3),
    "H": (0.0, 0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.08, 0.1),
}
DENSITY = re.compile(r"health density (\d\.\d+)")

# Where files leave the cascade, first to last; a reason not listed here comes before all.
CASCADE = (
    "", "impossible: published title", "impossible: not text", "impossible: not English",
    "impossible: publishable", "impossible: educational", "impossible: non-personal", "duplicate",
    "possible", "probable", "phi",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Share:
    """A proportion with its 95 % Wilson interval."""

    value: float
    low: float
    high: float

    @classmethod
    def of(cls, hits: int, total: int, z: float = 1.96) -> Share:
        if not total:
            return cls(0.0, 0.0, 1.0)
        p = hits / total
        spread = z * math.sqrt(p * (1 - p) / total + z * z / (4 * total * total))
        middle, scale = p + z * z / (2 * total), 1 + z * z / total
        low, high = (middle - spread) / scale, (middle + spread) / scale
        return cls(p, max(0.0, low) if hits else 0.0, min(1.0, high) if hits < total else 1.0)


@dataclass(frozen=True, slots=True)
class Cut:
    """What a threshold alone would decide: every file above it is flagged."""

    measure: str  # privacy, or the density H of the 2009 study
    threshold: float
    found: int
    alarms: int
    missed: int
    passed: int

    @property
    def precision(self) -> float:
        return self.found / (self.found + self.alarms) if self.found + self.alarms else 0.0

    @property
    def recall(self) -> float:
        return self.found / (self.found + self.missed) if self.found + self.missed else 0.0

    @property
    def f(self) -> float:
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


@dataclass(frozen=True, slots=True)
class Mistake:
    file: str
    label: str
    container: str
    reason: str
    stage: str
    gaps: tuple[str, ...]


@dataclass(slots=True)
class Evaluation:
    files: int = 0
    leaks: int = 0
    found: int = 0
    alarms: int = 0
    leaks_apart: int = 0
    found_apart: int = 0
    unlabelled: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    misses: list[Mistake] = field(default_factory=list)
    false_alarms: list[Mistake] = field(default_factory=list)
    funnel: Counter[str] = field(default_factory=Counter)
    by_label: dict[str, Counter[str]] = field(default_factory=dict)
    scores: dict[str, list[tuple[bool, float]]] = field(default_factory=dict)  # leak, score

    def add(self, name: str, label: str, record: Record) -> None:
        self.files += 1
        flagged = record["container"] == Container.PHI
        self.by_label.setdefault(label, Counter())[record["container"]] += 1
        self.funnel[step_of(record)] += 1
        if label not in LEAKS_APART:
            for measure, score in scores_of(record):
                self.scores.setdefault(measure, []).append((label in LEAKS, score))
        if label in LEAKS_APART:
            self.leaks_apart += 1
            self.found_apart += flagged
        elif label in LEAKS:
            self.leaks += 1
            self.found += flagged
            if not flagged:
                self.misses.append(mistake(name, label, record))
        elif flagged:
            self.alarms += 1
            self.false_alarms.append(mistake(name, label, record))

    def measures(self) -> dict[str, Share]:
        return {
            "TDP": Share.of(self.found, self.files),
            "TDP_i": Share.of(self.leaks, self.files),
            "FRP": Share.of(self.alarms, self.files),
            "precision": Share.of(self.found, self.found + self.alarms),
            "recall": Share.of(self.found, self.leaks),
        }

    def cuts(self) -> list[Cut]:
        """What each threshold of privacy, and of H where the study's rules ran, would decide."""
        rows = []
        for measure, scores in self.scores.items():
            for threshold in THRESHOLDS[measure]:
                counts = Counter((leak, score > threshold) for leak, score in scores)
                rows.append(Cut(
                    measure, threshold, counts[True, True], counts[False, True],
                    counts[True, False], counts[False, False],
                ))  # fmt: skip
        return rows

    def steps(self) -> list[tuple[str, int]]:
        """The funnel in the order of the cascade, as the paper draws it."""
        known = {step: place for place, step in enumerate(CASCADE)}
        return sorted(self.funnel.items(), key=lambda pair: (known.get(pair[0], 0), pair[0]))

    def as_object(self) -> dict[str, Any]:
        return {
            "files": self.files,
            "phi": self.leaks,
            "found": self.found,
            "false_alarms": self.alarms,
            **{name: asdict(share) for name, share in self.measures().items()},
            "TDP/TDP_i": self.found / self.leaks if self.leaks else 1.0,
            "other_languages": {"phi": self.leaks_apart, "found": self.found_apart},
            "funnel": dict(self.steps()),
            "by_label": {label: dict(counts) for label, counts in sorted(self.by_label.items())},
            "misses": [asdict(one) for one in self.misses],
            "alarms": [asdict(one) for one in self.false_alarms],
            "unlabelled": self.unlabelled,
            "missing": self.missing,
            "thresholds": [
                asdict(cut) | {"precision": cut.precision, "recall": cut.recall, "f": cut.f}
                for cut in self.cuts()
            ],
        }


def scores_of(record: Record) -> Iterator[tuple[str, float]]:
    """The privacy of the worst person, and the density of health terms if the study judged it."""
    yield "privacy", float(record.get("privacy", 0.0))
    if record["trail"] and (said := DENSITY.search(record["reason"])):
        yield "H", float(said.group(1))


def step_of(record: Record) -> str:
    """The step of the cascade that answered, in the words of the paper's figures."""
    if record["duplicate_of"]:
        return "duplicate"
    if record["container"] == Container.IMPOSSIBLE:
        return f"impossible: {record['reason'].split(':')[0]}"
    return str(record["container"])


def mistake(name: str, label: str, record: Record) -> Mistake:
    return Mistake(
        file=name,
        label=label,
        container=record["container"],
        reason=record["reason"],
        stage=(record["trail"] or [""])[-1],
        gaps=tuple(sorted({gap["code"] for gap in record["gaps"]})),
    )


def read_labels(path: Path) -> dict[str, str]:
    """A table with the columns `file` and `label`, separated by tabs."""
    with path.open(newline="", encoding="utf-8", errors="surrogateescape") as source:
        rows = csv.DictReader(source, delimiter="\t")
        if not {"file", "label"} <= set(rows.fieldnames or ()):
            raise ConfigError(
                "no columns `file` and `label`", where=str(path), fix="separate columns by tabs"
            )
        return {row["file"]: row["label"].strip().upper() for row in rows}


def with_near_copies(records: Iterable[tuple[str, Record]]) -> Iterator[tuple[str, Record]]:
    """A record whose near key stood earlier is a copy; only the study's rule sets give the key."""
    first: dict[str, Record] = {}
    for name, record in records:
        same = first.setdefault(record[NEAR_KEY], record) if NEAR_KEY in record else record
        if same is record or record["duplicate_of"]:
            yield name, record
        else:
            yield name, {**same, "path": record["path"], "duplicate_of": same["path"]}


def evaluate(records: Iterable[tuple[str, Record]], labels: Mapping[str, str]) -> Evaluation:
    """Judge the judge; names are relative to the share, as in the labels."""
    result = Evaluation()
    seen = set()
    for name, record in with_near_copies(records):
        seen.add(name)
        if name in labels:
            result.add(name, labels[name], record)
        else:
            result.unlabelled.append(name)
    result.missing = sorted(labels.keys() - seen)
    return result
