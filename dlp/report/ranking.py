"""Rank what the catalogue holds: the worst files, folders and people first.

In: rows of the catalogue.  Out: rows with a score, a level and counts.

A folder's score is its expected harm: the sum, over the people exposed in it, of the worst that is
said of each. So an export of five thousand patients outranks one letter.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

UNKNOWN = "unknown"
Row = dict[str, Any]
Level = Callable[[float, int], str]


def by_file(files: Iterable[Mapping[str, Any]], level: Level) -> list[Row]:
    rows = [
        {
            "server": f["server"],
            "path": os.fsdecode(f["path"]),
            "level": known_level(level(f["privacy"], f["people"]), f["gaps"]),
            "container": f["container"],
            "privacy": f["privacy"],
            "identifiability": f["identifiability"],
            "sensitivity": f["sensitivity"],
            "people": f["people"],
            "reason": f["reason"],
            "gaps": f["gaps"].split(),
        }
        for f in files
    ]
    return sorted(
        rows,
        key=lambda row: (
            -row["privacy"],
            -row["people"],
            row["level"] != UNKNOWN,  # what nobody has read comes before what is known to be clean
            row["server"],
            row["path"],
        ),
    )


def known_level(level: str, gaps: Collection[str]) -> str:
    """A file in which nothing was found, and part of which went unread, has no known level."""
    return UNKNOWN if level == "none" and gaps else level


def by_folder(
    files: Iterable[Mapping[str, Any]], people: Iterable[Mapping[str, Any]], level: Level
) -> list[Row]:
    counts: dict[tuple[str, str], dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for one in files:
        counts[folder_of(one)][one["container"]] += 1
    worst: dict[tuple[str, str], dict[str, float]] = defaultdict(dict)
    for person in people:
        folder = folder_of(person)
        privacy = person["identifiability"] * person["sensitivity"]
        known = worst[folder].get(person["person"], 0.0)
        worst[folder][person["person"]] = max(known, privacy)
    rows = []
    for folder, containers in counts.items():
        exposed = worst.get(folder, {})
        rows.append({
            "server": folder[0],
            "path": folder[1],
            "level": level(max(exposed.values(), default=0.0), len(exposed)),
            "harm": sum(exposed.values()),
            "privacy": max(exposed.values(), default=0.0),
            "people": len(exposed),
            "files": sum(containers.values()),
            "phi": containers.get("phi", 0),
        })  # fmt: skip
    return sorted(rows, key=lambda row: (-row["harm"], -row["phi"], row["server"], row["path"]))


def folder_of(row: Mapping[str, Any]) -> tuple[str, str]:
    """A folder is one folder on one server."""
    return row["server"], os.fsdecode(os.path.dirname(row["path"]))


def by_person(
    people: Sequence[Mapping[str, Any]],
    groups: Iterable[Sequence[int]],
    combine: Callable[[list[Mapping[str, Any]]], Any],
    level: Level,
) -> list[Row]:
    """People over all files, as pseudonyms; groups say which descriptions mean one person."""
    rows = []
    for group in groups:
        members = [people[i] for i in group]
        together = combine(members)
        places = sorted({(m["server"], os.fsdecode(m["path"])) for m in members})
        rows.append({
            "level": level(together.privacy, 1),
            "privacy": together.privacy,
            "identifiability": together.identifiability,
            "sensitivity": together.sensitivity,
            "files": len(places),
            "paths": [path for _, path in places],
            "servers": sorted({server for server, _ in places}),
            "alone": max(m["identifiability"] * m["sensitivity"] for m in members),
        })  # fmt: skip
    rows.sort(key=lambda row: (-row["privacy"], -row["files"], row["paths"]))
    return [{"person": f"P-{number:04}", **row} for number, row in enumerate(rows, 1)]
