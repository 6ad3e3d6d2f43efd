"""Rank what the catalogue holds: the worst files, folders and people first.

In: rows of the catalogue.  Out: rows with a score, a level and counts.

The order is that of risk: what is expected to be lost, times the people who can read it. A folder's
harm is the sum, over the people in it, of the worst that is said of each, so an export of five
thousand patients outranks one letter; its risk counts the readers of each of those files as well.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

UNKNOWN = "unknown"
Row = dict[str, Any]
Level = Callable[[float, float], str]


def by_file(files: Iterable[Mapping[str, Any]], level: Level) -> list[Row]:
    rows = [
        {
            "server": f["server"],
            "path": os.fsdecode(f["path"]),
            "level": known_level(level(f["risk"], f["privacy"]), f["gaps"]),
            "risk": f["risk"],
            "exposure": f["exposure"],
            "readers": f["readers"],
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
            -row["risk"],
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
    widest: dict[tuple[str, str], dict[str, float]] = defaultdict(dict)
    for person in people:
        folder, who = folder_of(person), person["person"]
        privacy = person["identifiability"] * person["sensitivity"]
        worst[folder][who] = max(worst[folder].get(who, 0.0), privacy)
        risk = privacy * person["readers"]
        widest[folder][who] = max(widest[folder].get(who, 0.0), risk)
    rows = []
    for folder, containers in counts.items():
        exposed = worst.get(folder, {})
        risk = sum(widest.get(folder, {}).values())
        rows.append({
            "server": folder[0],
            "path": folder[1],
            "level": level(risk, max(exposed.values(), default=0.0)),
            "risk": risk,
            "harm": sum(exposed.values()),
            "privacy": max(exposed.values(), default=0.0),
            "people": len(exposed),
            "files": sum(containers.values()),
            "phi": containers.get("phi", 0),
        })  # fmt: skip
    return sorted(rows, key=lambda row: (-row["risk"], -row["phi"], row["server"], row["path"]))


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
        risk = together.privacy * max(m["readers"] for m in members)
        rows.append({
            "level": level(risk, together.privacy),
            "risk": risk,
            "privacy": together.privacy,
            "identifiability": together.identifiability,
            "sensitivity": together.sensitivity,
            "files": len(places),
            "paths": [path for _, path in places],
            "servers": sorted({server for server, _ in places}),
            "alone": max(m["identifiability"] * m["sensitivity"] for m in members),
        })  # fmt: skip
    rows.sort(key=lambda row: (-row["risk"], -row["files"], row["paths"]))
    return [{"person": f"P-{number:04}", **row} for number, row in enumerate(rows, 1)]
