"""Everything a report says, as numbers: computed once for pages, summaries and packs.

In: rows of the catalogue and what else the store knows.  Out: Overview; no value, no excerpt.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dlp.access import REACHES
from dlp.model import LEVELS, Container
from dlp.report import ranking

Row = dict[str, Any]
Stock = Sequence[tuple[str, Mapping[str, int]]]
EXPOSING = frozenset({Container.PHI.value, Container.PROBABLE.value})


@dataclass(frozen=True, slots=True)
class Overview:
    at: float
    title: str = "Privacy risk report"
    servers: tuple[str, ...] = ()
    rules_versions: tuple[str, ...] = ()
    files: int = 0
    size_bytes: int = 0
    read: int = 0  # in full
    containers: Mapping[str, int] = field(default_factory=dict)
    levels: Mapping[str, int] = field(default_factory=dict)  # of files that expose somebody
    gaps: Mapping[str, int] = field(default_factory=dict)
    reviews: Mapping[str, int] = field(default_factory=dict)
    actions: Mapping[str, int] = field(default_factory=dict)  # by state, as in the journal
    worst_files: Sequence[Row] = ()
    worst_folders: Sequence[Row] = ()
    worst_people: Sequence[Row] = ()
    people: int = 0
    harm: float = 0.0
    exposure: Mapping[str, int] = field(default_factory=dict)  # PHI by who can read it
    stale: int = 0  # PHI that nobody has changed or opened for long
    orphaned: int = 0  # PHI whose owner has no account any more
    stock: Stock = ()
    exceptions: int = 0
    oldest: float = 0.0  # judged at
    newest: float = 0.0

    @property
    def phi(self) -> int:
        return self.containers.get(Container.PHI.value, 0)

    @property
    def unread(self) -> int:
        return self.files - self.read

    @property
    def coverage(self) -> float:
        return self.read / self.files if self.files else 0.0

    @property
    def funnel(self) -> list[tuple[str, int]]:
        """How many files are left at each step: every leak is probable, and so on upwards."""
        left, steps = self.files, []
        for container in Container:
            steps.append((container.value, left))
            left -= self.containers.get(container.value, 0)
        return steps

    @property
    def urgent(self) -> int:
        return self.levels.get("critical", 0) + self.levels.get("high", 0)


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What ranking people needs and the report room must not import."""

    level: ranking.Level
    link: Callable[[list[Row]], Iterable[Sequence[int]]]
    combine: Callable[[list[Mapping[str, Any]]], Any]


def look_over(
    files: Sequence[Row],
    people: list[Row],
    knowledge: Knowledge,
    *,
    at: float,
    top: int = 10,
    **known: Any,
) -> Overview:
    """`known`: fields of Overview that come from elsewhere (stock, reviews, actions ...)."""
    people = exposed(people)
    ranked = ranking.by_file(files, knowledge.level)
    folders = ranking.by_folder(files, people, knowledge.level)
    persons = ranking.by_person(people, knowledge.link(people), knowledge.combine, knowledge.level)
    exposing = [row for row in ranked if row["container"] in EXPOSING]
    levels = Counter(row["level"] for row in exposing)
    times = [row["judged_at"] for row in files]
    return Overview(
        at=at,
        servers=tuple(sorted({row["server"] for row in files} - {""})),
        rules_versions=tuple(sorted({row["rules_version"] for row in files} - {""})),
        files=len(files),
        size_bytes=sum(row["size_bytes"] for row in files),
        read=sum(not row["gaps"] for row in files),
        containers=Counter(row["container"] for row in files),
        levels={level: levels.get(level, 0) for level in reversed(LEVELS)},
        gaps=Counter(code for row in files for code in row["gaps"].split()),
        worst_files=[row for row in exposing if row["privacy"] > 0][:top],
        worst_folders=[row for row in folders if row["people"]][:top],
        worst_people=persons[:top],
        people=len(persons),
        harm=sum(row["harm"] for row in folders),
        exposure=by_exposure(files),
        oldest=min(times, default=0.0),
        newest=max(times, default=0.0),
        **known,
    )


def by_exposure(files: Iterable[Row]) -> dict[str, int]:
    counts = Counter(row["exposure"] for row in files if row["container"] == Container.PHI)
    return {reach: counts[reach] for reach in reversed(REACHES)}


def exposed(people: Iterable[Row]) -> list[Row]:
    """Those with a health fact; somebody who is only named loses nothing here."""
    return [one for one in people if one["sensitivity"] > 0]
